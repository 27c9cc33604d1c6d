// The page of `-o html` in Chromium: it loads nothing, shows hostile texts as texts, filters without a script, and is accessible.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import { celadon, folder } from "./run.testing.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

const EVIL = `</td><script>window.hacked = 1</script><img src=x onerror="window.hacked=1"> "' & <b>`;

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: images}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: ["*"]}]}
  validations:
  - expression: object.spec.containers.all(c, c.image.startsWith("registry.example.com/"))
    message: ${JSON.stringify(EVIL)}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: images}
spec: {policyName: images, validationActions: [Deny]}
`;

const pod = (name: string, namespace: string, image: string): string =>
  `${JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace },
    spec: { containers: [{ name: "a", image }] },
  })}\n`;

test.skipIf(!existsSync(CHROMIUM))("a page in a browser", async () => {
  const cwd = folder({
    "policy.yaml": POLICY,
    "pods.yaml": [
      pod("web", "shop", `docker.io/${EVIL}`),
      pod("db", "shop", "docker.io/db"),
      pod("cache", "data", "docker.io/c"),
    ].join("---\n"),
    "typo.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: typo}\ndta: {}\n",
  });
  const { code } = await celadon(["check", "-f", ".", "--field-validation", "Warn", "-o", "html=out/report.html"], {
    cwd,
  });
  expect(code).toBe(1);
  const file = join(cwd, "out/report.html");
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 1100, height: 800 } });
      const [errors, requests]: [string[], string[]] = [[], []];
      page.on("pageerror", ({ message }) => errors.push(message));
      page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
      page.on("request", (request) => requests.push(request.url()));
      const address = pathToFileURL(file).href;
      await page.goto(address);
      expect(requests).toEqual([address]);
      expect(await page.evaluate("typeof window.hacked")).toBe("undefined");

      const shown = () => page.locator(".rows tbody tr").filter({ visible: true });
      expect(await shown().count()).toBe(4);
      expect(await shown().first().locator("td").nth(2).textContent()).toContain(EVIL);
      await page.getByText(/^warning \(/).click();
      expect(await shown().allTextContents()).toEqual([expect.stringContaining("ConfigMap default/typo")]);

      const widths = await page
        .locator(".chart", { hasText: "Denials by namespace" })
        .locator("rect")
        .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
      const [shop, , data] = widths as [number, number, number];
      expect(data / shop).toBeCloseTo(0.5, 1);

      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
        `axe.run(document, { resultTypes: ["violations"] })`,
      );
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
      expect(errors).toEqual([]);
      await page.close();
    }
  } finally {
    await browser.close();
  }
});
