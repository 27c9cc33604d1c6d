// One mutation: its expression evaluated, the patch applied, the result read as its kind and filled with defaults. An answer that is a
// Status ends the request under every failure policy.

import { formatGoJson } from "@celadon/base";
import { apiVersionOf, type GroupVersionKind, gvkText, type KubeObject } from "@celadon/kube";
import { builtinKind } from "@celadon/kube/builtin";
import { type Invalid, isInvalid } from "@celadon/kube/errors";
import { internalError, type Status, serviceUnavailable } from "@celadon/kube/status";
import { RuntimeCELCostBudget } from "@celadon/kube-cel";
import { applyJsonPatch, type MergeType, TestFailed } from "@celadon/merge";
import { mergeConfiguration } from "@celadon/merge/configuration";
import type { EvaluationInput } from "../evaluate/evaluate.ts";
import { evaluateConditions, withVariables } from "../evaluate/evaluate.ts";
import { evaluateGroup } from "../evaluate/expressions.ts";
import type { Activation } from "../evaluate/variables.ts";
import type { CompiledMutatingPolicy, CompiledMutation } from "./compile.ts";
import { dataLists } from "./data-lists.ts";
import type { IsData } from "./go-value.ts";
import type { MutatingHosts } from "./hosts.ts";
import { configurationOf, Fatal, operationsOf } from "./patch-values.ts";
import type { MutationResult, Patch } from "./verdict.ts";

export type EvaluatedMutation =
  | { readonly patch: Patch; readonly cost: number }
  | { readonly error: string; readonly cost: number; readonly overBudget?: true }
  /** Ends the request. */
  | { readonly status: Status; readonly cost: number };

/** The patch of a mutation. Variables are evaluated again for each: they see the object with all earlier changes. */
export function evaluateMutation(
  policy: CompiledMutatingPolicy,
  index: number,
  input: EvaluationInput,
): EvaluatedMutation {
  const mutation = policy.mutations[index]!;
  // Errors of compilation are reported unchanged, unlike those of validations.
  if (mutation.program === undefined) return { error: mutation.error, cost: 0 };
  const { context } = input;
  const kind = mutation.patchType === "JSONPatch" ? "jsonPatch" : "applyConfiguration";
  const activation = activationOf(input);
  const group = evaluateGroup(
    policy.mutations.map((compiledMutation, i) => (i === index ? compiledMutation : undefined)),
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
  if (group.failure !== undefined) return { error: group.failure, cost: RuntimeCELCostBudget, overBudget: true };
  const { value, error } = group.results[index]!;
  const cost = RuntimeCELCostBudget - group.remaining;
  if (error !== undefined) return { error, cost };
  const patch = patchOf(mutation, value, dataLists(activation));
  if (patch instanceof Fatal) return { status: internalError(patch.message), cost };
  return isInvalid(patch) ? { error: patch.message, cost } : { patch, cost };
}

/** The results of all expressions of a policy for an object; no mutation is applied. */
export interface EvaluatedMutations {
  /** `error`: they could not be evaluated, and failurePolicy says that it matters. */
  readonly conditions: boolean | "error";
  readonly mutations: readonly EvaluatedMutation[];
}

/** Evaluates the mutations of a policy without applying them. */
export function evaluateMutations(policy: CompiledMutatingPolicy, input: EvaluationInput): EvaluatedMutations {
  const conditions = policy.conditions.length === 0 || evaluateConditions(policy, input).matched;
  if (conditions !== true) return { conditions, mutations: [] };
  return { conditions, mutations: policy.mutations.map((_, index) => evaluateMutation(policy, index, input)) };
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

function patchOf({ patchType }: CompiledMutation, value: unknown, isData: IsData): Patch | Invalid {
  if (patchType === "JSONPatch") {
    const operations = operationsOf(value, isData);
    return isInvalid(operations) ? operations : { patchType, operations };
  }
  const configuration = configurationOf(value, isData);
  return isInvalid(configuration) ? configuration : { patchType, configuration };
}

export type AppliedMutation = Pick<MutationResult, "outcome" | "after" | "error"> | { readonly status: Status };

/** The reason why an object of a kind with a yet unknown type is not mutated. */
export function notReady(kind: GroupVersionKind): Status {
  return serviceUnavailable(notReadyText(kind));
}

function notReadyText(kind: GroupVersionKind): string {
  return `Resource kind ${gvkText(kind)} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`;
}

/**
 * The object to which a patch is applied: an object of a kind and its type. `own` is the kind of the request, which may be matched in
 * another version.
 */
export interface Target {
  readonly object: KubeObject;
  readonly kind: GroupVersionKind;
  readonly own: GroupVersionKind;
  readonly type: MergeType | "none";
}

export function applyMutation(patch: Patch, target: Target, hosts: MutatingHosts): Promise<AppliedMutation> {
  return patch.patchType === "JSONPatch"
    ? applyOperations(patch.operations, target, hosts)
    : applyConfiguration(patch.configuration, target, hosts);
}

async function applyConfiguration(
  configuration: Readonly<Record<string, unknown>>,
  target: Target,
  hosts: MutatingHosts,
): Promise<AppliedMutation> {
  const { object, kind, type } = target;
  const failed = (message: string): AppliedMutation => ({ outcome: "error", after: object, error: message });
  if (type === "none") {
    const why = `no corresponding type for ${gvkText(kind)}`;
    return failed(`error applying patch: failed to convert patch object to typed object: ${why}`);
  }
  const problem = conversionProblem(target);
  if (problem !== undefined) return failed(problem);
  const config = { ...configuration, apiVersion: apiVersionOf(kind), kind: kind.kind };
  const merged = mergeConfiguration(type, object, config);
  if (isInvalid(merged)) return failed(`error applying patch: ${merged.message}`);
  const completed = (await hosts.complete?.(merged, kind, "merged")) ?? merged;
  return isInvalid(completed) ? failed(completed.message) : { outcome: "applied", after: completed };
}

async function applyOperations(
  operations: Extract<Patch, { patchType: "JSONPatch" }>["operations"],
  target: Target,
  hosts: MutatingHosts,
): Promise<AppliedMutation> {
  const { object, kind } = target;
  const patched = applyJsonPatch(object, operations);
  const isTestFailed = patched instanceof TestFailed;
  if (isInvalid(patched) && !isTestFailed) {
    return { outcome: "error", after: object, error: `JSON Patch: ${patched.message}` };
  }
  const unconvertible = conversionProblem(target);
  if (unconvertible !== undefined) return { outcome: "error", after: object, error: unconvertible };
  // It counts as a mutation that changed nothing.
  if (isTestFailed) return { outcome: "test failed", after: object };
  const problem = builtinKind(kind) === undefined ? typeMetaProblem(patched as KubeObject, kind) : undefined;
  if (problem !== undefined) return { status: internalError(problem) };
  const completed = (await hosts.complete?.(patched as KubeObject, kind, "strict")) ?? (patched as KubeObject);
  return isInvalid(completed) ? { status: internalError(completed.message) } : { outcome: "applied", after: completed };
}

/**
 * An object with a Go type is converted to the version of the request after each mutation. There is no way from one version to another but
 * through the internal one, so that all mutations in another version fail.
 */
function conversionProblem({ kind, own }: Target): string | undefined {
  if ((kind.version === own.version && kind.group === own.group) || builtinKind(kind) === undefined) return undefined;
  return `converting (${kind.version}.${kind.kind}) to (${own.version}.${own.kind}): unknown conversion`;
}

/** A custom resource is identified by its own apiVersion and kind. A different kind is left to validation. */
function typeMetaProblem({ apiVersion, kind: named, ...rest }: KubeObject, kind: GroupVersionKind): string | undefined {
  if (!named) return `Object 'Kind' is missing in '${formatGoJson({ apiVersion, ...rest })}'`;
  if (apiVersion === apiVersionOf(kind)) return undefined;
  return apiVersion
    ? `failed to convert object: request to convert CR from an invalid group/version: ${apiVersion}`
    : `failed to convert object: /, Kind=${named} is unstructured and is not suitable for converting to "${apiVersionOf(kind)}"`;
}
