// The playground where it is hardest: without a mouse, on a phone, with a large object, with an expression meant to hang it.

import { expect, test } from "vitest";
import { inBrowser, SOON } from "./visit.testing.ts";

inBrowser("limits", (visits) => {
  test("a first visit: nothing shifts, the page describes itself", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    const shift = await page.evaluate<number>(`new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => { for (const one of list.getEntries()) sum += one.value; }).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve(sum), 300);
    })`);
    expect(shift).toBeLessThan(0.1);
    expect(await page.title()).toBe("Celadon playground");
    expect(await page.locator("meta[name=description]").getAttribute("content")).toMatch(/Kubernetes/);
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
  });

  test("screen readers get the verdict when typing pauses", async () => {
    const visit = await visits().shared();
    await expect
      .poll(() => visit.page.locator("#live").textContent(), SOON)
      .toMatch(/^Denied, 422 Invalid\. pods "checkout"/);
    expect(await visit.page.locator("#live").getAttribute("aria-live")).toBe("polite");
  });

  test("the keyboard alone: skip link, modes, editors, tabs, tree and dialogs", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const active = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
        return active?.getAttribute("aria-label") ?? active?.textContent?.trim() ?? "";
      });
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the result");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await visit.verdict("Allowed, changed");
    await page.keyboard.press("ArrowLeft");
    await visit.verdict("Denied");
    const stops: string[] = [];
    for (let i = 0; i < 25 && stops.at(-1) !== "treeitem"; i++) {
      await page.keyboard.press("Tab");
      stops.push(
        await page.evaluate(() => {
          const active = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
          return active?.getAttribute("role") === "treeitem"
            ? "treeitem"
            : (active?.getAttribute("aria-label") ?? active?.id ?? "");
        }),
      );
    }
    // Tab leaves the editors, and reaches the explanation.
    expect(stops).toEqual(expect.arrayContaining(["Policy, binding and params", "Object", "treeitem"]));
    expect(await focused()).toContain("Policy trusted-images");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toContain("decided by spec.containers[1]");
    await page.keyboard.press("Enter");
    expect(await focused()).toBe("Object");
    await page.locator("#open-examples").focus();
    await page.keyboard.press("Enter");
    await page.locator("dialog").waitFor();
    expect(await visit.violations()).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await focused()).toBe("Examples");
  });

  test("a phone: one pane at a time, nothing wider than the screen", async () => {
    const visit = await visits().visit({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    const { page } = visit;
    await visit.page.getByRole("tab", { name: /^Result/ }).click();
    await visit.verdict("Denied");
    for (const pane of ["Policy", "Object", "Request", "Result"]) {
      await page
        .locator("#phone-tabs")
        .getByRole("tab", { name: new RegExp(`^${pane}`) })
        .click();
      const shown = page.locator("main > .pane:visible");
      expect(await shown.count()).toBe(1);
      const box = (await shown.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(360);
      expect(box.height).toBeGreaterThan(400);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      expect(await visit.violations()).toEqual([]);
    }
    // The last pane was the result: its code breaks between words.
    const broken = await page.locator(".line-code, .value").evaluateAll((codes) =>
      codes.flatMap((code) => {
        const words: string[] = [];
        for (const node of code.childNodes) {
          for (const { index, 0: word } of (node.textContent ?? "").matchAll(/\w+/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (range.getClientRects().length > 1) words.push(word);
          }
        }
        return words;
      }),
    );
    expect(broken).toEqual([]);
    await visit.end();
  });

  test("an object of 1 MB is answered, and the page stays responsive", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    const data = Array.from({ length: 12_000 }, (_, i) => `  key-${i}: ${"x".repeat(72)}`).join("\n");
    const object = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: large, namespace: payments }\ndata:\n${data}\n`;
    expect(object.length).toBeGreaterThan(1_000_000);
    await page.locator("#open-import").click();
    const file = { name: "large.yaml", mimeType: "application/yaml", buffer: Buffer.from(object) };
    await page.locator("#import-files").setInputFiles(file);
    await visit.verdict("No policy applies");
    await visit.editor("object").click();
    await page.keyboard.press("Control+Home");
    // A comment line of its own: before the first line it would comment that out.
    await page.keyboard.type("# typed\n");
    await expect.poll(() => visit.editor("object").textContent(), SOON).toMatch(/^# typed/);
    await visit.verdict("No policy applies", "CREATE ConfigMap payments/large");
  });

  test("a hostile expression is stopped by its budget while the page goes on", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    await visit.example("containers");
    await visit.verdict("false");
    await visit.editor("policy").click();
    await page.keyboard.press("Control+a");
    const list = `[${Array.from({ length: 60 }, (_, i) => i).join(", ")}]`;
    await page.keyboard.insertText(
      `${list}.all(a, ${list}.all(b, ${list}.all(c, ${list}.all(d, a + b + c + d >= 0 && 'a'.matches('(a*)*b') == false))))`,
    );
    // The page answers while the worker works: a dialog opens and closes.
    await page.locator("#open-more").click();
    await page.locator("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#verdict", { hasText: /cost|budget|limit/ }).waitFor();
    await visit.verdict("Error");
    await visit.editor("policy").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("1 + 1");
    await visit.verdict("2");
  });

  test("the content security policy allows no generated code and no inline script", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    const response = await page.request.get(visits().url);
    const policy = response.headers()["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const scripts = await page.evaluate(() => [...document.scripts].map(({ src }) => new URL(src).origin));
    for (const origin of scripts) expect(`${origin}/`).toBe(visits().url);
    expect(await page.evaluate(() => typeof globalThis.Function)).toBe("function");
    // Memory is shared with the worker, see ../model/slate.ts.
    expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);
    expect(visit.errors).toEqual([]);
    const made = await page.addScriptTag({ content: "globalThis.inline = true" }).catch(() => "blocked");
    expect(made).toBe("blocked");
    await expect.poll(() => visit.errors.splice(0).join(), SOON).toContain("Content Security Policy");
  });
});
