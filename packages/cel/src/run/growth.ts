// Which expressions can make more than they pay for: those that call functions of libraries with texts, lists or bytes as
// results. Only their evaluations count what is made (value/work.ts); the others are too short to be made to wait for it.

import type { Overload } from "../call/overload.ts";
import { children } from "../plan/children.ts";
import type { CallStep, Step } from "../plan/step.ts";
import type { Kind } from "../value/type.ts";

/** Kinds whose values are small, whatever they are made of. */
const SMALL: ReadonlySet<Kind> = new Set<Kind>([
  "bool",
  "int",
  "uint",
  "double",
  "null",
  "duration",
  "timestamp",
  "type",
]);

const CONVERSIONS: ReadonlySet<string> = new Set(["string", "bytes", "dyn"]);

export function mayGrow(plan: Step): boolean {
  const seen = new Set<Step>();
  const stack: Step[] = [plan];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    if (step.op === "call" && makesLarge(step)) return true;
    stack.push(...children(step));
  }
  return false;
}

/** Whether a call may make something large. Operators and conversions pay for what they make. */
export function makesLarge({ name, overload, candidates }: CallStep): boolean {
  if (CONVERSIONS.has(name)) return false;
  const rows: readonly Overload[] = overload ? [overload] : candidates;
  return rows.some(({ operator, result }) => !operator && !SMALL.has(result.kind));
}
