// The parts that an expression of a type can have, read from the rows of the function libraries: every overload with a fitting result is a
// way to write it, so new functions are tried without being named here.

import type { Overload } from "../call/overload.ts";
import { BOOL, DOUBLE, DYN, formatType, INT, STRING, Type } from "../value/type.ts";

/** Argument types, and how the call is written with the arguments' texts. */
export interface Production {
  readonly args: readonly Type[];
  write(args: readonly string[]): string;
}

/** The type for a type parameter that the result leaves open. */
const OPEN: readonly Type[] = [INT, STRING, DOUBLE, BOOL, DYN];

const BINARY = /^_(\W+|in)_$/;

export function rowProductions(rows: readonly Overload[], wanted: Type): Production[] {
  return rows.flatMap((row) => {
    const write = writer(row);
    if (write === undefined) return [];
    const bound = new Map<string, Type>();
    if (!bind(row.result, wanted, bound)) return [];
    const open = [...new Set(row.args.flatMap((arg) => paramsOf(arg)))].filter((name) => !bound.has(name));
    const choices =
      open.length === 0
        ? [bound]
        : OPEN.map((type) => new Map([...bound, ...open.map((name) => [name, type] as const)]));
    return choices.map((chosen) => ({ args: row.args.map((arg) => substitute(arg, chosen)), write }));
  });
}

/** Writes a call of the row; undefined for rows that only macros expand to. */
function writer({ name, member }: Overload): Production["write"] | undefined {
  if (name === "_?_:_") return ([a, b, c]) => `(${a} ? ${b} : ${c})`;
  if (name === "_[_]") return ([a, b]) => `${a}[${b}]`;
  if (name === "_[?_]") return ([a, b]) => `${a}[?${b}]`;
  if (name === "!_" || name === "-_") return ([a]) => `(${name[0]}${a})`;
  if (name === "@in") return ([a, b]) => `(${a} in ${b})`;
  const symbol = BINARY.exec(name)?.[1];
  if (symbol !== undefined && symbol !== "?.") return ([a, b]) => `(${a} ${symbol} ${b})`;
  if (/[@?]/.test(name)) return undefined;
  if (member) return ([receiver, ...args]) => `${receiver}.${name}(${args.join(", ")})`;
  return (args) => `${name}(${args.join(", ")})`;
}

function bind(declared: Type, wanted: Type, bound: Map<string, Type>): boolean {
  if (declared.kind === "param") {
    const before = bound.get(declared.name);
    bound.set(declared.name, wanted);
    return before === undefined || formatType(before) === formatType(wanted);
  }
  if (declared.kind !== wanted.kind || declared.name !== wanted.name || declared.params.length !== wanted.params.length)
    return false;
  return declared.params.every((part, i) => bind(part, wanted.params[i]!, bound));
}

function paramsOf(type: Type): string[] {
  return type.kind === "param" ? [type.name] : type.params.flatMap(paramsOf);
}

function substitute(type: Type, bound: ReadonlyMap<string, Type>): Type {
  if (type.kind === "param") return bound.get(type.name) ?? DYN;
  return type.open
    ? new Type(
        type.kind,
        type.name,
        type.params.map((part) => substitute(part, bound)),
        type.adapter,
        type.abstract,
      )
    : type;
}
