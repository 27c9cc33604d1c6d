// Metrics of reviews, under the names the API server gives its own policies, and a few of the webhook's own.

import type { Failure } from "@celadon/admission";
import type { Counter, Histogram, Metrics } from "../program/metrics.ts";
import type { Reviewed } from "./review.ts";

/** kube-apiserver's, in seconds. */
const CHECK_BUCKETS = [0.0000005, 0.001, 0.01, 0.1, 1];
const REVIEW_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class ReviewMetrics {
  readonly #checks: Counter;
  readonly #durations: Histogram;
  readonly #reviews: Counter;
  readonly #reviewDurations: Histogram;
  readonly #policies: Counter;

  constructor(metrics: Metrics) {
    this.#checks = metrics.counter(
      "apiserver_validating_admission_policy_check_total",
      "Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.",
    );
    this.#durations = metrics.histogram(
      "apiserver_validating_admission_policy_check_duration_seconds",
      "Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.",
      CHECK_BUCKETS,
    );
    this.#reviews = metrics.counter(
      "celadon_webhook_reviews_total",
      "Reviews answered, by operation, group, resource and verdict.",
    );
    this.#reviewDurations = metrics.histogram(
      "celadon_webhook_review_duration_seconds",
      "Time from the body of a review to its answer.",
      REVIEW_BUCKETS,
    );
    this.#policies = metrics.gauge("celadon_webhook_policies", "Policies in force.");
  }

  policies(count: number): void {
    this.#policies.set(count);
  }

  reviewed({ request, report }: Reviewed, seconds: number): void {
    const { operation, resource } = request;
    const verdict = report.allowed ? "allowed" : "denied";
    this.#reviews.add({ operation, group: resource.group, resource: resource.resource, verdict });
    this.#reviewDurations.observe(seconds, { verdict });
    for (const failure of report.failures) {
      const labels = {
        policy: failure.policy,
        policy_binding: failure.binding ?? "",
        error_type: failure.kind === "error" ? "invalid_error" : "no_error",
        enforcement_action: actionOf(failure),
      };
      this.#checks.add(labels);
      this.#durations.observe(seconds, labels);
    }
  }
}

function actionOf({ enforced, actions }: Failure): string {
  if (!enforced) return "allow";
  if (actions.includes("Deny")) return "deny";
  return actions.includes("Warn") ? "warn" : "audit";
}
