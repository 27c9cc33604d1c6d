// Everything the server counts, and what /metrics answers.

import { hostname } from "node:os";
import { type MetricCounts, Metrics } from "@celadon/base/metrics";
import type { ObjectStore } from "../store/object-store.ts";
import { textAnswer } from "../wire/answers.ts";
import type { Content } from "../wire/call.ts";
import { AdmissionMetrics } from "./admission-metrics.ts";
import { ConversionMetrics } from "./conversion-metrics.ts";
import { FlowMetrics } from "./flow-metrics.ts";
import { PodSecurityMetrics } from "./pod-security-metrics.ts";
import { RequestMetrics } from "./request-metrics.ts";
import { StaticMetrics } from "./static-metrics.ts";

export interface MetricSources {
  readonly objects: ObjectStore;
  readonly version: string;
  /** Milliseconds. */
  now(): number;
}

export class ServerMetrics {
  readonly requests: RequestMetrics;
  readonly admission: AdmissionMetrics;
  readonly conversions: ConversionMetrics;
  readonly podSecurity: PodSecurityMetrics;
  readonly flows: FlowMetrics;
  readonly statics: StaticMetrics;
  readonly #metrics = new Metrics();
  readonly #sources: MetricSources;
  readonly #objects;
  readonly #watchers;
  readonly #cpu;
  readonly #memory;

  constructor(sources: MetricSources) {
    this.#sources = sources;
    const metrics = this.#metrics;
    this.requests = new RequestMetrics(metrics);
    this.admission = new AdmissionMetrics(metrics);
    this.conversions = new ConversionMetrics(metrics);
    this.statics = new StaticMetrics(metrics, hostname(), () => sources.now());
    this.flows = new FlowMetrics(metrics);
    this.podSecurity = new PodSecurityMetrics(metrics, Number(sources.version.split(".")[1]));
    this.#objects = metrics.gauge(
      "apiserver_resource_objects",
      "Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.",
    );
    this.#watchers = metrics.gauge(
      "apiserver_registered_watchers",
      "Number of currently registered watchers for a given resource.",
    );
    this.#cpu = metrics.counter("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.");
    this.#memory = metrics.gauge("process_resident_memory_bytes", "Resident memory size in bytes.");
    const started = metrics.gauge(
      "process_start_time_seconds",
      "Start time of the process since unix epoch in seconds.",
    );
    started.set(sources.now() / 1000 - process.uptime());
    const build = metrics.gauge(
      "kubernetes_build_info",
      "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
    );
    build.set(1, { git_version: sources.version, major: "1", minor: sources.version.split(".")[1] ?? "" });
  }

  /** Takes the counts of this server, for one that shows them. */
  take(): MetricCounts {
    return this.#metrics.take();
  }

  /** Adds what another server counted for this one. */
  absorb(counts: MetricCounts): void {
    this.#metrics.absorb(counts);
  }

  answer(): Content {
    const { user, system } = process.cpuUsage();
    this.#cpu.set((user + system) / 1e6);
    this.#memory.set(process.memoryUsage.rss());
    this.flows.update();
    this.#objects.reset();
    this.#watchers.reset();
    for (const { storage, size, subscribers } of this.#sources.objects.caches()) {
      const { group, version, kind, resource } = storage;
      this.#objects.set(size, { group, resource });
      this.#watchers.set(subscribers, { group, kind, version });
    }
    const { headers: _, ...answer } = textAnswer(200, this.#metrics.text());
    return { ...answer, type: "text/plain; version=0.0.4; charset=utf-8" };
  }
}
