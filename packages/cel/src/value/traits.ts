// The operations that each type has. The reference words a failed call by it: an operand that lacks the operation gives "no such overload:
// _+_", one that has it but not with this partner gives "no such overload".

import { CelError, noSuchOverload } from "./error.ts";
import type { Kind } from "./type.ts";
import { typeOf } from "./type-of.ts";
import type { Value } from "./value.ts";

const COMPARABLE: readonly Kind[] = ["bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint"];
const SIZED: readonly Kind[] = ["bytes", "list", "map", "string"];

const OPERANDS: ReadonlyMap<string, readonly Kind[]> = new Map<string, readonly Kind[]>([
  ["_+_", ["bytes", "double", "duration", "int", "list", "string", "timestamp", "uint"]],
  ["_-_", ["double", "duration", "int", "timestamp", "uint"]],
  ["_*_", ["double", "int", "uint"]],
  ["_/_", ["double", "int", "uint"]],
  ["_%_", ["int", "uint"]],
  ["-_", ["bool", "double", "duration", "int"]],
  ["_<_", COMPARABLE],
  ["_<=_", COMPARABLE],
  ["_>_", COMPARABLE],
  ["_>=_", COMPARABLE],
  ["_[_]", ["list", "map", "struct"]],
  ["size", SIZED],
  ["matches", ["string"]],
]);
/** Types that look for a method of the name if they lack the operation, and then refuse without naming it. */
const RECEIVERS: readonly Kind[] = ["duration", "string", "timestamp"];

/** The error of an operator, `size` or `matches` whose first operand is `left` and which has no overload for its operands. */
export function operandError(name: string, left: Value): CelError {
  if (left instanceof CelError) return left;
  const supported = OPERANDS.get(name);
  const kind = typeOf(left).kind;
  if (supported === undefined || supported.includes(kind) || RECEIVERS.includes(kind)) return noSuchOverload();
  return new CelError("no_such_overload", `no such overload: ${name}`);
}

/** The error of a method that checks its receiver itself and cannot use it. */
export function receiverError(name: string, receiver: Value): CelError {
  if (receiver instanceof CelError) return receiver;
  if (RECEIVERS.includes(typeOf(receiver).kind)) return noSuchOverload();
  return new CelError("no_such_overload", `no such overload: ${name}`);
}
