// An honest client beside the hostile ones: it writes, reads, lists and watches all the time, and none of that may fail.

import { pause } from "../campaign.ts";
import { Broken, type Client } from "../server/client.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const LABEL = "labelSelector=canary%3Dyes";

export class Canary {
  readonly problems: string[] = [];
  requests = 0;
  longestMs = 0;
  readonly #client: Client;
  #isOver = false;
  #written = 0;
  #seen = 0;
  readonly #running: Promise<void>;
  #stopWatch: () => void = () => {};

  constructor(client: Client) {
    this.#client = client;
    this.#running = this.#run();
  }

  /** Resolves when the watch has seen the last write. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    for (let i = 0; this.#seen < this.#written && i < 200; i++) await pause(50);
    if (this.#seen !== this.#written) this.problems.push(`the watch saw ${this.#seen} of ${this.#written} writes`);
    this.#stopWatch();
  }

  /** The longest request since the last call. */
  takeLongest(): number {
    const longest = this.longestMs;
    this.longestMs = 0;
    return longest;
  }

  async #run(): Promise<void> {
    const { body } = await this.#ask("GET", CONFIG_MAPS, 200);
    const from = body.metadata.resourceVersion;
    const { stop } = this.#client.watch(
      `${CONFIG_MAPS}?watch=true&${LABEL}&resourceVersion=${from}`,
      () => this.#seen++,
    );
    this.#stopWatch = stop;
    while (!this.#isOver) {
      const name = `canary-${this.#written}`;
      const metadata = { name, labels: { canary: "yes" } };
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { n: String(this.#written) } };
      const created = await this.#ask("POST", CONFIG_MAPS, 201, object);
      if (created.code === 201) this.#written += 1;
      const read = await this.#ask("GET", `${CONFIG_MAPS}/${name}`, 200);
      if (read.code === 200 && read.body.data.n !== object.data.n)
        this.problems.push(`${name} is not what was written`);
      await this.#ask("GET", `${CONFIG_MAPS}?limit=5`, 200);
      await pause(50);
    }
  }

  async #ask(method: string, path: string, want: number, object?: object): ReturnType<Client["call"]> {
    const started = Date.now();
    try {
      const reply = await this.#client.call(method, path, object, undefined, 60_000);
      this.requests += 1;
      this.longestMs = Math.max(this.longestMs, Date.now() - started);
      if (reply.code !== want)
        this.problems.push(`${method} ${path}: ${reply.code} ${String(reply.body?.message).slice(0, 200)}`);
      return reply;
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      this.problems.push(`${method} ${path}: ${error.message}`);
      return { code: 0, body: undefined, bytes: 0 };
    }
  }
}
