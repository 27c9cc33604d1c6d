// Metrics of webhooks that convert custom resources. Upstream: apiextensions-apiserver pkg/apiserver/conversion/metrics.go.

import type { Counter, Histogram, Metrics } from "@celadon/base/metrics";

const SECONDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60];

export class ConversionMetrics {
  readonly #calls: Counter;
  readonly #seconds: Histogram;

  constructor(metrics: Metrics) {
    this.#calls = metrics.counter(
      "apiserver_conversion_webhook_request_total",
      "Counter for conversion webhook requests with success/failure and failure error type",
    );
    this.#seconds = metrics.histogram(
      "apiserver_conversion_webhook_duration_seconds",
      "Conversion webhook request latency",
      SECONDS,
    );
  }

  /** `failure` is empty for calls that succeeded. */
  observe(seconds: number, failure: string): void {
    const labels = { result: failure === "" ? "success" : "failure", failure_type: failure };
    this.#calls.add(labels);
    this.#seconds.observe(seconds, labels);
  }
}
