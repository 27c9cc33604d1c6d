// The engine follows the reference where the language's own test suite answers differently. These are the suite's answers, for environments
// with `semantics: "specification"`. The other differences of that mode are in the planner (keys of map literals, selection from values
// without fields) and in the checker (joining null and wrappers).

import { type CelError, celError } from "../value/error.ts";
import { codePointCount } from "../value/size/measure.ts";
import { durationMillis } from "../value/time/time.ts";
import type { Int } from "../value/type.ts";
import type { Duration } from "../value/value.ts";
import type { Overload } from "./library.ts";
import { indexOf, lastIndexOfFrom } from "./string/string-functions.ts";

// biome-ignore lint/suspicious/noExplicitAny: rows of different signatures, as in library.ts
const specified: Readonly<Record<string, (...args: any[]) => unknown>> = {
  // The part below a second, where the reference counts the whole duration in milliseconds.
  duration_to_milliseconds: (duration: Duration) => durationMillis(duration) % 1000,
  string_index_of_string_int: (text: string, searched: string, from: Int) =>
    within(text, from) ?? indexOf(text, searched, from),
  string_last_index_of_string_int: (text: string, searched: string, from: Int) =>
    within(text, from) ?? lastIndexOfFrom(text, searched, from),
};

/** Offsets beyond the end are errors, where the reference finds nothing there. */
function within(text: string, offset: Int): CelError | undefined {
  return offset > codePointCount(text) ? celError("invalid_argument", `index out of range: ${offset}`) : undefined;
}

/** The row as the specification has it. */
export function asSpecified(row: Overload): Overload {
  const call = specified[row.id];
  return call === undefined ? row : { ...row, call };
}
