// A client that gets an object again and again, and how long each answer took.

import { pause } from "../campaign.ts";
import type { Client } from "../server/client.ts";

export interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** Milliseconds between an answer and the next request. */
const BETWEEN_MS = 5;
/** The least number of gets of a case, so that one of a hundred means something over all of them. */
const AT_LEAST = 3;

export class Getter {
  readonly #client: Client;
  readonly #all: number[] = [];
  readonly #failed: string[] = [];
  #since: number[] = [];
  #isOver = false;
  readonly #running: Promise<void>;

  constructor(client: Client) {
    this.#client = client;
    this.#running = this.#run();
  }

  /** The latencies since the last call. */
  async take(): Promise<Latencies> {
    while (this.#since.length < AT_LEAST) await pause(BETWEEN_MS);
    const taken = latenciesOf(this.#since);
    this.#since = [];
    return taken;
  }

  async stop(): Promise<Latencies & { readonly gets: number; readonly failed: readonly string[] }> {
    this.#isOver = true;
    await this.#running;
    this.#client.close();
    return { ...latenciesOf(this.#all), gets: this.#all.length, failed: this.#failed.slice(0, 5) };
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const started = performance.now();
      try {
        const { code } = await this.#client.call("GET", "/api/v1/namespaces/default");
        if (code !== 200) this.#failed.push(`a get was answered with ${code}`);
      } catch (error) {
        this.#failed.push(`a get failed: ${String(error)}`);
      }
      const took = performance.now() - started;
      this.#all.push(took);
      this.#since.push(took);
      await pause(BETWEEN_MS);
    }
  }
}

function latenciesOf(given: readonly number[]): Latencies {
  const sorted = [...given].sort((a, b) => a - b);
  const at = (part: number): number => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99), longest: at(1 - 1e-9) };
}
