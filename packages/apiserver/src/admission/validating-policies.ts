// ValidatingAdmissionPolicies and their bindings in the store, in force from the next request on.

import { createPolicySet, type Hosts, type PolicySet } from "@celadon/admission";
import type { Gates } from "@celadon/admission/proposals";
import { admitFound } from "@celadon/admission/steps";
import type { Minor } from "@celadon/kube/versions";
import type { AdmissionPlugin } from "@celadon/write";
import type { AdmissionMetrics } from "../metrics/admission-metrics.ts";
import { StatusError } from "../wire/status-error.ts";
import { type Followed, followAll } from "./followed.ts";
import { optionsOf } from "./webhooks.ts";

export class ValidatingPolicies implements AdmissionPlugin {
  readonly name = "ValidatingAdmissionPolicy";
  readonly #hosts: Hosts;
  readonly #metrics: AdmissionMetrics;
  #policies: PolicySet;

  constructor(hosts: Hosts, metrics: AdmissionMetrics, gates: Gates = {}, kubeVersion?: Minor) {
    this.#policies = createPolicySet([], { gates, ...(kubeVersion && { kubeVersion }) });
    this.#metrics = metrics;
    this.#hosts = hosts;
  }

  /** Applies changes that do not come from the caches. */
  change(change: Parameters<PolicySet["with"]>[0]): void {
    this.#policies = this.#policies.with(change);
  }

  /** Takes the contents of the caches over, and follows them. */
  follow(...caches: readonly Followed[]): void {
    followAll(caches, (change) => this.change(change));
  }

  get policies(): PolicySet {
    return this.#policies;
  }

  validate: NonNullable<AdmissionPlugin["validate"]> = (request, context) => {
    const found = this.#policies.find(request, this.#hosts.resources);
    if (found.isEmpty) return undefined;
    const { notes } = context;
    const started = performance.now();
    return admitFound(request, found, this.#hosts, optionsOf(context)).then((report) => {
      this.#metrics.policies(request, report, (performance.now() - started) / 1000);
      for (const warning of report.warnings) notes.warn(warning);
      for (const [key, value] of Object.entries(report.auditAnnotations)) notes.annotate(key, value);
      if (report.status !== undefined) throw new StatusError(report.status);
    });
  };
}
