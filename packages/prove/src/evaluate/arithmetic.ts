// Sums, differences and comparisons. A result beyond 64 bits is an error.

import type { CallStep } from "@celadon/cel/plan";
import { isInt } from "@celadon/cel/values";
import { constant, isConstant, type Linear, plus, times } from "../number/linear.ts";
import { INT64 } from "../number/solver.ts";
import { boolOf, ERROR, type Symbolic } from "../path/symbolic.ts";
import { find, KIND } from "../tree/node.ts";
import { compareNumbers } from "./compare.ts";
import { compareCount } from "./counts.ts";
import { type Evaluation, keyOfSymbolic } from "./evaluation.ts";
import { partsOf } from "./lists.ts";

/** A value as a sum; "other" where it is no int. Undecided values are decided. */
export function asInt({ path }: Evaluation, value: Symbolic): Linear | "other" {
  if (value.is === "int") return value.sum;
  if (value.is === "value" && isInt(value.value)) return constant(BigInt(value.value as number | bigint));
  if (value.is === "node" && path.isKind(value.node, KIND.int)) return path.numberOf(value.node);
  return "other";
}

const isNumber = (value: Symbolic): boolean =>
  value.is === "int" || (value.is === "value" && (typeof value.value === "number" || isInt(value.value)));

export function compareValues(
  evaluation: Evaluation,
  a: Symbolic,
  relation: "<" | "<=",
  b: Symbolic,
): Symbolic | undefined {
  if (a.is === "count") return boolOf(compareCount(evaluation, a, relation, b));
  if (b.is === "count") return boolOf(compareCount(evaluation, b, relation === "<" ? ">" : ">=", a));
  if (a.is === "ordered" && b.is === "ordered" && a.unit === b.unit)
    return boolOf(compareNumbers(evaluation.path, a.sum, relation, b.sum));
  if (!isNumber(a) && a.is !== "node") return undefined;
  if (!isNumber(b) && b.is !== "node") return undefined;
  const left = asInt(evaluation, a);
  const right = asInt(evaluation, b);
  if (left !== "other" && right !== "other") return boolOf(compareNumbers(evaluation.path, left, relation, right));
  return comparesOtherwise(evaluation, a, relation, b);
}

/** Doubles, texts and booleans are compared, anything else is an error. */
function comparesOtherwise(evaluation: Evaluation, a: Symbolic, relation: string, b: Symbolic): Symbolic {
  const { path } = evaluation;
  const kind = (value: Symbolic): "number" | "text" | "bool" | "other" => {
    if (isNumber(value)) return "number";
    if (value.is !== "node") return "other";
    if (path.isKind(value.node, KIND.int | KIND.double)) return "number";
    if (path.isKind(value.node, KIND.text)) return "text";
    return path.isKind(value.node, KIND.bool) ? "bool" : "other";
  };
  const [left, right] = [kind(a), kind(b)];
  if (left === "other" || left !== right) return ERROR;
  return { is: "bool", key: `${keyOfSymbolic(a)} ${relation} ${keyOfSymbolic(b)}`, why: relation };
}

export function arithmetic(evaluation: Evaluation, step: CallStep, a: Symbolic, b: Symbolic): Symbolic | undefined {
  const { path } = evaluation;
  if (step.name === "_+_") {
    const joined = concatenated(evaluation, a, b);
    if (joined !== undefined) return joined;
  }
  const isSum = (value: Symbolic): boolean =>
    isNumber(value) || (value.is === "node" && find(value.node).kinds === KIND.int);
  if (!isSum(a) || !isSum(b)) return undefined;
  const left = asInt(evaluation, a);
  const right = asInt(evaluation, b);
  if (left === "other" || right === "other") return undefined;
  let sum: Linear;
  if (step.name === "_*_") {
    if (isConstant(right)) sum = times(left, right.constant);
    else if (isConstant(left)) sum = times(right, left.constant);
    else return undefined;
  } else sum = plus(left, right, step.name === "_-_" ? -1n : 1n);
  return inRange(path, sum);
}

export function negate(evaluation: Evaluation, value: Symbolic): Symbolic | undefined {
  const sum =
    value.is === "int" || (value.is === "node" && find(value.node).kinds === KIND.int)
      ? asInt(evaluation, value)
      : "other";
  return sum === "other" ? undefined : inRange(evaluation.path, times(sum, -1n));
}

function inRange(path: Evaluation["path"], sum: Linear): Symbolic {
  const high = compareNumbers(path, sum, "<=", constant(INT64.most));
  if (!high) return ERROR;
  return compareNumbers(path, constant(INT64.least), "<=", sum) ? { is: "int", sum } : ERROR;
}

/** Concatenated lists, or texts with one constant among them. */
function concatenated(evaluation: Evaluation, a: Symbolic, b: Symbolic): Symbolic | undefined {
  const { path } = evaluation;
  const isList = (value: Symbolic): boolean =>
    value.is === "list" ||
    (value.is === "value" && Array.isArray(value.value)) ||
    (value.is === "node" && find(value.node).kinds === KIND.list);
  const mayBeList = (value: Symbolic): boolean =>
    isList(value) || (value.is === "node" && (find(value.node).kinds & KIND.list) !== 0);
  if ((isList(a) && mayBeList(b)) || (isList(b) && mayBeList(a))) {
    for (const value of [a, b]) if (value.is === "node" && !path.isKind(value.node, KIND.list)) return ERROR;
    return { is: "list", parts: [...(partsOf(evaluation, a) ?? []), ...(partsOf(evaluation, b) ?? [])] };
  }
  const term = (value: Symbolic) =>
    value.is === "text"
      ? value.text
      : value.is === "node" && find(value.node).kinds === KIND.text
        ? path.textOf(value.node)
        : undefined;
  const textConstant = (value: Symbolic): string | undefined =>
    value.is === "value" && typeof value.value === "string" ? value.value : undefined;
  const [left, right] = [term(a), term(b)];
  const [before, after] = [textConstant(a), textConstant(b)];
  if (left !== undefined && after !== undefined)
    return { is: "text", text: { ...left, steps: [...left.steps, { kind: "around", before: "", after }] } };
  if (right !== undefined && before !== undefined)
    return { is: "text", text: { ...right, steps: [...right.steps, { kind: "around", before, after: "" }] } };
  return undefined;
}
