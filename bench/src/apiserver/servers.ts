// The servers that are compared, each a few processes on loopback with data of their own.

import type { ChildProcess } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChild } from "@celadon/storage/testing";
import { parse } from "yaml";
import { Client, type Target } from "./client.ts";

export interface Running {
  readonly pids: readonly number[];
  readonly target: Target;
  /** Milliseconds from the start of the processes until /readyz answered 200. */
  readonly readyMs: number;
  /** The directory of their data. */
  readonly directory: string;
  /** Ends the processes. */
  end(): Promise<void>;
  /** Ends the processes and removes the data. */
  stop(): Promise<void>;
}

export interface Competitor {
  readonly name: string;
  /** In a new directory, or on the data of one that was used before. */
  start(used?: string): Promise<Running>;
}

const COMMAND = fileURLToPath(new URL("../../../apps/cli/bin/celadon.mjs", import.meta.url));

/** `celadon up`, as people start it. */
export function celadon(name: string, flags: readonly string[] = []): Competitor {
  return {
    name,
    async start(used) {
      const directory = used ?? mkdtempSync(join(tmpdir(), "celadon-bench-up-"));
      rmSync(join(directory, "kubeconfig"), { force: true });
      const port = await freePort();
      const begun = performance.now();
      const args = [COMMAND, "up", "--port", String(port), "--data-dir", directory, ...flags];
      const child = start(process.execPath, args, directory, "celadon");
      const kubeconfig = join(directory, "kubeconfig");
      const target = (): Target | undefined => (existsSync(kubeconfig) ? administrator(kubeconfig, port) : undefined);
      return running(directory, [child], target, begun);
    },
  };
}

/** kube-apiserver over one etcd that flushes, with the plugins it has by default; no controllers. */
export function kubernetes(binaries: string): Competitor {
  return {
    name: "kube-apiserver + etcd",
    async start() {
      const directory = mkdtempSync(join(tmpdir(), "celadon-bench-kubernetes-"));
      mkdirSync(join(directory, "etcd"), { mode: 0o700 });
      const [port, clients, peers] = [await freePort(), await freePort(), await freePort()];
      const token = randomBytes(16).toString("hex");
      writeFileSync(join(directory, "tokens.csv"), `${token},admin,admin,system:masters\n`);
      const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      writeFileSync(join(directory, "sa.key"), privateKey.export({ type: "pkcs1", format: "pem" }));
      writeFileSync(join(directory, "sa.pub"), publicKey.export({ type: "spki", format: "pem" }));
      const at = (p: number): string => `http://127.0.0.1:${p}`;
      const begun = performance.now();
      const etcd = start(
        join(binaries, "etcd"),
        flags({
          "data-dir": "etcd",
          "listen-client-urls": at(clients),
          "advertise-client-urls": at(clients),
          "listen-peer-urls": at(peers),
          "initial-advertise-peer-urls": at(peers),
          "initial-cluster": `default=${at(peers)}`,
        }),
        directory,
        "etcd",
      );
      const apiserver = start(
        join(binaries, "kube-apiserver"),
        flags({
          "etcd-servers": at(clients),
          "bind-address": "127.0.0.1",
          "advertise-address": "127.0.0.1",
          "secure-port": String(port),
          "cert-dir": "certificates",
          "token-auth-file": "tokens.csv",
          "authorization-mode": "Node,RBAC",
          "enable-admission-plugins": "NodeRestriction",
          // Without controllers no namespace gets a service account.
          "disable-admission-plugins": "ServiceAccount",
          "service-cluster-ip-range": "10.0.0.0/16",
          "service-account-issuer": "https://kubernetes.default.svc",
          "service-account-key-file": "sa.pub",
          "service-account-signing-key-file": "sa.key",
        }),
        directory,
        "kube-apiserver",
      );
      return running(directory, [apiserver, etcd], () => ({ port, token }), begun);
    },
  };
}

function flags(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`);
}

function start(program: string, args: readonly string[], cwd: string, name: string): ChildProcess {
  const log = openSync(join(cwd, `${name}.log`), "a");
  return startChild(program, args, { cwd, stdio: ["ignore", log, log] });
}

async function running(
  directory: string,
  children: readonly ChildProcess[],
  targetOf: () => Target | undefined,
  begun: number,
): Promise<Running> {
  const end = async (): Promise<void> => {
    for (const child of children) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode !== null || !child.kill("SIGTERM")) continue;
      await ended;
    }
  };
  const stop = async (): Promise<void> => {
    await end();
    rmSync(directory, { recursive: true, force: true });
  };
  for (;;) {
    const target = targetOf();
    if (target !== undefined && (await isReady(target))) {
      const pids = children.map(({ pid }) => pid!);
      return { pids, target, readyMs: performance.now() - begun, directory, end, stop };
    }
    if (performance.now() - begun > 120_000 || children.some(({ exitCode }) => exitCode !== null)) {
      throw new Error(`a server did not become ready; its logs are in ${directory}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function isReady(target: Target): Promise<boolean> {
  const client = new Client(target, 1);
  try {
    return (await client.call("GET", "/readyz", { expect: [200, 401, 403, 500, 503] })).code === 200;
  } catch {
    return false;
  } finally {
    client.close();
  }
}

function administrator(kubeconfig: string, port: number): Target | undefined {
  const user = parse(readFileSync(kubeconfig, "utf8"))?.users?.[0]?.user as Record<string, string> | undefined;
  const certificate = user?.["client-certificate-data"];
  const key = user?.["client-key-data"];
  if (certificate === undefined || key === undefined) return undefined;
  const text = (base64: string): string => Buffer.from(base64, "base64").toString();
  return { port, certificate: text(certificate), key: text(key) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
