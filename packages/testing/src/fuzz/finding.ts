// A finding of the fuzzer: an expression, what went wrong with it, and the smallest input that shows it, ready to become a test.

import type { AdmissionRequest } from "@celadon/admission";
import type { ExpressionPlace } from "@celadon/admission/explain";
import type { ErrorCode } from "@celadon/cel";
import type { GroupVersionKind, KubeObject } from "@celadon/kube";

/** The fuzzed expression: of a policy, or of a schema of a definition. */
export interface FuzzedExpression {
  readonly kind: ExpressionPlace["kind"] | "rule";
  /** Position among the expressions of its kind; of a rule, among the rules of its schema. */
  readonly index: number;
  /** The name of a variable. */
  readonly name?: string;
  readonly text: string;
  /**
   * The version of a rule, and the place of its schema. A messageExpression that has them
   * belongs to the rule.
   */
  readonly version?: string;
  readonly schemaPath?: readonly string[];
}

/** An input on which an expression failed or cost too much, made as small as possible. */
export interface FuzzFinding {
  /** The policy, or the definition. */
  readonly owner: { readonly kind: string; readonly name: string };
  readonly expression: FuzzedExpression;
  /**
   * - `error`: it could not be evaluated
   * - `limit`: it alone costs more than one expression may
   * - `budget`: it and those before it cost more than they may together
   */
  readonly problem: "error" | "limit" | "budget";
  readonly message: string;
  readonly code: ErrorCode;
  /** The place in the expression, lines and columns from 1; absent where the evaluation as a whole is to blame. */
  readonly position?: { readonly line: number; readonly column: number; readonly offset: number };
  readonly cost: number;
  /** The effect of a policy's failure: whether such a request is refused or let through unchecked. */
  readonly failurePolicy?: "Fail" | "Ignore";
  readonly case: FuzzCase;
}

/** The input. Absent members are not needed. */
export interface FuzzCase {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly kind: GroupVersionKind;
  readonly object?: KubeObject;
  readonly oldObject?: KubeObject;
  readonly params?: KubeObject;
  readonly namespaceObject?: KubeObject;
  /** The whole request, for policies. */
  readonly request?: AdmissionRequest;
  /** The user, where the policy reads it. */
  readonly userInfo?: AdmissionRequest["userInfo"];
  /** If the policy uses the authorizer: its answers. */
  readonly authorized?: boolean;
}

/** A reason why something was not fuzzed. */
export interface FuzzNote {
  readonly owner: { readonly kind: string; readonly name: string };
  readonly code: "does_not_compile" | "unknown_kind" | "kinds_left_out" | "no_valid_object" | "not_a_definition";
  readonly message: string;
}

/** The findings, and the number of tries. */
export interface FuzzReport {
  readonly seed: number;
  readonly findings: readonly FuzzFinding[];
  readonly notes: readonly FuzzNote[];
  /** Inputs evaluated, and inputs that a server would refuse. */
  readonly tried: number;
  readonly invalid: number;
  /** The signal ended it before all was tried. */
  readonly aborted: boolean;
}
