// One mutation: its expression evaluated, the patch applied, the result read as its kind and filled with defaults. An answer that is
// a Status ends the request whatever the failure policy says.

import {
  apiVersionOf,
  type GroupVersionKind,
  gvkText,
  type Invalid,
  internalError,
  isInvalid,
  type KubeObject,
  type Status,
  serviceUnavailable,
} from "@celadon/kube";
import { RuntimeCELCostBudget } from "@celadon/kube-cel";
import { applyJsonPatch, type MergeType, mergeConfiguration, TestFailed } from "@celadon/merge";
import type { EvaluationInput } from "../evaluate.ts";
import { withVariables } from "../evaluate.ts";
import { evaluateGroup } from "../expressions.ts";
import type { Activation } from "../variables.ts";
import type { CompiledMutatingPolicy, CompiledMutation } from "./compile.ts";
import type { MutatingHosts } from "./hosts.ts";
import { configurationOf, operationsOf } from "./patch-values.ts";
import type { MutationResult, Patch } from "./verdict.ts";

export type Evaluated =
  | { readonly patch: Patch; readonly cost: number }
  | { readonly error: string; readonly cost: number };

/** The patch of a mutation. Variables are evaluated anew for each: they see the object as it is by now. */
export function evaluateMutation(policy: CompiledMutatingPolicy, index: number, input: EvaluationInput): Evaluated {
  const mutation = policy.mutations[index]!;
  // Unlike those of validations, errors of compilation are told as they are.
  if (mutation.program === undefined) return { error: mutation.error, cost: 0 };
  const { context } = input;
  const kind = mutation.patchType === "JSONPatch" ? "jsonPatch" : "applyConfiguration";
  const activation = activationOf(input);
  const group = evaluateGroup(
    policy.mutations.map((one, i) => (i === index ? one : undefined)),
    activation,
    withVariables(policy, activation, input, kind),
    {
      owner: policy.owner,
      kind,
      budget: RuntimeCELCostBudget,
      options: context.evaluateOptions,
      observer: context.observer,
    },
  );
  if (group.failure !== undefined) return { error: group.failure, cost: RuntimeCELCostBudget };
  const { value, error } = group.results[index]!;
  const cost = RuntimeCELCostBudget - group.remaining;
  if (error !== undefined) return { error, cost };
  const patch = patchOf(mutation, value);
  return isInvalid(patch) ? { error: patch.message, cost } : { patch, cost };
}

function activationOf({ context, resource, kind, objects, params, namespace }: EvaluationInput): Activation {
  const { authorizer, requestResource } = context.authorizerValues();
  return {
    object: objects.object,
    oldObject: objects.oldObject,
    request: context.requestValue(resource, kind),
    namespaceObject: namespace.value,
    params,
    authorizer,
    "authorizer.requestResource": requestResource,
    variables: undefined,
  };
}

function patchOf({ patchType }: CompiledMutation, value: unknown): Patch | Invalid {
  if (patchType === "JSONPatch") {
    const operations = operationsOf(value);
    return isInvalid(operations) ? operations : { patchType, operations };
  }
  const configuration = configurationOf(value);
  return isInvalid(configuration) ? configuration : { patchType, configuration };
}

export type Applied = Pick<MutationResult, "outcome" | "after" | "error"> | { readonly status: Status };

export async function applyMutation(
  patch: Patch,
  object: KubeObject,
  kind: GroupVersionKind,
  hosts: MutatingHosts,
): Promise<Applied> {
  const type = await hosts.mergeType?.(kind);
  if (type === undefined) return { status: serviceUnavailable(notReady(kind)) };
  return patch.patchType === "JSONPatch"
    ? applyOperations(patch.operations, object, kind, hosts)
    : applyConfiguration(patch.configuration, object, kind, type, hosts);
}

function notReady(kind: GroupVersionKind): string {
  return `Resource kind ${gvkText(kind)} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`;
}

async function applyConfiguration(
  configuration: Readonly<Record<string, unknown>>,
  object: KubeObject,
  kind: GroupVersionKind,
  type: MergeType | "none",
  hosts: MutatingHosts,
): Promise<Applied> {
  const failed = (message: string): Applied => ({ outcome: "error", after: object, error: message });
  if (type === "none") {
    const why = `no corresponding type for ${gvkText(kind)}`;
    return failed(`error applying patch: failed to convert patch object to typed object: ${why}`);
  }
  const config = { ...configuration, apiVersion: apiVersionOf(kind), kind: kind.kind };
  const merged = mergeConfiguration(type, object, config);
  if (isInvalid(merged)) return failed(`error applying patch: ${merged.message}`);
  const completed = (await hosts.complete?.(merged, kind, false)) ?? merged;
  return isInvalid(completed) ? failed(completed.message) : { outcome: "applied", after: completed };
}

async function applyOperations(
  operations: Extract<Patch, { patchType: "JSONPatch" }>["operations"],
  object: KubeObject,
  kind: GroupVersionKind,
  hosts: MutatingHosts,
): Promise<Applied> {
  const patched = applyJsonPatch(object, operations);
  // It counts as a mutation that changed nothing.
  if (patched instanceof TestFailed) return { outcome: "test failed", after: object };
  if (isInvalid(patched)) return { outcome: "error", after: object, error: `JSON Patch: ${patched.message}` };
  const completed = (await hosts.complete?.(patched as KubeObject, kind, true)) ?? (patched as KubeObject);
  return isInvalid(completed) ? { status: internalError(completed.message) } : { outcome: "applied", after: completed };
}
