// Constant folding, exactly as far as the reference implementation folds: list and map literals of constants, conversions
// of constants, membership in constant lists, constant patterns. More would change what evaluations cost.

import { dispatch, fits } from "../call/dispatch.ts";
import { CelMap } from "../value/collection/map.ts";
import { type CelError, isError } from "../value/error.ts";
import type { Type } from "../value/type.ts";
import { Double, Optional, Uint, type Value } from "../value/value.ts";
import type { CallStep, Const, InSet, ListStep, MapStep, Step } from "./step.ts";

const CONVERSIONS = new Set([
  "bool",
  "bytes",
  "double",
  "duration",
  "dyn",
  "int",
  "string",
  "timestamp",
  "type",
  "uint",
]);

type Folded = Step | { readonly error: CelError } | undefined;

export function foldCall(call: CallStep): Folded {
  const [first, second] = call.args;
  if (call.overload?.id === "in_list" && first && second?.op === "const") return foldMembership(call, first, second);
  if (!CONVERSIONS.has(call.name) || call.args.length !== 1 || first?.op !== "const") return undefined;
  const value = dispatch(call.name, call.overload ? [call.overload] : call.candidates, [first.value]);
  return isError(value) ? { error: value } : constant(call, value);
}

function foldMembership(call: CallStep, arg: Step, list: Const): Const | InSet | undefined {
  const values = list.value;
  if (!Array.isArray(values)) return undefined;
  if (values.length === 0) return constant(call, false);
  if (!values.every(isSetMember)) return undefined;
  return { op: "inSet", id: call.id, type: call.type, arg, list: values };
}

function isSetMember(value: Value): boolean {
  switch (typeof value) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
      return true;
    default:
      return value instanceof Double || value instanceof Uint;
  }
}

/** Makes an implementation for a call with constant arguments, if its overload offers one. */
export function specializeCall(call: CallStep): Folded {
  const row = call.overload;
  if (!row?.specialize || !call.args.some((arg) => arg.op === "const")) return undefined;
  const constants = call.args.map((arg, i) =>
    arg.op === "const" && fits(row.args[i] as Type, arg.value) ? arg.value : undefined,
  );
  const special = row.specialize(constants);
  if (special === undefined) return undefined;
  return isError(special) ? { error: special } : { ...call, special };
}

export function foldList(list: ListStep): Step {
  const values: Value[] = [];
  for (let i = 0; i < list.elements.length; i++) {
    const element = list.elements[i] as Step;
    if (element.op !== "const") return list;
    if (!list.optional?.[i]) values.push(element.value);
    else if (!(element.value instanceof Optional)) return list;
    else if (element.value.hasValue) values.push(element.value.value);
  }
  return constant(list, Object.freeze(values));
}

export function foldMap(map: MapStep): Step {
  const result = new CelMap();
  for (const { key, value, optional } of map.entries) {
    if (key.op !== "const" || value.op !== "const" || optional) return map;
    const failed = map.strict ? result.add(key.value, value.value) : result.set(key.value, value.value);
    if (failed) return map;
  }
  return constant(map, result);
}

function constant({ id, type }: Step, value: Value): Const {
  return { op: "const", id, type, value };
}
