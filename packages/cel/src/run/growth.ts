// Finds expressions that can make large values: calls of library functions whose results are larger than their cost, repeated additions,
// which pay for their results but may have no limit, and macros that keep a list or map for each element. Only evaluations of these count
// growth (value/size/work.ts); for the others counting would take longer than evaluating.

import type { Overload } from "../call/overload.ts";
import { children } from "../plan/children.ts";
import type { CallStep, Qualifier, Step } from "../plan/step.ts";
import { ENTRY_GROWTH } from "../value/collection/map.ts";
import type { Kind } from "../value/type.ts";
import { callCost } from "./call-cost.ts";
import { COMPARISONS } from "./emit/emit-operator.ts";

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

/** They pay for their results, if the type of their operand is known. */
const CONVERSIONS: ReadonlySet<string> = new Set(["string", "bytes"]);

/** The memory of collections, in elements of an array (value/size/work.ts): an element may be a small object of its own. */
export const GROWTH: Readonly<Record<"list" | "element" | "map" | "entry", number>> = {
  list: 4,
  element: 2,
  map: 8,
  entry: ENTRY_GROWTH,
};

/** This many `+` make little more than their operands, unless in a loop or with names for intermediate results. */
const FEW_SUMS = 16;

export function mayGrow(plan: Step): boolean {
  let sums = 0;
  let named = false;
  for (const { step, repeated, kept } of stepsOf(plan)) {
    if (step.op === "bind" || step.op === "block") named = true;
    if (kept && isCollection(step)) return true;
    if (step.op !== "call" || !makesLarge(step)) continue;
    if (step.name !== "_+_" || repeated) return true;
    sums++;
  }
  return sums > (named ? 0 : FEW_SUMS);
}

/** With fewer steps than this, each done once, an expression reads the same data too rarely for a cache to pay off. */
const FEW_STEPS = 40;

/** Whether the size of data may be needed many times: in a loop, or by very many steps. */
export function asksOften(plan: Step): boolean {
  let count = 0;
  for (const { step, repeated } of stepsOf(plan)) if (++count > FEW_STEPS || (repeated && asks(step))) return true;
  return false;
}

interface Placed {
  readonly step: Step;
  /** It is inside a loop. */
  readonly repeated: boolean;
  /** Whether its results may stay for as long as the loop runs. */
  readonly kept: boolean;
}

/** Every step once, with its place. */
function* stepsOf(plan: Step): Generator<Placed> {
  const seen = new Set<Step>();
  const stack: Placed[] = [{ step: plan, repeated: false, kept: false }];
  for (let placed = stack.pop(); placed !== undefined; placed = stack.pop()) {
    const { step, repeated, kept } = placed;
    if (seen.has(step)) continue;
    seen.add(step);
    yield placed;
    const loops = "range" in step;
    for (const child of children(step))
      stack.push({
        step: child,
        repeated: repeated || (loops && child !== step.range),
        kept: kept || child === keptBy(step),
      });
  }
}

/** The values that a loop makes for each element and keeps. */
function keptBy(step: Step): Step | undefined {
  switch (step.op) {
    case "collect":
    case "collectMap":
      return SMALL.has(step.transform.type.kind) ? undefined : step.transform;
    case "fold":
      return step.step;
    default:
      return undefined;
  }
}

/** Whether a step makes as much as it is given, and pays less for it or nothing. */
function isCollection(step: Step): boolean {
  switch (step.op) {
    case "list":
    case "map":
    case "struct":
    case "collect":
    case "collectMap":
    case "fold":
      return true;
    case "call":
      return CONVERSIONS.has(step.name);
    default:
      return false;
  }
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

/** Whether a call may make something large. Operators pay for their results, but results of `+` are counted all the same. */
export function makesLarge({ name, overload, candidates }: CallStep): boolean {
  if (name === "dyn" || (overload && CONVERSIONS.has(name))) return false;
  const rows: readonly Overload[] = overload ? [overload] : candidates;
  return rows.some(({ operator, result }) => (!operator || name === "_+_") && !SMALL.has(result.kind));
}
