// ValidatingAdmissionPolicies and their bindings in the store, in force for the request after the one that wrote them.

import { admit, createPolicySet, type Hosts, type PolicyResource, type PolicySet } from "@celadon/admission";
import { nameOf } from "@celadon/kube";
import type { ResourceCache } from "../store/cache.ts";
import { StatusError } from "../wire/status-error.ts";
import type { AdmissionPlugin } from "./plugin.ts";

export class ValidatingPolicies implements AdmissionPlugin {
  readonly name = "ValidatingAdmissionPolicy";
  readonly #hosts: Hosts;
  #policies: PolicySet = createPolicySet();

  constructor(hosts: Hosts) {
    this.#hosts = hosts;
  }

  /** Takes over what the caches hold, and follows them. */
  follow(...caches: readonly ResourceCache[]): void {
    for (const cache of caches) {
      this.#policies = this.#policies.with({
        put: cache.all().map(({ object }) => object as unknown as PolicyResource),
      });
      cache.subscribe(({ type, object: { object } }) => {
        const resource = object as unknown as PolicyResource;
        this.#policies = this.#policies.with(
          type === "DELETED" ? { remove: [{ kind: resource.kind, name: nameOf(object) }] } : { put: [resource] },
        );
      });
    }
  }

  get policies(): PolicySet {
    return this.#policies;
  }

  validate: NonNullable<AdmissionPlugin["validate"]> = (request, context) => {
    const policies = this.#policies;
    if (policies.candidates(request, this.#hosts.resources).length === 0) return undefined;
    const { notes, signal } = context;
    return admit(request, policies, this.#hosts, signal && { signal }).then((report) => {
      for (const warning of report.warnings) notes.warn(warning);
      for (const [key, value] of Object.entries(report.auditAnnotations)) notes.annotate(key, value);
      if (report.status !== undefined) throw new StatusError(report.status);
    });
  };
}
