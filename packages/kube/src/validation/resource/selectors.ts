// Rules for selectors of devices. The language itself is the caller's: a request brings the compiler.

import { utf8Length } from "@celadon/base";
import type { DeviceSelector } from "../../api/generated/resource-v1.ts";
import type { ValidatedField } from "../field.ts";
import { atMost } from "./lists.ts";

const MAX_SELECTORS = 32;
const MAX_EXPRESSION = 10 * 1024;

/** A problem of an expression over a device. */
export interface SelectorProblem {
  /** `costly`: it may take too long; otherwise who is to blame, the expression or the server. */
  readonly kind: "invalid" | "internal" | "costly";
  readonly message: string;
}

/** `stored` expressions may use all that was ever allowed. */
export type SelectorCompiler = (expression: string, stored: boolean) => SelectorProblem | undefined;

export interface SelectorContext {
  readonly compile: SelectorCompiler | undefined;
  readonly stored: boolean;
}

export function selectors(
  list: readonly DeviceSelector[] | undefined,
  context: SelectorContext,
  at: ValidatedField,
): void {
  atMost(list, MAX_SELECTORS, at, (selector, each) => {
    if (selector.cel === undefined) each.child("cel").required();
    else expression(selector.cel.expression ?? "", context, each.child("cel", "expression"));
  });
}

function expression(text: string, { compile, stored }: SelectorContext, at: ValidatedField): void {
  if (utf8Length(text) > MAX_EXPRESSION) {
    at.tooLong(MAX_EXPRESSION);
    return;
  }
  const problem = compile?.(text, stored);
  if (problem?.kind === "invalid") at.invalid(text, problem.message);
  else if (problem?.kind === "internal") at.internal(problem.message);
  else if (problem !== undefined) at.forbidden(problem.message);
}
