// Names that lead nowhere: of policies, of kinds of params, of params.

import { nameOf } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import type { ParamSource } from "../../hosts.ts";
import type { Binding, ParamKind, Policy } from "../../policy.ts";
import { finding, type PolicyFinding } from "./finding.ts";
import { needsParams } from "./null-reads.ts";

export function unboundPolicy(policy: Policy): PolicyFinding {
  return finding(
    policy,
    "policy_without_binding",
    ["metadata", "name"],
    "no binding names this policy, so it has no effect",
  );
}

export function danglingPolicyName(binding: Binding): PolicyFinding {
  const { policyName = "" } = binding.spec;
  const message = `policy "${policyName}" does not exist, so the binding has no effect`;
  return finding(binding, "dangling_policy_name", ["spec", "policyName"], message, {
    related: { kind: policyKindOf(binding), name: policyName },
  });
}

const policyKindOf = ({ kind }: Binding): Policy["kind"] =>
  kind === "MutatingAdmissionPolicyBinding" ? "MutatingAdmissionPolicy" : "ValidatingAdmissionPolicy";

export async function unknownParamKind(policy: Policy, params: ParamSource): Promise<PolicyFinding[]> {
  const { paramKind } = policy.spec;
  if (paramKind === undefined || (await params.scope(paramKind)) !== undefined) return [];
  const message = `kind ${shown(paramKind)} does not exist, so every matching request fails according to failurePolicy`;
  return [finding(policy, "unknown_param_kind", ["spec", "paramKind"], message)];
}

export async function paramFindings(
  binding: Binding,
  policy: Policy,
  params: ParamSource | undefined,
): Promise<PolicyFinding[]> {
  const { paramRef } = binding.spec;
  const { paramKind } = policy.spec;
  const related = { kind: policy.kind, name: nameOf(policy) };
  if (paramKind === undefined) {
    if (paramRef === undefined) return [];
    const message = `policy "${nameOf(policy)}" has no paramKind, so the reference is not used`;
    return [finding(binding, "unused_param_ref", ["spec", "paramRef"], message, { severity: "note", related })];
  }
  if (paramRef === undefined) {
    const none = `policy "${nameOf(policy)}" has params of kind ${shown(paramKind)}, but this binding sets none, so params is null`;
    if (needsParams(policy)) {
      const message = `${none} and every matching request fails`;
      return [finding(binding, "no_param_ref", ["spec"], message, { related })];
    }
    return [finding(binding, "no_param_ref", ["spec"], none, { severity: "note", related })];
  }
  return params === undefined ? [] : missingParams(binding, paramKind, params);
}

async function missingParams(binding: Binding, paramKind: ParamKind, params: ParamSource): Promise<PolicyFinding[]> {
  const scope = await params.scope(paramKind);
  const { name = "", namespace = "", selector, parameterNotFoundAction } = binding.spec.paramRef!;
  if (scope === undefined) return [];
  if (scope === "Cluster" && namespace !== "") {
    const message = `kind ${shown(paramKind)} is cluster-scoped, so every matching request fails`;
    return [finding(binding, "invalid_param_ref", ["spec", "paramRef", "namespace"], message)];
  }
  // In the namespace of the request: there may be one in some.
  if (scope === "Namespaced" && namespace === "") return [];
  const effect = parameterNotFoundAction === "Allow" ? "the binding has no effect" : "every matching request fails";
  const where = namespace === "" ? "" : ` in namespace "${namespace}"`;
  const related = { kind: paramKind.kind ?? "", name, ...(namespace === "" ? {} : { namespace }) };
  if (name !== "") {
    if ((await params.get(paramKind, namespace, name)) !== undefined) return [];
    const message = `${shown(paramKind)} "${name}" not found${where}; without it, ${effect}`;
    return [finding(binding, "missing_param", ["spec", "paramRef", "name"], message, { related })];
  }
  const labels = toLabelSelector(selector);
  if (labels instanceof Invalid || (await params.list(paramKind, namespace, labels)).length > 0) return [];
  const message = `the selector matches no ${shown(paramKind)}${where}; without params, ${effect}`;
  return [finding(binding, "missing_param", ["spec", "paramRef", "selector"], message)];
}

function shown({ apiVersion = "", kind = "" }: ParamKind): string {
  return `${kind} (${apiVersion})`;
}
