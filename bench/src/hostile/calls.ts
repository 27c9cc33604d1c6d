// The calls to try: every overload of every function, operators and macros, as an expression over variables of its argument types.

import type { Overload } from "@celadon/cel";
import { BOOL, DYN, type Env, listOf, mapOf, STRING, type Type } from "@celadon/cel";

export interface Call {
  readonly name: string;
  readonly expr: string;
  /** Types of the variables `a`, `b`, `c`, `d` in it. */
  readonly types: readonly Type[];
}

const VARIABLES = ["a", "b", "c", "d"];

/** Rows that are written as operators. */
const OPERATORS: ReadonlyMap<string, (args: readonly string[]) => string> = new Map([
  ["!_", ([a]) => `!${a}`],
  ["-_", ([a]) => `-${a}`],
  ["_[_]", ([a, b]) => `${a}[${b}]`],
  ["@in", ([a, b]) => `${a} in ${b}`],
  ...["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">="].map(
    (symbol): [string, (args: readonly string[]) => string] => [`_${symbol}_`, ([a, b]) => `${a} ${symbol} ${b}`],
  ),
]);

const LIST = listOf(DYN);
const MAP = mapOf(STRING, DYN);

/** Loops, and functions without a row. */
// biome-ignore format: one macro per line
const MACROS: readonly Call[] = [
  { name: "all",               expr: "a.all(v, true)",                    types: [LIST] },
  { name: "all of a map",      expr: "a.all(k, true)",                    types: [MAP] },
  { name: "exists",            expr: "a.exists(v, true)",                 types: [MAP] },
  { name: "exists_one",        expr: "a.exists_one(v, v == 1)",           types: [LIST] },
  { name: "map",               expr: "a.map(v, v)",                       types: [LIST] },
  { name: "map of a map",      expr: "a.map(k, a[k])",                    types: [MAP] },
  { name: "filter",            expr: "a.filter(v, false)",                types: [LIST] },
  { name: "transformMap",      expr: "a.transformMap(k, v, v)",           types: [MAP] },
  { name: "transformList",     expr: "a.transformList(i, v, [v])",        types: [LIST] },
  { name: "sortBy",            expr: "a.sortBy(v, v)",                    types: [LIST] },
  { name: "has",               expr: "has(a.b)",                          types: [MAP] },
  { name: "in a map",          expr: "'x' in a",                          types: [MAP] },
  { name: "conditional",       expr: "a ? b : c",                         types: [BOOL, DYN, DYN] },
  { name: "unlike an empty map", expr: "a != {}",                         types: [MAP] },
  { name: "unlike an empty list", expr: "a != []",                        types: [LIST] },
  { name: "list of lists",     expr: "(a + a + a).size()",                types: [LIST] },
];

/** Calls that an environment accepts. If several overloads fit a dynamic value, the call without types is one too. */
export function callsOf(env: Env): Call[] {
  const calls: Call[] = [...MACROS];
  for (const rows of env.declarations.functions.values()) {
    for (const row of rows) calls.push(...callOf(row, row.args));
    const [first] = rows;
    if (first !== undefined && rows.length > 1)
      calls.push(
        ...callOf(
          first,
          first.args.map(() => DYN),
          " of dyn",
        ),
      );
  }
  return calls.filter(({ expr, types }) => env.extend({ variables: variablesOf(types) }).compile(expr).ok);
}

export function variablesOf(types: readonly Type[]): Record<string, Type> {
  return Object.fromEntries(types.map((type, i) => [VARIABLES[i] as string, type]));
}

function callOf(row: Overload, given: readonly Type[], suffix = ""): Call[] {
  const types = given.map(withoutParams);
  const args = types.map((_, i) => VARIABLES[i] as string);
  const operator = OPERATORS.get(row.name);
  if (operator === undefined && /[@_&|?]/.test(row.name.replace(/[a-zA-Z_]\w*/g, ""))) return [];
  const [receiver, ...rest] = args;
  const expr = operator
    ? operator(args)
    : row.member
      ? `${receiver}.${row.name}(${rest.join(", ")})`
      : `${row.name}(${args.join(", ")})`;
  return [{ name: suffix === "" ? `${row.name} (${row.id})` : `${row.name}${suffix}`, expr, types }];
}

function withoutParams(type: Type): Type {
  switch (type.kind) {
    case "param":
      return DYN;
    case "list":
      return listOf(withoutParams(type.params[0] as Type));
    case "map":
      return mapOf(withoutParams(type.params[0] as Type), withoutParams(type.params[1] as Type));
    default:
      return type;
  }
}
