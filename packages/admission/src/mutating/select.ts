// Selects policies, bindings and params for a request. All are selected before anything is mutated, on the object as it came. Upstream:
// apiserver pkg/admission/plugin/policy/generic/policy_dispatcher.go.

import { gvkOf, type KubeObject } from "@celadon/kube";
import { builtinKind } from "@celadon/kube/builtin";
import { bindParams, type Params, paramScope } from "../decide/bind.ts";
import type { RequestContext } from "../evaluate/context.ts";
import { match, needsNamespace } from "../match.ts";
import type { ParamKind } from "../policy.ts";
import type { CompiledMutatingPolicy, MutatingPolicyEntry } from "./compile.ts";
import type { Invocation, MutatingBinding, NotInvoked } from "./verdict.ts";

export interface Selected {
  readonly invocations: readonly Invocation[];
  readonly notInvoked: readonly NotInvoked[];
}

export async function selectPolicies(
  entries: readonly MutatingPolicyEntry[],
  context: RequestContext,
): Promise<Selected> {
  if (needsNamespace(entries, context)) await context.loadNamespace();
  const invocations: Invocation[] = [];
  const notInvoked: NotInvoked[] = [];
  for (const entry of entries) {
    const matched = match(entry, context);
    const { policy } = matched;
    if (matched.outcome === "refused") notInvoked.push({ policy, refusal: matched.refusal });
    else if (matched.outcome === "error") notInvoked.push({ policy, error: matched.message });
    else {
      const scope = await paramScope(policy.paramKind, context.hosts.params);
      if ("error" in scope) {
        notInvoked.push({ policy, error: scope.error });
        continue;
      }
      const { resource, kind } = matched;
      for (const matchedBinding of matched.bindings) {
        const { binding } = matchedBinding;
        if (matchedBinding.outcome === "refused") notInvoked.push({ policy, binding, refusal: matchedBinding.refusal });
        else if (matchedBinding.outcome === "error")
          notInvoked.push({ policy, binding, error: matchedBinding.message });
        else {
          const objects = await context.objects(kind);
          if (typeof objects === "string") {
            notInvoked.push({ policy, error: objects });
            continue;
          }
          const params = await paramsOf(policy, binding, scope.scope, context);
          if ("error" in params) notInvoked.push({ policy, binding, ...params });
          else if (params.params.length === 0) notInvoked.push({ policy, binding, refusal: { by: "paramRef" } });
          else for (const param of params.params) invocations.push({ policy, binding, params: param, resource, kind });
        }
      }
    }
  }
  return { invocations, notInvoked };
}

async function paramsOf(
  { paramKind }: CompiledMutatingPolicy,
  { paramRef }: MutatingBinding,
  scope: "Namespaced" | "Cluster" | undefined,
  { request, hosts }: RequestContext,
): Promise<Params> {
  const bound = await bindParams(paramKind, scope, paramRef, request.namespace ?? "", hosts.params);
  if ("error" in bound) return bound;
  return isBuiltin(paramKind) ? { params: bound.params.map(withoutTypeMeta) } : bound;
}

function isBuiltin(kind: ParamKind | undefined): boolean {
  return kind !== undefined && builtinKind(gvkOf(kind)) !== undefined;
}

/** Params of built-in kinds come from typed caches, without kind and apiVersion; validating policies get them back, these do not. */
function withoutTypeMeta(params: KubeObject | null): KubeObject | null {
  if (params === null) return null;
  const { kind: _, apiVersion: __, ...rest } = params;
  return rest;
}
