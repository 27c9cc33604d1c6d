// Calls as code: operators on known types inline, the rest as a call of the library's row. If an operand's type is only known at run time,
// the common case is tried inline first.

import { fitsAll } from "../../call/dispatch.ts";
import type { Overload } from "../../call/overload.ts";
import type { CostFormula } from "../../cost/formula.ts";
import type { CallStep, Equality, Step } from "../../plan/step.ts";
import { dynamicOperators } from "../../value/dynamic.ts";
import { celError } from "../../value/error.ts";
import { costSize } from "../../value/size/size.ts";
import type { Type } from "../../value/type.ts";
import type { Value } from "../../value/value.ts";
import { stopsEarly } from "../argument-order.ts";
import { callCost, isChargedBefore } from "../call-cost.ts";
import { makesLarge } from "../growth.ts";
import { boxed, type Emitter, literal, type Operand, type Rep, repOf } from "./emit.ts";
import { emitDataCall } from "./emit-data-call.ts";
import { charge, pass } from "./emit-operand.ts";
import { COMPARISONS, inlineDynamic, inlineTyped } from "./emit-operator.ts";

/** Stands for an error among the arguments of a cost formula. */
const FAILED = celError("internal", "failed argument");

export function emitCall(e: Emitter, step: CallStep): Operand {
  const { overload } = step;
  const cost = callCost(step);
  if (overload?.nonStrict || step.candidates.some((row) => row.nonStrict)) return emitNonStrict(e, step);
  const onData = emitDataCall(e, step);
  if (onData) return onData;
  const args = emitArguments(e, step, cost);
  if (!overload?.call || (COMPARISONS.has(step.name) && args.some((arg) => arg.rep === "boxed")))
    return emitDynamic(e, step, args, cost);
  const passed = overload.unguarded
    ? args.map((arg): Operand => ({ code: boxed(arg), rep: "boxed" }))
    : args.map((arg, i) => pass(e, arg, overload.args[i] as Type));
  const inline = inlineTyped(e, step, passed);
  if (inline) return inline;
  const call = e.slot(step.special ?? overload.call);
  const rep = overload.boxedResult || overload.unguarded ? "boxed" : repOf(overload.result);
  const code = `${call}(${passed.map((arg) => arg.code).join(", ")})`;
  const result = charging(e, step, cost, args, () => e.assign(code, rep));
  e.line(
    `if (${result.code} instanceof CelError) { ${panicking(step, result.code)}${e.fail(`${result.code}.at(${step.id})`)} }`,
  );
  return WRITTEN_PLAINLY.has(overload.id) ? { ...result, size: `${result.code}.length` } : result;
}

/** Conversions to text without a character that takes two units. */
const WRITTEN_PLAINLY: ReadonlySet<string> = new Set([
  "bool_to_string",
  "double_to_string",
  "duration_to_string",
  "int64_to_string",
  "timestamp_to_string",
  "uint64_to_string",
]);

/** Looking for a key may be a panic, which the interpreter knows how to end with. */
const panicking = ({ name }: CallStep, result: string): string =>
  name === "@in" ? `if (${result} instanceof Panic) return D; ` : "";

/** Several overloads fit: the values decide which row is called. */
function emitDynamic(e: Emitter, step: CallStep, args: readonly Operand[], cost: CostFormula | undefined): Operand {
  const operate = step.candidates[0]?.operator ? dynamicOperators.get(step.name) : undefined;
  const values = args.map(boxed).join(", ");
  const slow = operate ? `${e.slot(operate)}(${values})` : dispatchCode(e, step, args);
  const result = e.temp();
  const fast = inlineDynamic(e, step.name, args, result);
  const rep = commonRep(step.candidates);
  const fixed = cost ? cost.fixed : 1;
  if (fixed !== undefined) {
    e.charge(fixed);
    if (e.grows || makesLarge(step)) e.noteCost();
    choose(e, result, fast?.test, fast?.value, slow, step.id, panicking(step, result));
    return { code: result, rep };
  }
  const code = fast ? `${fast.test} ? ${fast.value} : ${slow}` : slow;
  charging(e, step, cost, args, () => {
    e.line(`${result} = ${code};`);
    return { code: result, rep: "boxed" };
  });
  e.line(`if (${result} instanceof CelError) { ${panicking(step, result)}${e.fail(`${result}.at(${step.id})`)} }`);
  return { code: result, rep };
}

/** The row that fits is looked for, unless the argument is a text: which one takes that is known. */
function dispatchCode(e: Emitter, { name, candidates }: CallStep, args: readonly Operand[]): string {
  const code = `dispatch(${literal(name)}, ${e.slot(candidates)}, [${args.map(boxed).join(", ")}])`;
  const [arg] = args as [Operand];
  if (args.length !== 1 || arg.rep !== "boxed" || arg.constant) return code;
  const row = candidates.find((row) => row.call && fitsAll(row, ["text"]));
  if (row?.args[0]?.kind !== "string" || row.unguarded || (!row.boxedResult && isBareNumber(row.result))) return code;
  return `typeof ${arg.code} === "string" ? ${e.slot(row.call)}(${arg.code}) : ${code}`;
}

const isBareNumber = ({ kind }: Type): boolean => kind === "double" || kind === "uint";

/** The short form into `result` where `test` holds, otherwise the long one, which may fail. */
function choose(
  e: Emitter,
  result: string,
  test: string | undefined,
  short: string | undefined,
  long: string,
  id: number,
  failing = "",
): void {
  const fallible = `${result} = ${long}; if (${result} instanceof CelError) { ${failing}${e.fail(`${result}.at(${id})`)} }`;
  if (test === undefined) e.line(fallible);
  else if (short === result) e.line(`if (!(${test})) { ${fallible} }`);
  else e.line(`if (${test}) ${result} = ${short}; else { ${fallible} }`);
}

/** Whichever row is chosen, the result is of this kind; boxed and bare are the same for these. */
function commonRep(candidates: readonly Overload[]): Rep {
  const [first] = candidates;
  const rep = first ? repOf(first.result) : "boxed";
  if (rep === "double" || rep === "uint") return "boxed";
  return candidates.every((row) => repOf(row.result) === rep) ? rep : "boxed";
}

/** `@not_strictly_false` outside a recognised macro: only the interpreter passes errors as arguments. */
function emitNonStrict(e: Emitter, _step: CallStep): Operand {
  e.line("return D;");
  return { code: "undefined", rep: "boxed" };
}

/** Arguments in order. Some calls end uncharged at the first error, others are charged all the same (argument-order.ts). */
function emitArguments(e: Emitter, call: CallStep, cost: CostFormula | undefined): Operand[] {
  const args: Operand[] = [];
  const steps = call.args;
  const early = stopsEarly(call);
  steps.forEach((step, i) => {
    const last = i === steps.length - 1;
    const failing = early && !last ? 0 : costWhenFailing(steps, i, cost);
    const operand = e.charging(failing, () => e.step(step));
    args.push(operand);
  });
  return args;
}

/** The rest of a call's charge when argument `i` fails: known when the others are constants or the cost is fixed. */
function costWhenFailing(steps: readonly Step[], i: number, cost: CostFormula | undefined): number | "deopt" {
  const later = steps.slice(i + 1);
  if (later.some((step) => step.op !== "const")) return "deopt";
  const fixed = cost ? cost.fixed : 1;
  if (fixed !== undefined) return fixed;
  const values: Value[] = [];
  for (let j = 0; j < steps.length; j++) {
    const step = steps[j] as Step;
    if (j !== i && step.op !== "const") return "deopt";
    values.push(j === i ? FAILED : (step as { value: Value }).value);
  }
  try {
    return cost?.actual(values, FAILED) ?? 1;
  } catch {
    return "deopt"; // a formula that fails on errors, as some of the reference's do
  }
}

/** The call and its cost. The cost comes first, so that a call beyond the limit is not made, unless it depends on the result. */
function charging(
  e: Emitter,
  step: CallStep,
  cost: CostFormula | undefined,
  args: readonly Operand[],
  call: () => Operand,
): Operand {
  const before = cost === undefined || isChargedBefore(cost);
  if (before) charge(e, cost, args);
  if (e.grows || makesLarge(step)) e.noteCost();
  const result = call();
  if (!before) charge(e, cost, args, result);
  return result;
}

/** `==` and `!=`. */
export function emitEquality(e: Emitter, step: Equality): Operand {
  const left = e.charging(step.right.op === "const" ? lesserCost(FAILED, step.right.value) : "deopt", () =>
    e.step(step.left),
  );
  const negate = step.op === "ne";
  const right = e.charging(isScalar(left) ? 1 : `${negate ? "sizeCost" : "equalSizeCost"}(${boxed(left)})`, () =>
    e.step(step.right),
  );
  if (left.rep === right.rep && left.rep !== "boxed") {
    chargeEquality(e, left, right, negate);
    return { code: `(${left.code} ${negate ? "!==" : "==="} ${right.code})`, rep: "bool" };
  }
  chargeEquality(e, left, right, negate);
  const [a, b] = [boxed(left), boxed(right)];
  const direct = directComparison(left, right);
  const compare = `equal(${a}, ${b})`;
  if (!negate) {
    const result = e.temp();
    choose(e, result, direct, `${a} === ${b}`, compare, step.id);
    return { code: result, rep: "bool" };
  }
  return e.assign(direct ? `${direct} ? ${a} !== ${b} : ${compare} !== true` : `${compare} !== true`, "bool");
}

/** When JavaScript's own `===` says it all: the one side is known to be a string, bool or int, and the other turns out so. */
function directComparison(left: Operand, right: Operand): string | undefined {
  const [known, other] = left.rep === "boxed" ? [right, left] : [left, right];
  if (other.rep !== "boxed" || other.constant) return undefined;
  if (known.rep === "string") return `typeof ${other.code} === "string"`;
  if (known.rep === "bool") return `typeof ${other.code} === "boolean"`;
  if (known.rep === "int" && typeof known.constant?.value === "number") return `typeof ${other.code} === "number"`;
  if (known.rep === "boxed") return `typeof ${left.code} === "string" && typeof ${right.code} === "string"`;
  return undefined;
}

const isScalar = ({ rep }: Operand): boolean => rep === "bool" || rep === "int" || rep === "uint" || rep === "double";

function lesserCost(a: Value, b: Value): number {
  return Math.ceil(Math.min(costSize(a), costSize(b)) * 0.1);
}

/** ⌈0.1 · lesser size⌉, as short as the known types allow. For `==`, a value on the left may have its own cost. */
function chargeEquality(e: Emitter, left: Operand, right: Operand, negate: boolean): void {
  if (isScalar(left) && isScalar(right)) {
    e.pending += 1;
    return;
  }
  const constant = left.constant ?? right.constant;
  const size = constant ? costSize(constant.value) : isScalar(left) || isScalar(right) ? 1 : undefined;
  const priced = !negate && left.rep === "boxed" && !left.constant;
  if (size === 0) {
    if (!priced) return;
    e.charge(`${left.code} instanceof Opaque ? ${left.code}.equalityCost ?? 0 : 0`);
    return;
  }
  const other = left.constant || (!right.constant && isScalar(left)) ? right : left;
  if (size !== undefined && size <= 10)
    e.charge(
      other.rep === "string"
        ? `${other.code} === "" ? 0 : 1`
        : `${priced ? "equalSizeCost" : "sizeCost"}(${boxed(other)})`,
    );
  else if (left.size !== undefined || right.size !== undefined)
    e.charge(lesserCode(left, right, priced ? "equalCost" : "lesserCost"));
  else e.charge(`${priced ? "equalCost" : "lesserCost"}(${boxed(left)}, ${boxed(right)})`);
}

/** The same where the size of a text on either side is kept: it is counted once. */
function lesserCode(left: Operand, right: Operand, otherwise: string): string {
  const size = (operand: Operand): string => operand.size ?? `codePointCount(${operand.code})`;
  const texts = [left, right].filter(({ rep }) => rep !== "string").map(({ code }) => `typeof ${code} === "string"`);
  const long = `${left.code}.length > 10 && ${right.code}.length > 10`;
  const exact = `Math.ceil(Math.min(${size(left)}, ${size(right)}) * 0.1)`;
  return `${[...texts, long].join(" && ")} ? ${exact} : ${otherwise}(${boxed(left)}, ${boxed(right)})`;
}
