// FieldsV1: a set of fields as managedFields has it. `{"f:spec":{"f:replicas":{}}}`; a member with members below it has a dot.
// Unknown kinds of steps are dropped, as the API server drops them. Upstream: structured-merge-diff fieldpath/serialize.go.

import { BoundedMap } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { isMap, type JsonMap, setOwn } from "../value/value.ts";
import { FieldSet } from "./field-set.ts";
import { compareElements, readElement } from "./path-element.ts";

/** The same object read again is read once. */
const known = new WeakMap<object, FieldSet>();
/** And the same set written again is written once. Sets are not changed once they are handed out. */
const written = new WeakMap<FieldSet, JsonMap>();

/** Reads a set of fields as managedFields has it. */
export function readFieldsV1(json: unknown): FieldSet | Invalid {
  if (json === undefined || json === null) return new FieldSet();
  if (!isMap(json)) return new Invalid("error decoding set: expected an object");
  const read = known.get(json);
  if (read !== undefined) return read;
  const { set, problem } = readLevel(json, 0);
  if (problem !== undefined) return new Invalid(`error decoding set: ${problem}`);
  const found = set ?? new FieldSet();
  known.set(json, found);
  return found;
}

interface Level {
  /** Undefined where nothing is below. */
  readonly set: FieldSet | undefined;
  readonly member: boolean;
  readonly problem?: string;
}

/** Objects in a cluster are not deeper; a text that is must not end the process. */
const DEPTH_LIMIT = 1000;

function readLevel(json: JsonMap, depth: number): Level {
  if (depth > DEPTH_LIMIT) return { set: undefined, member: false, problem: "too deep" };
  let set: FieldSet | undefined;
  let member = false;
  for (const key in json) {
    if (!Object.hasOwn(json, key)) continue;
    if (key === ".") {
      member = true;
      continue;
    }
    const element = readElement(key);
    if (element === undefined) continue;
    if (element instanceof Invalid) return { set, member, problem: `parsing key as path element: ${element.message}` };
    const value = json[key];
    if (value !== null && !isMap(value)) return { set, member, problem: `expected an object below ${key}` };
    const below = readLevel(value ?? {}, depth + 1);
    if (below.problem !== undefined) return below;
    set ??= new FieldSet();
    const before = set.nodes.get(element);
    set.nodes.set(element, {
      member: below.member || before?.member === true,
      children: below.set ?? before?.children,
    });
  }
  return { set, member: member || set === undefined };
}

/** The texts of sets that were written lately, by their content: objects of one template have the same fields. */
const lately = new BoundedMap<string, JsonMap>(256);
const KEPT_LENGTH = 8192;

/** Writes a set of fields as managedFields has it. */
export function writeFieldsV1(set: FieldSet): JsonMap {
  let json = written.get(set);
  if (json === undefined) {
    const text = textOf(set);
    json = lately.get(text);
    if (json === undefined) {
      json = writeLevel(set, false);
      known.set(json, set);
      if (text.length <= KEPT_LENGTH) lately.set(text, json);
    }
    written.set(set, json);
  }
  return json;
}

/** A text that identifies the set. Steps may have any characters, so their lengths say where they end. */
function textOf({ nodes }: FieldSet): string {
  let text = "";
  for (const [element, { member, children }] of nodes) {
    text += element.length + (member ? "+" : "-") + element;
    if (children !== undefined) text += `(${textOf(children)})`;
  }
  return text;
}

function writeLevel(set: FieldSet, includeSelf: boolean): JsonMap {
  const json: Record<string, unknown> = {};
  if (includeSelf && set.nodes.size > 0) json["."] = {};
  const elements = [...set.nodes.keys()];
  if (elements.length > 1) elements.sort(compareElements);
  for (const element of elements) {
    const { member, children } = set.nodes.get(element)!;
    setOwn(json, element, children === undefined ? {} : writeLevel(children, member));
  }
  return json;
}
