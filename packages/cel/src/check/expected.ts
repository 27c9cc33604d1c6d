// Whether an expression has the type its host states. `dyn` has every type as far as the checker can tell; whether its values
// do is seen when it is evaluated.

import type { Issue } from "../ast/issue.ts";
import type { Type } from "../value/type.ts";
import type { Checked } from "./checked.ts";
import { typeMismatch } from "./issues.ts";
import { Substitution } from "./unify.ts";

/** The issue with a checked expression that has another type than `stated`. */
export function expectType(checked: Checked, stated: Type): Issue | undefined {
  if (new Substitution().assign(checked.type, stated)) return undefined;
  return typeMismatch(checked.ast.spans.get(checked.ast.expr.id), stated, checked.type);
}
