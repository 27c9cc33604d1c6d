// Names that lead nowhere: of policies, of kinds of params, of params.

import { Invalid, nameOf, toLabelSelector } from "@celadon/kube";
import type { ParamSource } from "../../hosts.ts";
import type { ParamKind, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../../policy.ts";
import { type Finding, finding } from "./finding.ts";

export function unboundPolicy(policy: ValidatingAdmissionPolicy): Finding {
  return finding(
    policy,
    "policy_without_binding",
    ["metadata", "name"],
    "no binding names this policy: it has no effect",
  );
}

export function danglingPolicyName(binding: ValidatingAdmissionPolicyBinding): Finding {
  const { policyName = "" } = binding.spec;
  const message = `there is no policy "${policyName}": the binding has no effect`;
  return finding(binding, "dangling_policy_name", ["spec", "policyName"], message, {
    related: { kind: "ValidatingAdmissionPolicy", name: policyName },
  });
}

export async function unknownParamKind(policy: ValidatingAdmissionPolicy, params: ParamSource): Promise<Finding[]> {
  const { paramKind } = policy.spec;
  if (paramKind === undefined || (await params.scope(paramKind)) !== undefined) return [];
  const message = `there is no kind ${shown(paramKind)}: every request the policy matches fails as failurePolicy says`;
  return [finding(policy, "unknown_param_kind", ["spec", "paramKind"], message)];
}

export async function paramFindings(
  binding: ValidatingAdmissionPolicyBinding,
  policy: ValidatingAdmissionPolicy,
  params: ParamSource | undefined,
): Promise<Finding[]> {
  const { paramRef } = binding.spec;
  const { paramKind } = policy.spec;
  const related = { kind: policy.kind, name: nameOf(policy) };
  if (paramKind === undefined) {
    if (paramRef === undefined) return [];
    const message = `policy "${nameOf(policy)}" has no paramKind: the reference is not used`;
    return [finding(binding, "unused_param_ref", ["spec", "paramRef"], message, { severity: "note", related })];
  }
  if (paramRef === undefined) {
    const message = `policy "${nameOf(policy)}" has params of kind ${shown(paramKind)} and this binding gives none: params is null`;
    return [finding(binding, "no_param_ref", ["spec"], message, { severity: "note", related })];
  }
  return params === undefined ? [] : missingParams(binding, paramKind, params);
}

async function missingParams(
  binding: ValidatingAdmissionPolicyBinding,
  paramKind: ParamKind,
  params: ParamSource,
): Promise<Finding[]> {
  const scope = await params.scope(paramKind);
  const { name = "", namespace = "", selector, parameterNotFoundAction } = binding.spec.paramRef!;
  if (scope === undefined) return [];
  if (scope === "Cluster" && namespace !== "") {
    const message = `objects of kind ${shown(paramKind)} are in no namespace: every request the binding matches fails`;
    return [finding(binding, "invalid_param_ref", ["spec", "paramRef", "namespace"], message)];
  }
  // In the namespace of the request: there may be one in some.
  if (scope === "Namespaced" && namespace === "") return [];
  const effect =
    parameterNotFoundAction === "Allow" ? "the binding has no effect" : "every request the binding matches fails";
  const where = namespace === "" ? "" : ` in namespace "${namespace}"`;
  const related = { kind: paramKind.kind ?? "", name, ...(namespace === "" ? {} : { namespace }) };
  if (name !== "") {
    if ((await params.get(paramKind, namespace, name)) !== undefined) return [];
    const message = `there is no ${shown(paramKind)} "${name}"${where}: ${effect}`;
    return [finding(binding, "missing_param", ["spec", "paramRef", "name"], message, { related })];
  }
  const labels = toLabelSelector(selector);
  if (labels instanceof Invalid || (await params.list(paramKind, namespace, labels)).length > 0) return [];
  const message = `the selector finds no ${shown(paramKind)}${where}: ${effect}`;
  return [finding(binding, "missing_param", ["spec", "paramRef", "selector"], message)];
}

function shown({ apiVersion = "", kind = "" }: ParamKind): string {
  return `${kind} (${apiVersion})`;
}
