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
    // It moves the lines below it.
    await page.locator("#cure").waitFor();
    expect(await page.locator("#editor-object .guilty").allTextContents()).toEqual(["docker.io/acme/shipper:latest"]);
    await page.locator(".line", { hasText: /^[▸·✗✓\s]*c\.image → / }).hover();
    await page.locator("#editor-policy .lit").waitFor();
    expect(await page.locator("#editor-policy .lit").allTextContents()).toEqual(["c.image"]);
    expect(await page.locator("#editor-object .lit").allTextContents()).toEqual(["docker.io/acme/shipper:latest"]);
  });

  test("the change that makes a denied object allowed: in the card, in the object, and applied by a button", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    await visit.example("trusted-images");
    const cure = page.locator(".cure");
    await cure.filter({ hasText: "Set spec.containers[1].image" }).waitFor();
    expect(await cure.textContent()).toBe(
      'Set spec.containers[1].image to "registry.example.com/shipper:latest" → allowedApply',
    );
    expect(await page.locator("#editor-policy .ghost").first().textContent()).toContain(
      'c.image = "docker.io/acme/shipper:latest"',
    );
    expect(await visit.violations()).toEqual([]);
    const names = ["one", "two"].map((name) => `    - { name: ${name}, image: docker.io/${name} }\n`);
    await visit.importText(
      `apiVersion: v1\nkind: Pod\nmetadata: { name: bare, namespace: payments }\nspec:\n  containers:\n${names.join("")}`,
    );
    await cure.filter({ hasText: "and 2 more" }).waitFor();
    await page.locator("#cure").click();
    await visit.verdict("Allowed", "Pod payments/bare");
    const text = (await visit.editor("object").textContent())!;
    expect(
      text.match(/image: registry\.example\.com\/(?:one|two), resources: \{ limits: \{ memory: 128Mi \} \} \}/g),
    ).toHaveLength(2);
    expect(await cure.count()).toBe(0);
    // Block style shows missing fields in lines of their own; values can be switched off.
    await visit.importText(
      "apiVersion: v1\nkind: Pod\nmetadata: { name: block, namespace: payments }\nspec:\n  containers:\n    - name: one\n      image: registry.example.com/one\n",
    );
    await page.locator("#editor-object .ghost-block", { hasText: "memory: 128Mi" }).waitFor();
    await page.locator("#editor-policy .ghost").first().waitFor();
    await page.locator("#values").click();
    await page.locator("#editor-policy .ghost").first().waitFor({ state: "detached" });
    await page.locator("#values").click();
  });

  test("one of several objects is denied: it is shown, and the others are a click away", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    await visit.example("trusted-images");
    const pod = (name: string, image: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, namespace: payments }\nspec:\n  containers: [{ name: a, image: ${image}, resources: { limits: { memory: 1Gi } } }]\n`;
    const good = "registry.example.com/a";
    await visit.importText([pod("one", good), pod("two", "docker.io/a"), pod("three", good)].join("---\n"));
    await visit.verdict("Denied", 'pods "two" is forbidden');
    expect(await page.locator("#objects").textContent()).toBe(
      "1 of 3 denied✓ Pod one: Allowed✗ Pod two: Denied✓ Pod three: Allowed",
    );
    expect(await visit.violations()).toEqual([]);
    await page
      .locator("#objects")
      .getByRole("button", { name: /Pod three/ })
      .click();
    await visit.verdict("Allowed", "CREATE Pod payments/three");
    expect(
      await page
        .locator("#objects")
        .getByRole("button", { name: /Pod three/ })
        .getAttribute("aria-pressed"),
    ).toBe("true");
  });

  test("a policy without a binding is not enforced, until its button adds one", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: mine }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }]
  validations: [{ expression: object.metadata.name != 'two' }]
`;
    await visit.importText(
      `${policy}---\napiVersion: v1\nkind: Pod\nmetadata: { name: two }\nspec: { containers: [{ name: a, image: a }] }\n`,
    );
    await visit.verdict("Not enforced", "No binding names policy mine");
    expect(await visit.violations()).toEqual([]);
    await page.locator("#remedy").click();
    await visit.verdict("Denied", "failed expression: object.metadata.name != 'two'");
  });

  test("problems of a single expression are listed and underlined", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    await visit.example("containers");
    await visit.verdict("false");
    await visit.editor("policy").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("object.spec.containers.al(c, true)");
    await visit.verdict("Does not compile");
    await visit.tab("findings");
    await page.locator(".finding", { hasText: "undeclared reference to 'al'" }).waitFor();
    await page.locator("#editor-policy .cm-lintRange-error", { hasText: "al" }).waitFor();
  });

  test("while a text does not parse, the last verdict stays, dimmed, and nothing moves", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    await visit.example("replicas");
    await visit.verdict("Denied", "99 replicas at most");
    const card = page.locator("#verdict");
    await page.locator("#cure").waitFor();
    const before = await card.boundingBox();
    const words = await card.locator("strong").textContent();
    await visit.editor("policy").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.insertText("- ");
    await page.locator("#verdict .unparsed", { hasText: "policy, line 2: cannot be read yet" }).waitFor();
    expect(await card.boundingBox()).toEqual(before);
    expect(await card.locator("strong").textContent()).toBe(words);
    expect(await visit.violations()).toEqual([]);
    await page.keyboard.press("Control+z");
    await page.locator("#verdict .unparsed").waitFor({ state: "detached" });
    expect(await card.getAttribute("class")).toBe("verdict tone-bad");
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
