// Metrics of flow schemas and priority levels. Upstream: apiserver pkg/util/flowcontrol/metrics.

import type { Counter, Metrics } from "@celadon/base/metrics";

export class FlowMetrics {
  readonly #dispatched: Counter;
  readonly #seats: Counter;

  constructor(metrics: Metrics) {
    this.#dispatched = metrics.counter(
      "apiserver_flowcontrol_dispatched_requests_total",
      "Number of requests executed by API Priority and Fairness subsystem",
    );
    this.#seats = metrics.gauge(
      "apiserver_flowcontrol_nominal_limit_seats",
      "Nominal number of execution seats configured for each priority level",
    );
  }

  /** Counts the requests of a schema. */
  dispatched(flowSchema: string, priorityLevel: string): () => void {
    return this.#dispatched.with({ flow_schema: flowSchema, priority_level: priorityLevel });
  }

  seats(levels: ReadonlyMap<string, number>): void {
    this.#seats.reset();
    for (const [priority_level, seats] of levels) this.#seats.set(seats, { priority_level });
  }
}
