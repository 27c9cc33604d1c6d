// Metrics of flow schemas and priority levels. Figures of levels are read when somebody asks. Upstream: apiserver
// pkg/util/flowcontrol/metrics.

import type { Counter, Histogram, Metrics, Observer } from "@celadon/base/metrics";

const PREFIX = "apiserver_flowcontrol";

// biome-ignore format: one table
const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const QUEUE_LENGTHS = [0, 10, 25, 50, 100, 250, 500, 1000];
const SEATS = [1, 2, 4, 8, 16, 32, 64, 100];

// biome-ignore format: one metric per line
const GAUGES = {
  //           name                           help
  nominal:    ["nominal_limit_seats",         "Nominal number of execution seats configured for each priority level"],
  lowest:     ["lower_limit_seats",           "Configured lower bound on number of execution seats available to each priority level"],
  highest:    ["upper_limit_seats",           "Configured upper bound on number of execution seats available to each priority level"],
  current:    ["current_limit_seats",         "current derived number of execution seats available to each priority level"],
  target:     ["target_seats",                "Seat allocation targets"],
  watermark:  ["demand_seats_high_watermark", "High watermark, over last adjustment period, of demand_seats"],
  average:    ["demand_seats_average",        "Time-weighted average, over last adjustment period, of demand_seats"],
  deviation:  ["demand_seats_stdev",          "Time-weighted standard deviation, over last adjustment period, of demand_seats"],
  smoothed:   ["demand_seats_smoothed",       "Smoothed seat demands"],
} as const;

// biome-ignore format: one metric per line
const REQUEST_GAUGES = {
  inQueue:        ["current_inqueue_requests",   "Number of requests currently pending in queues of the API Priority and Fairness subsystem"],
  seatsInQueue:   ["current_inqueue_seats",      "Number of seats currently pending in queues of the API Priority and Fairness subsystem"],
  executing:      ["current_executing_requests", "Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem"],
  seatsExecuting: ["current_executing_seats",    "Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem"],
} as const;

/** The state of a level. */
export interface MeasuredLevel {
  readonly name: string;
  readonly limits: { readonly nominal: number; readonly lowest: number; readonly highest: number };
  readonly current: number;
  readonly target: number;
  readonly demand: {
    readonly highWatermark: number;
    readonly average: number;
    readonly deviation: number;
    readonly smoothed: number;
  };
  readonly requests: { tally(count: (schema: string, seats: number, isExecuting: boolean) => void): void };
}

/** Counts the requests of one schema. */
export interface SchemaMetrics {
  readonly dispatched: () => void;
  rejected(reason: string): void;
  /** Seconds in a queue, and whether the request was executed then. */
  waited(seconds: number, isExecuted: boolean): void;
  worked(seconds: number, isWatch: boolean): void;
  /** The requests in its queue after a request came. */
  queued(length: number): void;
  estimated(seats: number): void;
}

export class FlowMetrics {
  readonly #dispatched: Counter;
  readonly #rejected: Counter;
  readonly #noRoom: Counter;
  readonly #waited: Histogram;
  readonly #worked: Histogram;
  readonly #queueLength: Histogram;
  readonly #estimated: Histogram;
  readonly #fairShare: Counter;
  readonly #gauges: Readonly<Record<keyof typeof GAUGES, Counter>>;
  readonly #requests: Readonly<Record<keyof typeof REQUEST_GAUGES, Counter>>;
  readonly #schemas = new Map<string, SchemaMetrics>();
  #levels: () => readonly MeasuredLevel[] = () => [];

  constructor(metrics: Metrics) {
    this.#dispatched = metrics.counter(
      `${PREFIX}_dispatched_requests_total`,
      "Number of requests executed by API Priority and Fairness subsystem",
    );
    this.#rejected = metrics.counter(
      `${PREFIX}_rejected_requests_total`,
      "Number of requests rejected by API Priority and Fairness subsystem",
    );
    this.#noRoom = metrics.counter(
      `${PREFIX}_request_dispatch_no_accommodation_total`,
      "Number of times a dispatch attempt resulted in a non accommodation due to lack of available seats",
    );
    this.#waited = metrics.histogram(
      `${PREFIX}_request_wait_duration_seconds`,
      "Length of time a request spent waiting in its queue",
      SECONDS,
    );
    this.#worked = metrics.histogram(
      `${PREFIX}_request_execution_seconds`,
      "Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the API Priority and Fairness subsystem",
      SECONDS,
    );
    this.#queueLength = metrics.histogram(
      `${PREFIX}_request_queue_length_after_enqueue`,
      "Length of queue in the API Priority and Fairness subsystem, as seen by each request after it is enqueued",
      QUEUE_LENGTHS,
    );
    this.#estimated = metrics.histogram(
      `${PREFIX}_work_estimated_seats`,
      "Number of estimated seats (maximum of initial and final seats) associated with requests in API Priority and Fairness",
      SEATS,
    );
    this.#fairShare = metrics.gauge(
      `${PREFIX}_seat_fair_frac`,
      "Fair fraction of server's concurrency to allocate to each priority level that can use it",
    );
    const gauges = <K extends string>(table: Readonly<Record<K, readonly [string, string]>>): Record<K, Counter> => {
      const entries = Object.entries<readonly [string, string]>(table);
      return Object.fromEntries(
        entries.map(([key, [name, help]]) => [key, metrics.gauge(`${PREFIX}_${name}`, help)]),
      ) as Record<K, Counter>;
    };
    this.#gauges = gauges(GAUGES);
    this.#requests = gauges(REQUEST_GAUGES);
  }

  /** Reads the levels when metrics are requested. */
  follow(levels: () => readonly MeasuredLevel[]): void {
    this.#levels = levels;
  }

  /** The counters of a schema at a level: the same ones again after a change of the schema. */
  of(flow_schema: string, priority_level: string): SchemaMetrics {
    const key = `${flow_schema} ${priority_level}`;
    let metrics = this.#schemas.get(key);
    if (metrics === undefined) this.#schemas.set(key, (metrics = this.#schemaMetrics({ flow_schema, priority_level })));
    return metrics;
  }

  noRoom(priority_level: string, flow_schema: string): void {
    this.#noRoom.add({ flow_schema, priority_level });
  }

  fairShare(share: number): void {
    this.#fairShare.set(share);
  }

  /** Brings the gauges up to date. */
  update(): void {
    for (const gauge of [...Object.values(this.#gauges), ...Object.values(this.#requests)]) gauge.reset();
    for (const { name: priority_level, limits, current, target, demand, requests } of this.#levels()) {
      const figures = {
        ...limits,
        current,
        target,
        watermark: demand.highWatermark,
        average: demand.average,
        deviation: demand.deviation,
        smoothed: demand.smoothed,
      };
      for (const [key, gauge] of Object.entries(this.#gauges))
        gauge.set(figures[key as keyof typeof figures], { priority_level });
      requests.tally((flow_schema, seats, isExecuting) => {
        const labels = { flow_schema, priority_level };
        this.#requests[isExecuting ? "executing" : "inQueue"].add(labels);
        this.#requests[isExecuting ? "seatsExecuting" : "seatsInQueue"].add(labels, seats);
      });
    }
  }

  #schemaMetrics(labels: { readonly flow_schema: string; readonly priority_level: string }): SchemaMetrics {
    const lazily = (make: () => Observer): ((value: number) => void) => {
      let observer: Observer | undefined;
      return (value) => (observer ??= make()).observe(value);
    };
    const executed = lazily(() => this.#waited.with({ execute: "true", ...labels }));
    const given = lazily(() => this.#waited.with({ execute: "false", ...labels }));
    const regular = lazily(() => this.#worked.with({ ...labels, type: "regular" }));
    const watch = lazily(() => this.#worked.with({ ...labels, type: "watch" }));
    return {
      dispatched: this.#dispatched.with(labels),
      rejected: (reason) => this.#rejected.add({ ...labels, reason }),
      waited: (seconds, isExecuted) => (isExecuted ? executed : given)(seconds),
      worked: (seconds, isWatch) => (isWatch ? watch : regular)(seconds),
      queued: lazily(() => this.#queueLength.with(labels)),
      estimated: lazily(() => this.#estimated.with(labels)),
    };
  }
}
