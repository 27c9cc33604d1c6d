// Metrics of reviews, under the names the API server gives its own policies, and the webhook's own.
// Upstream: apiserver pkg/admission/plugin/policy/validating/metrics.go, pkg/admission/plugin/policy/mutating/metrics.go.

import type { AdmissionReport, Failure } from "@celadon/admission";
import { type MutatingPolicyReport, mutationChecks } from "@celadon/admission/mutating";
import { policyChecks } from "@celadon/admission/steps";
import type { Counter, Histogram, Metrics, Observer } from "@celadon/base/metrics";
import type { ReviewedRequest } from "./review.ts";

/** kube-apiserver's, in seconds. */
const CHECK_BUCKETS = [0.0000005, 0.001, 0.01, 0.1, 1];
const REVIEW_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Resources and operations come from reviews, which anybody who reaches the port can send; beyond so many they are counted together. */
const MOST_KINDS = 2_000;

/** The decision of a bound policy about a request. */
type Result = "allow" | "deny" | "error";

export class ReviewMetrics {
  readonly #validated: Checks;
  readonly #mutated: Checks;
  readonly #reviews: Counter;
  readonly #reviewDurations: Histogram;
  readonly #evaluations: Counter;
  readonly #policies: Counter;
  readonly #known = new Map<string, { readonly count: () => void; readonly duration: Observer }>();
  /** By policy, binding and result. */
  readonly #counts = new Map<string, () => void>();

  constructor(metrics: Metrics) {
    this.#validated = new Checks(
      metrics,
      "apiserver_validating_admission_policy_check",
      "Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.",
      "Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.",
    );
    this.#mutated = new Checks(
      metrics,
      "apiserver_mutating_admission_policy_check",
      "Mutation admission policy check total, labeled by policy and further identified by binding.",
      "Mutation admission latency for individual mutation expressions in seconds, labeled by policy and binding.",
    );
    this.#reviews = metrics.counter(
      "celadon_webhook_reviews_total",
      "Reviews answered, by kind of review, operation, group, resource and verdict.",
    );
    this.#reviewDurations = metrics.histogram(
      "celadon_webhook_review_duration_seconds",
      "Time from the body of a review to its answer.",
      REVIEW_BUCKETS,
    );
    this.#evaluations = metrics.counter(
      "celadon_webhook_policy_evaluations_total",
      "Requests that a policy with a binding was evaluated for, by result: allow, deny or error.",
    );
    this.#policies = metrics.gauge("celadon_webhook_policies", "Policies in force.");
  }

  policies(count: number): void {
    this.#policies.set(count);
  }

  reviewed(reviewed: ReviewedRequest, seconds: number): void {
    const { count, duration } = this.#kind(reviewed);
    count();
    duration.observe(seconds);
    if (reviewed.review === "validate") {
      this.#validations(reviewed.report, seconds);
      for (const [policy, binding, result] of evaluated(reviewed.report)) this.#evaluation(policy, binding, result);
    } else {
      this.#mutations(reviewed.report, seconds);
      for (const [policy, binding, result] of invoked(reviewed.report)) this.#evaluation(policy, binding, result);
    }
  }

  #kind({ review, request: { operation, resource }, allowed }: ReviewedRequest): {
    readonly count: () => void;
    readonly duration: Observer;
  } {
    const verdict = allowed ? "allowed" : "denied";
    const key = `${review} ${operation} ${resource.group} ${resource.resource} ${verdict}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const isOther = this.#known.size >= MOST_KINDS;
    const where = isOther
      ? { operation: "other", group: "other", resource: "other" }
      : { operation, group: resource.group, resource: resource.resource };
    const made = {
      count: this.#reviews.with({ review, ...where, verdict }),
      duration: this.#reviewDurations.with({ review, verdict }),
    };
    if (!isOther) this.#known.set(key, made);
    return made;
  }

  #validations(report: AdmissionReport, seconds: number): void {
    for (const check of policyChecks(report)) this.#validated.add({ ...check }, seconds);
  }

  #mutations(report: MutatingPolicyReport, seconds: number): void {
    for (const check of mutationChecks(report)) this.#mutated.add({ ...check }, seconds);
  }

  #evaluation(policy: string, binding: string, result: Result): void {
    const key = `${policy} ${binding} ${result}`;
    let count = this.#counts.get(key);
    if (count === undefined) {
      count = this.#evaluations.with({ policy, policy_binding: binding, result });
      this.#counts.set(key, count);
    }
    count();
  }
}

/** A counter and the times that belong to it. */
class Checks {
  readonly #total: Counter;
  readonly #seconds: Histogram;

  constructor(metrics: Metrics, name: string, total: string, seconds: string) {
    this.#total = metrics.counter(`${name}_total`, total);
    this.#seconds = metrics.histogram(`${name}_duration_seconds`, seconds, CHECK_BUCKETS);
  }

  add(labels: Readonly<Record<string, string>>, seconds: number): void {
    this.#total.add(labels);
    this.#seconds.observe(seconds, labels);
  }
}

function* evaluated({ verdicts, failures }: AdmissionReport): Generator<readonly [string, string, Result]> {
  for (const verdict of verdicts.policies) {
    const { name } = verdict.policy;
    if (verdict.outcome === "error") yield [name, "", "error"];
    if (verdict.outcome !== "matched") continue;
    for (const { binding, outcome } of verdict.bindings) {
      if (outcome === "error") yield [name, binding.name, "error"];
      if (outcome === "evaluated") yield [name, binding.name, resultOf(failures, name, binding.name)];
    }
  }
}

function resultOf(failures: readonly Failure[], policy: string, binding: string): Result {
  let result: Result = "allow";
  for (const failure of failures) {
    if (failure.policy !== policy || (failure.binding ?? "") !== binding) continue;
    if (failure.kind === "error") return "error";
    result = "deny";
  }
  return result;
}

function* invoked({ invocations }: MutatingPolicyReport): Generator<readonly [string, string, Result]> {
  for (const { policy, binding, outcome, mutations } of invocations) {
    const isError = outcome === "error" || mutations.some((mutation) => mutation.error !== undefined);
    if (isError || outcome === "ran") yield [policy.name, binding.name, isError ? "error" : "allow"];
  }
}
