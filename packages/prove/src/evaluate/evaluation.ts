// The common state of the parts of the symbolic evaluator: a path, the values of variables, and decisions about values.

import type { Type } from "@celadon/cel";
import type { Step } from "@celadon/cel/plan";
import { keyOf } from "../number/linear.ts";
import type { Path } from "../path/path.ts";
import { ERROR, type Part, type Symbolic } from "../path/symbolic.ts";
import { keyOfText } from "../path/texts.ts";
import { find, KIND, type Node } from "../tree/node.ts";
import { ANY_TEXT, ANYTHING, type Shape } from "../tree/shape.ts";
import { keyOfValue } from "./value-key.ts";

/** A bound name that has not been used yet. */
export const UNSET: unique symbol = Symbol("unset");

/** One expression while it is evaluated: its local names and the variables it reads. */
export interface Frame {
  readonly locals: (Symbolic | typeof UNSET | undefined)[];
  readonly variables: (name: string) => Symbolic | undefined;
  /** Data is read by its schema: lists may be sets, texts times. */
  readonly typed: boolean;
  /** Tells expressions apart whose variables or params differ. */
  readonly owner: string;
  /** Describes a step, for reasons. */
  readonly textOf: (id: number) => string;
}

export interface Evaluation {
  readonly path: Path;
  run(step: Step, frame: Frame): Symbolic;
  /** The same evaluator on another path. */
  on(path: Path): Evaluation;
}

export type Truth = boolean | "error";

/** The truth of a value as the operand of a logical operator. */
export function truth({ path }: Evaluation, value: Symbolic): Truth {
  switch (value.is) {
    case "value":
      return typeof value.value === "boolean" ? value.value : "error";
    case "bool":
      return path.decide(value.key, () => void path.unfollowed.add(value.why));
    case "node":
      return path.isKind(value.node, KIND.bool) ? boolOfNode(path, value.node) : "error";
    case "opaque": {
      path.unfollowed.add(value.why);
      if (value.type.kind !== "bool" && !path.decide(`${value.key} is a bool`)) return "error";
      return path.decide(value.key);
    }
    default:
      return "error";
  }
}

export function boolOfNode(path: Path, given: Node): boolean {
  const node = find(given);
  node.bool ??= path.choose(2) === 0;
  return node.bool;
}

/** The same for values that are certain to be the same. */
export function keyOfSymbolic(value: Symbolic): string {
  switch (value.is) {
    case "value":
      return keyOfValue(value.value);
    case "node":
      return `node ${find(value.node).id}`;
    case "text":
      return keyOfText(value.text);
    case "int":
      return keyOf(value.sum);
    case "ordered":
    case "bool":
    case "opaque":
      return value.key;
    case "optional":
      return value.value === undefined ? "none" : `of(${keyOfSymbolic(value.value)})`;
    case "list":
    case "count":
      return `${value.is}(${value.parts.map(keyOfPart).join()})`;
    case "map":
      return `{${value.entries.map(([k, v]) => `${keyOfSymbolic(k)}: ${keyOfSymbolic(v)}`).join()}}`;
    case "error":
    case "scope":
      return value.is;
  }
}

let numbered = 0;
const stageKeys = new WeakMap<object, number>();

function keyOfPart(part: Part): string {
  if (part.of === "items") return `[${part.items.map(keyOfSymbolic).join()}]`;
  const stages = part.stages.map((stage) => {
    let key = stageKeys.get(stage);
    if (key === undefined) stageKeys.set(stage, (key = ++numbered));
    return key;
  });
  return `node ${find(part.node).id} ${stages}`;
}

/** A result of a known type without further facts. */
export function opaque(evaluation: Evaluation, type: Type, key: string, why: string): Symbolic {
  const { path } = evaluation;
  path.unfollowed.add(why);
  switch (type.kind) {
    case "bool":
      return { is: "bool", key, why };
    case "int":
      path.numbers.declare(key, INT64_RANGE);
      return { is: "int", sum: { factors: new Map([[key, 1n]]), constant: 0n } };
    case "string":
      return { is: "text", text: { variable: key, steps: [] } };
    case "list":
      return { is: "node", node: opaqueNode(path, key, why, type) };
    default:
      return { is: "opaque", type, key, why };
  }
}

const INT64_RANGE = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

/** A list that a function makes, as if it were part of a request. */
function opaqueNode(path: Path, key: string, why: string, type: Type): Node {
  const known = path.made.get(key);
  if (known !== undefined) return known;
  const node = path.node(why, new MadeList(type.params[0]?.kind === "string" ? ANY_TEXT : ANYTHING));
  path.made.set(key, node);
  return node;
}

class MadeList implements Shape {
  readonly kinds = KIND.list;
  readonly required = [];
  readonly names = [];
  readonly values = undefined;
  readonly items: Shape;
  readonly languages = [];
  readonly lengths = { least: 0n, most: 0n };
  readonly numbers = { least: 0n, most: 0n };
  readonly sizes = { least: 0n, most: 3_145_729n };
  readonly notZero = false;
  readonly schema = undefined;
  constructor(items: Shape) {
    this.items = items;
  }
  field(): undefined {
    return undefined;
  }
}

/** The result of a call that may fail, where nobody knows when: both are tried. */
export function mayFail({ path }: Evaluation, key: string, why: string, make: () => Symbolic): Symbolic {
  const fails = path.decide(`${key} fails`, () => void path.unfollowed.add(why));
  return fails ? ERROR : make();
}
