// Changes to expressions, in one table. A mutator looks at one place and returns replacements; they may fail to compile, because an
// expression that the API server refuses is no mutant.

import { Double, Uint } from "@celadon/cel";
import { type Call, callNode as call, type Expr, literalNode as literal } from "@celadon/cel/ast";
import { chainOperator, macroArguments, type Site } from "./sites.ts";
import { chainOf, isCall, termsOf } from "./written.ts";

export interface ExpressionMutator {
  readonly name: string;
  readonly about: string;
  of(site: Site): readonly Replacement[];
}

export interface Replacement {
  /** The replacement of the node. */
  readonly by: Expr;
  /** The part of the node that is gone, where that is the change. */
  readonly dropped?: Expr;
}

// biome-ignore format: one mutator per entry
export const EXPRESSION_MUTATORS: readonly ExpressionMutator[] = [
  { name: "comparison-changed", about: "`==` ↔ `!=`, `<` ↔ `<=`, `<` → `>=`…",                   of: by(comparison) },
  { name: "logic-swapped",      about: "`&&` ↔ `||`",                                            of: by(logic) },
  { name: "clause-dropped",     about: "an operand of `&&` or `||` removed",                    of: droppedClauses },
  { name: "negated",            about: "`!` added to or removed from a clause",                 of: by(negation) },
  { name: "has-fixed",          about: "`has()` replaced by true, by false",                     of: by(fixedHas) },
  { name: "quantifier-swapped", about: "`all` ↔ `exists`, `exists_one` → `exists`",              of: by(quantifier) },
  { name: "body-fixed",         about: "the predicate of a quantifier or filter replaced by true or false", of: by(fixedBody) },
  { name: "branch-fixed",       about: "`a ? b : c` replaced by b, by c, or its branches swapped", of: by(branches) },
  { name: "string-test-changed", about: "`startsWith`, `endsWith` and `contains` exchanged",     of: by(stringTests) },
  { name: "arithmetic-changed", about: "`+` ↔ `-`, `*` ↔ `/`, `%` → `*`, a minus removed",    of: by(arithmetic) },
  { name: "constant-changed",   about: "numbers one up and down, strings replaced, true ↔ false",     of: by(constants) },
  { name: "element-dropped",    about: "an element of a list removed",                          of: droppedElements },
  { name: "call-dropped",       about: "`lowerAscii()`, `upperAscii()` and `trim()` removed",   of: by(droppedCalls) },
];

function by(change: (site: Site) => readonly Expr[]): ExpressionMutator["of"] {
  return (site) => change(site).map((expr) => ({ by: expr }));
}

const COMPARISONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["_==_", ["_!=_"]],
  ["_!=_", ["_==_"]],
  ["_<_", ["_<=_", "_>=_"]],
  ["_<=_", ["_<_", "_>_"]],
  ["_>_", ["_>=_", "_<=_"]],
  ["_>=_", ["_>_", "_<_"]],
]);

function comparison({ node }: Site): readonly Expr[] {
  return node.kind === "call" ? (COMPARISONS.get(node.function) ?? []).map((name) => renamed(node, name)) : [];
}

function logic({ node }: Site): readonly Expr[] {
  const operator = chainOperator(node);
  return operator === undefined ? [] : [chainOf(termsOf(node, operator), operator === "_&&_" ? "_||_" : "_&&_")];
}

function droppedClauses({ node }: Site): readonly Replacement[] {
  const operator = chainOperator(node);
  if (operator === undefined) return [];
  const terms = termsOf(node, operator);
  return terms.map((dropped, i) => ({ by: chainOf(terms.toSpliced(i, 1), operator), dropped }));
}

function negation({ node, role }: Site): readonly Expr[] {
  if (isCall(node, "!_")) return [node.args[0]!];
  if (role === "negated") return [];
  if (isCall(node, "@in")) return [call("!_", node)];
  // A part that has its own opposite, or is tested both ways, needs no negation.
  if (role !== "clause" || node.kind === "literal" || (node.kind === "select" && node.test)) return [];
  if (chainOperator(node) !== undefined || isCall(node, "_?_:_")) return [];
  return node.kind === "call" && COMPARISONS.has(node.function) ? [] : [call("!_", node)];
}

function fixedHas({ node }: Site): readonly Expr[] {
  return node.kind === "select" && node.test ? [literal(true), literal(false)] : [];
}

const QUANTIFIERS: ReadonlyMap<string, string> = new Map([
  ["all", "exists"],
  ["exists", "all"],
  ["exists_one", "exists"],
  ["existsOne", "exists"],
]);

function quantifier({ node }: Site): readonly Expr[] {
  const other = node.kind === "call" && macroArguments(node) !== undefined ? QUANTIFIERS.get(node.function) : undefined;
  return other === undefined ? [] : [renamed(node as Call, other)];
}

function fixedBody({ node }: Site): readonly Expr[] {
  const at = node.kind === "call" ? (macroArguments(node)?.indexOf("p") ?? -1) : -1;
  if (node.kind !== "call" || at === -1 || node.args[at]!.kind === "literal") return [];
  return [true, false].map((value) => ({ ...node, args: node.args.with(at, literal(value)) }));
}

function branches({ node }: Site): readonly Expr[] {
  if (!isCall(node, "_?_:_")) return [];
  const [test, yes, no] = node.args as [Expr, Expr, Expr];
  return [yes, no, call("_?_:_", test, no, yes)];
}

const STRING_TESTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["startsWith", ["endsWith", "contains"]],
  ["endsWith", ["startsWith", "contains"]],
  ["contains", ["startsWith"]],
]);

function stringTests({ node }: Site): readonly Expr[] {
  if (node.kind !== "call" || node.target === undefined || node.args.length !== 1) return [];
  return (STRING_TESTS.get(node.function) ?? []).map((name) => renamed(node, name));
}

const ARITHMETIC: ReadonlyMap<string, string> = new Map([
  ["_+_", "_-_"],
  ["_-_", "_+_"],
  ["_*_", "_/_"],
  ["_/_", "_*_"],
  ["_%_", "_*_"],
]);

function arithmetic({ node }: Site): readonly Expr[] {
  if (node.kind !== "call") return [];
  if (isCall(node, "-_")) return [node.args[0]!];
  const other = ARITHMETIC.get(node.function);
  // Texts and lists have no minus.
  if (other === undefined || (node.function === "_+_" && node.args.some(isText))) return [];
  return [renamed(node, other)];
}

const isText = (expr: Expr): boolean =>
  expr.kind === "list" ||
  (expr.kind === "literal" && typeof expr.value === "string") ||
  (isCall(expr, "_+_") && expr.args.some(isText)) ||
  isCall(expr, "string");

function constants(site: Site): readonly Expr[] {
  const { node } = site;
  if (node.kind !== "literal") return [];
  const { value } = node;
  if (typeof value === "boolean") return [literal(!value)];
  if (typeof value === "string") return texts(value, site).map(literal);
  const shifts = shiftsOf(site);
  if (value instanceof Double) return shifts.map((by) => literal(new Double(value.value + by)));
  if (value instanceof Uint) return shifts.flatMap((by) => moved(value.value, by)).map((n) => literal(new Uint(n)));
  if (typeof value === "number" && !Number.isInteger(value)) return shifts.map((by) => literal(value + by));
  if (typeof value === "number" || typeof value === "bigint")
    return shifts.flatMap((by) => moved(value, by)).map(literal);
  return [];
}

function moved(value: number | bigint, by: number): readonly (number | bigint)[] {
  const next = BigInt(value) + BigInt(by);
  if (next < -(2n ** 63n) || next >= 2n ** 63n) return [];
  return [Number.isSafeInteger(Number(next)) ? Number(next) : next];
}

const UP = [1];
const DOWN = [-1];
const BOTH = [1, -1];
/** By operator, with the constant on its right: `x <= 4` is what `x < 5` is for integers, and that one is tried already. */
const RIGHT: ReadonlyMap<string, readonly number[]> = new Map([
  ["_<_", DOWN],
  ["_<=_", UP],
  ["_>_", UP],
  ["_>=_", DOWN],
  ["_==_", UP],
  ["_!=_", UP],
  ["_[_]", UP],
  ["_[?_]", UP],
]);

function shiftsOf({ within }: Site): readonly number[] {
  const name = within?.call.function ?? "";
  const shifts = RIGHT.get(name) ?? BOTH;
  const isOrder = COMPARISONS.get(name)?.length === 2;
  return isOrder && within?.index === 0 ? shifts.map((by) => -by) : shifts;
}

/** Tests that an empty text lets everything pass. */
const OPENED_BY_NOTHING: ReadonlySet<string> = new Set(["startsWith", "endsWith", "contains", "matches"]);
/** The functions that read numbers from texts. */
const NUMBERS: ReadonlySet<string> = new Set(["quantity", "duration", "int", "uint", "double", "semver"]);
/** Texts of a form that a change would break: they would only fail. The field of `a.?b` is such a text. */
const FORMS: ReadonlySet<string> = new Set(["ip", "cidr", "url", "timestamp", "format", "group", "resource", "_?._"]);

function texts(text: string, { within }: Site): readonly string[] {
  const name = within?.call.function ?? "";
  const isArgument = within !== undefined && within.index >= 0;
  if (isArgument && OPENED_BY_NOTHING.has(name)) return text === "" ? [] : [""];
  if (isArgument && NUMBERS.has(name)) return BOTH.flatMap((by) => withFirstNumber(text, by));
  if (FORMS.has(name)) return [];
  return [`${text}~`];
}

function withFirstNumber(text: string, by: number): readonly string[] {
  const other = text.replace(/\d+/, (digits) => String(Math.max(0, Number(digits) + by)));
  return other === text ? [] : [other];
}

function droppedElements({ node }: Site): readonly Replacement[] {
  if (node.kind !== "list" || node.optional.length > 0) return [];
  return node.elements.map((dropped, i) => ({ by: { ...node, elements: node.elements.toSpliced(i, 1) }, dropped }));
}

const CLEANING: ReadonlySet<string> = new Set(["lowerAscii", "upperAscii", "trim"]);

function droppedCalls({ node }: Site): readonly Expr[] {
  const dropped = node.kind === "call" && CLEANING.has(node.function) && node.args.length === 0;
  return dropped && node.target !== undefined ? [node.target] : [];
}

function renamed(node: Call, name: string): Expr {
  return { ...node, function: name };
}
