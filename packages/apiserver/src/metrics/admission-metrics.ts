// Metrics of admission: time per plugin, what policies and webhooks decided, and what match conditions kept out.
// Upstream: apiserver pkg/admission/metrics, pkg/admission/plugin/policy/validating/metrics.go, pkg/admission/plugin/cel/metrics.go.

import type { AdmissionReport, AdmissionRequest } from "@celadon/admission";
import { type MutatingPolicyReport, mutationChecks, mutationConditionChecks } from "@celadon/admission/mutating";
import { type ConditionCheck, conditionChecks, policyChecks } from "@celadon/admission/steps";
import type { DispatchReport } from "@celadon/admission/webhook";
import type { Counter, Histogram, Metrics, Observer } from "@celadon/base/metrics";
import type { Phase } from "@celadon/write";

const PLUGIN_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const CHECK_SECONDS = [0.0000005, 0.001, 0.01, 0.1, 1];
const WEBHOOK_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];
const CONDITION_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];
/** The code for a webhook that gave no answer. */
const UNAVAILABLE = 503;

/**
 * The durations of one plugin in one phase, by operation and outcome. Every request meets every plugin, so this is found without making
 * keys.
 */
export class PluginTimes {
  readonly #allowed = new Map<string, Observer>();
  readonly #rejected = new Map<string, Observer>();
  readonly #observer: (operation: string, rejected: string) => Observer;

  constructor(observer: (operation: string, rejected: string) => Observer) {
    this.#observer = observer;
  }

  now(): number {
    return performance.now();
  }

  /** Counts the time since `started`, in milliseconds, and returns the time it is. */
  took(operation: string, rejected: boolean, started: number): number {
    const observers = rejected ? this.#rejected : this.#allowed;
    let observer = observers.get(operation);
    if (observer === undefined) {
      observer = this.#observer(operation, String(rejected));
      observers.set(operation, observer);
    }
    const now = performance.now();
    observer.observe((now - started) / 1000);
    return now;
  }
}

export class AdmissionMetrics {
  readonly #plugins: Histogram;
  readonly #checks: Counter;
  readonly #checkSeconds: Histogram;
  readonly #mutations: Counter;
  readonly #mutationSeconds: Histogram;
  readonly #calls: Counter;
  readonly #callSeconds: Histogram;
  readonly #rejections: Counter;
  readonly #failedOpen: Counter;
  readonly #conditionErrors: Counter;
  readonly #conditionSeconds: Histogram;
  readonly #exclusions: Counter;

  constructor(metrics: Metrics) {
    const policy = "labeled by policy and further identified by binding and enforcement action taken.";
    this.#plugins = metrics.histogram(
      "apiserver_admission_controller_admission_duration_seconds",
      "Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).",
      PLUGIN_SECONDS,
    );
    this.#checks = metrics.counter(
      "apiserver_validating_admission_policy_check_total",
      `Validation admission policy check total, ${policy}`,
    );
    this.#checkSeconds = metrics.histogram(
      "apiserver_validating_admission_policy_check_duration_seconds",
      "Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.",
      CHECK_SECONDS,
    );
    this.#mutations = metrics.counter(
      "apiserver_mutating_admission_policy_check_total",
      "Mutation admission policy check total, labeled by policy and further identified by binding.",
    );
    this.#mutationSeconds = metrics.histogram(
      "apiserver_mutating_admission_policy_check_duration_seconds",
      "Mutation admission latency for individual mutation expressions in seconds, labeled by policy and binding.",
      CHECK_SECONDS,
    );
    this.#callSeconds = metrics.histogram(
      "apiserver_admission_webhook_admission_duration_seconds",
      "Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).",
      WEBHOOK_SECONDS,
    );
    this.#calls = metrics.counter(
      "apiserver_admission_webhook_request_total",
      "Admission webhook request total, identified by name and broken out for each admission type (validating or mutating) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.",
    );
    this.#rejections = metrics.counter(
      "apiserver_admission_webhook_rejection_count",
      "Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.",
    );
    this.#failedOpen = metrics.counter(
      "apiserver_admission_webhook_fail_open_count",
      "Admission webhook fail open count, identified by name and broken out for each admission type (validating or mutating).",
    );
    this.#conditionErrors = metrics.counter(
      "apiserver_admission_match_condition_evaluation_errors_total",
      "Admission match condition evaluation errors count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).",
    );
    this.#conditionSeconds = metrics.histogram(
      "apiserver_admission_match_condition_evaluation_seconds",
      "Admission match condition evaluation time in seconds, identified by name and broken out for each kind containing matchConditions (webhook or policy), operation and type (validate or admit).",
      CONDITION_SECONDS,
    );
    this.#exclusions = metrics.counter(
      "apiserver_admission_match_condition_exclusions_total",
      "Admission match condition evaluation exclusions count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).",
    );
  }

  /** The times of one plugin in one phase. */
  plugin(name: string, type: Phase): PluginTimes {
    return new PluginTimes((operation, rejected) => this.#plugins.with({ name, operation, rejected, type }));
  }

  policies({ operation }: AdmissionRequest, report: AdmissionReport, seconds: number): void {
    for (const check of policyChecks(report)) {
      const labels = { ...check };
      this.#checks.add(labels);
      this.#checkSeconds.observe(seconds, labels);
    }
    this.#policyConditions(conditionChecks(report), operation, seconds);
  }

  mutations({ operation }: AdmissionRequest, report: MutatingPolicyReport, seconds: number): void {
    for (const check of mutationChecks(report)) {
      const labels = { ...check };
      this.#mutations.add(labels);
      this.#mutationSeconds.observe(seconds, labels);
    }
    this.#policyConditions(mutationConditionChecks(report), operation, seconds);
  }

  /** Upstream counts both kinds of policies as validating, and no exclusions. */
  #policyConditions(checks: readonly ConditionCheck[], operation: string, seconds: number): void {
    for (const { policy, isError } of checks)
      this.#condition({ kind: "policy", name: policy, operation, type: "validate" }, isError, seconds);
  }

  webhooks({ operation }: AdmissionRequest, report: DispatchReport, phase: Phase, seconds: number): void {
    // Exclusions of validating webhooks have another word than all the rest.
    const type = phase === "admit" ? "admit" : "validating";
    for (const call of report.calls) {
      const { webhook, outcome, failedOpen } = call;
      const { name } = webhook.webhook;
      const isRejected = outcome.outcome !== "allowed" && !failedOpen;
      const rejected = String(isRejected);
      const code = String(codeOf(call));
      this.#callSeconds.observe(call.seconds, { name, operation, rejected, type });
      this.#calls.add({ code, name, operation, rejected, type });
      if (failedOpen) this.#failedOpen.add({ name, type });
      if (!isRejected) continue;
      const error_type = outcome.outcome === "failed" ? "calling_webhook_error" : "no_error";
      this.#rejections.add({ error_type, name, operation, rejection_code: code, type });
    }
    for (const selection of report.selections) {
      const { name } = selection.webhook.webhook;
      const labels = { kind: "webhook", name, operation, type };
      if (selection.outcome === "rejected" && selection.failedCondition !== undefined)
        this.#condition(labels, true, seconds);
      if (selection.outcome !== "refused") continue;
      const { by } = selection.refusal;
      if (by !== "matchCondition" && by !== "matchConditionError") continue;
      this.#condition(labels, by === "matchConditionError", seconds);
      this.#exclusions.add({ kind: "webhook", name, operation, type: phase });
    }
  }

  /** Conditions that all are true are not counted. */
  #condition(labels: Readonly<Record<string, string>>, isError: boolean, seconds: number): void {
    this.#conditionSeconds.observe(seconds, labels);
    if (isError) this.#conditionErrors.add(labels);
  }
}

function codeOf({ outcome }: DispatchReport["calls"][number]): number {
  switch (outcome.outcome) {
    case "allowed":
      return 200;
    case "failed":
      return Math.min(outcome.code ?? UNAVAILABLE, 600);
    case "denied":
    case "rejected":
      return Math.min(outcome.status.code ?? 0, 600);
  }
}
