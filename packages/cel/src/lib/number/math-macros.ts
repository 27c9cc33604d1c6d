// `math.greatest(…)` and `math.least(…)`: any number of arguments become one, two or a list. Arguments that can be seen not to
// be numbers are refused here, before types are known.

import type { Expr } from "../../ast/expr.ts";
import type { Macro } from "../../parse/macro.ts";
import { isDouble, isInt, isUint } from "../../value/box.ts";
import { namespaced } from "../namespace.ts";

const extremeMacro = (name: string, callee: string): Macro =>
  namespaced("math", name, undefined, (make, target, args) => {
    const shown = `math.${name}()`;
    const [first, second] = args;
    if (first === undefined) return make.issue(`${shown} requires at least one argument`, target);
    if (second === undefined) {
      if (mayBeNumber(first) || isListOfNumbers(first)) return make.call(callee, first);
      return make.issue(`${shown} invalid single argument value`, first);
    }
    const wrong = args.find((arg) => !mayBeNumber(arg));
    if (wrong !== undefined) return make.issue(`${shown} simple literal arguments must be numeric`, wrong);
    return args.length === 2 ? make.call(callee, first, second) : make.call(callee, make.list(...args));
  });

function mayBeNumber(expr: Expr): boolean {
  switch (expr.kind) {
    case "literal":
      return isInt(expr.value) || isUint(expr.value) || isDouble(expr.value);
    case "list":
    case "map":
    case "struct":
      return false;
    default:
      return true;
  }
}

const isListOfNumbers = (expr: Expr): boolean =>
  expr.kind === "list" && expr.elements.length > 0 && expr.elements.every(mayBeNumber);

export const mathMacros: readonly Macro[] = [extremeMacro("least", "math.@min"), extremeMacro("greatest", "math.@max")];
