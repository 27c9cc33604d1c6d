// Macros under a namespace, `cel.bind` or `math.greatest`: receiver macros whose receiver must be that very identifier.

import type { Expr } from "../ast/expr.ts";
import type { Macro } from "../parse/macro.ts";

export function namespaced(
  namespace: string,
  name: string,
  arity: number | undefined,
  expand: (make: Parameters<Macro["expand"]>[0], target: Expr, args: readonly Expr[]) => ReturnType<Macro["expand"]>,
): Macro {
  return {
    name,
    arity,
    receiver: true,
    namespace,
    expand: (make, target, args) =>
      target?.kind === "ident" && target.name === namespace ? expand(make, target, args) : undefined,
  };
}
