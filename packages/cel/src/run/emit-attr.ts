// Variables and selects as code. A select from plain JSON is an inline property read, guarded so that only own properties
// of plain objects are seen; whatever else it meets goes through run/access.ts.

import type { Attr, ConditionalRoot, KeyQualifier, LazyRoot, Qualifier, StepQualifier } from "../plan/step.ts";
import type { Type } from "../types/type.ts";
import { needsCoercion } from "./access.ts";
import { ownCost } from "./interpret-attr.ts";
import { asBool, emitStep, narrow } from "./emit-step.ts";
import { boxed, type Emitter, literal, localName, NotCompilable, type Operand, repOf } from "./emit.ts";

export function emitAttr(e: Emitter, attr: Attr): Operand {
  e.pending += ownCost(attr, e.presenceTestCost);
  return resolve(e, attr);
}

/** Without the charge for the variable itself. */
function resolve(e: Emitter, attr: Attr): Operand {
  const { root, path } = attr;
  if (root.kind === "conditional") return emitConditional(e, root, attr.type, attr.id);
  const base = emitRoot(e, attr);
  if (path.length === 0) return base;
  const firstOptional = path.findIndex((qualifier) => qualifier.optional);
  const plain = firstOptional < 0 ? path : path.slice(0, firstOptional);
  let value = e.held(base);
  plain.forEach((qualifier, i) => {
    const tested = attr.test && i === path.length - 1;
    value = emitQualifier(e, value, qualifier, tested, i === 0 && mayBeOptional(base), attr.id);
  });
  if (firstOptional >= 0) return emitOptionalPath(e, value, path.slice(firstOptional), attr);
  return attr.test ? { code: value, rep: "bool" } : narrow(e, value, attr.type);
}

const mayBeOptional = (base: Operand): boolean => base.rep === "boxed";

function emitRoot(e: Emitter, { root, path, type }: Attr): Operand {
  switch (root.kind) {
    case "global": {
      const code = e.global(root.name);
      e.line(`if (${code} === undefined) { ${e.fail(`noAttribute(${literal(root.name)})`)} }`);
      if (root.type.adapter || root.type.kind === "timestamp") return coerced(e, code, root.type);
      return path.length === 0 ? narrow(e, code, type) : { code, rep: "boxed" };
    }
    case "local":
      return { code: localName(root.slot), rep: repOf(root.type) };
    case "lazy":
      return emitLazy(e, root);
    case "value":
      return emitStep(e, root.step);
    default:
      throw new NotCompilable(root.kind);
  }
}

/** A bound name: computed at the first use on each path. Its error would have to be kept, so it deoptimises. */
function emitLazy(e: Emitter, root: LazyRoot): Operand {
  const code = localName(root.slot);
  e.flush();
  e.line(`if (${code} === UNSET) {`);
  const rep = repOf(root.type);
  e.within({ kind: "deopt" }, () => {
    const init = emitStep(e, root.init);
    const value = init.rep === rep ? init.code : rep === "boxed" ? boxed(init) : narrow(e, e.assign(boxed(init), "boxed").code, root.type).code;
    e.line(`${code} = ${value};`);
    e.flush();
  });
  e.line("}");
  return { code, rep };
}

/** `test ? a : b`, held as the checker typed the whole. */
function emitConditional(e: Emitter, root: ConditionalRoot, type: Type, id: number): Operand {
  const test = asBool(e, emitStep(e, root.test), id);
  e.flush();
  const result = e.temp();
  const rep = repOf(type);
  const branch = (attr: Attr): void => {
    const value = resolve(e, attr);
    const held = value.rep === rep ? value.code : rep === "boxed" ? boxed(value) : narrow(e, e.assign(boxed(value), "boxed").code, type).code;
    e.line(`${result} = ${held};`);
    e.flush();
  };
  e.line(`if (${test}) {`);
  branch(root.then);
  e.line("} else {");
  branch(root.else);
  e.line("}");
  return { code: result, rep };
}

function emitQualifier(e: Emitter, target: string, qualifier: Qualifier, tested: boolean, root: boolean, id: number): string {
  e.pending += 1;
  const unwrap = root ? `if (${target} instanceof Optional) return D; ` : "";
  if (qualifier.kind === "step") return emitIndex(e, target, qualifier, unwrap, id);
  const value = tested ? emitPresence(e, target, qualifier, unwrap, id) : emitKey(e, target, qualifier, unwrap, id);
  return !tested && (qualifier.type.adapter || qualifier.type.kind === "timestamp") ? coerced(e, value, qualifier.type).code : value;
}

/** Names that plain objects inherit; they are read through access.ts, which looks at own properties only. */
const inherited = (key: string): boolean => key in Object.prototype;

const notPlain = (target: string): string => `${target} === null || typeof ${target} !== "object" || ${target}.__proto__ !== OBJECT`;

function emitKey(e: Emitter, target: string, { key, field }: KeyQualifier, unwrap: string, id: number): string {
  const result = e.temp();
  const name = field ? field.key : typeof key === "string" ? key : undefined;
  const slow = field ? `getField(${target}, ${e.slot(field)})` : `get(${target}, ${keyCode(e, key)})`;
  const read = `${unwrap}${result} = ${slow}; if (${result} instanceof CelError) { ${e.fail(`${result}.at(${id})`)} }`;
  if (name !== undefined && !inherited(name)) {
    e.line(`if (${notPlain(target)} || (${result} = ${target}[${literal(name)}]) === undefined) { ${read} }`);
  } else if (!field && typeof key === "number" && key >= 0 && Number.isSafeInteger(key)) {
    e.line(`if (!Array.isArray(${target}) || (${result} = ${target}[${key}]) === undefined) { ${read} }`);
  } else {
    e.line(read);
  }
  return result;
}

function emitPresence(e: Emitter, target: string, { key, field }: KeyQualifier, unwrap: string, id: number): string {
  const result = e.temp();
  const name = field ? field.key : typeof key === "string" ? key : undefined;
  const slow = field ? `hasField(${target}, ${e.slot(field)})` : `has(${target}, ${keyCode(e, key)})`;
  const test = `${unwrap}${result} = ${slow}; if (${result} instanceof CelError) { ${e.fail(`${result}.at(${id})`)} }`;
  if (name !== undefined && !inherited(name)) {
    e.line(`if (${notPlain(target)}) { ${test} } else ${result} = ${target}[${literal(name)}] !== undefined;`);
  } else {
    e.line(test);
  }
  return result;
}

/** `[expression]`: a variable path inside is not charged for its variable. */
function emitIndex(e: Emitter, target: string, { step, type }: StepQualifier, unwrap: string, id: number): string {
  const index = emitIndexValue(e, { step, type } as StepQualifier);
  const result = e.temp();
  e.line(`${unwrap}${result} = get(${target}, ${index}); if (${result} instanceof CelError) { ${e.fail(`${result}.at(${id})`)} }`);
  return type.adapter || type.kind === "timestamp" ? coerced(e, result, type).code : result;
}

function emitIndexValue(e: Emitter, { step }: StepQualifier): string {
  const index = step.op === "attr" && !step.test ? resolve(e, step) : emitStep(e, step);
  if (index.rep === "boxed") e.line(`if (!isQualifier(${index.code})) return D;`);
  return boxed(index);
}

/** From the first optional select on: what is absent ends the path with none, uncharged. */
function emitOptionalPath(e: Emitter, start: string, path: readonly Qualifier[], attr: Attr): Operand {
  const result = e.temp();
  const label = e.label();
  e.flush();
  e.line(`${result} = ${attr.test ? "false" : "Optional.none"}; ${label}: {`);
  if (path.length === attr.path.length) e.line(`if (${start} instanceof Optional) return D;`);
  let value = start;
  path.forEach((qualifier, i) => {
    const tested = attr.test && i === path.length - 1;
    const next = e.temp();
    const index = qualifier.kind === "step" ? emitIndexValue(e, qualifier) : undefined;
    e.line(`${next} = ${optionalRead(e, value, qualifier, index, tested)};`);
    const charge = e.pending > 0 ? `c += ${e.pending}; ` : "";
    e.line(`if (${next} === ${tested ? "false" : "undefined"}) { ${charge}break ${label}; }`);
    e.line(`if (${next} instanceof CelError) { ${e.fail(`${next}.at(${attr.id})`)} }`);
    e.pending += 1;
    value = !tested && needsCoercion(qualifier.type) ? coerced(e, next, qualifier.type).code : next;
  });
  e.line(`${result} = ${attr.test ? value : `Optional.of(${value})`};`);
  e.flush();
  e.line("}");
  return { code: result, rep: attr.test ? "bool" : "boxed" };
}

function optionalRead(e: Emitter, target: string, qualifier: Qualifier, index: string | undefined, tested: boolean): string {
  if (qualifier.kind === "step") return `find(${target}, ${index})`;
  const { field, key } = qualifier;
  if (field) return `${tested ? "hasField" : "findField"}(${target}, ${e.slot(field)})`;
  return `${tested ? "has" : "find"}(${target}, ${keyCode(e, key)})`;
}

/** Data of a type that converts what it reads. */
function coerced(e: Emitter, code: string, type: Type): Operand {
  const result = e.assign(`coerce(${e.slot(type)}, ${code})`, "boxed");
  e.line(`if (${result.code} instanceof CelError) { ${e.fail(result.code)} }`);
  return result;
}

function keyCode(e: Emitter, key: unknown): string {
  if (typeof key === "string") return literal(key);
  return typeof key === "number" || typeof key === "boolean" ? String(key) : e.slot(key);
}
