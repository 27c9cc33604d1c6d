// Some calls end at their first failing argument, uncharged; the others evaluate all arguments first and are charged all the same. The
// reference has special forms for one and two operands; everything that does not get one of those stops early.

import type { CallStep } from "../plan/step.ts";

export function stopsEarly({ args, overload, candidates, special }: CallStep): boolean {
  if (args.length !== 2) return args.length > 2;
  if (overload !== undefined)
    return (
      overload.variadic === true || (special !== undefined && (overload.operator || overload.terseSpecial === true))
    );
  const [first] = candidates;
  return first !== undefined && !first.operator && !first.unguarded;
}
