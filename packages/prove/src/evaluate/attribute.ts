// Variables and selections from them, with the meaning of run/interpret/interpret-attr.ts of the engine: presence tests, optional
// selection, and the errors for values without members.

import { DYN, type Type } from "@celadon/cel";
import type { Attr, Qualifier } from "@celadon/cel/plan";
import { isList, isMap, listGet, listSize, mapFind } from "@celadon/cel/values";
import { GaveUp, INFEASIBLE } from "../path/choices.ts";
import { boolOf, constantOf, ERROR, type Symbolic } from "../path/symbolic.ts";
import { find, KIND, Node } from "../tree/node.ts";
import { areEqual, textIs, textsEqual } from "./equality.ts";
import { type Evaluation, type Frame, keyOfSymbolic, opaque, truth, UNSET } from "./evaluation.ts";
import { elementAt } from "./lists.ts";

/** The attribute as a separate expression: a presence test tells whether an optional has a value. */
export function readAttribute(evaluation: Evaluation, attr: Attr, frame: Frame): Symbolic {
  const value = resolve(evaluation, attr, frame);
  return attr.test && value.is === "optional" ? boolOf(value.value !== undefined) : value;
}

function resolve(evaluation: Evaluation, attr: Attr, frame: Frame): Symbolic {
  const { root } = attr;
  if (root.kind === "conditional") {
    const test = truth(evaluation, evaluation.run(root.test, frame));
    if (test === "error") return ERROR;
    return resolve(evaluation, test ? root.whenTrue : root.whenFalse, frame);
  }
  const base = rootOf(evaluation, attr, frame);
  return base.is === "error" ? base : applyPath(evaluation, attr, frame, base);
}

function rootOf(evaluation: Evaluation, { root }: Attr, frame: Frame): Symbolic {
  switch (root.kind) {
    case "global": {
      const value = frame.variables(root.name);
      return value === undefined ? ERROR : converted(evaluation, value, root.type, frame);
    }
    case "local":
      return known(frame.locals[root.slot]);
    case "lazy": {
      const value = frame.locals[root.slot];
      if (value !== UNSET && value !== undefined) return value;
      const made = evaluation.run(root.init, frame);
      frame.locals[root.slot] = made;
      return made;
    }
    case "value":
      return evaluation.run(root.step, frame);
    default:
      throw new GaveUp("an expression that was not type-checked");
  }
}

function known(value: Symbolic | typeof UNSET | undefined): Symbolic {
  if (value === undefined || value === UNSET) throw new Error("a local name without a value");
  return value;
}

function applyPath(evaluation: Evaluation, attr: Attr, frame: Frame, start: Symbolic): Symbolic {
  let value = start;
  let optional = false;
  if (value.is === "optional") {
    if (attr.path.length === 0) return value;
    if (value.value === undefined) return value;
    optional = true;
    value = value.value;
  }
  for (const [i, qualifier] of attr.path.entries()) {
    optional ||= qualifier.optional;
    const tests = attr.test && i === attr.path.length - 1;
    const next = select(evaluation, value, qualifier, frame);
    if (next?.is === "error") return next;
    if (tests && !optional) return boolOf(next !== undefined);
    if (next === undefined) return optional ? { is: "optional", value: undefined } : ERROR;
    value = converted(evaluation, next, qualifier.type, frame);
    if (value.is === "error") return value;
  }
  return optional ? { is: "optional", value } : value;
}

/** A member or element; undefined if it is absent. */
function select(evaluation: Evaluation, target: Symbolic, qualifier: Qualifier, frame: Frame): Symbolic | undefined {
  if (qualifier.kind === "key") {
    const { field, key } = qualifier;
    const name = field?.key ?? (field === undefined ? key : field.name);
    const found = member(evaluation, frame, target, constantOf(name));
    const nullIsAbsent = field?.nullIsAbsent === true && found?.is === "node";
    return nullIsAbsent && evaluation.path.isKind(found.node, KIND.null) ? undefined : found;
  }
  const key = evaluation.run(qualifier.step, frame);
  return key.is === "error" ? key : member(evaluation, frame, target, key);
}

export function member(evaluation: Evaluation, frame: Frame, target: Symbolic, key: Symbolic): Symbolic | undefined {
  const { path } = evaluation;
  switch (target.is) {
    case "node":
      return memberOfNode(evaluation, target.node, key);
    case "scope":
      return key.is === "value" && typeof key.value === "string" ? target.read(key.value) : ERROR;
    case "value":
      return memberOfValue(evaluation, target.value, key, target);
    case "list":
      return indexed(evaluation, target, key);
    case "map": {
      for (const [name, value] of target.entries) {
        const same = areEqual(evaluation, frame, name, key);
        if (same === "error") return ERROR;
        if (same) return value;
      }
      return undefined;
    }
    case "opaque": {
      const name = `${target.key}.${keyOfSymbolic(key)}`;
      path.unfollowed.add(target.why);
      if (!path.decide(`${name} exists`)) return undefined;
      return { is: "opaque", type: DYN, key: name, why: target.why };
    }
    case "optional":
      throw new GaveUp("an optional value inside another value");
    case "error":
      return target;
    default:
      return undefined;
  }
}

function memberOfValue(evaluation: Evaluation, value: unknown, key: Symbolic, target: Symbolic): Symbolic | undefined {
  if (isList(value)) return indexed(evaluation, target, key);
  if (!isMap(value)) return undefined;
  if (key.is === "value") {
    const found = mapFind(value, key.value);
    return found === undefined ? undefined : constantOf(found);
  }
  const name = `${keyOfSymbolic(target)}[${keyOfSymbolic(key)}]`;
  throw new GaveUp(name);
}

/** An element by its index; a list has no members by name. */
function indexed(evaluation: Evaluation, list: Symbolic, key: Symbolic): Symbolic | undefined {
  if (key.is === "value" && typeof key.value === "number") {
    if (list.is === "value" && isList(list.value)) {
      return key.value < listSize(list.value) && key.value >= 0
        ? constantOf(listGet(list.value, key.value))
        : undefined;
    }
    if (key.value < 0) return undefined;
    const element = elementAt(evaluation, list, key.value);
    return element.is === "error" ? undefined : element;
  }
  if (key.is === "value") return ERROR;
  throw new GaveUp("an index that is computed");
}

function memberOfNode(evaluation: Evaluation, node: Node, key: Symbolic): Symbolic | undefined {
  const { path } = evaluation;
  if (path.isKind(node, KIND.map)) {
    if (key.is !== "value") return memberByText(evaluation, node, key);
    if (typeof key.value !== "string") return undefined;
    const field = path.field(node, key.value);
    return field !== undefined && path.isPresent(node, field) ? { is: "node", node: field } : undefined;
  }
  if (!path.isKind(node, KIND.list)) return undefined;
  if (key.is === "node" && path.isKind(key.node, KIND.text)) return ERROR;
  if (key.is === "text") return ERROR;
  return indexed(evaluation, { is: "node", node }, key);
}

/** A member with a name that is no constant: a known one, another, or none. */
function memberByText(evaluation: Evaluation, given: Node, key: Symbolic): Symbolic | undefined {
  const { path } = evaluation;
  if (key.is === "node" && !path.isKind(key.node, KIND.text)) return undefined;
  if (key.is !== "node" && key.is !== "text") throw new GaveUp("a key that is computed");
  const text = key.is === "node" ? path.textOf(key.node) : key.text;
  const node = find(given);
  for (const name of new Set([...node.fields.keys(), ...node.shape.names])) {
    if (!textIs(path, text, name)) continue;
    const field = path.field(node, name);
    return field !== undefined && path.isPresent(node, field) ? { is: "node", node: field } : undefined;
  }
  for (const entry of node.entries)
    if (entry.key instanceof Node && textsEqual(path, path.textOf(entry.key), text)) return { is: "node", node: entry };
  if (node.shape.values !== undefined && path.choose(2) === 0) {
    const entry = path.addEntry(node);
    if (entry.key instanceof Node && textsEqual(path, path.textOf(entry.key), text)) return { is: "node", node: entry };
    throw INFEASIBLE;
  }
  path.forAll(node, {
    except: [],
    check: (part) => {
      const same =
        part.key instanceof Node
          ? textsEqual(path, path.textOf(part.key), text)
          : part.key !== undefined && textIs(path, text, part.key);
      if (same) throw INFEASIBLE;
    },
  });
  return undefined;
}

/** Data under a declared type becomes a value of that type. */
function converted(evaluation: Evaluation, value: Symbolic, type: Type, frame: Frame): Symbolic {
  if (value.is !== "node") return value;
  const { path } = evaluation;
  const { node } = value;
  switch (type.kind) {
    case "timestamp":
    case "duration": {
      if (!frame.typed) return value;
      const text = path.textOf(node);
      const key = `${type.kind}(${keyOfSymbolic({ is: "text", text: { ...text, variable: path.texts.root(text.variable) } })})`;
      path.unfollowed.add(`the ${type.kind} in ${node.label}`);
      path.numbers.declare(key, ORDERED);
      return { is: "ordered", unit: type.kind, sum: { factors: new Map([[key, 1n]]), constant: 0n }, key };
    }
    case "bytes":
    case "double":
    case "uint":
      if (!frame.typed) return value;
      return opaque(evaluation, type, `${type.kind}(${keyOfSymbolic(value)})`, `the ${type.kind} in ${node.label}`);
    default:
      return value;
  }
}

/** Wider than any quantity, duration or time in the smallest unit. */
export const ORDERED: { readonly least: bigint; readonly most: bigint } = { least: -(10n ** 60n), most: 10n ** 60n };
