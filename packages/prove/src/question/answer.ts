// What the prover answers: proved, a counterexample that was confirmed, or unknown with its reasons.

import type { UserInfo } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";

/** A request that shows what was asked for, as the real pipeline confirmed it. */
export interface Counterexample {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly subresource?: string;
  readonly object?: KubeObject;
  readonly oldObject?: KubeObject;
  readonly namespaceObject?: KubeObject;
  readonly params?: KubeObject;
  readonly user?: UserInfo;
  /** What the expression answered: the text of its error, or the message of the denial. */
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

/** Whether every, no, or no failing evaluation is there; of a validation unless it says otherwise. */
export type Question = "never-errors" | "always" | "never";
