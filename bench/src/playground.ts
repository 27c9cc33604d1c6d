// npm run bench -- playground: the playground in Chromium. The files of a first visit until the verdict is shown, and the time of a verdict
// after a keystroke: a pod with 20 validations. Figures are kept in results/playground.json.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { keep } from "./keep.ts";
import { median } from "./measure.ts";

const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

const KEYSTROKES = 120;
/** The first few warm up the engine and its caches. */
const WARM_UP = 20;
/** Between two keystrokes, so that all of an answer is done. */
const REST_MS = 250;

const GOALS = { firstLoadKb: 350, keystrokeMs: 16 };

/** The command serves it, at any port. */
async function serve(): Promise<{ url: string; stop: () => void }> {
  const server = spawn(process.execPath, [beside("../../apps/cli/bin/celadon.mjs"), "playground", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    server.stdout.setEncoding("utf8").on("data", (text: string) => {
      const found = /(http\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    server.on("exit", (code) => reject(new Error(`celadon playground ended with ${code}`)));
  });
  return { url, stop: () => void server.kill("SIGINT") };
}

interface Load {
  /** Compressed bytes until the first verdict, schemas of built-in kinds apart; and the schemas that this verdict needed. */
  readonly firstLoadKb: number;
  readonly schemasKb: number;
  /** The size of the parts that are loaded afterwards: completion, costs, findings. */
  readonly afterwardsKb: number;
  readonly verdictShownMs: number;
}

/** Tables of the built-in kinds, and from the first of these on the validation of a group, which comes on demand. */
const SCHEMAS = /\/schemas-/;
const GROUP = /\/assets\/(?:core|apps|batch|autoscaling|networking|policy|rbac|storage)-/;

/** In the page, from its start: when the first verdict is shown, in milliseconds of the epoch. */
const FIRST_VERDICT = `
  globalThis.shownAt = new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector("#verdict.tone-bad") === null) return;
      observer.disconnect();
      resolve(performance.timeOrigin + performance.now());
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
`;

async function measureLoad(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  await page.addInitScript(FIRST_VERDICT);
  const sizes: { readonly name: string; readonly bytes: number; readonly at: number }[] = [];
  const waiting: Promise<unknown>[] = [];
  page.on("requestfinished", (request) => {
    const { startTime, responseStart } = request.timing();
    const size = request.sizes().then(({ responseBodySize }) => {
      sizes.push({ name: new URL(request.url()).pathname, bytes: responseBodySize, at: startTime + responseStart });
    });
    waiting.push(size);
  });
  const started = Date.now();
  await page.goto(url);
  const shown = (await page.evaluate("shownAt")) as number;
  await page.waitForTimeout(2_000);
  await Promise.all(waiting);
  await context.close();
  const kb = (which: (one: (typeof sizes)[number]) => boolean): number =>
    Math.round(sizes.filter(which).reduce((sum, { bytes }) => sum + bytes, 0) / 100) / 10;
  const demanded = sizes.find(({ name }) => GROUP.test(name))?.at ?? Number.POSITIVE_INFINITY;
  const isSchema = ({ name, at }: (typeof sizes)[number]): boolean => SCHEMAS.test(name) || at >= demanded;
  const load: Load = {
    firstLoadKb: kb((one) => one.at <= shown && !isSchema(one)),
    schemasKb: kb((one) => one.at <= shown && isSchema(one)),
    afterwardsKb: kb((one) => one.at > shown),
    verdictShownMs: Math.round(shown - started),
  };
  const goal = load.firstLoadKb <= GOALS.firstLoadKb ? "" : ", missed";
  console.log(
    `first load ${load.firstLoadKb} kB (goal: ${GOALS.firstLoadKb}${goal}), schemas ${load.schemasKb} kB, afterwards ${load.afterwardsKb} kB; verdict after ${load.verdictShownMs} ms`,
  );
  return load;
}

interface Figures {
  readonly median: number;
  readonly p95: number;
}

/** From the event of a key, in milliseconds. */
interface Keystroke {
  /** Until the verdict that answers it is in the page. */
  readonly shown: Figures;
  /** Until the browser has painted it, in the frame that it was shown in or in the next. */
  readonly painted: Figures;
  /** The worker's share of these. */
  readonly worker: Figures;
}

/**
 * In the page: from each key, by the time of its event, to the verdict that answers it. Text shown within a frame, before it is drawn, is
 * painted when that frame ends; text shown between frames waits for the next.
 */
const WATCH = `
  globalThis.times = [];
  let pressed = 0;
  let inFrame = false;
  const afterFrame = (act) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = act;
    port2.postMessage(0);
  };
  const onKey = ({ timeStamp }) => {
    pressed = timeStamp;
    requestAnimationFrame(() => {
      inFrame = true;
      afterFrame(() => (inFrame = false));
    });
  };
  document.addEventListener("keydown", onKey, { capture: true });
  new MutationObserver(() => {
    if (pressed === 0) return;
    const from = pressed;
    pressed = 0;
    const time = { shown: performance.now() - from, worker: Number.parseFloat(document.getElementById("took").textContent) };
    const painted = () => afterFrame(() => times.push({ ...time, painted: performance.now() - from }));
    if (inFrame) painted();
    else requestAnimationFrame(painted);
  }).observe(document.getElementById("verdict"), { childList: true });
`;

async function measureKeystrokes(browser: Browser, url: string): Promise<Keystroke> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.locator(".verdict.tone-bad").waitFor();
  await importText(page, twentyValidations());
  await page.locator(".verdict.tone-good").waitFor();
  await page.waitForTimeout(1_000);
  await page.evaluate(WATCH);
  await page.locator("#editor-policy .cm-content").click();
  // At the end of the message of the last validation: every keystroke changes the policy.
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  for (let i = 0; i < KEYSTROKES; i++) {
    await page.keyboard.press("abcdefghij"[i % 10]!);
    const isAnswered = (count: number): boolean => (globalThis as unknown as { times: unknown[] }).times.length > count;
    await page.waitForFunction(isAnswered, i, { polling: REST_MS });
    await page.waitForTimeout(REST_MS);
  }
  const times = ((await page.evaluate("times")) as Record<keyof Keystroke, number>[]).slice(WARM_UP);
  await page.close();
  const round = (n: number): number => Math.round(n * 10) / 10;
  const figures = (of: keyof Keystroke): Figures => {
    const sorted = times.map((time) => time[of]).sort((a, b) => a - b);
    return { median: round(median(sorted)), p95: round(sorted[Math.floor(sorted.length * 0.95)]!) };
  };
  const result = { shown: figures("shown"), painted: figures("painted"), worker: figures("worker") };
  const text = ({ median: middle, p95 }: Figures): string => `${middle} ms, p95 ${p95} ms`;
  const goal = result.shown.median <= GOALS.keystrokeMs ? "" : ", missed";
  console.log(`verdict in the page after a keystroke: ${text(result.shown)} (goal: ${GOALS.keystrokeMs}${goal})`);
  console.log(`painted: ${text(result.painted)}; review in the worker: ${text(result.worker)}`);
  return result;
}

async function importText(page: Page, text: string): Promise<void> {
  await page.locator("#open-import").click();
  await page.locator("#import-text").fill(text);
  await page.getByRole("button", { name: "Import the text" }).click();
}

/** Twenty validations as in the standards for pods: each looks at all containers. */
function twentyValidations(): string {
  const validations = Array.from(
    { length: 20 },
    (_, i) => `    - expression: |-
        object.spec.containers.all(c,
          !has(c.securityContext) || !has(c.securityContext.runAsUser) || c.securityContext.runAsUser > ${i}
        ) && object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))
      message: rule ${i}
`,
  ).join("");
  const containers = Array.from(
    { length: 5 },
    (_, i) => `    - name: c${i}
      image: registry.example.com/app-${i}:1
      securityContext: { runAsUser: ${1000 + i} }
`,
  ).join("");
  return `apiVersion: v1
kind: Pod
metadata: { name: web, namespace: default }
spec:
  containers:
${containers}---
apiVersion: v1
kind: Namespace
metadata: { name: default }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: twenty }
spec: { policyName: twenty, validationActions: [Deny] }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: twenty }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [pods] }
  validations:
${validations}`;
}

if (!existsSync(CHROMIUM)) {
  console.log(`no Chromium at ${CHROMIUM}: nothing was measured`);
} else {
  const { url, stop } = await serve();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const load = await measureLoad(browser, url);
    const keystroke = await measureKeystrokes(browser, url);
    keep("playground", { chromium: browser.version(), load, keystroke });
  } finally {
    await browser.close();
    stop();
  }
}
