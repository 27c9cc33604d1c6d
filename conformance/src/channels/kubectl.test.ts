// The plugin of kubectl, called by kubectl: by the name of the executable, with its kubeconfig, context and namespace, and its completion.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startServer, type TestServer } from "@celadon/apiserver/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { bundle, folder, POLICY, pathWith, program, programs, type Ran, ROOT } from "./workplace.testing.ts";

const hasKubectl = spawnSync("kubectl", ["version", "--client"]).status === 0;
if (!hasKubectl) console.warn("kubectl is not installed: the plugin is not tested with it");

const POD = (name: string): string => `
apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: payments }
spec: { containers: [{ name: c, image: "docker.io/acme/${name}" }] }
`;

let server: TestServer;
beforeAll(async () => {
  await bundle();
  const payments =
    "{ apiVersion: v1, kind: Namespace, metadata: { name: payments, labels: { environment: production } } }";
  server = await startServer({ manifests: [payments, POD("web-1"), POD("web-2")] });
  await server.apply([
    POLICY.replace(/---\napiVersion: v1\nkind: Namespace\n.*/s, "").replaceAll("policies", "payments"),
  ]);
});
afterAll(() => server.close());

/** The names under which npm installs the command. */
const { bin } = JSON.parse(readFileSync(join(ROOT, "apps/cli/package.json"), "utf8")) as {
  bin: Record<string, string>;
};

/** Two contexts: one whose namespace is `payments`, and the current one, which leads nowhere. */
function withContexts(text: string): string {
  const config = parse(text) as { clusters: unknown[]; contexts: { context: object }[] };
  const [{ context }] = config.contexts as [{ context: object }];
  return stringify({
    ...config,
    clusters: [...config.clusters, { name: "nowhere", cluster: { server: "https://127.0.0.1:1" } }],
    contexts: [
      { name: "shop", context: { ...context, namespace: "payments" } },
      { name: "nowhere", context: { ...context, cluster: "nowhere" } },
    ],
    "current-context": "nowhere",
  });
}

function kubectl(...argv: readonly string[]): Promise<Ran> {
  const scripts = Object.entries(bin).map(([name, path]) => [
    name,
    `exec "${process.execPath}" "${join(ROOT, "apps/cli", path)}" "$@"`,
  ]);
  const cwd = folder({ config: withContexts(server.kubeconfig) });
  const env = { PATH: pathWith(programs(Object.fromEntries(scripts))), KUBECONFIG: join(cwd, "config") };
  return program("kubectl", argv, { cwd, env });
}

test.skipIf(!hasKubectl)("why deny, in the context's namespace or another", async () => {
  const { code, stdout, stderr } = await kubectl("celadon", "why", "deny", "pod/web-1", "--context", "shop");
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toMatch(/^Pod payments\/web-1 {2}CREATE/);
  expect(stdout).toContain("images must come from registry.example.com");
  const other = await kubectl("celadon", "why", "deny", "pod/web-1", "--context", "shop", "-n", "default");
  expect(other.stderr).toContain('the cluster has no pod "web-1" in namespace default');
});

test.skipIf(!hasKubectl)("audit", async () => {
  const { code, stdout } = await kubectl("celadon", "audit", "--context", "shop");
  expect(code).toBe(1);
  expect(stdout).toContain("Pod payments/web-2");
});

test.skipIf(!hasKubectl)("a cluster that does not answer is named", async () => {
  const { code, stderr } = await kubectl("celadon", "audit");
  expect(code).toBe(2);
  expect(stderr).toContain("127.0.0.1:1");
});

test.skipIf(!hasKubectl)("kubectl completes its commands, and names of the cluster", async () => {
  // kubectl finds the plugin, and its completion, by the names of the files alone.
  const completed = async (...words: readonly string[]): Promise<string[]> =>
    (await kubectl("__complete", "celadon", ...words)).stdout.split("\n").map((line) => line.split("\t")[0]!);
  expect(await completed("why", "--context", "shop", "deny", "pods/w")).toEqual(
    expect.arrayContaining(["pods/web-1", "pods/web-2"]),
  );
  expect(await completed("audit", "--context", "shop", "-n", "pay")).toContain("payments");
});
