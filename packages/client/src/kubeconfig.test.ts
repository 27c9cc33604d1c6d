import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectionFromKubeconfig } from "./kubeconfig.ts";

function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), "celadon-client-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

const CONFIG = `
apiVersion: v1
kind: Config
current-context: prod
contexts:
- {name: prod, context: {cluster: c, user: u, namespace: shop}}
- {name: dev, context: {cluster: d, user: cert}}
- {name: none, context: {cluster: missing, user: u}}
- {name: plugin, context: {cluster: c, user: exec}}
clusters:
- {name: c, cluster: {server: "https://one:6443/", certificate-authority-data: ${btoa("CA")}, tls-server-name: api}}
- {name: d, cluster: {server: "https://two", certificate-authority: ca.pem, insecure-skip-tls-verify: true}}
users:
- {name: u, user: {token: secret, as: ann, as-groups: [g]}}
- {name: cert, user: {client-certificate: cert.pem, client-key-data: ${btoa("KEY")}}}
- name: exec
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ${process.execPath}
      args: ["-e", "console.log(JSON.stringify({status: {token: process.env.T + JSON.parse(process.env.KUBERNETES_EXEC_INFO).kind}}))"]
      env: [{name: T, value: made-by-}]
`;

test("the current context", async () => {
  const cwd = folder({ config: CONFIG });
  const { credentials, ...connection } = await connectionFromKubeconfig({ path: join(cwd, "config") });
  expect(connection).toEqual({
    server: "https://one:6443",
    ca: "CA",
    serverName: "api",
    namespace: "shop",
    impersonate: { user: "ann", groups: ["g"] },
  });
  expect(await credentials.current()).toEqual({ authorization: "Bearer secret" });
});

test("of a key that is given twice the last counts, as in client-go", async () => {
  const cwd = folder({ config: `current-context: dev\n${CONFIG}` });
  expect((await connectionFromKubeconfig({ path: join(cwd, "config") })).server).toBe("https://one:6443");
});

test("another context, with files beside the kubeconfig", async () => {
  const cwd = folder({ config: CONFIG, "ca.pem": "CA2", "cert.pem": "CERT" });
  const { credentials, ...connection } = await connectionFromKubeconfig({ path: join(cwd, "config"), context: "dev" });
  expect(connection).toEqual({ server: "https://two", ca: "CA2", insecureSkipVerify: true, namespace: "default" });
  expect(await credentials.current()).toEqual({ certificate: { cert: "CERT", key: "KEY" } });
});

test("several files: the first one counts, and a missing one is no mistake", async () => {
  const cwd = folder({ config: CONFIG, first: "current-context: dev\n", "ca.pem": "x", "cert.pem": "x" });
  const env = { KUBECONFIG: ["gone", "first", "config"].map((name) => join(cwd, name)).join(":") };
  expect((await connectionFromKubeconfig({ env })).server).toBe("https://two");
});

test("a credential plugin", async () => {
  const cwd = folder({ config: CONFIG });
  const { credentials } = await connectionFromKubeconfig({ path: join(cwd, "config"), context: "plugin" });
  expect(await credentials.current()).toEqual({ authorization: "Bearer made-by-ExecCredential" });
});

// biome-ignore format: one case per line
test.each([
  [{ path: "gone" },                       /gone: no such file/],
  [{ path: "config", context: "nope" },    /no context "nope"; there are: prod, dev, none, plugin/],
  [{ path: "config", context: "none" },    /context "none" names cluster "missing", which does not exist/],
  [{ path: "broken" },                     /broken:1:\d+: /],
  [{ path: "list" },                       /list: not a kubeconfig/],
  [{ path: "empty-context" },              /no current context; choose one with --context/],
] as const)("%j", async (options, message) => {
  const cwd = folder({ config: CONFIG, broken: "a: [", list: "- 1\n", "empty-context": "clusters: []\n" });
  await expect(connectionFromKubeconfig({ ...options, path: join(cwd, options.path) })).rejects.toThrow(message);
});
