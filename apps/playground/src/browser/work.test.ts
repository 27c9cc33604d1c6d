// Work in a real browser: shared by a link, kept, imported, made into tests, printed as a command, and done without a network.

import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { inBrowser, SOON } from "./visit.testing.ts";

const SECRET = `apiVersion: v1
kind: Secret
metadata: { name: db, namespace: shop }
stringData: { password: hunter2 }
`;

inBrowser("work", (visits) => {
  test("a link contains all work, with secrets masked", async () => {
    const visit = await visits().opened();
    const { page } = visit;
    await page.getByRole("radio", { name: "Mutating" }).check({ force: true });
    await visit.verdict("Allowed, changed");
    await page.locator("#version").selectOption("1.36");
    await page.locator("#request summary").click();
    await page.locator("#request-user").fill("zoë");
    await visit.importText(SECRET);
    await visit.verdict("No policy applies");
    await page.locator("#open-share").click();
    const link = page.locator("#share-link");
    await expect.poll(() => link.inputValue(), SOON).toMatch(/#1\.[\w-]+$/);
    expect(await page.locator(".masked").textContent()).toContain("stringData.password");
    expect(await visit.violations()).toEqual([]);
    const address = await link.inputValue();
    await visit.end();
    const other = await visits().visit({}, `#${address.split("#")[1]}`);
    await other.verdict("No policy applies");
    expect(await other.editor("object").textContent()).toContain("stringData: { password: masked }");
    expect(await other.page.locator("#request-user").inputValue()).toBe("zoë");
    expect(await other.page.getByRole("radio", { name: "Mutating" }).isChecked()).toBe(true);
    // The link is of other work once something is typed.
    await other.editor("object").click();
    await other.page.keyboard.type("#");
    await expect.poll(() => other.page.url(), SOON).not.toContain("#");
    await other.end();
  });

  test("a link that is damaged says so, and the page works", async () => {
    const visit = await visits().shared("#1.AAAA");
    await visit.page.locator("dialog", { hasText: "The link could not be opened" }).waitFor();
    expect(await visit.violations()).toEqual([]);
    await visit.page.keyboard.press("Escape");
  });

  test("the command line that does the same", async () => {
    const visit = await visits().shared();
    await visit.page.locator("#open-more").click();
    expect(await visit.page.locator(".command").textContent()).toBe(
      "celadon explain -f policy.yaml -f object.yaml --as ann --as-group dev",
    );
    expect(await visit.violations()).toEqual([]);
    await visit.page.keyboard.press("Escape");
  });

  test("a result becomes a test, and the policy shows what tests cover", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    await page.locator("#result-tabs-tests").click();
    await page.locator("#panel-tests button.primary").click();
    await page.locator(".cases li", { hasText: "deny Pod checkout" }).waitFor();
    expect(await page.locator(".coverage").textContent()).toMatch(/^Coverage \d+(\.\d+)?%$/);
    await page.locator("#editor-policy .cov-some").first().waitFor();
    expect(await visit.editor("tests").textContent()).toContain("kind: TestSuite");
    expect(await visit.violations()).toEqual([]);
  });

  test("files are dropped into their panes; a signing request is decoded", async () => {
    const visit = await visits().shared();
    const { page } = visit;
    const policy = readFileSync(new URL("../../../../examples/trusted-images/policy.yaml", import.meta.url), "utf8");
    const drop = (files: readonly (readonly [string, string])[]) =>
      page.evaluate((given) => {
        const data = new DataTransfer();
        for (const [name, text] of given) data.items.add(new File([text], name));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      }, files);
    await drop([
      ["policy.yaml", policy],
      [
        "pod.yaml",
        "apiVersion: v1\r\nkind: Pod\r\nmetadata: { name: dropped, namespace: payments }\r\nspec: { containers: [] }\r\n",
      ],
    ]);
    await expect.poll(() => visit.editor("object").textContent(), SOON).toContain("name: dropped");
    await visit.example("spiffe");
    await visit.verdict("Approved");
    const request = "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n";
    await page.locator("#open-import").click();
    await page
      .locator("#import-files")
      .setInputFiles({ name: "web.csr", mimeType: "application/pkcs10", buffer: Buffer.from(request) });
    await expect.poll(() => visit.editor("object").textContent(), SOON).toContain("AAAA");
    await visit.tab("certificate");
    await page.locator("#panel-certificate", { hasText: "decoded" }).waitFor();
  });

  test("the work of every mode is kept, until it is forgotten", async () => {
    const visit = await visits().opened();
    const { page } = visit;
    await visit.editor("object").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("# mine\n");
    await page.getByRole("radio", { name: "CEL", exact: true }).check({ force: true });
    await visit.verdict("false");
    await visit.editor("policy").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("1 + 1");
    await visit.verdict("2");
    await expect.poll(() => page.evaluate<string | undefined, Kept>(keptWork, "policy"), SOON).toBe("1 + 1");
    await page.reload();
    await visit.verdict("2");
    await page.getByRole("radio", { name: "Validating" }).check({ force: true });
    await visit.verdict("Denied");
    expect(await visit.editor("object").textContent()).toMatch(/^# mine/);
    await page.locator("#open-more").click();
    await page.locator("#forget").click();
    await page.locator("#forget-confirm").click();
    await page.locator("#notice", { hasText: "All saved work was deleted" }).waitFor();
    await visit.verdict("Denied");
    expect(await visit.editor("object").textContent()).not.toContain("# mine");
    await page.locator("#notice").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => visit.editor("object").textContent(), SOON).toMatch(/^# mine/);
    await visit.end();
  });

  test("a link opens as a workspace of its own: one's own work is one click away, also after an edit", async () => {
    const visit = await visits().opened();
    const { page } = visit;
    await visit.importText("metadata: { name: mine, namespace: payments }\napiVersion: v1\nkind: ConfigMap\n");
    await visit.verdict("No policy applies");
    await page.locator("#notice", { hasText: "Object: ConfigMap mine" }).waitFor();
    await expect.poll(() => page.evaluate<string | undefined, Kept>(keptWork, "object"), SOON).toContain("name: mine");
    const work = { mode: "cel", policy: "40 + 2", object: "", oldObject: "", tests: "", request: {} };
    const fragment = `1.${deflateRawSync(JSON.stringify(work)).toString("base64url")}`;
    await page.goto(`${visits().url}#${fragment}`);
    await visit.verdict("42");
    await visit.editor("policy").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("0");
    await visit.verdict("60");
    await expect.poll(() => page.evaluate<string | undefined, Kept>(keptWork, "policy"), SOON).toBe("40 + 20");
    expect(await visit.violations()).toEqual([]);
    await page.locator("#notice").getByRole("button", { name: "Back to" }).click();
    await visit.verdict("No policy applies");
    expect(await visit.editor("object").textContent()).toContain("name: mine");
    // Both are in the list, and are there after a reload.
    await page.goto(visits().url);
    await visit.verdict("60");
    await page.locator("#open-spaces").click();
    await page.locator(".space", { hasText: "My work" }).getByRole("button", { name: "My work", exact: true }).click();
    await expect.poll(() => visit.editor("object").textContent(), SOON).toContain("name: mine");
    await visit.end();
  });

  test("work that an example replaces can be had back, at once and later", async () => {
    const visit = await visits().opened();
    const { page } = visit;
    await visit.editor("object").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("# mine\n");
    await visit.example("replicas");
    await visit.verdict("Denied", "99 replicas at most");
    await page.locator("#notice").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => visit.editor("object").textContent(), SOON).toMatch(/^# mine/);
    await visit.example("replicas");
    await visit.verdict("Denied", "99 replicas at most");
    await page.locator("#open-spaces").click();
    expect(await visit.violations()).toEqual([]);
    await page.locator(".space", { hasText: "trusted-images" }).getByRole("button", { name: "Restore" }).click();
    await expect.poll(() => visit.editor("object").textContent(), SOON).toMatch(/^# mine/);
    await visit.end();
  });

  test("offline, once it was loaded", async () => {
    const visit = await visits().opened({ serviceWorkers: "allow" });
    const { page } = visit;
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.context().setOffline(true);
    await page.reload();
    await visit.verdict("Denied");
    await visit.example("replicas");
    await page.locator("#verdict", { hasText: "99 replicas at most" }).waitFor();
    await visit.example("spiffe");
    await visit.verdict("Approved");
    await visit.end();
  });
});

type Kept = "policy" | "object";

/** In the page: a text of the work that was kept last. */
function keptWork(text: Kept): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("celadon-playground", 1);
    opening.onerror = reject;
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onsuccess = () => {
      const reading = opening.result
        .transaction("work")
        .objectStore("work")
        .getAll(IDBKeyRange.bound("space:", "space;"));
      reading.onerror = reject;
      reading.onsuccess = () => {
        const [last] = reading.result.sort((a, b) => b.changed - a.changed);
        resolve(last?.works[0]?.[text]);
        opening.result.close();
      };
    };
  });
}
