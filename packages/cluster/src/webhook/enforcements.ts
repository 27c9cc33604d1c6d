// Policies that the cluster's webhook configurations cover, as far as this program knows: it wrote them, or found them as wanted.

import type { KubeObject } from "@celadon/kube";
import { type EntryPlan, type MatchedPolicy, policyKey } from "./entries.ts";
import { classPath } from "./policy-class.ts";
import { OWN_GROUP } from "./policy-objects.ts";
import type { Enforcement } from "./policy-status.ts";

interface Plan {
  /** Generations of policies of our own group, by kind and name. */
  readonly generations: ReadonlyMap<string, number>;
  readonly omitted: ReadonlySet<string>;
}

const CONFIGURATIONS: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: "ValidatingWebhookConfiguration",
  MutatingAdmissionPolicy: "MutatingWebhookConfiguration",
};

export class Enforcements {
  readonly #plans = new WeakMap<KubeObject, Plan>();
  readonly #confirmed = new Map<string, { readonly plan: Plan; readonly text: string }>();
  /** Why a configuration was not written last. */
  readonly #failures = new Map<string, string>();

  /** The policies that a configuration was made from. */
  planned(wanted: KubeObject, matched: readonly MatchedPolicy[], { omitted }: EntryPlan): void {
    const own = matched.filter(({ group }) => group === OWN_GROUP);
    this.#plans.set(wanted, {
      generations: new Map(own.map(({ key, generation }) => [key, generation])),
      omitted: new Set(own.filter((policy) => omitted.has(classPath(policy.class))).map(({ key }) => key)),
    });
  }

  /** The cluster has the configuration. True if that changes the known state. */
  confirmed(kind: string, wanted: KubeObject): boolean {
    const plan = this.#plans.get(wanted);
    if (plan === undefined) return false;
    const hadFailed = this.#failures.delete(kind);
    const text = JSON.stringify([[...plan.generations], [...plan.omitted]]);
    const isNew = this.#confirmed.get(kind)?.text !== text;
    this.#confirmed.set(kind, { plan, text });
    return hadFailed || isNew;
  }

  failed(kind: string, failure: string): void {
    this.#failures.set(kind, failure);
  }

  of(policy: { readonly kind: string; readonly name: string; readonly generation: number }): Enforcement {
    const kind = CONFIGURATIONS[policy.kind] ?? "";
    const failure = this.#failures.get(kind);
    const plan = this.#confirmed.get(kind)?.plan;
    if (plan === undefined) return failure === undefined ? { state: "unknown" } : { state: "pending", failure };
    const key = policyKey(policy.kind, policy.name);
    if (plan.omitted.has(key)) return { state: "omitted" };
    return plan.generations.get(key) === policy.generation ? { state: "enforced" } : { state: "pending", failure };
  }
}
