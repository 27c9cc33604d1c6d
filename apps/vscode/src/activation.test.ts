// The package as it would be installed, in a host that stands in for VS Code: it starts the server inside it, shows the server's findings,
// and runs its commands.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeHost } from "./fake-host.testing.ts";
import { pack } from "./pack.ts";
import { unzip } from "./unzip.testing.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE] }]
  validations: [{ expression: "object.spec.replcas < 5" }]
`;

const OBJECT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
`;

let installed: string;
beforeAll(async () => {
  const script = (name: string) => import(pathToFileURL(join(ROOT, "scripts", name)).href);
  await (await script("bundle-command.mjs")).bundleCommand();
  const { bundleClient } = await script("bundle-client.mjs");
  // The host looks up the extension's imports from VS Code by name.
  const readable = (entry: string) => bundleClient(entry, { minify: false });
  const path = await pack({ folder: join(ROOT, "apps/vscode"), root: ROOT, bundleClient: readable });
  installed = mkdtempSync(join(tmpdir(), "celadon-vscode-"));
  for (const [name, text] of unzip(readFileSync(path))) {
    const file = join(installed, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}, 120_000);
afterAll(() => installed && rmSync(installed, { recursive: true, force: true }));

test("the licences of bundled packages go along", () => {
  const notices = (path: string) => readFileSync(join(installed, "extension", path), "utf8");
  expect(notices("NOTICES.txt")).toMatch(/^vscode-languageclient \d/m);
  expect(notices("celadon/NOTICES.txt")).toMatch(/^yaml \d/m);
});

test("activates, shows the server's findings beside the lines, runs its commands, and ends", {
  timeout: 60_000,
}, async () => {
  const folder = join(installed, "workspace");
  mkdirSync(folder, { recursive: true });
  const host = fakeHost(folder);
  const extension = host.load(readFileSync(join(installed, "extension/extension.cjs"), "utf8"));
  const subscriptions: { dispose(): unknown }[] = [];
  await extension.activate({ subscriptions, asAbsolutePath: (path: string) => join(installed, "extension", path) });
  try {
    expect(host.errors).toEqual([]);
    expect([...host.commands.keys()].filter((name) => name.startsWith("celadon."))).toEqual(
      expect.arrayContaining(["celadon.check", "celadon.explain", "celadon.restart", "celadon.test"]),
    );
    const uri = pathToFileURL(join(folder, "p.yaml")).href;
    host.open(uri, "yaml", POLICY);
    await expect
      .poll(() => (host.diagnostics.get(uri) ?? []).map(({ message }) => message).join("\n"), { timeout: 30_000 })
      .toContain("undefined field 'replcas'");
    await host.commands.get("celadon.check")!();
    expect(host.executed).toContain("workbench.actions.view.problems");
    await host.commands.get("celadon.explain")!({ policy: "p" });
    await host.commands.get("celadon.test")!();
    host.settings["server.path"] = "/opt/celadon";
    host.open(pathToFileURL(join(folder, "web.yaml")).href, "yaml", OBJECT);
    await host.commands.get("celadon.explain")!();
    expect(host.lines[0]).toMatch(/main\.mjs explain -f \. --policy p$/);
    expect(host.lines[1]).toMatch(/main\.mjs test \.$/);
    // The object under the cursor, by the command that is set now.
    expect(host.lines[2]).toBe("/opt/celadon explain -f . Deployment/web");
    // A server that does not start is not in the way of the next.
    await host.commands.get("celadon.restart")!();
    expect(host.errors.splice(0).join("\n")).toContain("the language server did not start");
    host.settings["server.path"] = "";
    await host.commands.get("celadon.restart")!();
    expect(host.errors).toEqual([]);
  } finally {
    await extension.deactivate();
  }
});
