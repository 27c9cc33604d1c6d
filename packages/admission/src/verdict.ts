// What the stages hand on: for every policy that was asked, what became of it, binding by binding and param by param.

import type { GroupVersionKind, GroupVersionResource, KubeObject, Status } from "@celadon/kube";
import type { CompiledBinding, CompiledPolicy } from "./compile.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Refusal } from "./match/refusal.ts";

/** A binding that the request did not get past. */
export type BindingOutcome =
  | { readonly binding: CompiledBinding; readonly outcome: "refused"; readonly refusal: Refusal }
  | { readonly binding: CompiledBinding; readonly outcome: "error"; readonly message: string }
  | {
      readonly binding: CompiledBinding;
      readonly outcome: "evaluated";
      readonly params: readonly (KubeObject | null)[];
      /** One per param. */
      readonly evaluations: readonly Evaluation[];
    };

export type PolicyOutcome =
  | { readonly policy: CompiledPolicy; readonly outcome: "refused"; readonly refusal: Refusal }
  | { readonly policy: CompiledPolicy; readonly outcome: "error"; readonly message: string }
  | {
      readonly policy: CompiledPolicy;
      readonly outcome: "matched";
      readonly resource: GroupVersionResource;
      readonly kind: GroupVersionKind;
      readonly bindings: readonly BindingOutcome[];
    };

/** Everything policies said about a request. */
export interface Verdicts {
  readonly policies: readonly PolicyOutcome[];
  /** Set when the request ends before policies could decide: its namespace is not known. */
  readonly aborted?: Status;
}
