// kubernetes.regex: what matches a pattern. Upstream: apiserver pkg/cel/library/regex.go.
// A constant pattern is compiled with the program, and one that does not compile then fails the program.

import {
  type CelError,
  celError,
  INT,
  type Int,
  isError,
  type Library,
  listOf,
  method,
  type Overload,
  STRING,
} from "@celadon/cel";
import { specialized } from "@celadon/cel/lib";
import { compileRegex, type Regex } from "@celadon/cel/regex";
import { nativeStrings } from "@celadon/cel/values";
import { search } from "./costs.ts";

const STRINGS = listOf(STRING);

/** `find` and `findAll`. */
// biome-ignore format: one overload per line
export const regexLibrary: Library = {
  name: "kubernetes.regex", costBy: "function",
  overloads: [
    //              name       overload id                   arguments              result   cost    implementation
    constant(method("find",    "string_find_string",         [STRING, STRING],      STRING,  search, (text, pattern) => compiled(pattern, (regex) => find(regex, text))), (regex) => (text: string) => find(regex, text)),
    constant(method("findAll", "string_find_all_string",     [STRING, STRING],      STRINGS, search, (text, pattern) => compiled(pattern, (regex) => findAll(regex, text, -1))), (regex) => (text: string) => findAll(regex, text, -1)),
    constant(method("findAll", "string_find_all_string_int", [STRING, STRING, INT], STRINGS, search, (text, pattern, n) => compiled(pattern, (regex) => findAll(regex, text, n))), (regex) => (text: string, _: string, n: Int) => findAll(regex, text, n)),
  ],
};

/** The same row for a constant pattern. Upstream's then no longer says which arguments it has no overload for. */
function constant(row: Overload, use: (regex: Regex) => NonNullable<Overload["call"]>): Overload {
  const specialize: NonNullable<Overload["specialize"]> = ([, pattern]) => {
    if (typeof pattern !== "string") return undefined;
    const regex = compileRegex(pattern);
    return isError(regex) ? regex : use(regex);
  };
  return { ...specialized(row, specialize), terseSpecial: true };
}

function compiled<T>(pattern: string, use: (regex: Regex) => T): T | CelError {
  const regex = compileRegex(pattern);
  return isError(regex) ? celError("invalid_argument", `Illegal regex: ${regex.message}`) : use(regex);
}

const find = (regex: Regex, text: string): string => regex.find(text)?.text ?? "";

function findAll(regex: Regex, text: string, n: Int): string[] {
  return nativeStrings(regex.findAll(text, n < 0 ? -1 : Number(n)));
}
