// All inputs of verdicts beside the objects themselves, and the effects of a change: policies that are evaluated again by themselves, as no
// validating policy depends on another, and objects that are reviewed again as a whole.

import { valueAt } from "@celadon/base";
import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { SimulatedCluster } from "@celadon/simulator";
import type { ObjectVerdict } from "./review-all.ts";

export interface Basis {
  /** Validating policies by name, each with its bindings and with all objects of its kind of params. */
  readonly policies: ReadonlyMap<string, readonly KubeObject[]>;
  /** Everything else that decides. */
  readonly others: ReadonlySet<KubeObject>;
  /** Kinds of params of any policy. */
  readonly paramKinds: ReadonlySet<string>;
}

export interface BasisChange {
  /** Names of validating policies that say something else now. */
  readonly policies: ReadonlySet<string>;
  /** Whether more than these may say something else of an object. */
  readonly concerns: (verdict: ObjectVerdict) => boolean;
}

export const NO_BASIS: Basis = { policies: new Map(), others: new Set(), paramKinds: new Set() };

export function basisOf(simulated: SimulatedCluster): Basis {
  const policies = new Map<string, KubeObject[]>();
  const byParamKind = new Map<string, string[]>();
  const put = (name: string, object: KubeObject): void => {
    const list = policies.get(name);
    if (list === undefined) policies.set(name, [object]);
    else list.push(object);
  };
  for (const { object } of simulated.manifests("policy", "binding")) {
    const isPolicy = object.kind === "ValidatingAdmissionPolicy";
    const name = isPolicy ? nameOf(object) : String(valueAt(object, ["spec", "policyName"]));
    put(name, object);
    const kind = valueAt(object, ["spec", "paramKind", "kind"]);
    if (typeof kind === "string") byParamKind.set(kind, [...(byParamKind.get(kind) ?? []), name]);
  }
  const mutating = simulated
    .manifests("mutatingPolicy")
    .map(({ object }) => valueAt(object, ["spec", "paramKind", "kind"]));
  const paramKinds = new Set([...byParamKind.keys(), ...mutating.filter((kind) => typeof kind === "string")]);
  const others = new Set(simulated.manifests(...OTHERS).map(({ object }) => object));
  if (paramKinds.size > 0) {
    for (const { object } of simulated.manifests()) {
      const kind = String(object.kind);
      for (const name of byParamKind.get(kind) ?? []) put(name, object);
      if (mutating.includes(kind)) others.add(object);
    }
  }
  return { policies, others, paramKinds };
}

const OTHERS = [
  "definition",
  "webhooks",
  "certificatePolicy",
  "namespace",
  "rbac",
  "mutatingPolicy",
  "mutatingBinding",
] as const;

export function basisChange(before: Basis, now: Basis): BasisChange {
  const names = new Set([...before.policies.keys(), ...now.policies.keys()]);
  const policies = [...names].filter((name) => !sameItems(before.policies.get(name), now.policies.get(name)));
  const changed = [...before.others, ...now.others].filter(
    (object) => !(before.others.has(object) && now.others.has(object)),
  );
  const tests = changed.map((object) => concernOf(object, before, now));
  return { policies: new Set(policies), concerns: (verdict) => tests.some((isConcerned) => isConcerned(verdict)) };
}

function sameItems(some: readonly unknown[] = [], others: readonly unknown[] = []): boolean {
  return some.length === others.length && some.every((value, i) => value === others[i]);
}

type Concern = (verdict: ObjectVerdict) => boolean;

const EVERYTHING: Concern = () => true;

/** Rather too many objects than too few. */
function concernOf(object: KubeObject, before: Basis, now: Basis): Concern {
  switch (object.kind) {
    case "ValidatingWebhookConfiguration":
    case "MutatingWebhookConfiguration":
      return byRules(listAt(object, ["webhooks"]).flatMap((webhook) => listAt(webhook, ["rules"])));
    case "MutatingAdmissionPolicy":
      return byRules(listAt(object, ["spec", "matchConstraints", "resourceRules"]));
    case "MutatingAdmissionPolicyBinding":
      return byRules(
        [...before.others, ...now.others]
          .filter((other) => other.kind === "MutatingAdmissionPolicy")
          .filter((policy) => nameOf(policy) === valueAt(object, ["spec", "policyName"]))
          .flatMap((policy) => listAt(policy, ["spec", "matchConstraints", "resourceRules"])),
      );
    case "CustomResourceDefinition": {
      const kind = valueAt(object, ["spec", "names", "kind"]);
      const group = valueAt(object, ["spec", "group"]);
      // Whether params exist depends on whether their kind does.
      if ([before, now].some(({ paramKinds }) => paramKinds.has(String(kind)))) return EVERYTHING;
      return ({ request }) => request.kind.kind === kind || request.kind.group === group;
    }
    case "CertificateRequestPolicy":
      return ({ request }) => request.kind.group === "cert-manager.io";
    case "Namespace": {
      const name = nameOf(object);
      return ({ request }) => request.namespace === name || namespaceOf(request.object ?? {}) === name;
    }
    default:
      return EVERYTHING;
  }
}

/** By the names of resources alone: groups and versions may be equivalent ones. */
function byRules(rules: readonly unknown[]): Concern {
  const resources = new Set(
    rules.flatMap((rule) => listAt(rule, ["resources"]).map((resource) => String(resource).split("/", 1)[0])),
  );
  return ({ request }) => resources.has("*") || resources.has(request.resource.resource);
}

function listAt(holder: unknown, path: readonly string[]): readonly unknown[] {
  const list = valueAt(holder, path);
  return Array.isArray(list) ? list : [];
}
