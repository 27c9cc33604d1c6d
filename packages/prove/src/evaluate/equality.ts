// `==` between partly known values.

import { equal, isInt, isList, isMap, mapFind, mapKeys, toArray } from "@celadon/cel/values";
import { constant } from "../number/linear.ts";
import type { Path } from "../path/path.ts";
import { constantOf, type Symbolic } from "../path/symbolic.ts";
import type { TextTerm } from "../path/texts.ts";
import { unify } from "../path/unify.ts";
import { oneOf } from "../text/language.ts";
import { find, KIND, type Node } from "../tree/node.ts";
import { numbersEqual } from "./compare.ts";
import { boolOfNode, type Evaluation, type Frame, keyOfSymbolic, type Truth, truth } from "./evaluation.ts";
import { isListLike, sizeIs } from "./lists.ts";

export function areEqual(evaluation: Evaluation, frame: Frame, a: Symbolic, b: Symbolic): Truth {
  if (a.is === "error" || b.is === "error") return "error";
  if (a.is === "value" && b.is === "value") {
    const result = equal(a.value, b.value);
    return typeof result === "boolean" ? result : "error";
  }
  if (a.is === "value") return areEqual(evaluation, frame, b, a);
  const { path } = evaluation;
  if (a.is === "node" && b.is === "node") return nodesEqual(evaluation, frame, a.node, b.node);
  if (b.is === "node") return areEqual(evaluation, frame, b, a);
  if (a.is === "node") return nodeEquals(evaluation, frame, a.node, b);
  if (a.is === "text") {
    if (b.is === "text") return textsEqual(path, a.text, b.text);
    if (b.is === "value") return typeof b.value === "string" && textIs(path, a.text, b.value);
  }
  if (a.is === "int") {
    if (b.is === "int") return numbersEqual(path, a.sum, b.sum);
    if (b.is === "value" && isInt(b.value)) return numbersEqual(path, a.sum, constant(BigInt(b.value as number)));
    if (b.is === "value" && !isNumberLike(b.value)) return false;
  }
  if (a.is === "bool" && (b.is === "bool" || (b.is === "value" && typeof b.value === "boolean"))) {
    const [left, right] = [truth(evaluation, a), truth(evaluation, b)];
    return left === "error" || right === "error" ? "error" : left === right;
  }
  if (a.is === "ordered" && b.is === "ordered" && a.unit === b.unit) return numbersEqual(path, a.sum, b.sum);
  if (a.is === "optional" && b.is === "optional") {
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return areEqual(evaluation, frame, a.value, b.value);
  }
  if (isListLike(a) && isListLike(b)) return listsEqual(evaluation, frame, a, b);
  return unknown(path, a, b);
}

const isNumberLike = (value: unknown): boolean => typeof value === "number" || typeof value === "object";

/** Whether no number in it can be NaN, which equals nothing. JSON has none. */
function equalsItself(value: Symbolic): boolean {
  switch (value.is) {
    case "opaque":
      return !MAY_HOLD_NAN.has(value.type.kind) && value.type.name !== "optional_type";
    case "optional":
      return value.value === undefined || equalsItself(value.value);
    case "map":
    case "list":
    case "scope":
    case "error":
      return false;
    default:
      return true;
  }
}

const MAY_HOLD_NAN: ReadonlySet<string> = new Set(["double", "dyn", "any", "list", "map", "param", "wrapper"]);

function unknown(path: Path, a: Symbolic, b: Symbolic): boolean {
  const [left, right] = [keyOfSymbolic(a), keyOfSymbolic(b)].sort() as [string, string];
  if (left === right && equalsItself(a)) return true;
  return path.decide(`${left} == ${right}`, () => void path.unfollowed.add("=="));
}

export function textIs(path: Path, term: TextTerm, text: string): boolean {
  const fixed = path.fixedText(term);
  if (fixed !== undefined) return fixed === text;
  const key = keyOfSymbolic({ is: "text", text: { ...term, variable: path.texts.root(term.variable) } });
  return path.decide(`${key} is ${JSON.stringify(text)}`, (holds) => path.texts.is(term, text, holds));
}

export function textsEqual(path: Path, a: TextTerm, b: TextTerm): boolean {
  if (path.texts.same(a, b)) return true;
  const [left, right] = [path.fixedText(a), path.fixedText(b)];
  if (left !== undefined) return textIs(path, b, left);
  if (right !== undefined) return textIs(path, a, right);
  const plain = a.steps.length === 0 && b.steps.length === 0;
  const key = [keyOfSymbolic({ is: "text", text: a }), keyOfSymbolic({ is: "text", text: b })].sort().join(" == ");
  return path.decide(key, (holds) => {
    if (!holds) path.texts.differ(a, b);
    else if (plain) path.uniteTexts(a, b);
    else path.related.push({ a, b });
  });
}

/** Whether a text is one of several. */
export function textIn(path: Path, term: TextTerm, texts: readonly string[]): boolean {
  const fixed = path.fixedText(term);
  if (fixed !== undefined) return texts.includes(fixed);
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return textIs(path, term, only);
  const key = keyOfSymbolic({ is: "text", text: { ...term, variable: path.texts.root(term.variable) } });
  return path.decide(`${key} in ${JSON.stringify([...texts].sort())}`, (holds) =>
    path.texts.require(term, oneOf(texts), holds),
  );
}

function nodesEqual(evaluation: Evaluation, frame: Frame, first: Node, second: Node): Truth {
  const { path } = evaluation;
  const [a, b] = [find(first), find(second)];
  if (a === b) return true;
  const number = KIND.int | KIND.double;
  const both = a.kinds & b.kinds;
  if (both === 0 && ((a.kinds & number) === 0 || (b.kinds & number) === 0)) return false;
  if (a.kinds === b.kinds) {
    if (a.kinds === KIND.text) return textsEqual(path, path.textOf(a), path.textOf(b));
    if (a.kinds === KIND.int) return numbersEqual(path, path.numberOf(a), path.numberOf(b));
    if (a.kinds === KIND.bool) return boolOfNode(path, a) === boolOfNode(path, b);
    if (a.kinds === KIND.null) return true;
  }
  if (frame.typed && ((a.kinds | b.kinds) & (KIND.list | KIND.map | KIND.double)) !== 0 && !readsAsIs(a)) {
    return unknown(path, { is: "node", node: a }, { is: "node", node: b });
  }
  return path.decide(`${Math.min(a.id, b.id)} == ${Math.max(a.id, b.id)}`, (holds) => {
    if (holds) unify(path, a, b);
    else path.different.push([a, b]);
  });
}

/** Whether data under a schema is equal exactly if its JSON is. */
function readsAsIs({ shape }: Node, depth = 0): boolean {
  const { schema } = shape;
  if (schema === undefined || depth > 12) return false;
  const plain = (part: typeof schema, level: number): boolean => {
    if (level > 12 || part.listType === "set" || part.listType === "map") return false;
    if (part.type === "number" || part.preserveUnknownFields || part.embeddedResource) return false;
    if (part.type === "string" && part.format !== undefined && part.format !== "uri") return false;
    if (part.items !== undefined && !plain(part.items, level + 1)) return false;
    if (typeof part.additionalProperties === "object" && !plain(part.additionalProperties, level + 1)) return false;
    return [...(part.properties?.values() ?? [])].every((property) => plain(property, level + 1));
  };
  return plain(schema, depth);
}

function nodeEquals(evaluation: Evaluation, frame: Frame, node: Node, other: Symbolic): Truth {
  const { path } = evaluation;
  switch (other.is) {
    case "text":
      return path.isKind(node, KIND.text) && textsEqual(path, path.textOf(node), other.text);
    case "int":
      if (path.isKind(node, KIND.int)) return numbersEqual(path, path.numberOf(node), other.sum);
      return path.isKind(node, KIND.double) && unknown(path, { is: "node", node }, other);
    case "bool": {
      if (!path.isKind(node, KIND.bool)) return false;
      const right = truth(evaluation, other);
      return right === "error" ? right : boolOfNode(path, node) === right;
    }
    case "value":
      return nodeIs(evaluation, frame, node, other.value);
    case "list":
      return path.isKind(node, KIND.list) && listsEqual(evaluation, frame, { is: "node", node }, other);
    case "optional":
    case "ordered":
      return false;
    default:
      return unknown(path, { is: "node", node }, other);
  }
}

function nodeIs(evaluation: Evaluation, frame: Frame, node: Node, value: unknown): Truth {
  const { path } = evaluation;
  if (value === null) return path.isKind(node, KIND.null);
  if (typeof value === "string") return path.isKind(node, KIND.text) && textIs(path, path.textOf(node), value);
  if (typeof value === "boolean") return path.isKind(node, KIND.bool) && boolOfNode(path, node) === value;
  if (isInt(value)) {
    if (path.isKind(node, KIND.int))
      return numbersEqual(path, path.numberOf(node), constant(BigInt(value as number | bigint)));
    return path.isKind(node, KIND.double) && unknown(path, { is: "node", node }, constantOf(value));
  }
  if (isList(value)) {
    const items = toArray(value).map(constantOf);
    return (
      path.isKind(node, KIND.list) &&
      listsEqual(evaluation, frame, { is: "node", node }, { is: "list", parts: [{ of: "items", items }] })
    );
  }
  if (isMap(value)) return path.isKind(node, KIND.map) && mapIs(evaluation, frame, node, value);
  return unknown(path, { is: "node", node }, constantOf(value));
}

function mapIs(evaluation: Evaluation, frame: Frame, node: Node, value: Parameters<typeof mapKeys>[0]): Truth {
  const { path } = evaluation;
  const keys = [...mapKeys(value)];
  if (!numbersEqual(path, path.sizeOf(node), constant(BigInt(keys.length)))) return false;
  for (const key of keys) {
    if (typeof key !== "string") return false;
    const field = path.field(node, key);
    if (field === undefined || !path.isPresent(node, field)) return false;
    const same = nodeIs(evaluation, frame, field, mapFind(value, key));
    if (same !== true) return same;
  }
  return true;
}

function listsEqual(evaluation: Evaluation, frame: Frame, a: Symbolic, b: Symbolic): Truth {
  const { path } = evaluation;
  const known = (list: Symbolic): readonly Symbolic[] | undefined => {
    if (list.is === "value" && isList(list.value)) return toArray(list.value).map(constantOf);
    if (list.is !== "list") return undefined;
    const items = list.parts.map((part) => (part.of === "items" ? part.items : undefined));
    return items.includes(undefined) ? undefined : (items as readonly (readonly Symbolic[])[]).flat();
  };
  const [left, right] = [known(a), known(b)];
  if (left === undefined && right !== undefined) return listsEqual(evaluation, frame, b, a);
  if (left === undefined) return unknown(path, a, b);
  if (!sizeIs(evaluation, b, left.length)) return false;
  if (right === undefined && b.is !== "node") return left.length === 0 ? true : unknown(path, a, b);
  if (frame.typed && b.is === "node" && b.node.shape.schema?.listType === "set")
    return left.length === 0 || unknown(path, a, b);
  for (const [i, item] of left.entries()) {
    const element = right?.[i] ?? elementOf(path, b, i);
    if (element === undefined) return false;
    const same = areEqual(evaluation, frame, item, element);
    if (same !== true) return same;
  }
  return true;
}

function elementOf(path: Path, list: Symbolic, index: number): Symbolic | undefined {
  const node = list.is === "node" ? path.elementAt(list.node, index) : undefined;
  return node && { is: "node", node };
}
