// The panes: text does not run under line numbers or out of sight, and borders move.

import { expect, test } from "vitest";
import { inBrowser, SOON } from "./visit.testing.ts";

inBrowser("layout", (visits) => {
  test("long lines are wrapped, and hang below their text", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    await visit.importText(`apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${"long-".repeat(40)}name\n`);
    await expect.poll(() => visit.editor("object").textContent(), SOON).toContain("long-long");
    const sizes = await page.evaluate(() => {
      const root = document.querySelector("#editor-object")!.shadowRoot!;
      const scroller = root.querySelector(".cm-scroller")!;
      const line = root.querySelectorAll<HTMLElement>(".cm-line")[3]!;
      const range = document.createRange();
      range.selectNodeContents(line);
      const lines = [...range.getClientRects()];
      return {
        overflow: scroller.scrollWidth - scroller.clientWidth,
        rows: new Set(lines.map(({ top }) => Math.round(top))).size,
        isHanging: lines.at(-1)!.left > lines[0]!.left,
        gutter: getComputedStyle(root.querySelector(".cm-gutters")!).backgroundColor,
      };
    });
    expect(sizes.overflow).toBe(0);
    expect(sizes.rows).toBeGreaterThan(1);
    expect(sizes.isHanging).toBe(true);
    expect(sizes.gutter).not.toBe("rgba(0, 0, 0, 0)");
  });

  test("borders between panes are dragged, moved by keys, kept, and put back", async () => {
    const visit = await visits().opened();
    const { page } = visit;
    const width = async (): Promise<number> => (await page.locator("#pane-policy").boundingBox())!.width;
    const first = await width();
    const handle = page.locator("#split-policy");
    const { x, y, height } = (await handle.boundingBox())!;
    await page.mouse.move(x + 5, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 125, y + height / 2, { steps: 3 });
    await page.mouse.up();
    await expect.poll(async () => Math.round((await width()) - first), SOON).toBe(120);
    await handle.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await width()) - first, SOON).toBeGreaterThan(125);
    const moved = await width();
    await page.reload();
    await visit.verdict("Denied");
    expect(Math.abs((await width()) - moved)).toBeLessThan(1);
    expect(Number(await handle.getAttribute("aria-valuenow"))).toBeGreaterThan(60);
    await handle.dblclick();
    await expect.poll(async () => Math.abs((await width()) - first), SOON).toBeLessThan(1);
    // Narrower, the first border is between rows.
    await page.setViewportSize({ width: 1000, height: 800 });
    await expect.poll(() => handle.getAttribute("aria-orientation"), SOON).toBe("horizontal");
    const tall = (await page.locator("#pane-policy").boundingBox())!.height;
    await handle.focus();
    await page.keyboard.press("ArrowUp");
    await expect
      .poll(async () => (await page.locator("#pane-policy").boundingBox())!.height, SOON)
      .toBeLessThan(tall - 5);
    await visit.end();
  });
});
