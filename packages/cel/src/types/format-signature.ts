// Writes a call for messages: `(int, string)`, or `string.(int)` for a method.

import { formatType, type Type } from "../value/type.ts";

/** Argument types of a call; for a method the receiver's comes first. */
export function formatSignature(args: readonly Type[], member: boolean): string {
  const names = args.map(formatType);
  return member ? `${names[0]}.(${names.slice(1).join(", ")})` : `(${names.join(", ")})`;
}
