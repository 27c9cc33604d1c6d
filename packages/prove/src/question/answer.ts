// The prover's answers: proved, a confirmed counterexample, or unknown with its reasons.

import type { UserInfo } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";

/** A request that answers the question, as the real pipeline confirmed it. */
export interface Counterexample {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly subresource?: string;
  readonly object?: KubeObject;
  readonly oldObject?: KubeObject;
  readonly namespaceObject?: KubeObject;
  readonly params?: KubeObject;
  readonly user?: UserInfo;
  /** The error of the expression, or the message of the denial. */
  readonly message?: string;
}

/** Proved, a confirmed counterexample, or unknown with the expressions it depends on. */
export type ProofAnswer =
  | {
      readonly is: "proved";
      readonly assumptions: readonly string[];
      /** No request gets so far that the question arises. */
      readonly reachesNothing?: boolean;
    }
  | { readonly is: "counterexample"; readonly counterexample: Counterexample; readonly assumptions: readonly string[] }
  | { readonly is: "unknown"; readonly because: readonly string[] };

/** Whether a request exists on which all fail, one fails, or none does; about a validation unless it says otherwise. */
export type Question = "never-errors" | "always" | "never";
