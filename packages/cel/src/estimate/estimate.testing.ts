// For tests of the estimate: checks an expression with every library of cel-go, and a message type to select from.

import { check } from "../check/check.ts";
import type { Checked, Declarations } from "../check/checked.ts";
import { bindingsLibrary } from "../lib/bindings.ts";
import { twoVariableLibrary } from "../lib/comprehensions.ts";
import { encodersLibrary } from "../lib/encoders.ts";
import type { Library, Overload } from "../lib/library.ts";
import { listsLibrary } from "../lib/lists.ts";
import { mathLibrary } from "../lib/math.ts";
import { optionalLibrary } from "../lib/optional.ts";
import { setsLibrary } from "../lib/sets.ts";
import { numericComparisons, standardLibrary } from "../lib/standard.ts";
import { stringsLibrary } from "../lib/strings.ts";
import { STANDARD_MACROS } from "../parse/macros.ts";
import { OPTIONAL_MACROS } from "../parse/optional-macros.ts";
import { DEFAULT_PARSE_LIMITS, parse } from "../parse/parse.ts";
import { composeProviders } from "../types/compose-provider.ts";
import { createNamedProvider, standardTypeNames } from "../types/named-provider.ts";
import type { StructType, TypeProvider } from "../types/provider.ts";
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
  optionalOf,
  STRING,
  struct,
  TIMESTAMP,
  type Type,
  UINT,
  wrapper,
} from "../value/type.ts";
import { OPTIONAL } from "../value/type-of.ts";

const LIBRARIES: readonly Library[] = [
  standardLibrary,
  numericComparisons,
  optionalLibrary(),
  stringsLibrary(),
  mathLibrary(),
  listsLibrary(),
  setsLibrary,
  bindingsLibrary(),
  encodersLibrary,
  twoVariableLibrary,
];

const functions = new Map<string, Overload[]>();
for (const row of LIBRARIES.flatMap((library) => library.overloads)) {
  functions.set(row.name, [...(functions.get(row.name) ?? []), row]);
}
const macros = [...STANDARD_MACROS, ...OPTIONAL_MACROS, ...LIBRARIES.flatMap((library) => library.macros ?? [])];

const MESSAGE = "google.expr.proto3.test.TestAllTypes";
const FIELDS: Readonly<Record<string, string>> = {
  single_string: "string",
  single_int64: "int",
  repeated_string: "list(string)",
  map_string_string: "map(string, string)",
  single_nested_message: "nested",
  single_int64_wrapper: "wrapper(int)",
  single_string_wrapper: "wrapper(string)",
  single_any: "any",
  single_struct: "map(string, dyn)",
  standalone_enum: "int",
};

function structOf(name: string, fields: Readonly<Record<string, string>>): StructType {
  return {
    type: struct(name),
    fieldNames: () => Object.keys(fields),
    field: (field) => {
      const type = Object.hasOwn(fields, field) ? fields[field] : undefined;
      return type === undefined ? undefined : { name: field, type: readType(type) };
    },
    create: () => null,
  };
}

const messages: TypeProvider = {
  findStruct: (name) =>
    name === MESSAGE
      ? structOf(name, FIELDS)
      : name === `${MESSAGE}.NestedMessage`
        ? structOf(name, { bb: "int" })
        : undefined,
  findIdent: () => undefined,
};
const provider = composeProviders(
  messages,
  standardTypeNames,
  createNamedProvider([OPTIONAL], [{ name: `${MESSAGE}.NestedEnum.BAR`, type: INT, value: 1 }]),
);

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
  ["uint", UINT],
  ["message", struct(MESSAGE)],
  ["nested", struct(`${MESSAGE}.NestedMessage`)],
]);

/** Types as the vectors write them: `map(string,list(int))`, `optional(string)`, `message`. */
export function readType(text: string): Type {
  const [type, rest] = readPart(text.replaceAll(" ", ""));
  if (rest !== "") throw new Error(`not a type: ${text}`);
  return type;
}

function readPart(text: string): [type: Type, rest: string] {
  const name = /^\w+/.exec(text)?.[0] ?? "";
  const rest = text.slice(name.length);
  if (!rest.startsWith("(")) return [SIMPLE.get(name) ?? struct(name), rest];
  const [first, afterFirst] = readPart(rest.slice(1));
  const [second, after] = afterFirst.startsWith(",") ? readPart(afterFirst.slice(1)) : [DYN, afterFirst];
  const containers: Readonly<Record<string, () => Type>> = {
    list: () => listOf(first),
    map: () => mapOf(first, second),
    optional: () => optionalOf(first),
    wrapper: () => wrapper(first),
  };
  const container = containers[name];
  if (container === undefined || !after.startsWith(")")) throw new Error(`not a type: ${text}`);
  return [container(), after.slice(1)];
}

/** Parses and checks; throws the issues. */
export function checkExpression(text: string, variables: ReadonlyMap<string, Type>): Checked {
  const source = { name: "<input>", text };
  const options = { macros, limits: DEFAULT_PARSE_LIMITS, optionalSyntax: true, backtickIdentifiers: true };
  const { ast, issues } = parse(source, options);
  if (ast === undefined) throw new Error(issues.map((issue) => issue.message).join("; "));
  const declarations: Declarations = { container: "", aliases: new Map(), variables, functions, provider };
  const checked = check(ast, declarations);
  if (checked.issues.length > 0) throw new Error(checked.issues.map((issue) => issue.message).join("; "));
  return checked;
}
