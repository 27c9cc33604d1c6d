// The documentation as a site: links and anchors of every page, examples that open in the playground, and the pages in a browser.

import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join, posix } from "node:path";
import { inflateRawSync } from "node:zlib";
import { decodeWork } from "@celadon/language/playground";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { siteFiles } from "../../../scripts/site/build.mjs";
import { ROOT } from "./pages.ts";

const files = siteFiles();
const html = [...files].filter(([path]) => path.endsWith(".html"));
const at = html.find(([path]) => path.endsWith("/guides/ci.html"))![0].replace("guides/ci.html", "");
const text = (path: string): string => String(files.get(path));

test("every page of docs/ has one in the site, and the start leads to the newest version", () => {
  expect(html.length).toBeGreaterThan(60);
  expect(text("docs/index.html")).toContain(`url=${posix.basename(at)}/index.html`);
  expect(JSON.parse(text("docs/versions.json"))).toEqual([posix.basename(at)]);
});

test("links between pages lead to pages, anchors, pictures and the playground", () => {
  const broken: string[] = [];
  for (const [path, data] of html) {
    for (const [, target = ""] of String(data).matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file = "", anchor] = target.replaceAll("&amp;", "&").split("#");
      const to = file === "" ? path : posix.join(posix.dirname(path), file);
      const isPlayground = ["index.html", "icon.svg"].includes(to);
      const page = files.get(to);
      const lost =
        !isPlayground && (page === undefined || (anchor !== undefined && !String(page).includes(`id="${anchor}"`)));
      if (lost) broken.push(`${path}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test("the search index names sections that exist", () => {
  const sections = JSON.parse(text(`${at}search.json`)) as { href: string; text: string }[];
  expect(sections.length).toBeGreaterThan(300);
  for (const { href } of sections) {
    const [file = "", anchor] = href.split("#");
    expect(anchor === undefined || text(`${at}${file}`).includes(`id="${anchor}"`), href).toBe(true);
  }
});

test("examples are work of the playground: a policy, its object and its suite", async () => {
  const inflate = (bytes: Uint8Array, limit: number): Uint8Array => inflateRawSync(bytes, { maxOutputLength: limit });
  const links = html.flatMap(([path, data]) =>
    [...String(data).matchAll(/<a class="try" href="[^"#]*#([^"]+)"/g)].map(([, fragment = ""]) => ({
      path,
      fragment,
    })),
  );
  expect(links.length).toBeGreaterThan(8);
  for (const { path, fragment } of links) {
    const work = await decodeWork(fragment, inflate);
    expect(work, path).not.toHaveProperty("problem");
    expect(work, path).toMatchObject({ policy: expect.stringContaining("kind: ") });
  }
  const [first] = links.filter(({ path }) => path.endsWith("policy-author.html"));
  expect(await decodeWork(first!.fragment, inflate)).toMatchObject({
    mode: "validating",
    policy: expect.stringMatching(/ValidatingAdmissionPolicy/),
  });
});

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const hasChromium = existsSync(CHROMIUM);
if (!hasChromium) console.warn("chromium is not installed: the site is not opened in a browser");

describe.skipIf(!hasChromium)("in a browser", { timeout: 120_000 }, () => {
  let server: Server;
  let browser: Browser;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = (request.url ?? "").split(/[?#]/)[0]!.slice(1);
      const file = join(ROOT, "apps/cli/dist/site", path);
      const data = files.get(path) ?? (existsSync(file) && path !== "" ? readFileSync(file) : undefined);
      const types: Record<string, string> = {
        ".html": "text/html",
        ".css": "text/css",
        ".js": "text/javascript",
        ".json": "application/json",
        ".svg": "image/svg+xml",
      };
      response.writeHead(data === undefined ? 404 : 200, {
        "content-type": types[posix.extname(path)] ?? "application/octet-stream",
      });
      response.end(data);
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address!.port : ""}/`;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** A page that must not report errors, nor violations of its content security policy. */
  async function open(path: string, act: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    try {
      await page.goto(`${url}${path}`);
      await act(page);
      expect(errors).toEqual([]);
    } finally {
      await page.close();
    }
  }

  test("the search leads to a section", () =>
    open(`${at}index.html`, async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("pre-commit");
      const found = page.locator("#found [role=option]");
      await found.first().waitFor();
      expect(await found.first().textContent()).toMatch(/pre-commit/);
      await page.keyboard.press("Enter");
      await page.waitForURL(/guides\/ci\.html#pre-commit$/);
      expect(await page.locator("h2#pre-commit").isVisible()).toBe(true);
      await page.locator("#search").fill("zzzzqqqq");
      await page.locator("#found .none").waitFor();
    }));

  test("an example shows its verdict in the playground", () =>
    open(`${at}guides/policy-author.html`, async (page) => {
      await page.locator("a.try").first().click();
      await page.waitForFunction(() => document.querySelector("#took")?.textContent !== "", undefined, {
        timeout: 60_000,
      });
      expect(await page.locator("body").textContent()).toMatch(/allowed|denied/);
    }));

  test("on a phone, the menu opens and nothing is wider than the page", () =>
    open(`${at}reference/output.html`, async (page) => {
      await page.setViewportSize({ width: 390, height: 780 });
      expect(await page.locator("#menu").isVisible()).toBe(false);
      await page.locator("#menu-button").click();
      expect(await page.locator("#menu").isVisible()).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }));
});
