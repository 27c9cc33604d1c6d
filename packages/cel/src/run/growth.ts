// Which expressions can make more than they pay for: those that call functions of libraries with texts, lists or bytes as
// results. Only their evaluations count what is made (value/work.ts); the others are too short to be made to wait for it.

import type { Overload } from "../call/overload.ts";
import { children } from "../plan/children.ts";
import type { CallStep, Qualifier, Step } from "../plan/step.ts";
import type { Kind } from "../value/type.ts";
import { callCost } from "./call-cost.ts";
import { COMPARISONS } from "./emit-operator.ts";

/** Kinds whose values are always small. */
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

/** Whether the size of data may be needed many times: in a loop, or by very many steps. */
export function asksOften(plan: Step): boolean {
  const seen = new Set<Step>();
  const repeated = new Set<Step>();
  const stack: Step[] = [plan];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    if (seen.size > FEW_STEPS || (repeated.has(step) && asks(step))) return true;
    const [first, ...others] = children(step);
    if (first === undefined) continue;
    stack.push(first, ...others);
    if (repeated.has(step)) repeated.add(first);
    if (repeated.has(step) || "range" in step) for (const child of others) repeated.add(child);
  }
  return false;
}

/** Whether a step may ask how long a text is or which keys a map has: all but reads, tests of presence and logic. */
function asks(step: Step): boolean {
  switch (step.op) {
    case "const":
    case "and":
    case "or":
      return false;
    case "attr":
      return !step.path.every(isRead);
    case "call":
      return step.name !== "!_" && !(COMPARISONS.has(step.name) && isFixed(step));
    default:
      return true;
  }
}

const isRead = (qualifier: Qualifier): boolean =>
  qualifier.kind === "key" && qualifier.field === undefined && qualifier.type.adapter === undefined;

function isFixed(step: CallStep): boolean {
  const cost = callCost(step);
  return cost === undefined || cost.fixed !== undefined;
}

/** Whether a call may make something large. Operators pay for what they make, but `+` only where it is known what it adds. */
export function makesLarge({ name, overload, candidates }: CallStep): boolean {
  if (name === "dyn" || (overload && CONVERSIONS.has(name))) return false;
  const rows: readonly Overload[] = overload ? [overload] : candidates;
  const isPaid = overload !== undefined || name !== "_+_";
  return rows.some(({ operator, result }) => !(operator && isPaid) && !SMALL.has(result.kind));
}
