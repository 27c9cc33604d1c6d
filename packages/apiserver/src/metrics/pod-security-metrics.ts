// Metrics of pod security. Upstream: pod-security-admission metrics/metrics.go.

import type { AdmissionRequest } from "@celadon/admission";
import type { Counter, Metrics } from "@celadon/base/metrics";

export class PodSecurityMetrics {
  readonly #evaluations: Counter;
  readonly #errors: Counter;
  readonly #minor: number;
  /** Most pods are counted under the same few labels. */
  readonly #counters = new Map<string, () => void>();

  /** `minor` is the server's own: versions after it are one label. */
  constructor(metrics: Metrics, minor: number) {
    this.#minor = minor;
    this.#evaluations = metrics.counter(
      "pod_security_evaluations_total",
      "Number of policy evaluations that occurred, not counting ignored or exempt requests.",
    );
    this.#errors = metrics.counter(
      "pod_security_errors_total",
      "Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted profile being used for evaluation.",
    );
  }

  evaluation(
    decision: "allow" | "deny",
    { level, version }: { readonly level: string; readonly version: number | "latest" },
    mode: "enforce" | "audit" | "warn",
    request: AdmissionRequest,
  ): void {
    const { operation, resource, subresource } = request;
    const key = [decision, level, version, mode, operation, resource.resource, subresource].join(" ");
    let count = this.#counters.get(key);
    if (count === undefined) {
      const known = version !== "latest" && version > this.#minor ? "future" : `v1.${version}`;
      count = this.#evaluations.with({
        decision,
        policy_level: level,
        policy_version: level === "privileged" || version === "latest" ? "latest" : known,
        mode,
        ...labelsOf(request),
      });
      this.#counters.set(key, count);
    }
    count();
  }

  error(fatal: boolean, request: AdmissionRequest): void {
    this.#errors.add({ fatal: String(fatal), ...labelsOf(request) });
  }
}

function labelsOf({ operation, resource, subresource = "" }: AdmissionRequest): Readonly<Record<string, string>> {
  const isPod = resource.group === "" && resource.resource === "pods";
  return {
    request_operation: operation.toLowerCase(),
    resource: isPod ? "pod" : "controller",
    subresource,
  };
}
