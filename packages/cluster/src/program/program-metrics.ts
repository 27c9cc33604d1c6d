// The state of a program as metrics, read when they are scraped.

import { X509Certificate } from "node:crypto";
import type { Counter, Metrics } from "@celadon/base/metrics";

/** The state of a program in metrics. */
export interface ProgramState {
  leads(): boolean;
  /** PEM. */
  certificate(): string | undefined;
  inFlight(): number;
  droppedEvents(): number;
  /** Kinds of params that policies in force need, and the number of them that are watched and in sync. */
  paramKinds(): { readonly wanted: number; readonly synced: number };
}

export class ProgramMetrics {
  readonly #state: ProgramState;
  readonly #leader: Counter;
  readonly #certificate: Counter;
  readonly #inFlight: Counter;
  readonly #dropped: Counter;
  readonly #paramKinds: Counter;

  constructor(metrics: Metrics, state: ProgramState) {
    this.#state = state;
    this.#leader = metrics.gauge("celadon_webhook_leader", "1 for the replica that writes configurations.");
    this.#certificate = metrics.gauge(
      "celadon_webhook_certificate_expiration_timestamp_seconds",
      "When the certificate that is served ends.",
    );
    this.#inFlight = metrics.gauge("celadon_webhook_requests_in_flight", "Requests that are being answered.");
    this.#dropped = metrics.counter("celadon_webhook_events_dropped_total", "Events that were not sent.");
    this.#paramKinds = metrics.gauge(
      "celadon_webhook_param_kinds",
      "Kinds of params that policies in force need: wanted, and synced.",
    );
  }

  update(): void {
    const { leads, certificate, inFlight, droppedEvents, paramKinds } = this.#state;
    this.#leader.set(leads() ? 1 : 0);
    const pem = certificate();
    if (pem !== undefined) this.#certificate.set(Date.parse(new X509Certificate(pem).validTo) / 1000);
    this.#inFlight.set(inFlight());
    this.#dropped.set(droppedEvents());
    const { wanted, synced } = paramKinds();
    this.#paramKinds.set(wanted, { state: "wanted" });
    this.#paramKinds.set(synced, { state: "synced" });
  }
}
