// Variables and selects as code. A select from plain JSON is an inline property read, guarded so that only own properties of plain objects
// are seen; all other values go through types/access.ts.

import type { Attr, ConditionalRoot, KeyQualifier, LazyRoot, Qualifier, StepQualifier } from "../../plan/step.ts";
import { needsCoercion } from "../../types/access.ts";
import { isDataKey } from "../../value/data-property.ts";
import type { Type } from "../../value/type.ts";
import { mayBeOptional, ownCost } from "../interpret/interpret-attr.ts";
import { sizeName } from "../path-memo.ts";
import { boxed, type Emitter, literal, localName, NotCompilable, type Operand, repOf } from "./emit.ts";
import {
  type Data,
  dataRoot,
  dataType,
  emitConverted,
  emitDataPath,
  emitDataPresence,
  emitOptionalData,
} from "./emit-data.ts";
import { asBool, narrow, pass } from "./emit-operand.ts";
import { emitGlobal, emitStraightPresence, emitStraightRead } from "./emit-read.ts";

export function emitAttr(e: Emitter, attr: Attr): Operand {
  const own = ownCost(attr, e.presenceTestCost);
  if (own < 0) throw new NotCompilable("a presence test on a ternary, which takes a charge back");
  const value = e.charging(own, () => resolve(e, attr));
  e.pending += own;
  return value;
}

/** Without the charge for the variable itself. */
function resolve(e: Emitter, attr: Attr): Operand {
  const { root, path } = attr;
  if (root.kind === "conditional") return emitConditional(e, root, attr.type, attr.id);
  const data = dataRoot(e, attr);
  if (data) return resolveData(e, attr, data);
  const base = emitRoot(e, attr);
  if (path.length === 0) return e.reopens && mayBeOptional(root) && base.rep === "boxed" ? emitReopened(e, base) : base;
  return emitPath(e, attr, e.held(base), 0, base.rep === "boxed");
}

/**
 * Reads an attribute as a ternary's branch or an index, where a presence test on optionals returns an optional: the interpreter knows it.
 */
function resolvePart(e: Emitter, attr: Attr): Operand {
  if (e.specification || !attr.test || !attr.path.some(({ optional }) => optional)) return resolve(e, attr);
  e.line("return D;");
  return { code: "undefined", rep: "boxed" };
}

/** An optional is opened and closed again (value/reopen.ts). */
function emitReopened(e: Emitter, base: Operand): Operand {
  const value = e.held(base);
  return e.assign(`${value} instanceof Optional ? reopen(${value}) : ${value}`, "boxed");
}

/** Data is read through as far as a path goes, and converted where it ends or goes on by other means. */
function resolveData(e: Emitter, attr: Attr, from: Data): Operand {
  const { root, path, test } = attr;
  const firstOptional = firstOptionalOf(path);
  const data = emitDataPath(e, attr, from, Math.min(firstOptional, test ? path.length - 1 : path.length));
  const rest = path[data.taken];
  if (test && rest !== undefined && data.taken === path.length - 1 && !rest.optional) {
    const present = emitDataPresence(e, data, rest as KeyQualifier, e.memo.variable(root, path, path.length));
    if (present !== undefined) return { code: present, rep: "bool" };
  }
  if (rest?.optional) return emitOptionalPath(e, data, path.slice(data.taken), attr);
  const value = emitConverted(e, data);
  return rest === undefined ? sized(e, attr, value) : emitPath(e, attr, e.held(value), data.taken, false);
}

/** Reads the range of a loop as data if it is data; undefined for all else, which is emitted as a value. */
export function emitRange(e: Emitter, attr: Attr): Data | undefined {
  const type = dataType(e, attr);
  if (type?.kind !== "list" && type?.kind !== "map") return undefined;
  const own = ownCost(attr, e.presenceTestCost);
  const data = e.charging(own, () => emitDataPath(e, attr, dataRoot(e, attr) as Data, attr.path.length));
  e.pending += own;
  e.line(`if (!${type.kind === "list" ? "Array.isArray" : "isData"}(${data.code})) return D;`);
  return data;
}

const firstOptionalOf = (path: readonly Qualifier[]): number => {
  const index = path.findIndex((qualifier) => qualifier.optional);
  return index < 0 ? path.length : index;
};

/** The selects of an attribute from the one at `from` on, applied to a value. */
function emitPath(e: Emitter, attr: Attr, start: string, from: number, first: boolean): Operand {
  const { root, path } = attr;
  const firstOptional = firstOptionalOf(path);
  const last = path.length - 1;
  const computed = mayBeOptional(root);
  let value = start;
  if (path[from]?.kind === "step" && first) e.line(`if (${value} instanceof Optional) return D;`);
  path.slice(from, firstOptional).forEach((qualifier, index) => {
    const i = from + index;
    const tested = attr.test && i === last;
    const memo = e.memo.variable(root, path, i + 1);
    value = emitQualifier(e, value, {
      qualifier,
      memo,
      tested,
      opened: i < last && path[i + 1]?.kind === "key" && !path[i + 1]?.optional,
      first: index === 0 && first,
      computed,
      id: attr.id,
    });
  });
  if (firstOptional < path.length) return emitOptionalPath(e, value, path.slice(firstOptional), attr);
  if (attr.test) return { code: value, rep: "bool" };
  return sized(e, attr, narrow(e, value, (path.at(-1) as Qualifier).type));
}

/** With the size of a text that is kept. */
function sized(e: Emitter, { root, path }: Attr, value: Operand): Operand {
  const memo = e.memo.variable(root, path, path.length);
  return memo !== undefined && memo === value.code
    ? { ...value, size: `(${sizeName(memo)} ??= codePointCount(${memo}))` }
    : value;
}

function emitRoot(e: Emitter, { root, path, type, id }: Attr): Operand {
  switch (root.kind) {
    case "global": {
      if (root.passesLocals === true) throw new NotCompilable("a variable behind a loop's of the same name");
      const code = emitGlobal(e, root.name, path.length > 0, id);
      if (isConvertedWhole(root.type)) return coerced(e, code, root.type, id);
      return path.length === 0 ? narrow(e, code, type) : { code, rep: "boxed" };
    }
    case "local":
      return { code: localName(root.slot), rep: repOf(root.type) };
    case "lazy":
      return emitLazy(e, root);
    case "value":
      return e.step(root.step);
    default:
      throw new NotCompilable(root.kind);
  }
}

/** A bound name: computed at the first use on each path. Its error would have to be kept, so it deoptimises. */
export function emitLazy(e: Emitter, root: LazyRoot): Operand {
  const code = localName(root.slot);
  e.flush();
  e.line(`if (${code} === UNSET) {`);
  const rep = repOf(root.type);
  e.within({ kind: "deopt" }, () => {
    e.branch(() => {
      const init = e.step(root.init);
      const value = init.rep === rep ? init.code : rep === "boxed" ? boxed(init) : pass(e, init, root.type).code;
      e.line(`${code} = ${value};`);
      e.flush();
    });
  });
  e.line("}");
  return { code, rep };
}

/** `test ? a : b`, kept as the type that the checker found for the whole. */
function emitConditional(e: Emitter, root: ConditionalRoot, type: Type, id: number): Operand {
  const test = asBool(e, e.step(root.test), id);
  e.flush();
  const result = e.temp();
  const rep = repOf(type);
  const branch = (attr: Attr): void => {
    const value = resolvePart(e, attr);
    const held = value.rep === rep ? value.code : rep === "boxed" ? boxed(value) : pass(e, value, type).code;
    e.line(`${result} = ${held};`);
    e.flush();
  };
  e.line(`if (${test}) {`);
  e.branch(() => branch(root.whenTrue));
  e.line("} else {");
  e.branch(() => branch(root.whenFalse));
  e.line("}");
  return { code: result, rep };
}

/** One select or index about to be emitted. */
interface Selection<Q extends Qualifier = Qualifier> {
  readonly qualifier: Q;
  /** The variable that keeps the value for the next time the path occurs. */
  readonly memo: string | undefined;
  readonly tested: boolean;
  /** Another key is selected from the value. */
  readonly opened: boolean;
  /** The value comes straight from a variable or step, and may be an optional that has to be opened first. */
  readonly first: boolean;
  /** A list can hold errors that were inside optionals. */
  readonly computed: boolean;
  readonly id: number;
}

function emitQualifier(e: Emitter, target: string, selection: Selection): string {
  const { qualifier, tested } = selection;
  const { type } = qualifier;
  const index = qualifier.kind === "step" ? e.charging(1, () => emitIndexValue(e, qualifier)) : undefined;
  e.pending += 1;
  if (tested) return emitPresence(e, target, selection as Selection<KeyQualifier>);
  const value =
    index === undefined
      ? emitKey(e, target, selection as Selection<KeyQualifier>)
      : emitIndex(e, target, index, selection as Selection<StepQualifier>);
  return isConvertedWhole(type) ? coerced(e, value, type, selection.id).code : value;
}

/** Types that need a call to convert data, and do so wherever it is read. */
export const isConvertedWhole = (type: Type): boolean =>
  type.adapter ? !type.adapter.deep : type.kind === "timestamp";

/**
 * True when a property of data was not found directly. The object's class is checked after the read: by then the engine
 * knows the object's shape, and the test costs nothing.
 */
const notRead = (e: Emitter, target: string, result: string, property: string): string =>
  `${target} == null || (${result} = ${e.property(target, property)}) === undefined || ${target}.constructor !== Object`;

const openFirst = (target: string, first: boolean): string =>
  first ? `if (${target} instanceof Optional) return D; ` : "";

/** The property that a key is read from directly, if any. */
function propertyOf({ key, field }: KeyQualifier): string | undefined {
  const name = field ? (field.viewed && field.key !== field.name ? undefined : field.key) : key;
  return typeof name === "string" && isDataKey(name) ? name : undefined;
}

function emitKey(e: Emitter, target: string, selection: Selection<KeyQualifier>): string {
  const { qualifier, memo, first, computed, id } = selection;
  const { key, field } = qualifier;
  const property = propertyOf(qualifier);
  if (e.straight && property !== undefined)
    return emitStraightRead(
      e,
      target,
      e.property(target, property),
      memo,
      selection.opened ? "== null" : "=== undefined",
    );
  const found = e.temp();
  const result = memo ?? found;
  const slow = field ? `getField(${target}, ${e.slot(field)})` : `get(${target}, ${keyCode(e, key)})`;
  const failed = `if (${found} instanceof CelError) { ${e.fail(`${found}.at(${id})`)} }`;
  const forget = memo ? `${memo} = undefined; ` : "";
  const read = `${forget}${openFirst(target, first)}${found} = ${slow}; ${failed}${memo ? ` ${memo} = ${found};` : ""}`;
  const known = memo ? `${memo} === undefined && ` : "";
  if (property !== undefined) {
    e.line(`if (${known}(${notRead(e, target, result, property)})) { ${read} }`);
  } else if (!field && typeof key === "number" && key >= 0 && Number.isSafeInteger(key)) {
    e.line(
      `if (${known}(!Array.isArray(${target}) || ${target}.length <= ${key} || (${result} = ${target}[${key}]) === undefined)) { ${read} }`,
    );
    if (computed) e.line(`if (${result} instanceof CelError) { ${e.fail(`${result}.at(${id})`)} }`);
  } else if (memo) {
    e.line(`if (${memo} === undefined) { ${read} }`);
  } else {
    e.line(read);
  }
  return result;
}

function emitPresence(e: Emitter, target: string, { qualifier, memo, first, id }: Selection<KeyQualifier>): string {
  const { key, field } = qualifier;
  const property = propertyOf(qualifier);
  if (e.straight && property !== undefined && !e.specification)
    return emitStraightPresence(e, target, e.property(target, property), memo, "=== undefined");
  const result = e.temp();
  const slow = field ? `hasField(${target}, ${e.slot(field)})` : `has(${target}, ${keyCode(e, key)})`;
  const test = `${openFirst(target, first)}${result} = ${slow}; if (${result} instanceof CelError) { ${e.fail(`${result}.at(${id})`)} }`;
  if (property === undefined) {
    e.line(test);
    return result;
  }
  const known = memo ? `${memo} !== undefined || ` : "";
  const forget = memo ? `${memo} = undefined; ` : "";
  // By the specification, has() on a value without fields is an error, for every kind of object.
  const slowly = e.specification ? "true" : `${target} == null || ${target}.constructor !== Object`;
  e.line(`if (${known}!(${notRead(e, target, memo ?? result, property)})) ${result} = true;`);
  e.line(`else { ${forget}if (${slowly}) { ${test} } else ${result} = false; }`);
  return result;
}

/** `[expression]`: a variable path inside is not charged for its variable. */
function emitIndex(e: Emitter, target: string, index: string, { first, id }: Selection<StepQualifier>): string {
  const result = e.temp();
  e.line(
    `${openFirst(target, first)}${result} = get(${target}, ${index}); if (${result} instanceof CelError) { ${e.fail(`${result}.at(${id})`)} }`,
  );
  return result;
}

export function emitIndexValue(e: Emitter, { step }: StepQualifier): string {
  const index = step.op === "attr" ? resolvePart(e, step) : e.step(step);
  if (index.rep === "boxed") e.line(`if (!isQualifier(${index.code})) return D;`);
  return boxed(index);
}

/** From the first optional select on, an absent value ends the path with none, uncharged. */
function emitOptionalPath(e: Emitter, start: string | Data, path: readonly Qualifier[], attr: Attr): Operand {
  const result = e.temp();
  const label = e.label();
  e.flush();
  e.line(`${result} = ${attr.test ? "false" : "Optional.none"}; ${label}: {`);
  let data = typeof start === "string" ? undefined : start;
  let value = typeof start === "string" ? start : start.code;
  if (!data && path.length === attr.path.length) e.line(`if (${value} instanceof Optional) return D;`);
  e.branch(() =>
    path.forEach((qualifier, i) => {
      const absent = `${e.pending > 0 ? `c += ${e.pending}; ` : ""}break ${label};`;
      const part =
        data && !(attr.test && i === path.length - 1) ? emitOptionalData(e, data, qualifier, absent) : undefined;
      if (part) {
        data = part;
        e.pending += 1;
        return;
      }
      if (data) value = boxed(emitConverted(e, data));
      data = undefined;
      const tested = attr.test && i === path.length - 1;
      const next = e.temp();
      const index = qualifier.kind === "step" ? emitIndexValue(e, qualifier) : undefined;
      e.line(`${next} = ${optionalRead(e, value, qualifier, index, tested)};`);
      const charge = e.pending > 0 ? `c += ${e.pending}; ` : "";
      e.line(`if (${next} === ${tested ? "false" : "undefined"}) { ${charge}break ${label}; }`);
      e.line(`if (${next} instanceof CelError) { ${e.fail(`${next}.at(${attr.id})`)} }`);
      e.pending += 1;
      value = !tested && needsCoercion(qualifier.type) ? coerced(e, next, qualifier.type, attr.id).code : next;
    }),
  );
  if (data) value = boxed(emitConverted(e, data));
  e.line(`${result} = ${attr.test ? value : `Optional.of(${value})`};`);
  e.flush();
  e.line("}");
  return { code: result, rep: attr.test ? "bool" : "boxed" };
}

function optionalRead(
  e: Emitter,
  target: string,
  qualifier: Qualifier,
  index: string | undefined,
  tested: boolean,
): string {
  if (qualifier.kind === "step") return `find(${target}, ${index})`;
  const { field, key } = qualifier;
  if (field) return `${tested ? "hasField" : "findField"}(${target}, ${e.slot(field)})`;
  return `${tested ? "has" : "find"}(${target}, ${keyCode(e, key)})`;
}

/** Data of a type that converts its parts. */
function coerced(e: Emitter, code: string, type: Type, id: number): Operand {
  const result = e.assign(`coerce(${e.slot(type)}, ${code})`, "boxed");
  e.line(`if (${result.code} instanceof CelError) { ${e.fail(`${result.code}.at(${id})`)} }`);
  return result;
}

function keyCode(e: Emitter, key: unknown): string {
  if (typeof key === "string") return literal(key);
  return typeof key === "number" || typeof key === "boolean" ? String(key) : e.slot(key);
}
