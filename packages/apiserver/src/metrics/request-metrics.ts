// Metrics of requests, under the names and labels kube-apiserver gives them. Labels are bounded: a path that is no served resource is
// counted by its verb alone. Upstream: apiserver pkg/endpoints/metrics.

import { BoundedMap } from "@celadon/base";
import type { Counter, Histogram, Metrics, Observer } from "@celadon/base/metrics";
import type { RequestInfo } from "../wire/request-info.ts";

// biome-ignore format: one table
const SECONDS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const BYTES = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

const VERBS: Readonly<Record<string, string>> = { create: "POST", update: "PUT" };
const CODES_KEPT = 4_096;

/** The labels under which a request is counted. */
export interface Counted {
  readonly info: RequestInfo;
  /** Whether the path names a resource that is served. */
  readonly isServed: boolean;
  readonly isApply: boolean;
  readonly isDryRun: boolean;
}

/** Counts the requests of one label set. */
interface Tally {
  readonly count: (by?: number) => void;
  readonly duration: Observer;
  readonly size: Observer | undefined;
}

export class RequestMetrics {
  readonly #total: Counter;
  readonly #seconds: Histogram;
  readonly #sizes: Histogram;
  readonly #reading: (by?: number) => void;
  readonly #writing: (by?: number) => void;
  readonly #longRunning: Counter;
  readonly #tallies = new BoundedMap<string, Tally>(CODES_KEPT);

  constructor(metrics: Metrics) {
    this.#total = metrics.counter(
      "apiserver_request_total",
      "Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.",
    );
    this.#seconds = metrics.histogram(
      "apiserver_request_duration_seconds",
      "Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.",
      SECONDS,
    );
    this.#sizes = metrics.histogram(
      "apiserver_response_sizes",
      "Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.",
      BYTES,
    );
    const inFlight = metrics.gauge(
      "apiserver_current_inflight_requests",
      "Maximal number of currently used inflight request limit of this apiserver per request kind in last second.",
    );
    this.#longRunning = metrics.gauge(
      "apiserver_longrunning_requests",
      "Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.",
    );
    this.#writing = inFlight.with({ request_kind: "mutating" });
    this.#reading = inFlight.with({ request_kind: "readOnly" });
    this.#writing(0);
    this.#reading(0);
  }

  /** A request has begun; call the returned function at its end. */
  begin(method: string): () => void {
    const count = method === "GET" || method === "HEAD" ? this.#reading : this.#writing;
    count(1);
    return () => count(-1);
  }

  /** A watch has begun; call the returned function at its end. */
  beginLong(counted: Counted): () => void {
    const { dry_run: _, ...labels } = labelsOf(counted);
    this.#longRunning.add(labels);
    return () => this.#longRunning.add(labels, -1);
  }

  answered(counted: Counted, code: number, seconds: number, bytes: number | undefined): void {
    const { count, duration, size } = this.#tally(counted, code);
    count();
    duration.observe(seconds);
    if (bytes !== undefined) size?.observe(bytes);
  }

  #tally(counted: Counted, code: number): Tally {
    const { verb, group, version, resource, subresource } = counted.info;
    const flags = `${counted.isServed}${counted.isApply}${counted.isDryRun}${scopeOf(counted.info)}`;
    const key = `${code} ${flags} ${verb} ${group}/${version}/${resource}/${subresource}`;
    let tally = this.#tallies.get(key);
    if (tally === undefined) {
      const labels = labelsOf(counted);
      const { dry_run: _, ...sized } = labels;
      tally = {
        count: this.#total.with({ code: String(code), ...labels }),
        duration: this.#seconds.with(labels),
        size: labels.verb === "GET" || labels.verb === "LIST" ? this.#sizes.with(sized) : undefined,
      };
      this.#tallies.set(key, tally);
    }
    return tally;
  }
}

function scopeOf({ name, namespace, resource }: RequestInfo): string {
  if (name !== "") return "resource";
  return namespace !== "" && resource !== "namespaces" ? "namespace" : "cluster";
}

function labelsOf({ info, isServed, isApply, isDryRun }: Counted) {
  const verb = isApply ? "APPLY" : (VERBS[info.verb] ?? info.verb.toUpperCase());
  const what = isServed
    ? { group: info.group, resource: info.resource, scope: scopeOf(info), subresource: info.subresource }
    : { group: "", resource: "", scope: "", subresource: "" };
  const { group, resource, scope, subresource } = what;
  const version = isServed ? info.version : "";
  return {
    component: "apiserver",
    dry_run: isDryRun ? "All" : "",
    group,
    resource,
    scope,
    subresource,
    verb: KNOWN_VERBS.has(verb) ? verb : "other",
    version,
  };
}

// biome-ignore format: one table
const KNOWN_VERBS: ReadonlySet<string> = new Set(["GET", "LIST", "WATCH", "POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION", "HEAD", "OPTIONS", "PROXY"]);
