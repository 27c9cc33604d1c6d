// Members of etcd for tests: started where etcd is installed, on loopback ports and directories of their own. They end with the tests.

import { type ChildProcess, execFileSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { get as httpGet } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, startChild } from "./child.ts";

/** Finds etcd: `CELADON_ETCD`, or on the path; undefined when it is not installed. */
export function findEtcd(): string | undefined {
  const named = process.env.CELADON_ETCD;
  if (named !== undefined && named !== "") return existsSync(named) ? named : undefined;
  return findProgram("etcd");
}

/** Options for running a member. */
export interface MemberOptions {
  /** The program; found when absent. */
  readonly program?: string;
  /** More flags. */
  readonly flags?: readonly string[];
  /** `https` when the flags give a certificate for clients. */
  readonly scheme?: "http" | "https";
}

interface Place {
  readonly name: string;
  readonly clientPort: number;
  readonly peerPort: number;
}

/** A member of an etcd cluster, run for tests. */
export class EtcdMember {
  readonly #program: string;
  readonly #place: Place;
  readonly #cluster: string;
  readonly #options: MemberOptions;
  readonly #directory: string;
  #process: ChildProcess | undefined;

  constructor(place: Place, cluster: readonly Place[], options: MemberOptions) {
    const program = options.program ?? findEtcd();
    if (program === undefined) throw new Error("etcd is not installed");
    this.#program = program;
    this.#place = place;
    this.#cluster = cluster.map(({ name, peerPort }) => `${name}=http://127.0.0.1:${peerPort}`).join(",");
    this.#options = options;
    this.#directory = mkdtempSync(join(tmpdir(), "celadon-etcd-"));
  }

  get endpoint(): string {
    return `${this.#options.scheme ?? "http"}://127.0.0.1:${this.#place.clientPort}`;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  start(flags: readonly string[] = []): void {
    const { name, peerPort } = this.#place;
    const peer = `http://127.0.0.1:${peerPort}`;
    const log = openSync(join(this.#directory, "log"), "a");
    this.#process = startChild(
      this.#program,
      [
        ...["--name", name, "--data-dir", join(this.#directory, "data")],
        ...["--listen-client-urls", this.endpoint, "--advertise-client-urls", this.endpoint],
        ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer],
        ...["--initial-cluster", this.#cluster, "--log-level", "error"],
        ...(this.#options.flags ?? []),
        ...flags,
      ],
      { stdio: ["ignore", log, log], env: { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch } },
    );
    closeSync(log);
  }

  /** Waits until it answers that it is healthy. */
  async ready(seconds = 30): Promise<void> {
    const end = Date.now() + seconds * 1000;
    while (!(await this.#isReady())) {
      if (Date.now() > end || this.#process?.exitCode != null) {
        throw new Error(`etcd did not start: ${readFileSync(join(this.#directory, "log"), "utf8").slice(-500)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** Ends the process; its data stays. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const exited = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGCONT");
    running.kill(signal);
    await exited;
  }

  /** Ends it and removes its data. */
  async remove(): Promise<void> {
    await this.stop("SIGKILL");
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** The bytes of memory it uses, where the system says so. */
  residentBytes(): number {
    try {
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, "utf8")) ?? [];
      return Number(kilobytes ?? 0) * 1024;
    } catch {
      return 0;
    }
  }

  /** The bytes of its data on disk. */
  diskBytes(): number {
    const [kilobytes] = execFileSync("du", ["-sk", join(this.#directory, "data")], { encoding: "utf8" }).split("\t");
    return Number(kilobytes) * 1024;
  }

  #isReady(): Promise<boolean> {
    if (this.#options.scheme === "https") return isListening(this.#place.clientPort);
    return new Promise((resolve) => {
      const request = httpGet(`${this.endpoint}/health`, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      });
      request.on("error", () => resolve(false));
      request.setTimeout(1_000, () => request.destroy());
    });
  }
}

/** A cluster of members that know each other, not started. */
export async function etcdCluster(size: number, options: MemberOptions = {}): Promise<EtcdMember[]> {
  const ports = await freePorts(size * 2);
  const places = Array.from({ length: size }, (_, i) => ({
    name: `member-${i}`,
    clientPort: ports[2 * i]!,
    peerPort: ports[2 * i + 1]!,
  }));
  return places.map((place) => new EtcdMember(place, places, options));
}

/** One member, started and ready. */
export async function startEtcd(options: MemberOptions = {}): Promise<EtcdMember> {
  const [member] = await etcdCluster(1, options);
  member!.start();
  await member!.ready();
  return member!;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = httpGet({ host: "127.0.0.1", port, path: "/" }, (response) => {
      response.resume();
      resolve(true);
    });
    request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "ECONNREFUSED"));
  });
}
