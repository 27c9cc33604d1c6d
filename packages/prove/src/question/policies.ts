// The policies of a cluster with their bindings, and the scope of a question about them: kinds, operations, params.

import {
  createSchemas,
  type MatchedTarget,
  type Schemas,
  type Targets,
  targetsOf,
  type WriteOperation,
} from "@celadon/admission/memory";
import {
  BINDING_KINDS,
  type Binding,
  type NamedRuleWithOperations,
  type ValidatingAdmissionPolicyBinding,
} from "@celadon/admission/policy";
import { type CompiledPolicy, refusingPart } from "@celadon/admission/steps";
import { type KubeObject, nameOf, parseGroupVersion } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import type { SimulatedCluster } from "@celadon/simulator";
import type { ParamsOf, Situation } from "../request/symbolic-request.ts";
import { kindShape } from "../tree/kind-shape.ts";

/** The number of kinds that are tried for a policy with wildcards. */
const MOST_KINDS = 8;

/** A policy and the bindings that put it in force. */
export interface BoundPolicy {
  readonly policy: CompiledPolicy;
  readonly bindings: readonly ValidatingAdmissionPolicyBinding[];
  /** A binding made up for a policy that has none. */
  readonly made: KubeObject | undefined;
}

export function bound(policy: CompiledPolicy, simulated: SimulatedCluster): BoundPolicy {
  const bindings = simulated
    .manifests("binding")
    .map(({ object }) => object as unknown as Binding)
    .filter((binding): binding is ValidatingAdmissionPolicyBinding => isBindingOf(binding, policy.name));
  if (bindings.length > 0) return { policy, bindings, made: undefined };
  const made = madeBinding(policy);
  return { policy, bindings: [made as unknown as ValidatingAdmissionPolicyBinding], made };
}

function isBindingOf(binding: Binding, policy: string): boolean {
  return binding.kind === BINDING_KINDS.ValidatingAdmissionPolicy && binding.spec.policyName === policy;
}

function madeBinding({ name, paramKind }: CompiledPolicy): KubeObject {
  const paramRef = paramKind && { name: "params", parameterNotFoundAction: "Deny" };
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: `${name}-everywhere` },
    spec: { policyName: name, validationActions: ["Deny"], ...(paramRef && { paramRef }) },
  } as KubeObject;
}

/** The binding of a policy without one uses any params of a model. */
export function withParams(binding: KubeObject, params: KubeObject | undefined): KubeObject {
  if (params === undefined) return binding;
  const { name, namespace } = params.metadata as { readonly name?: string; readonly namespace?: string };
  const paramRef = { name, ...(namespace && { namespace }), parameterNotFoundAction: "Deny" };
  return { ...binding, spec: { ...(binding.spec as object), paramRef } } as KubeObject;
}

export function schemasOf(simulated: SimulatedCluster): Schemas {
  return createSchemas({ definitions: simulated.manifests("definition").map(({ object }) => object) });
}

/** The scope of a question. */
export interface Scope {
  readonly situations: readonly Situation[];
  /** Kinds that match and are left out. */
  readonly leftOut: number;
  readonly unknown: readonly string[];
}

/** Kinds and operations that a policy and one of its bindings match. */
export function scopeOf({ policy, bindings }: BoundPolicy, schemas: Schemas): Scope {
  const all: Targets = targetsOf(policy.policy, schemas, Number.POSITIVE_INFINITY);
  const matched = all.targets.filter((target) => bindings.some((binding) => mayMatch(binding, target)));
  const targets = matched.slice(0, MOST_KINDS);
  const readsOld = readsOperation(policy, bindings);
  return {
    situations: targets.flatMap((target) =>
      operationsOf(target, readsOld).map((operation): Situation => ({ target, operation })),
    ),
    leftOut: matched.length - targets.length,
    unknown: all.unknown,
  };
}

/** Kinds that any of several policies matches under its binding. */
export function scopeTargets(
  policies: readonly { readonly bound: BoundPolicy; readonly binding: ValidatingAdmissionPolicyBinding }[],
  schemas: Schemas,
): Pick<Targets, "targets" | "unknown"> {
  const targets = new Map<string, MatchedTarget>();
  const unknown = new Set<string>();
  for (const { bound: item, binding } of policies) {
    const all = targetsOf(item.policy.policy, schemas, Number.POSITIVE_INFINITY);
    for (const name of all.unknown) unknown.add(name);
    for (const target of all.targets) {
      if (!mayMatch(binding, target)) continue;
      const key = JSON.stringify([target.kind, target.resource, target.subresource]);
      const known = targets.get(key);
      const operations = [...new Set([...(known?.operations ?? []), ...target.operations])];
      targets.set(key, { ...target, operations });
    }
  }
  return { targets: [...targets.values()], unknown: [...unknown] };
}

export function mayMatch(
  { spec: { matchResources } }: ValidatingAdmissionPolicyBinding,
  target: MatchedTarget,
): boolean {
  const { kind, resource, subresource, namespaced, operations, name } = target;
  const rules = matchResources?.resourceRules ?? [];
  const matches = ({ resourceNames: _, ...rule }: NamedRuleWithOperations): boolean =>
    operations.some((operation) => {
      const request = { kind, resource, subresource, name, ...(namespaced && { namespace: "a" }), operation };
      return refusingPart(rule, request, resource) === undefined;
    });
  return rules.length === 0 || rules.some(matches);
}

/** An update shows the same as a creation, unless an expression reads the old object or the operation. */
function operationsOf({ operations }: MatchedTarget, readsOld: boolean): readonly WriteOperation[] {
  if (!operations.includes("CREATE") || !operations.includes("UPDATE") || readsOld) return operations;
  return operations.filter((operation) => operation !== "UPDATE");
}

/** Whether an old object, or its presence, can make a difference. Ephemeral containers exist on updates alone. */
export function readsOperation(policy: CompiledPolicy, bindings: readonly ValidatingAdmissionPolicyBinding[]): boolean {
  const reads = /\b(?:oldObject|operation|options|ephemeralContainers)\b|\brequest\s*[^.\s]/;
  const expressions = [...policy.conditions, ...policy.validations, ...policy.variables.expressions];
  if (expressions.some(({ text }) => reads.test(text))) return true;
  const selectors = [policy.policy.spec.matchConstraints, ...bindings.map(({ spec }) => spec.matchResources)];
  return selectors.some((match) => match?.objectSelector !== undefined && Object.keys(match.objectSelector).length > 0);
}

/** The params of a binding: those of the inputs, or any of their kind. */
export function paramsOf(
  { policy: { paramKind }, made }: BoundPolicy,
  { spec: { paramRef } }: ValidatingAdmissionPolicyBinding,
  simulated: SimulatedCluster,
  schemas: Schemas,
): ParamsOf {
  if (paramKind === undefined || paramRef === undefined) return { is: "none" };
  const { apiVersion = "", kind = "" } = paramKind;
  const given = simulated
    .manifests()
    .map(({ object }) => object)
    .filter((object) => object.apiVersion === apiVersion && object.kind === kind && nameOf(object) === paramRef.name);
  const [only] = given;
  if (only !== undefined && given.length === 1) return { is: "given", object: only };
  const gv = parseGroupVersion(apiVersion);
  if (gv instanceof Invalid) return { is: "none" };
  // A binding that is made up refers to whatever params a model has.
  const { name, namespace } = made === undefined ? paramRef : {};
  const isNamespaced = schemas
    .served()
    .some((served) => served.kind === kind && served.group === gv.group && served.namespaced);
  return {
    is: "any",
    shape: kindShape({ ...gv, kind }, schemas.schema({ ...gv, kind })),
    apiVersion,
    kind,
    isNear: isNamespaced,
    ...(name && { name }),
    ...(namespace && { namespace }),
  };
}
