// The two sides of a trial: Celadon here, and there the programs of Kubernetes in a directory, if one is given.

import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { endGroup, run } from "./processes.mjs";

/** The command of this repository, or another build of it. */
const CELADON = process.env.CELADON ?? fileURLToPath(new URL("../../apps/cli/bin/celadon.mjs", import.meta.url));
const READY_MS = 120_000;

export function here(work) {
  const assets = join(work, "assets");
  execFileSync(process.execPath, [CELADON, "envtest-assets", assets, "--force"], { stdio: "ignore" });
  return {
    name: "here",
    assets,
    keep: keeper(work, "here"),
    async start(flags = []) {
      const directory = mkdtempSync(join(work, "here-"));
      const kubeconfig = join(directory, "kubeconfig");
      const token = writeToken(directory);
      const args = ["up", "--data-dir", directory, "--memory", "--port", "0", "--quiet"];
      const users = ["--token-auth-file", join(directory, TOKENS)];
      const server = start(process.execPath, [CELADON, ...args, ...users, ...flags]);
      await until(() => server.output().includes("kubectl get namespaces"), server);
      const [, address] = /Kubernetes API at (https:\S+),/.exec(server.output()) ?? [];
      writeFileSync(kubeconfig, configOf(address, token));
      return { kubeconfig, close: () => close([server], directory) };
    },
  };
}

export function there(directory, work) {
  for (const name of ["etcd", "kube-apiserver", "kubectl"])
    if (!existsSync(join(directory, name))) throw new Error(`${directory} has no ${name}`);
  return { name: "there", assets: directory, keep: keeper(work, "there"), start: () => startReal(directory, work) };
}

/** etcd, kube-apiserver and, if there is one, kube-controller-manager, on free ports of this host. */
async function startReal(bin, work) {
  const directory = mkdtempSync(join(work, "there-"));
  const [client, peer, secure, managed] = await freePorts(4);
  const url = (port) => `http://127.0.0.1:${port}`;
  const key = join(directory, "sa.key");
  execFileSync("openssl", ["genrsa", "-out", key, "2048"], { stdio: "ignore" });
  const token = writeToken(directory);
  const certs = join(directory, "certs");
  const kubeconfig = join(directory, "kubeconfig");
  writeFileSync(kubeconfig, configOf(`https://127.0.0.1:${secure}`, token));
  // biome-ignore format: a flag and its value
  const etcd = start(join(bin, "etcd"), [
    "--data-dir", join(directory, "etcd"), "--unsafe-no-fsync", "--listen-client-urls", url(client), "--advertise-client-urls", url(client),
    "--listen-peer-urls", url(peer), "--initial-advertise-peer-urls", url(peer), "--initial-cluster", `default=${url(peer)}`,
  ]);
  const servers = [etcd];
  await until(async () => (await fetch(`${url(client)}/health`)).ok, etcd);
  // biome-ignore format: a flag and its value
  const api = start(join(bin, "kube-apiserver"), [
    "--etcd-servers", url(client), "--bind-address", "127.0.0.1", "--secure-port", String(secure), "--cert-dir", certs,
    "--token-auth-file", join(directory, TOKENS), "--authorization-mode", "RBAC", "--service-cluster-ip-range", "10.0.0.0/24",
    "--allow-privileged=true", "--service-account-issuer", "https://kubernetes.default.svc.cluster.local",
    "--service-account-key-file", key, "--service-account-signing-key-file", key,
  ]);
  servers.push(api);
  const kubectl = (...args) => run(join(bin, "kubectl"), ["--kubeconfig", kubeconfig, ...args]);
  await until(async () => (await kubectl("get", "--raw", "/readyz")).code === 0, api);
  const manager = join(bin, "kube-controller-manager");
  if (existsSync(manager)) {
    // biome-ignore format: a flag and its value
    servers.push(start(manager, [
      "--kubeconfig", kubeconfig, "--leader-elect=false", "--bind-address", "127.0.0.1", "--secure-port", String(managed),
      "--cert-dir", join(directory, "certs-of-manager"), "--root-ca-file", join(certs, "apiserver.crt"), "--service-account-private-key-file", key,
      "--use-service-account-credentials=false", "--controllers", CONTROLLERS.join(","),
    ]));
    await until(async () => (await kubectl("get", "serviceaccount", "default")).code === 0, servers.at(-1));
  }
  return { kubeconfig, close: () => close(servers, directory) };
}

/** Those whose work Celadon does too, and does not simulate. */
const CONTROLLERS = [
  "namespace-controller",
  "serviceaccount-controller",
  "serviceaccount-token-controller",
  "root-ca-certificate-publisher-controller",
  "garbage-collector-controller",
  "resourcequota-controller",
  "clusterrole-aggregation-controller",
  "persistentvolumeclaim-protection-controller",
  "persistentvolume-protection-controller",
  "validatingadmissionpolicy-status-controller",
];

const TOKENS = "tokens.csv";

/** The same administrator on both sides. */
function writeToken(directory) {
  const token = randomBytes(16).toString("hex");
  writeFileSync(join(directory, TOKENS), `${token},admin,admin,system:masters\n`);
  return token;
}

function configOf(server, token) {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "local", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "local", context: { cluster: "local", user: "admin" } }],
    "current-context": "local",
  });
}

function start(program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output = `${output}${text}`.slice(-20_000)));
  const end = () => endGroup(child);
  process.once("exit", end);
  const ended = new Promise((resolve) => child.once("close", resolve));
  return { child, ended, end, output: () => output };
}

async function until(isTrue, { child, output }) {
  for (const late = Date.now() + READY_MS; Date.now() < late; ) {
    if (child.exitCode !== null) throw new Error(`${basename(child.spawnfile)} ended: ${output().slice(-2_000)}`);
    const isReady = await Promise.resolve()
      .then(isTrue)
      .catch(() => false);
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${basename(child.spawnfile)} is not ready: ${output().slice(-2_000)}`);
}

async function close(servers, directory) {
  for (const { child, ended, end } of servers.toReversed()) {
    end();
    await ended;
    process.off("exit", end);
    child.removeAllListeners();
  }
  rmSync(directory, { recursive: true, force: true });
}

async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
    }),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Keeps what the tests print, for those who look into a failure. */
function keeper(work, side) {
  const logs = join(work, "logs");
  mkdirSync(logs, { recursive: true });
  return (name, text) => writeFileSync(join(logs, `${name}.${side}.log`), text);
}
