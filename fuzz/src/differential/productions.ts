// The calls that have a result of a given type: every row of the libraries with a fitting result.

import { BOOL, DOUBLE, DYN, formatType, INT, type Overload, STRING, Type } from "@celadon/cel";
import { QUANTITY } from "@celadon/kube-cel/library";
import type { Random } from "../random.ts";

/** Argument types, and how the call is written with the arguments' texts. */
export interface Production {
  readonly name: string;
  readonly args: readonly Type[];
  write(args: readonly string[]): string;
}

/** The types for a type parameter that the result leaves open. */
const OPEN: readonly Type[] = [INT, STRING, DOUBLE, BOOL, DYN, QUANTITY];

const BINARY = /^_(\W+|in)_$/;

export class Productions {
  readonly #rows: readonly Overload[];
  readonly #known = new Map<string, readonly { readonly row: Overload; readonly bound: ReadonlyMap<string, Type> }[]>();

  constructor(rows: readonly Overload[]) {
    this.#rows = rows.filter((row) => writerOf(row) !== undefined);
  }

  /** One of the calls that give the type; undefined when none does. */
  pick(random: Random, wanted: Type): Production | undefined {
    const fitting = this.#fitting(wanted);
    if (fitting.length === 0) return undefined;
    const { row, bound } = random.pick(fitting);
    const chosen = new Map(bound);
    for (const name of row.args.flatMap(paramsOf)) if (!chosen.has(name)) chosen.set(name, random.pick(OPEN));
    const args = row.args.map((arg) => substitute(arg, chosen));
    return { name: row.name, args, write: writerOf(row) as Production["write"] };
  }

  #fitting(wanted: Type): readonly { readonly row: Overload; readonly bound: ReadonlyMap<string, Type> }[] {
    const key = formatType(wanted);
    let fitting = this.#known.get(key);
    if (fitting === undefined) {
      fitting = this.#rows.flatMap((row) => {
        const bound = new Map<string, Type>();
        return bind(row.result, wanted, bound) ? [{ row, bound }] : [];
      });
      this.#known.set(key, fitting);
    }
    return fitting;
  }
}

/** Writes a call of the row; undefined for rows that only macros expand to. */
function writerOf({ name, member }: Overload): Production["write"] | undefined {
  switch (name) {
    case "_?_:_":
      return ([a, b, c]) => `(${a} ? ${b} : ${c})`;
    case "_[_]":
      return ([a, b]) => `${a}[${b}]`;
    case "_[?_]":
      return ([a, b]) => `${a}[?${b}]`;
    case "!_":
    case "-_":
      return ([a]) => `(${name[0]}${a})`;
    case "@in":
      return ([a, b]) => `(${a} in ${b})`;
  }
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
  return declared.params.every((part, i) => bind(part, wanted.params[i] as Type, bound));
}

function paramsOf(type: Type): string[] {
  return type.kind === "param" ? [type.name] : type.params.flatMap(paramsOf);
}

function substitute(type: Type, bound: ReadonlyMap<string, Type>): Type {
  if (type.kind === "param") return bound.get(type.name) ?? DYN;
  if (!type.open) return type;
  const params = type.params.map((part) => substitute(part, bound));
  return new Type(type.kind, type.name, params, type.adapter, type.abstract);
}
