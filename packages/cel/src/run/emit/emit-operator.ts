// Operators that generated code writes out, by overload id where types are known and by name where they are not. Each must give the same
// result as the library's row, which the interpreter calls.

import { affixByReceiver } from "../../cost/formulas.ts";
import type { CallStep } from "../../plan/step.ts";
import { isDataKey } from "../../value/data-property.ts";
import { costSize } from "../../value/size/size.ts";
import type { Emitter, Operand, Rep } from "./emit.ts";
import { charge } from "./emit-operand.ts";

type Inline = (e: Emitter, step: CallStep, args: readonly Operand[]) => Operand;

/** The operator inline, or undefined if the operands are not kept in the form it needs. */
export function inlineTyped(e: Emitter, step: CallStep, args: readonly Operand[]): Operand | undefined {
  const entry = TYPED.get((step.overload as { id: string }).id);
  if (!entry || (step.special && !entry.special)) return undefined;
  if (!entry.reps.every((rep, i) => args[i]?.rep === rep)) return undefined;
  return entry.emit(e, step, args);
}

interface Comparison {
  readonly symbol: string;
  readonly inverse: string;
  /** The beginning of overload ids. */
  readonly stem: string;
}

/** Ordering operators. */
export const COMPARISONS: ReadonlyMap<string, Comparison> = new Map([
  ["_<_", { symbol: "<", inverse: ">=", stem: "less" }],
  ["_<=_", { symbol: "<=", inverse: ">", stem: "less_equals" }],
  ["_>_", { symbol: ">", inverse: "<=", stem: "greater" }],
  ["_>=_", { symbol: ">=", inverse: "<", stem: "greater_equals" }],
]);

interface TypedEntry {
  readonly reps: readonly Rep[];
  readonly emit: Inline;
  readonly special?: boolean;
}

// biome-ignore format: one operator per line
const TYPED: ReadonlyMap<string, TypedEntry> = new Map<string, TypedEntry>([
  ["logical_not",         { reps: ["bool"],             emit: plain((a) => `!${a}`, "bool") }],
  ["add_int64",           { reps: ["int", "int"],       emit: checkedInt("+", "addInt") }],
  ["subtract_int64",      { reps: ["int", "int"],       emit: checkedInt("-", "subInt") }],
  ["multiply_int64",      { reps: ["int", "int"],       emit: checkedInt("*", "mulInt") }],
  ["divide_int64",        { reps: ["int", "int"],       emit: dividedInt((a, b) => `Math.trunc(${a} / ${b}) + 0`) }],
  ["modulo_int64",        { reps: ["int", "int"],       emit: dividedInt((a, b) => `(${a} % ${b}) + 0`) }],
  ["add_double",          { reps: ["double", "double"], emit: plain((a, b) => `(${a} + ${b})`, "double") }],
  ["subtract_double",     { reps: ["double", "double"], emit: plain((a, b) => `(${a} - ${b})`, "double") }],
  ["multiply_double",     { reps: ["double", "double"], emit: plain((a, b) => `(${a} * ${b})`, "double") }],
  ["divide_double",       { reps: ["double", "double"], emit: plain((a, b) => `(${a} / ${b})`, "double") }],
  ["negate_double",       { reps: ["double"],           emit: plain((a) => `(-(${a}))`, "double") }],
  ["add_string",          { reps: ["string", "string"], emit: concatenation }],
  ["size_string",         { reps: ["string"],           emit: textSize }],
  ["string_size",         { reps: ["string"],           emit: textSize }],
  ["size_list",           { reps: ["boxed"],            emit: listSize }],
  ["list_size",           { reps: ["boxed"],            emit: listSize }],
  ["starts_with_string",  { reps: ["string", "string"], emit: scanned((a, b) => `${a}.startsWith(${b})`) }],
  ["ends_with_string",    { reps: ["string", "string"], emit: scanned((a, b) => `${a}.endsWith(${b})`) }],
  ["contains_string",     { reps: ["string", "string"], emit: containment }],
  ["matches_string",      { reps: ["string", "string"], emit: matching, special: true }],
  ...[...COMPARISONS.values()].map(({ symbol, stem }): [string, TypedEntry] =>
    [`${stem}_int64`,     { reps: ["int", "int"],       emit: plain((a, b) => `(${a} ${symbol} ${b})`, "bool") }]),
]);

/** An expression that cannot fail, at its fixed cost. */
function plain(code: (a: string, b: string) => string, rep: Rep): Inline {
  return (e, step, args) => {
    charge(e, step.overload?.cost, args);
    return e.assign(code(args[0]?.code as string, args[1]?.code as string), rep);
  };
}

/** A test of one end of a text, which costs a walk over the text to find, or over the searched text before cel-go 0.29. */
function scanned(code: (a: string, b: string) => string): Inline {
  return (e, { overload }, [text, part]) => {
    e.charge(overload?.cost === affixByReceiver ? scanCode(text as Operand) : partScanCode(part as Operand));
    return e.assign(code(text?.code as string, part?.code as string), "bool");
  };
}

/** ⌈0.1 · size⌉ of a text. */
function scanCode({ code, size }: Operand): string {
  return size === undefined ? `scanCost(${code})` : `Math.ceil(${size} * 0.1)`;
}

/** The same for an operand that may be constant. */
function partScanCode(part: Operand): string {
  return part.constant ? String(Math.ceil(costSize(part.constant.value) * 0.1)) : scanCode(part);
}

function textSize(e: Emitter, _step: CallStep, [text]: readonly Operand[]): Operand {
  e.pending += 1;
  return e.assign(sizeCode(text as Operand), "int");
}

/** Int arithmetic: as numbers while both and the result are safe integers, exactly otherwise. */
function checkedInt(op: string, slow: string): Inline {
  return (e, step, [left, right]) => {
    e.pending += 1;
    const [a, b] = [left?.code as string, right?.code as string];
    const result = e.temp();
    const numbers = notConstant(left, right).map((code) => `typeof ${code} !== "number"`);
    const guard = [...numbers, `!Number.isSafeInteger(${result} = ${a} ${op} ${b})`].join(" || ");
    const zero = op === "*" ? ` || ${result} === 0` : ""; // -0 is no int
    e.line(
      `if (${guard}${zero}) { ${result} = ${slow}(${a}, ${b}); if (${result} instanceof CelError) { ${e.fail(`${result}.at(${step.id})`)} } }`,
    );
    return { code: result, rep: "int" };
  };
}

/** The operands that are not numeric literals. */
const notConstant = (...operands: readonly (Operand | undefined)[]): string[] =>
  operands.flatMap((operand) => (operand && typeof operand.constant?.value !== "number" ? [operand.code] : []));

/** Division of ints: of numbers, unless by zero, otherwise as the library does it. There is no -0 among ints. */
function dividedInt(quotient: (a: string, b: string) => string): Inline {
  return (e, step, [left, right]) => {
    e.pending += 1;
    const [a, b] = [left?.code as string, right?.code as string];
    const result = e.temp();
    const slow = `${result} = ${e.slot(step.overload?.call)}(${a}, ${b});`;
    const tests = notConstant(left, right).map((code) => `typeof ${code} === "number"`);
    if (!right?.constant?.value) tests.push(`${b} !== 0`);
    e.line(
      `if (${tests.join(" && ") || "true"}) ${result} = ${quotient(a, b)}; else { ${slow} if (${result} instanceof CelError) { ${e.fail(`${result}.at(${step.id})`)} } }`,
    );
    return { code: result, rep: "int" };
  };
}

/** Text concatenation. The sizes that it costs are kept for the next one. */
function concatenation(e: Emitter, _step: CallStep, [left, right]: readonly Operand[]): Operand {
  const size = e.assign(`${sizeCode(left as Operand)} + ${sizeCode(right as Operand)}`, "int").code;
  e.charge(`Math.ceil(${size} * 0.1)`);
  if (e.grows) {
    e.noteCost();
    e.line(`grow(${left?.code}.length + ${right?.code}.length);`);
  }
  return { ...e.assign(`${left?.code} + ${right?.code}`, "string"), size };
}

function sizeCode({ code, constant, size }: Operand): string {
  if (size !== undefined) return size;
  return constant ? String(costSize(constant.value)) : `codePointCount(${code})`;
}

function listSize(e: Emitter, step: CallStep, [list]: readonly Operand[]): Operand {
  e.pending += 1;
  const value = e.held(list as Operand);
  const result = e.temp();
  e.line(
    `if (Array.isArray(${value})) ${result} = ${value}.length; else { if (!fits(${e.slot(step.overload?.args[0])}, ${value})) return D; ${result} = listSize(${value}); }`,
  );
  return { code: result, rep: "int" };
}

function containment(e: Emitter, _step: CallStep, [text, part]: readonly Operand[]): Operand {
  const [a, b] = [text?.code as string, part?.code as string];
  e.charge(`${scanCode(text as Operand)} * ${partScanCode(part as Operand)}`);
  const short = typeof part?.constant?.value === "string" && part.constant.value.length <= 16;
  return e.assign(short ? `${a}.includes(${b})` : `includesText(${a}, ${b})`, "bool");
}

/** A constant pattern has been compiled with the plan. */
function matching(e: Emitter, step: CallStep, [text, pattern]: readonly Operand[]): Operand {
  const a = text?.code as string;
  const factor = pattern?.constant
    ? String(Math.ceil(costSize(pattern.constant.value) * 0.25))
    : `patternCost(${pattern?.code})`;
  const scan = text?.size === undefined ? `textCost(${a})` : `Math.ceil((1 + ${text.size}) * 0.1)`;
  e.charge(`${scan} * ${factor}`);
  const result = e.assign(`${e.slot(step.special ?? step.overload?.call)}(${a}, ${pattern?.code})`, "boxed");
  e.line(`if (${result.code} instanceof CelError) { ${e.fail(`${result.code}.at(${step.id})`)} }`);
  return { code: result.code, rep: "bool" };
}

/** The usual case of a function whose operands have no known type: a test, and its result if the test holds. The test may set `result`. */
export function inlineDynamic(
  e: Emitter,
  name: string,
  args: readonly Operand[],
  result: string,
): { test: string; value: string } | undefined {
  const [left, right] = args as [Operand, Operand | undefined];
  if (right === undefined)
    return args.length === 1 && left.rep === "boxed" && !left.constant ? DYNAMIC_UNARY.get(name)?.(left) : undefined;
  if (name === "@in") return inlineMembership(e, left, right);
  const comparison = COMPARISONS.get(name);
  if (comparison === undefined || !isNumeric(left) || !isNumeric(right)) return undefined;
  const tests = [left, right].flatMap((o) =>
    Number.isSafeInteger(o.constant?.value) ? [] : [`typeof ${o.code} === "number"`],
  );
  if (tests.length === 0) return undefined;
  const compare = (op: string): string => `${left.code} ${op} ${right.code}`;
  // NaN is neither this nor that.
  return {
    test: `${tests.join(" && ")} && ((${result} = ${compare(comparison.symbol)}) || ${compare(comparison.inverse)})`,
    value: result,
  };
}

/** `in` for a constant string and the keys of data, or for a string and the elements of a list. Other cases call a function. */
function inlineMembership(e: Emitter, key: Operand, container: Operand): { test: string; value: string } | undefined {
  if (container.rep !== "boxed" || container.constant) return undefined;
  const { code } = container;
  const text = key.constant?.value;
  if (!key.constant && (key.rep === "boxed" || key.rep === "string"))
    return {
      test: `typeof ${key.code} === "string" && Array.isArray(${code})`,
      value: `hasText(${code}, ${key.code})`,
    };
  if (typeof text !== "string" || !isDataKey(text)) return undefined;
  return {
    test: `${code} != null && ${e.property(code, text)} !== undefined && ${code}.constructor === Object`,
    value: "true",
  };
}

const isNumeric = ({ rep, constant }: Operand): boolean =>
  (rep === "boxed" && !constant) || rep === "int" || rep === "double";

const DYNAMIC_UNARY: ReadonlyMap<string, (operand: Operand) => { test: string; value: string }> = new Map([
  ["int", ({ code }: Operand) => ({ test: `Number.isSafeInteger(${code})`, value: code })],
  ["string", ({ code }: Operand) => ({ test: `typeof ${code} === "string"`, value: code })],
  ["size", dynamicSize],
]);

function dynamicSize(operand: Operand): { test: string; value: string } {
  const { code } = operand;
  const isText = `typeof ${code} === "string"`;
  return { test: `${isText} || Array.isArray(${code})`, value: `${isText} ? ${sizeCode(operand)} : ${code}.length` };
}
