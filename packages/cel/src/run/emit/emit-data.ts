// Paths through data of types that convert deeply (see `Adapter.deep`) as code: every select is a read of plain JSON, and only the end of a
// path becomes a value. Data of another type than declared deoptimises: the interpreter, which converts at every step, words the error.

import type { Attr, KeyQualifier, Qualifier, Root, StepQualifier } from "../../plan/step.ts";
import { needsCoercion } from "../../types/access.ts";
import type { Field } from "../../types/provider.ts";
import { isDataKey } from "../../value/data-property.ts";
import type { Type } from "../../value/type.ts";
import { type Emitter, literal, localName, type Operand, repOf } from "./emit.ts";
import { narrow } from "./emit-operand.ts";
import { type Absent, emitGlobal, emitStraightPresence, emitStraightRead } from "./emit-read.ts";

/** A piece of data in a variable. */
export interface Data {
  readonly code: string;
  readonly type: Type;
}

const isDeep = (type: Type): boolean => type.adapter?.deep === true;

/** The variable that an attribute begins at, when it holds data of a deep type. */
export function dataRoot(e: Emitter, { root, path, id }: Attr): Data | undefined {
  const type = rootType(e, root);
  if (type === undefined) return undefined;
  if (root.kind === "local") return { code: localName(root.slot), type };
  const { name } = root as { readonly name: string };
  return { code: emitGlobal(e, name, path.length > 0, id), type };
}

function rootType(e: Emitter, root: Root): Type | undefined {
  const isData =
    root.kind === "global"
      ? isDeep(root.type) && root.passesLocals !== true
      : root.kind === "local" && e.dataSlots.has(root.slot);
  return isData ? (root as { readonly type: Type }).type : undefined;
}

/** The type that a select reads from data of `type`; undefined if it does not read data. */
function partType(type: Type, qualifier: Qualifier): Type | undefined {
  if (!isDeep(type)) return undefined;
  const key = qualifier.kind === "key" ? qualifier.key : undefined;
  switch (type.kind) {
    case "struct":
      return qualifier.kind === "key" && qualifier.field?.key !== undefined ? qualifier.field.type : undefined;
    case "map":
      return key === undefined || typeof key === "string" ? type.params[1] : undefined;
    case "list":
      return key === undefined || (typeof key === "number" && Number.isSafeInteger(key)) ? type.params[0] : undefined;
    default:
      return undefined;
  }
}

/** The type of the data that a whole attribute leads to; undefined when it is not all a path through data. */
export function dataType(e: Emitter, attr: Attr): Type | undefined {
  let type = attr.test ? undefined : rootType(e, attr.root);
  for (const qualifier of attr.path) type = type && !qualifier.optional ? partType(type, qualifier) : undefined;
  return type && isDeep(type) ? type : undefined;
}

/** Reads through data, as many of the first `length` selects as there are reads of data. */
export function emitDataPath(
  e: Emitter,
  { root, path, id }: Attr,
  from: Data,
  length: number,
): Data & { readonly taken: number } {
  let { code, type } = from;
  let taken = 0;
  while (taken < length) {
    const qualifier = path[taken] as Qualifier;
    const part = partType(type, qualifier);
    if (part === undefined) break;
    taken++;
    const index = qualifier.kind === "step" ? e.charging(1, () => indexCode(e, qualifier)) : undefined;
    e.pending += 1;
    code =
      qualifier.kind === "key"
        ? readKey(e, { code, type }, qualifier, e.memo.variable(root, path, taken), id)
        : readIndex(e, { code, type }, index as string, id);
    type = part;
  }
  return { code, type, taken };
}

/**
 * True when a property was not found directly, in which case the object may not be data. Its class is checked after the read: by
 * then the engine knows the object's shape, and the test costs nothing.
 */
const notRead = (target: string, read: string, absent: string): string =>
  `${target} == null || (${read}) ${absent} || ${target}.constructor !== Object`;

/** The read of a property, as own property only where JavaScript has something else of that name. */
export const propertyCode = (e: Emitter, target: string, key: string): string =>
  isDataKey(key) ? e.property(target, key) : `ownData(${target}, ${literal(key)})`;

function readKey(
  e: Emitter,
  { code, type }: Data,
  { key, field }: KeyQualifier,
  memo: string | undefined,
  id: number,
): string {
  const result = memo ?? e.temp();
  if (type.kind === "list") {
    const failed = `if (${result} instanceof CelError) { ${e.fail(`${result}.at(${id})`)} }`;
    e.line(
      `if (!Array.isArray(${code})) return D; ${result} = ${key} < ${code}.length ? ${code}[${key}] : undefined; if (${result} === undefined) { ${result} = get(${code}, ${key}); ${failed} }`,
    );
    return result;
  }
  const absent = absence(field);
  const property = field?.key ?? (key as string);
  if (e.straight) return emitStraightRead(e, code, propertyCode(e, code, property), memo, absent);
  const known = memo ? `${memo} ${absent} && ` : "";
  const missing = e.fail(`noKey(${literal(field?.name ?? property)}).at(${id})`);
  e.line(
    `if (${known}(${notRead(code, `${result} = ${propertyCode(e, code, property)}`, absent)})) { if (!isData(${code})) return D; if (${result} ${absent}) { ${missing} } }`,
  );
  return result;
}

const absence = (field: Field | undefined): Absent => (field?.nullIsAbsent ? "== null" : "=== undefined");

const indexCode = (e: Emitter, qualifier: StepQualifier): string => e.assign(e.index(qualifier), "boxed").code;

function readIndex(e: Emitter, { code, type }: Data, index: string, id: number): string {
  const result = e.temp();
  const isList = type.kind === "list";
  e.line(
    `if (typeof ${index} !== "${isList ? "number" : "string"}" || !${isList ? `Array.isArray(${code})` : `isData(${code})`}) return D;`,
  );
  e.line(`${result} = get(${code}, ${index}); if (${result} instanceof CelError) { ${e.fail(`${result}.at(${id})`)} }`);
  return result;
}

/** `has(data.key)`: undefined if it is not about data. A value that exists must have its type. */
export function emitDataPresence(
  e: Emitter,
  { code, type }: Data,
  qualifier: KeyQualifier,
  memo: string | undefined,
): string | undefined {
  const part = partType(type, qualifier);
  if (part === undefined || type.kind === "list") return undefined;
  e.pending += 1;
  const { key, field } = qualifier;
  const property = field?.key ?? (key as string);
  const absent = absence(field);
  const found = memo ?? e.temp();
  if (e.straight) {
    const present = emitStraightPresence(e, code, propertyCode(e, code, property), found, absent);
    e.line(`if (${present} && !(${isOfType(e, found, part)})) return D;`);
    return present;
  }
  const result = e.temp();
  e.line(
    `if ((${notRead(code, `${found} = ${propertyCode(e, code, property)}`, absent)}) && !isData(${code})) return D;`,
  );
  e.line(
    `if (${found} ${absent}) ${result} = false; else if (${isOfType(e, found, part)}) ${result} = true; else return D;`,
  );
  return result;
}

/** Code that checks whether data has a type, so that it can be converted. */
export function isOfType(e: Emitter, code: string, type: Type): string {
  const converts = `!(coerce(${e.slot(type)}, ${code}) instanceof CelError)`;
  if (!isDeep(type)) return converts;
  switch (type.kind) {
    case "list":
      return `Array.isArray(${code})`;
    case "map":
    case "struct":
      return `typeof ${code} === "object" && !Array.isArray(${code}) && !(${code} instanceof CelObject || ${code} instanceof Uint8Array)`;
    case "double":
      return `typeof ${code} === "number" || ${converts}`;
    case "string":
    case "bool":
    case "int":
      return isOfKind(code, type.kind);
    default:
      return type.adapter?.asIs
        ? `${type.adapter.asIs.map((kind) => isOfKind(code, kind)).join(" || ")} || ${converts}`
        : converts;
  }
}

function isOfKind(code: string, kind: "string" | "int" | "bool"): string {
  if (kind === "int")
    return `Number.isSafeInteger(${code}) || (typeof ${code} === "bigint" && !isSmallBigint(${code}))`;
  return `typeof ${code} === "${kind === "bool" ? "boolean" : kind}"`;
}

/** Data at the end of a path as a value: as it is where its kind says all, converted otherwise. */
export function emitConverted(e: Emitter, { code, type }: Data): Operand {
  if (repOf(type) !== "boxed" || (!type.adapter && !needsCoercion(type))) return narrow(e, code, type);
  const result = e.temp();
  const asIs = type.adapter?.asIs?.map((kind) => isOfKind(code, kind)).join(" || ");
  const convert = `{ ${result} = coerce(${e.slot(type)}, ${code}); if (${result} instanceof CelError) return D; }`;
  e.line(asIs ? `if (${asIs}) ${result} = ${code}; else ${convert}` : convert);
  return { code: result, rep: "boxed" };
}

/** A select by key that may find nothing: `absent` is what to do then. Undefined when it is no read of data. */
export function emitOptionalData(
  e: Emitter,
  { code, type }: Data,
  qualifier: Qualifier,
  absent: string,
): Data | undefined {
  const part = partType(type, qualifier);
  if (part === undefined || type.kind === "list" || qualifier.kind !== "key") return undefined;
  const { key, field } = qualifier;
  const found = e.temp();
  const property = propertyCode(e, code, field?.key ?? (key as string));
  const missing = absence(field);
  e.line(`if ((${notRead(code, `${found} = ${property}`, missing)}) && !isData(${code})) return D;`);
  e.line(`if (${found} ${missing}) { ${absent} }`);
  e.line(`if (!(${isOfType(e, found, part)})) return D;`);
  return { code: found, type: part };
}

/** Whether a loop variable can hold data unconverted: its parts, or the variable itself, are converted when used. */
export const staysData = (type: Type): boolean =>
  isDeep(type) && (type.kind === "struct" || type.kind === "list" || type.kind === "map");
