// An environment as data: for completion in editors and for the reference documentation.

import type { Env } from "./env.ts";
import type { Library, Overload } from "./lib/library.ts";
import type { Macro } from "./parse/macro.ts";
import { formatType, type Type } from "./value/type.ts";

/**
 * The variables, functions and macros that an environment offers to expressions: variables, functions and macros, for documentation and
 * completion.
 */
export interface Description {
  readonly variables: readonly { readonly name: string; readonly type: string }[];
  readonly functions: readonly FunctionDescription[];
  readonly macros: readonly MacroDescription[];
}

/** One overload. Operators are among them, under the names they have in trees (`_+_`). */
export interface FunctionDescription {
  readonly name: string;
  /** The overload's id. */
  readonly id: string;
  /** The call as it is written, with types in place of arguments: `string.charAt(int)`, `int + int`. */
  readonly call: string;
  readonly result: string;
  /** Written with a sign (`in` too), not as a call. Not about how calls are dispatched: `startsWith` is not an operator. */
  readonly operator: boolean;
  /** True for `receiver.name(args)`. */
  readonly member: boolean;
  /** The cost of a call at run time without the cost of its arguments; undefined if it has no short form. */
  readonly cost: string | undefined;
}

/** A macro as people are shown it. */
export interface MacroDescription {
  readonly name: string;
  /** `list.all(…)`: the receiver and the number of arguments, which is all that a macro is recognised by. */
  readonly call: string;
  readonly member: boolean;
}

/** Describes what expressions of an environment may use. */
export function describe(env: Env): Description {
  const { variables, functions } = env.declarations;
  return {
    variables: [...variables].map(([name, type]) => ({ name, type: formatType(type) })),
    functions: describeFunctions([...functions.values()].flat()),
    macros: env.macros.map(describeMacro),
  };
}

/** The same for the functions of one library. */
export function describeLibrary(library: Library): Omit<Description, "variables"> {
  return { functions: describeFunctions(library.overloads), macros: (library.macros ?? []).map(describeMacro) };
}

/** Names with an `@` cannot be written; they are what macros become. */
function describeFunctions(rows: readonly Overload[]): readonly FunctionDescription[] {
  return rows.filter(({ name }) => !name.includes("@") || name === "@in").map(describeFunction);
}

function describeFunction(row: Overload): FunctionDescription {
  const { name, id, args, member } = row;
  const written = OPERATORS.get(name);
  return {
    name,
    id,
    call: written === undefined ? callOf(name, args, member) : inPlace(written, args),
    result: formatType(row.result),
    operator: written !== undefined,
    member,
    cost: costOf(row),
  };
}

function callOf(name: string, args: readonly Type[], member: boolean): string {
  const types = args.map(formatType);
  return member ? `${types[0]}.${name}(${types.slice(1).join(", ")})` : `${name}(${types.join(", ")})`;
}

const inPlace = (written: string, args: readonly Type[]): string =>
  written.replace(/\d/g, (index) => formatType(args[Number(index)]!));

// biome-ignore format: a table
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ["!_", "!0"], ["-_", "-0"], ["_+_", "0 + 1"], ["_-_", "0 - 1"], ["_*_", "0 * 1"], ["_/_", "0 / 1"], ["_%_", "0 % 1"],
  ["_==_", "0 == 1"], ["_!=_", "0 != 1"], ["_<_", "0 < 1"], ["_<=_", "0 <= 1"], ["_>_", "0 > 1"], ["_>=_", "0 >= 1"],
  ["_&&_", "0 && 1"], ["_||_", "0 || 1"], ["@in", "0 in 1"], ["_?_:_", "0 ? 1 : 2"], ["_[_]", "0[1]"], ["_[?_]", "0[?1]"],
  ["_?._", "0.?field"],
]);

function costOf({ cost, member, name }: Overload): string | undefined {
  const isOperator = OPERATORS.has(name);
  return cost.text?.replace(/\{(\w+)\}/g, (_, which) => {
    if (which === "result") return "size of the result";
    const index = Number(which);
    if (isOperator) return `size of the ${index === 0 ? "left" : "right"} operand`;
    if (member && index === 0) return "size of the receiver";
    return `size of argument ${member ? index : index + 1}`;
  });
}

function describeMacro({ name, arity, receiver, namespace = "receiver" }: Macro): MacroDescription {
  const args = arity === undefined ? "…" : Array.from({ length: arity }, (_, i) => "abcdefgh"[i]).join(", ");
  return { name, call: `${receiver ? `${namespace}.` : ""}${name}(${args})`, member: receiver };
}
