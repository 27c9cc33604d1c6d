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

/** They pay for what they make, where it is known what they convert. */
const CONVERSIONS: ReadonlySet<string> = new Set(["string", "bytes"]);

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

/** Fewer steps than this, each done once, ask about the same data too rarely for what was found out to be kept. */
const FEW_STEPS = 40;

/** Whether data may be asked about again and again: in a loop, or by very many steps. */
export function asksOften(plan: Step): boolean {
  const seen = new Set<Step>();
  const stack: Step[] = [plan];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    if (LOOPS.has(step.op) || seen.size > FEW_STEPS) return true;
    stack.push(...children(step));
  }
  return false;
}

const LOOPS: ReadonlySet<Step["op"]> = new Set<Step["op"]>([
  "all",
  "exists",
  "existsOne",
  "collect",
  "collectMap",
  "fold",
]);

/** Whether a call may make something large. Operators pay for what they make. */
export function makesLarge({ name, overload, candidates }: CallStep): boolean {
  if (name === "dyn" || (overload && CONVERSIONS.has(name))) return false;
  const rows: readonly Overload[] = overload ? [overload] : candidates;
  return rows.some(({ operator, result }) => !operator && !SMALL.has(result.kind));
}
