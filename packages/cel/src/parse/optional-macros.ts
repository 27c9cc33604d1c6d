// optMap and optFlatMap: bind the value inside an optional to a name, as the accumulator of a fold over nothing. The target is copied and
// so evaluated twice, as the reference does.

import type { Expr } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";
import { MACRO_WORDS } from "./issues.ts";
import type { ExprFactory, Macro } from "./macro.ts";
import { receiver } from "./macros.ts";

const macros = (copies: boolean): readonly Macro[] => [
  receiver("optMap", 2, (make, target, args) =>
    expand("optMap", make, target!, args, copies, (bound) => make.call("optional.of", bound)),
  ),
  receiver("optFlatMap", 2, (make, target, args) =>
    expand("optFlatMap", make, target!, args, copies, (bound) => bound),
  ),
];

export const OPTIONAL_MACROS: readonly Macro[] = macros(true);
/** Before cel-go 0.22 the target stood in the tree twice, which the checker refuses where a macro is in it. */
export const SHARING_OPTIONAL_MACROS: readonly Macro[] = macros(false);

function expand(
  macro: string,
  make: ExprFactory,
  target: Expr,
  args: readonly Expr[],
  copies: boolean,
  wrap: (bound: Expr) => Expr,
): Expr | Issue {
  const name = args[0]!;
  if (name.kind !== "ident") return make.issue(MACRO_WORDS.optional(macro), name);
  const present = make.memberCall("hasValue", target);
  const range = make.list();
  const value = make.memberCall("value", copies ? make.copy(target) : target);
  const never = make.literal(false);
  const bound = make.fold(range, "#unused", "", name.name, value, never, make.ident(name.name), args[1]!);
  return make.call("_?_:_", present, wrap(bound), make.call("optional.none"));
}
