// Results of a host's functions are checked against the declared type. The engine trusts declared types: generated code adds declared ints
// without checking them, and a promise is unequal to everything. A value of another type becomes an error that names the function. Rows of
// libraries are trusted as they are.

import { isDouble, isList, isMap } from "../value/box.ts";
import { type CelError, celError, isError } from "../value/error.ts";
import { inIntRange, intOverflow, inUintRange, toInt, uintOverflow } from "../value/int.ts";
import { formatType, type Type } from "../value/type.ts";
import { typeOf } from "../value/type-of.ts";
import { Double, Uint, type Value } from "../value/value.ts";
import { fits } from "./dispatch.ts";
import type { Overload } from "./overload.ts";

export function hostFunction(row: Overload): Overload {
  const { call, specialize } = row;
  const held = (implementation: NonNullable<Overload["call"]>): NonNullable<Overload["call"]> => {
    return (...args) => accept(row, implementation(...args));
  };
  return {
    ...row,
    host: true,
    call: call && held(call),
    ...(specialize && {
      specialize: (constants) => {
        const special = specialize(constants);
        return typeof special === "function" ? held(special) : special;
      },
    }),
  };
}

/** The result in the form that rows answer in: bare where a double or uint is declared, ints canonical. */
function accept(row: Overload, result: unknown): Value | CelError {
  if (isError(result)) return result;
  if (row.boxedResult) return fits(row.result, result) ? result : unfit(row, result);
  switch (row.result.kind) {
    case "int":
      if (typeof result === "bigint") return inIntRange(result) ? toInt(result) : intOverflow();
      return Number.isSafeInteger(result) ? (result as number) + 0 : unfit(row, result);
    case "uint":
      return acceptUint(row, result instanceof Uint ? result.value : result);
    case "double":
      if (typeof result === "number") return result;
      return result instanceof Double ? result.value : unfit(row, result);
    case "list": // its elements are checked where they are read, as with data
      return isList(result) ? result : unfit(row, result);
    case "map":
      return isMap(result) ? result : unfit(row, result);
    default:
      return isValue(result) && fits(row.result, result) ? result : unfit(row, result);
  }
}

function acceptUint(row: Overload, result: unknown): Value | CelError {
  if (typeof result === "bigint") return inUintRange(result) ? toInt(result) : uintOverflow();
  if (!Number.isSafeInteger(result)) return unfit(row, result);
  return (result as number) < 0 ? uintOverflow() : (result as number) + 0;
}

/** False for values that no expression can use, such as functions and promises. */
function isValue(result: unknown): boolean {
  return (
    result !== undefined && typeof result !== "function" && typeof result !== "symbol" && !(result instanceof Promise)
  );
}

function unfit({ name, result: declared }: Overload, result: unknown): CelError {
  return celError("internal", `function '${name}' answered ${nameOf(declared, result)}, not ${formatType(declared)}`);
}

function nameOf(declared: Type, result: unknown): string {
  if (result instanceof Promise) return "a promise";
  if (!isValue(result)) return typeof result;
  if (declared.kind === "int" && isDouble(result))
    return `the double ${Number(typeof result === "number" ? result : result.value)}`;
  return formatType(typeOf(result));
}
