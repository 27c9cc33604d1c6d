// The results of mutating policies, and of every mutation that ran.

import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@celadon/kube";
import type { Status } from "@celadon/kube/status";
import type { PatchOperation } from "@celadon/merge";
import type { CompiledBinding } from "../compile/compile.ts";
import type { MissingParams } from "../decide/bind.ts";
import type { Refusal } from "../match/refusal.ts";
import type { MutatingAdmissionPolicyBinding, PatchType } from "../policy.ts";
import type { CompiledMutatingPolicy } from "./compile.ts";

export type MutatingBinding = CompiledBinding<MutatingAdmissionPolicyBinding>;

/** A patch as plain data: a configuration that was merged, or operations. */
export type Patch =
  | { readonly patchType: "ApplyConfiguration"; readonly configuration: Readonly<Record<string, unknown>> }
  | { readonly patchType: "JSONPatch"; readonly operations: readonly PatchOperation[] };

/** One mutation that ran. */
export interface MutationResult {
  /** Position among the policy's mutations. */
  readonly index: number;
  readonly patchType: PatchType;
  readonly outcome: "applied" | "error" | "test failed";
  /** The patch that the expression returned. */
  readonly patch?: Patch;
  /** The error in the API server's words. */
  readonly error?: string;
  /** The error is that the budget was used up. */
  readonly overBudget?: true;
  /** The error ends the request with it, under every failure policy. */
  readonly status?: Status;
  readonly before: KubeObject;
  /** The same as before unless it was applied. With defaults. */
  readonly after: KubeObject;
  readonly cost: number;
}

/** One policy with one binding and param, at its turn. */
export interface Invocation {
  readonly policy: CompiledMutatingPolicy;
  readonly binding: MutatingBinding;
  readonly params: KubeObject | null;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

export interface InvocationResult extends Invocation {
  readonly round: 0 | 1;
  readonly outcome: "ran" | "refused" | "error" | "not again" | "no object";
  /** The refusal of match conditions. */
  readonly refusal?: Refusal;
  readonly error?: string;
  /** The number of the match condition that failed. */
  readonly failedCondition?: number;
  readonly mutations: readonly MutationResult[];
  readonly changed: boolean;
  /** The cost of match conditions. */
  readonly conditionsCost: number;
}

/** A policy or binding that the request did not get to. */
export type NotInvoked =
  | { readonly policy: CompiledMutatingPolicy; readonly binding?: MutatingBinding; readonly refusal: Refusal }
  | {
      readonly policy: CompiledMutatingPolicy;
      readonly binding?: MutatingBinding;
      readonly error: string;
      readonly missing?: MissingParams;
    };

/** A mutation that could not be evaluated or applied. */
export interface MutatingFailure {
  readonly policy: string;
  /** Absent for errors of the policy itself. */
  readonly binding?: string;
  /** The params it ran with, as `namespace/name`. */
  readonly params?: string;
  readonly source: "configuration" | "matchConditions" | "mutation";
  /** Set where the policy has a paramKind, and there were no params. */
  readonly missingParams?: MissingParams;
  /** The number of the mutation, or of the match condition. */
  readonly index: number;
  readonly message: string;
  /** False for errors that failurePolicy ignores. */
  readonly enforced: boolean;
  /** True for the one whose message the API server returns. */
  readonly returned: boolean;
}

/** The object after mutating policies, and what failed. */
export interface MutatingPolicyReport {
  readonly allowed: boolean;
  readonly status?: Status;
  /** The object after all mutations, in the request's version; null if the request has none. */
  readonly object: KubeObject | null;
  readonly changed: boolean;
  readonly failures: readonly MutatingFailure[];
  readonly invocations: readonly InvocationResult[];
  readonly notInvoked: readonly NotInvoked[];
}
