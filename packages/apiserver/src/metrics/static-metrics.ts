// Metrics of policies and webhooks from files. Upstream: apiserver pkg/admission/plugin/manifest/metrics.

import { createHash } from "node:crypto";
import type { Counter, Metrics } from "@celadon/base/metrics";

const PREFIX = "apiserver_manifest_admission_config_controller";

export class StaticMetrics {
  readonly #reloads: Counter;
  readonly #last: Counter;
  readonly #info: Counter;
  readonly #id: string;
  readonly #now: () => number;
  readonly #hashes = new Map<string, string>();

  /** `identity` is the server's, `now` in milliseconds. */
  constructor(metrics: Metrics, identity: string, now: () => number) {
    this.#id = `sha256:${createHash("sha256").update(identity).digest("hex")}`;
    this.#now = now;
    this.#reloads = metrics.counter(
      `${PREFIX}_automatic_reloads_total`,
      "Total number of automatic reloads of manifest-based admission configuration split by status, plugin, and apiserver identity.",
    );
    this.#last = metrics.gauge(
      `${PREFIX}_automatic_reload_last_timestamp_seconds`,
      "Timestamp of the last automatic reload of manifest-based admission configuration split by status, plugin, and apiserver identity.",
    );
    this.#info = metrics.gauge(
      `${PREFIX}_last_config_info`,
      "Information about the last applied manifest-based admission configuration with hash as label, split by plugin and apiserver identity.",
    );
  }

  loaded(plugin: string, hash: string): void {
    this.#count(plugin, "success");
    this.#hashes.set(plugin, hash);
    this.#info.reset();
    for (const [plugin, hash] of this.#hashes) this.#info.set(1, { plugin, apiserver_id_hash: this.#id, hash });
  }

  failed(plugin: string): void {
    this.#count(plugin, "failure");
  }

  #count(plugin: string, status: string): void {
    const labels = { plugin, status, apiserver_id_hash: this.#id };
    this.#reloads.add(labels);
    this.#last.set(this.#now() / 1000, labels);
  }
}
