// The playground in Chromium, served by the built command, for tests. Every visit watches for errors of the page and for violations of its
// content security policy; both fail the test.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Without a browser, tests that need one are skipped; `.ci/run` installs it. */
const HAS_CHROMIUM: boolean = existsSync(CHROMIUM);

/** A slow machine builds and starts for a while. */
export const PATIENCE = 120_000;

/** For polled conditions. */
export const SOON = { timeout: 20_000 } as const;

/** Tests that share a server and a browser; `visits` exists while they run. */
export function inBrowser(name: string, tests: (visits: () => Visits) => void): void {
  describe.skipIf(!HAS_CHROMIUM)(name, { timeout: PATIENCE }, () => {
    let visits: Visits | undefined;
    beforeAll(async () => void (visits = await Visits.start()), PATIENCE);
    afterAll(() => visits?.stop());
    tests(() => visits!);
  });
}

export class Visits {
  readonly url: string;
  readonly #server: ChildProcess;
  readonly #browser: Browser;
  #shared: Promise<Visit> | undefined;

  private constructor(url: string, server: ChildProcess, browser: Browser) {
    this.url = url;
    this.#server = server;
    this.#browser = browser;
  }

  static async start(): Promise<Visits> {
    const script = (name: string) => import(pathToFileURL(join(ROOT, "scripts", name)).href);
    await (await script("bundle-command.mjs")).bundleCommand();
    await (await script("build-playground.mjs")).buildPlayground();
    const server = spawn(process.execPath, [join(ROOT, "apps/cli/bin/celadon.mjs"), "playground", "--port", "0"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const url = await new Promise<string>((resolve, reject) => {
      server.stdout?.setEncoding("utf8").on("data", (text: string) => {
        const found = /http\S+/.exec(text)?.[0];
        if (found !== undefined) resolve(found);
      });
      server.on("exit", (code) => reject(new Error(`celadon playground ended with ${code}`)));
    });
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    return new Visits(url, server, browser);
  }

  async stop(): Promise<void> {
    try {
      await (await this.#shared)?.end();
    } finally {
      await this.#browser.close();
      this.#server.removeAllListeners("exit");
      this.#server.kill("SIGINT");
    }
  }

  /** One visit for tests that continue where the previous one ended, as loading a page takes longer than most of them. */
  shared(fragment = ""): Promise<Visit> {
    this.#shared ??= this.opened({}, fragment);
    return this.#shared;
  }

  /** A visitor with a browser of their own: nothing is kept from others. */
  async visit(options: BrowserContextOptions = {}, fragment = ""): Promise<Visit> {
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 800 },
      serviceWorkers: "block",
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(PATIENCE - 20_000);
    const page = await context.newPage();
    const visit = new Visit(page);
    await page.goto(this.url + fragment);
    return visit;
  }

  /** The same, once the first example is answered. */
  async opened(options: BrowserContextOptions = {}, fragment = ""): Promise<Visit> {
    const visit = await this.visit(options, fragment);
    await visit.verdict("Denied");
    return visit;
  }
}

export class Visit {
  readonly page: Page;
  readonly errors: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on("pageerror", ({ message }) => this.errors.push(message));
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
  }

  /** Ends the visit; nothing went wrong in it. */
  async end(): Promise<void> {
    expect(this.errors).toEqual([]);
    await this.page.context().close();
  }

  /** The verdict, once it is this one and says this: the answer before may have had the same title. */
  async verdict(title: string, said = ""): Promise<Locator> {
    const verdict = this.page.locator("#verdict");
    try {
      await this.page
        .locator("#verdict strong", { hasText: new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`) })
        .waitFor();
      await this.page.locator("#verdict", { hasText: said }).waitFor();
    } catch (error) {
      const shown = await verdict.textContent();
      throw new Error(`the page shows "${shown}", errors: ${JSON.stringify(this.errors)}`, { cause: error });
    }
    return verdict;
  }

  /** By its id: titles are for people, and change. */
  async example(id: string): Promise<void> {
    await this.page.locator("#open-examples").click();
    await this.page.locator(`#example-${id}`).click();
  }

  /** The tabs of the result. */
  async tab(id: "why" | "change" | "certificate" | "costs" | "findings" | "clauses" | "tests"): Promise<void> {
    await this.page.locator(`#result-tabs-${id}`).click();
  }

  async importText(text: string): Promise<void> {
    await this.page.locator("#open-import").click();
    await this.page.locator("#import-text").fill(text);
    await this.page.getByRole("button", { name: "Import the text" }).click();
  }

  editor(name: "policy" | "object" | "oldObject" | "tests"): Locator {
    return this.page.locator(`#editor-${name} .cm-content`);
  }

  /** Serious and lesser violations alike, by rule and element; of colours alone where nothing else has changed. */
  async violations(of: "all" | "colours" = "all"): Promise<readonly string[]> {
    // A script tag would be blocked, so it comes in as an expression.
    if (!(await this.page.evaluate(() => "axe" in globalThis))) await this.page.evaluate(axe.source);
    const { violations } = await this.page.evaluate<{
      violations: { id: string; nodes: { target: unknown[]; failureSummary: string }[] }[];
    }>(`axe.run(document, { runOnly: ${JSON.stringify(RULES[of])}, resultTypes: ["violations"] })`);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary.replace(/\s+/g, " ")}`,
      ),
    );
  }
}

const RULES = {
  all: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] },
  colours: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
} as const;
