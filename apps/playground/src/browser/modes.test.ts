// Every mode in a real browser: the verdict, the explanation that lights up its places, the special parts of the mode; and no violation of
// accessibility rules in any of them, light or dark.

import { expect, test } from "vitest";
import { inBrowser } from "./visit.testing.ts";

inBrowser("modes", (visits) => {
  // biome-ignore format: one mode per line
  test.each([
    { example: "trusted-images", verdict: "Denied",           said: "images must come from registry.example.com", tab: "why",         shows: "decided by spec.containers[1]" },
    { example: "created-by",     verdict: "Allowed, changed", said: "CREATE Pod shop/web by ann",                 tab: "change",      shows: "created-by" },
    { example: "queues",         verdict: "Denied",           said: "partitions cannot be taken away",            tab: "why",         shows: "self >= oldSelf" },
    { example: "nodes",          verdict: "Webhook is not called", said: "would not be called",                        tab: "why",         shows: "matchConditions not-for-nodes" },
    { example: "own-domain",     verdict: "Denied",           said: "only names of services of this namespace",   tab: "certificate", shows: "web.bank.svc" },
    { example: "containers",     verdict: "false",            said: "bool",                                       tab: "costs",       shows: "of 1,000,000" },
  ] as const)("$example", async ({ example, verdict, said, tab, shows }) => {
    const visit = await visits().shared();
    const { page } = visit;
    await page.emulateMedia({ colorScheme: "light" });
    await visit.example(example);
    await visit.verdict(verdict, said);
    await visit.tab(tab);
    await page.locator(".panel:visible", { hasText: shows }).waitFor();
    await page.locator("#took", { hasText: "ms" }).waitFor();
    expect(await visit.violations()).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await visit.violations("colours")).toEqual([]);
  });

  test("a line of the explanation lights up the clause and the guilty element", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    await visit.example("trusted-images");
    await page.locator("#editor-object .guilty").waitFor();
    expect(await page.locator("#editor-object .guilty").allTextContents()).toEqual(["docker.io/acme/shipper:latest"]);
    await page.locator(".line", { hasText: /^[▸·✗✓\s]*c\.image → / }).hover();
    await page.locator("#editor-policy .lit").waitFor();
    expect(await page.locator("#editor-policy .lit").allTextContents()).toEqual(["c.image"]);
    expect(await page.locator("#editor-object .lit").allTextContents()).toEqual(["docker.io/acme/shipper:latest"]);
  });

  test("costs are bars with the versions that accept them, findings come with fixes", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    await visit.example("too-costly");
    await visit.verdict("Rejected");
    await visit.tab("costs");
    await page.locator(".bar-fill.tone-bad").first().waitFor();
    expect(await page.locator("#panel-costs").textContent()).toMatch(/help: .*maxItems/);
    await visit.tab("findings");
    await page.locator(".finding").first().waitFor();
    expect(await visit.violations()).toEqual([]);
  });

  test("clauses by the keyboard: results for every object, the change that turns one, tests of both sides", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    await visit.example("replicas");
    await visit.verdict("Denied");
    await visit.tab("clauses");
    const search = page.getByRole("button", { name: "Find the smallest change that flips validations[0].expression" });
    await search.focus();
    await page.keyboard.press("Enter");
    await page.locator(".flip", { hasText: "Set spec.replicas to 99" }).waitFor();
    expect(await page.locator(".strip").textContent()).toBe("○1 false: Deployment web false");
    expect(await visit.violations()).toEqual([]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("#result-tabs-tests", { hasText: "2 ✓" }).waitFor();
    await visit.tab("clauses");
    await search.focus();
    await page.keyboard.press("Enter");
    await page.locator(".flip", { hasText: "Set spec.replicas to 99" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await visit.verdict("Allowed");
    await page.locator(".strip", { hasText: "1 true" }).waitFor();
  });

  test("completion and hover in the editor", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    await visit.example("containers");
    await visit.verdict("false");
    await visit.editor("policy").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("object.metadata.na");
    await page.keyboard.press("Control+Space");
    await page.locator("#editor-policy .cm-tooltip-autocomplete li", { hasText: /^name/ }).first().waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.type("me");
    await visit.verdict("web");
    await page.locator("#editor-policy .cm-line", { hasText: "object" }).hover({ position: { x: 20, y: 8 } });
    await page.locator("#editor-policy .cm-tooltip-hover").waitFor();
    expect(await page.locator("#editor-policy .cm-tooltip-hover").textContent()).toContain("object");
  });
});
