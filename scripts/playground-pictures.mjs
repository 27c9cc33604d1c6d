// Takes the pictures of the playground that docs/ shows, in Chromium: node scripts/playground-pictures.mjs, after a change that can be
// seen. Look at them before they are committed.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { buildPlayground } from "./build-playground.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = `${root}docs/pictures/`;

/** By name: the example, the tab of the result, and what else is done before the picture is taken. */
const PICTURES = [
  { name: "validating", example: "trusted-images", tab: "why", light: ".line-deciding" },
  { name: "mutating", example: "proxy", tab: "change" },
  { name: "crd-rules", example: "queues", tab: "why", scheme: "dark" },
  { name: "costs", example: "too-costly", tab: "costs" },
  { name: "match-conditions", example: "nodes", tab: "why" },
  { name: "certificates", example: "own-domain", tab: "certificate" },
  { name: "cel", example: "containers", tab: "why", scheme: "dark" },
  { name: "tests", example: "trusted-images", tab: "tests", press: "#panel-tests button.primary" },
  { name: "clauses", example: "trusted-images", tab: "clauses", press: '#panel-clauses button[aria-label^="Find"]' },
  { name: "phone", example: "trusted-images", tab: "why", phone: true },
];

await buildPlayground();
mkdirSync(folder, { recursive: true });
const server = spawn(process.execPath, [`${root}apps/cli/bin/celadon.mjs`, "playground", "--port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const url = await new Promise((resolve) => {
  server.stdout.setEncoding("utf8").on("data", (text) => resolve(/http\S+/.exec(text)?.[0]));
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const only = process.argv.slice(2);
for (const { name, example, tab, light, press, scheme = "light", phone = false } of PICTURES) {
  if (only.length > 0 && !only.includes(name)) continue;
  const size = phone ? { width: 390, height: 780 } : { width: 1280, height: 800 };
  const page = await browser.newPage({ viewport: size, colorScheme: scheme, isMobile: phone, reducedMotion: "reduce" });
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector("#took")?.textContent !== "");
  // Twice: the first time may have to load a part of the engine, which the time shown would include.
  for (let i = 0; i < 2; i++) {
    await page.locator("#open-examples").click();
    await page.locator(`#example-${example}`).click();
    await page.waitForTimeout(1_500);
  }
  if (phone) await page.locator("#phone-tabs-pane-result").click();
  await page.locator(`#result-tabs-${tab}`).click();
  if (press !== undefined) await page.locator(press).first().click();
  await page.waitForTimeout(1_500);
  if (light !== undefined) await page.locator(light).first().hover();
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${folder}playground-${name}.png` });
  console.log(`written: docs/pictures/playground-${name}.png`);
  await page.close();
}
await browser.close();
server.kill("SIGINT");
