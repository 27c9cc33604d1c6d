// Quantities as numbers of their smallest unit, so that comparisons with constants and with each other exclude impossible values.

import type { CallStep } from "@celadon/cel/plan";
import { QuantityValue } from "@celadon/kube-cel/library";
import { constant, type Linear } from "../number/linear.ts";
import { boolOf, ERROR, type Symbolic } from "../path/symbolic.ts";
import { KIND } from "../tree/node.ts";
import { ORDERED } from "./attribute.ts";
import { compareNumbers } from "./compare.ts";
import { type Evaluation, keyOfSymbolic, truth } from "./evaluation.ts";

export function orderedCall(evaluation: Evaluation, step: CallStep, args: readonly Symbolic[]): Symbolic | undefined {
  const { path } = evaluation;
  const [a, b] = args;
  if (a === undefined) return undefined;
  if (step.name === "quantity" && args.length === 1) {
    if (a.is === "node" && !path.isKind(a.node, KIND.text)) return ERROR;
    const text = a.is === "node" ? path.textOf(a.node) : a.is === "text" ? a.text : undefined;
    if (text === undefined) return undefined;
    const inner = keyOfSymbolic({ is: "text", text: { ...text, variable: path.texts.root(text.variable) } });
    if (truth(evaluation, { is: "bool", key: `isQuantity(${inner})`, why: "isQuantity" }) !== true) return ERROR;
    const key = `quantity(${inner})`;
    path.numbers.declare(key, ORDERED);
    path.quantities.set(key, text);
    return { is: "ordered", unit: "quantity", sum: { factors: new Map([[key, 1n]]), constant: 0n }, key };
  }
  if (b === undefined) return undefined;
  const [left, right] = [quantityOf(a), quantityOf(b)];
  if (left === undefined || right === undefined) return undefined;
  switch (step.name) {
    case "isGreaterThan":
      return boolOf(compareNumbers(path, right, "<", left));
    case "isLessThan":
      return boolOf(compareNumbers(path, left, "<", right));
    case "compareTo": {
      if (compareNumbers(path, left, "<", right)) return { is: "value", value: -1 };
      return { is: "value", value: compareNumbers(path, left, "==", right) ? 0 : 1 };
    }
    default:
      return undefined;
  }
}

function quantityOf(value: Symbolic): Linear | undefined {
  if (value.is === "ordered" && value.unit === "quantity") return value.sum;
  if (value.is !== "value" || !(value.value instanceof QuantityValue)) return undefined;
  const nanos = value.value.quantity.nanos();
  return nanos === undefined ? undefined : constant(nanos);
}
