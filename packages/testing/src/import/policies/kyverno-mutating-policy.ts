// Kyverno's MutatingPolicy (policies.kyverno.io): a MutatingAdmissionPolicy with its binding in one, and more functions. Both have the
// same two types of patches, so that a policy is brought over as it stands or not at all.

import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from "@celadon/admission/policy";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import { fieldsAt, get, hasText, textAt } from "../foreign.ts";
import { ADMISSION_V1, type ConversionProblem, type PolicySource } from "./converted.ts";
import { acceptable } from "./standard.ts";

export interface ConvertedMutations {
  readonly source: PolicySource;
  /** Undefined where there is a problem. */
  readonly made?: { readonly policy: MutatingAdmissionPolicy; readonly binding: MutatingAdmissionPolicyBinding };
  readonly problem?: ConversionProblem;
}

const FIELDS = [
  "failurePolicy",
  "paramKind",
  "matchConstraints",
  "matchConditions",
  "variables",
  "mutations",
  "reinvocationPolicy",
] as const;

/** Undefined for objects that are no mutating policies, neither of Kyverno nor of Kubernetes. */
export function convertMutatingPolicy(object: KubeObject): ConvertedMutations | undefined {
  const { group, kind } = gvkOf(object);
  const isOurs = group === "admissionregistration.k8s.io" && kind === "MutatingAdmissionPolicy";
  if (!isOurs && (group !== "policies.kyverno.io" || kind !== "MutatingPolicy")) return undefined;
  const source: PolicySource = { kind, name: nameOf(object) };
  const failed = (message: string, ...path: readonly string[]): ConvertedMutations => ({
    source,
    problem: { code: "not_expressible", source, message, path: ["spec", ...path] },
  });
  const spec = fieldsAt(object, "spec");
  if (hasText(spec, "targetMatchConstraints"))
    return failed("it changes objects other than the request's", "targetMatchConstraints");
  if (get(spec, "evaluation", "mutateExisting", "enabled") === true)
    return failed("it changes existing objects", "evaluation");
  const mode = textAt(spec, "evaluation", "mode") ?? "Kubernetes";
  if (mode !== "Kubernetes") return failed(`it changes ${mode} documents, not requests`, "evaluation", "mode");
  const fields = Object.fromEntries(FIELDS.flatMap((name) => (hasText(spec, name) ? [[name, get(spec, name)]] : [])));
  const metadata = { name: nameOf(object) };
  const policy = {
    apiVersion: ADMISSION_V1,
    kind: "MutatingAdmissionPolicy",
    metadata,
    spec: { failurePolicy: "Fail", reinvocationPolicy: "Never", ...fields },
  } as MutatingAdmissionPolicy;
  const binding: MutatingAdmissionPolicyBinding = {
    apiVersion: ADMISSION_V1,
    kind: "MutatingAdmissionPolicyBinding",
    metadata,
    spec: { policyName: metadata.name },
  };
  const [problem] = acceptable([policy, binding], source, []);
  return problem === undefined ? { source, made: { policy, binding } } : { source, problem };
}

/** Whether the rules name the resource; what Kyverno derives for workloads is its own. */
export function namesResource({ spec }: MutatingAdmissionPolicy, resource: string): boolean {
  const rules = spec.matchConstraints?.resourceRules ?? [];
  return rules.some(({ resources = [] }) =>
    resources.some((text) => text === "*" || text === "*/*" || text === resource),
  );
}
