// Mutating policies and webhooks with their second pass, as one plugin: they decide together whether there is one.

import { type ChainHosts, mutateRequest, mutatorsOf } from "@celadon/admission/chain";
import { createMutatingPolicySet, type MutatingHosts, type MutatingPolicySet } from "@celadon/admission/mutating";
import type { Minor } from "@celadon/kube/versions";
import type { AdmissionPlugin } from "@celadon/write";
import { StatusError } from "../wire/status-error.ts";
import { type Followed, followAll } from "./followed.ts";
import { optionsOf, type Webhooks } from "./webhooks.ts";

export class Mutation implements AdmissionPlugin {
  readonly name = "MutatingAdmission";
  readonly #hosts: ChainHosts;
  readonly #webhooks: Webhooks;
  #policies: MutatingPolicySet;

  constructor(hosts: MutatingHosts, webhooks: Webhooks, kubeVersion?: Minor) {
    this.#policies = createMutatingPolicySet([], kubeVersion && { kubeVersion });
    this.#hosts = { ...hosts, transport: webhooks.transport, uid: webhooks.uid };
    this.#webhooks = webhooks;
  }

  /** Applies changes that do not come from the caches. */
  change(change: Parameters<MutatingPolicySet["with"]>[0]): void {
    this.#policies = this.#policies.with(change);
  }

  /** Takes the contents of the caches over, and follows them. */
  follow(...caches: readonly Followed[]): void {
    followAll(caches, (change) => this.change(change));
  }

  mutate: NonNullable<AdmissionPlugin["mutate"]> = (request, context) => {
    const chain = { mutatingPolicies: this.#policies, webhooks: this.#webhooks.set, hosts: this.#hosts };
    const mutators = mutatorsOf(request, chain);
    if (mutators === undefined) return undefined;
    const started = performance.now();
    return mutateRequest(request, chain, optionsOf(context), mutators).then(
      ({ object, status, warnings, auditAnnotations, patchAnnotations, passes }) => {
        const seconds = (performance.now() - started) / 1000;
        for (const { webhooks, policies: mutated } of passes) {
          if (webhooks) this.#webhooks.metrics.webhooks(request, webhooks, "admit", seconds);
          this.#webhooks.metrics.mutations(request, mutated, seconds);
        }
        for (const warning of warnings) context.notes.warn(warning);
        for (const [key, value] of Object.entries(auditAnnotations)) context.notes.annotate(key, value);
        for (const [key, value] of Object.entries(patchAnnotations)) context.notes.annotatePatch(key, value);
        if (status !== undefined) throw new StatusError(status);
        return object === null || object === request.object ? undefined : object;
      },
    );
  };
}
