// For the checker's tests: types and overloads in a readable notation, and an environment of the standard functions and
// optionals to check texts in.

import type { Ast } from "../ast/expr.ts";
import { twoVariableLibrary } from "../lib/comprehensions.ts";
import { fn, type Library, type Overload } from "../lib/library.ts";
import { optionalLibrary } from "../lib/optional.ts";
import { numericComparisons, standardLibrary } from "../lib/standard.ts";
import type { Macro } from "../parse/macro.ts";
import { STANDARD_MACROS } from "../parse/macros.ts";
import { OPTIONAL_MACROS } from "../parse/optional-macros.ts";
import { DEFAULT_PARSE_LIMITS, parse } from "../parse/parse.ts";
import { TWO_VARIABLE_MACROS } from "../parse/two-variable-macros.ts";
import { composeProviders } from "../types/compose-provider.ts";
import { createNamedProvider, standardTypeNames } from "../types/named-provider.ts";
import type { TypeProvider } from "../types/provider.ts";
import { OPTIONAL_TYPE } from "../types/standard-idents.ts";
import { wellKnownTypes } from "../types/well-known.ts";
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  param,
  STRING,
  struct,
  TIMESTAMP,
  TYPE,
  type Type,
  typeOfType,
  UINT,
  wrapper,
} from "../value/type.ts";
import { type CheckOptions, check } from "./check.ts";
import type { Checked, Declarations } from "./checked.ts";

const SIMPLE: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["any", ANY],
  ["bool", BOOL],
  ["bytes", BYTES],
  ["double", DOUBLE],
  ["duration", DURATION],
  ["dyn", DYN],
  ["int", INT],
  ["null", NULL],
  ["string", STRING],
  ["timestamp", TIMESTAMP],
  ["type", TYPE],
  ["uint", UINT],
]);

/** Reads `map(string, list(A))`; capitals are type parameters, names with a dot messages, other names opaque types. */
export function readType(text: string): Type {
  const [type, rest] = readPart(text.trim());
  if (rest.trim() !== "") {
    throw new Error(`not a type: ${text}`);
  }
  return type;
}

function readPart(text: string): [Type, string] {
  const name = /^[\w.]+/.exec(text)?.[0] ?? "";
  let rest = text.slice(name.length);
  const params: Type[] = [];
  if (rest.startsWith("(")) {
    do {
      const [part, after] = readPart(rest.slice(1).trimStart());
      params.push(part);
      rest = after.trimStart();
    } while (rest.startsWith(","));
    rest = rest.slice(1);
  }
  return [typeNamed(name, params), rest];
}

function typeNamed(name: string, params: Type[]): Type {
  const [first, second] = params;
  if (first === undefined) {
    return SIMPLE.get(name) ?? (/^[A-Z]$/.test(name) ? param(name) : name.includes(".") ? struct(name) : opaque(name));
  }
  switch (name) {
    case "list":
      return listOf(first);
    case "map":
      return mapOf(first, second ?? DYN);
    case "type":
      return typeOfType(first);
    case "wrapper":
      return wrapper(first);
    case "optional_type":
      return optionalOf(first);
    default:
      return opaque(name, ...params);
  }
}

/** Reads `name id receiver.(args) -> result`. */
export function readOverload(line: string): Overload {
  const match = /^(\S+)\s+(\S+)\s+(?:(.+?)\.)?\((.*)\)\s*->\s*(.+)$/.exec(line.trim());
  if (match === null) {
    throw new Error(`not an overload: ${line}`);
  }
  const [, name = "", id = "", receiver, list = "", result = ""] = match;
  const args = receiver === undefined ? [] : [readType(receiver)];
  for (let rest = list.trim(); rest !== ""; ) {
    const [type, after] = readPart(rest);
    args.push(type);
    rest = after.replace(/^\s*,\s*/, "");
  }
  const row = fn(name, id, args, readType(result), undefined as unknown as Overload["cost"]); // no cost: it does not matter here
  return { ...row, member: receiver !== undefined };
}

export interface TestEnvironment {
  readonly container?: string;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string | Type>>;
  readonly functions?: readonly string[];
  readonly libraries?: readonly Library[];
  readonly provider?: TypeProvider;
}

/** The standard functions, optionals and two-variable macros, and the declarations of a test. */
export function testDeclarations(env: TestEnvironment = {}): Declarations {
  const functions = new Map<string, Overload[]>();
  const libraries = [
    standardLibrary,
    numericComparisons,
    optionalLibrary(),
    twoVariableLibrary,
    ...(env.libraries ?? []),
  ];
  const rows = [...libraries.flatMap((library) => library.overloads), ...(env.functions ?? []).map(readOverload)];
  for (const row of rows) {
    functions.set(row.name, [...(functions.get(row.name) ?? []), row]);
  }
  return {
    container: env.container ?? "",
    aliases: new Map(Object.entries(env.aliases ?? {})),
    variables: new Map(
      Object.entries(env.variables ?? {}).map(([name, type]) => [
        name,
        typeof type === "string" ? readType(type) : type,
      ]),
    ),
    functions,
    provider: composeProviders(
      ...(env.provider === undefined ? [] : [env.provider]),
      wellKnownTypes,
      standardTypeNames,
      createNamedProvider([OPTIONAL_TYPE]),
    ),
  };
}

/** The tree of a text that is an expression, macros of the standard, optional and two-variable libraries included. */
export function parseText(text: string, macros: readonly Macro[] = MACROS): Ast {
  const { ast, issues } = parse(
    { name: "<input>", text },
    { macros, limits: DEFAULT_PARSE_LIMITS, optionalSyntax: true, backtickIdentifiers: false },
  );
  if (ast === undefined) {
    throw new Error(`${text}: ${issues.map((issue) => issue.message).join(", ")}`);
  }
  return ast;
}

const MACROS: readonly Macro[] = [...STANDARD_MACROS, ...OPTIONAL_MACROS, ...TWO_VARIABLE_MACROS];

export function checkText(text: string, env: TestEnvironment = {}, options: CheckOptions = {}): Checked {
  return check(parseText(text), testDeclarations(env), options);
}
