// ext.Regex: replacing and extracting by RE2 pattern. Needs the optional library beside it. Upstream: cel-go ext/regex.go.

import { fixed } from "../cost/formulas.ts";
import { compileRegex, type Regex, type RegexMatch } from "../regex/index.ts";
import { type CelError, celError, isError } from "../value/error.ts";
import { intOverflow } from "../value/int.ts";
import { grow } from "../value/size/work.ts";
import { quoteText } from "../value/text/quote-text.ts";
import { INT, listOf, optionalOf, STRING } from "../value/type.ts";
import { Optional } from "../value/value.ts";
import { fn, type Int, type Library } from "./library.ts";
import { MAX_TEXT_LENGTH, textTooLong } from "./string/text-limit.ts";

const STRINGS = listOf(STRING);
const MAYBE_STRING = optionalOf(STRING);

/** `regex.extract`, `regex.extractAll` and `regex.replace`. */
// biome-ignore format: one overload per line
export const regexLibrary: Library = {
  name: "cel.lib.ext.regex",
  overloads: [
    // name                overload id                               arguments                       result        cost      implementation
    fn("regex.extract",    "regex_extract_string_string",            [STRING, STRING],               MAYBE_STRING, fixed(1), extract),
    fn("regex.extractAll", "regex_extractAll_string_string",         [STRING, STRING],               STRINGS,      fixed(1), extractAll),
    fn("regex.replace",    "regex_replace_string_string_string",     [STRING, STRING, STRING],       STRING,       fixed(1), replace),
    fn("regex.replace",    "regex_replace_string_string_string_int", [STRING, STRING, STRING, INT],  STRING,       fixed(1), replace),
  ],
};

/** The first match, or the text of its only group; none if that is empty. */
function extract(target: string, pattern: string): Optional | CelError {
  const regex = compileSingle(pattern);
  if (isError(regex)) return regex;
  const match = regex.find(target);
  if (match === undefined) return Optional.none;
  if (regex.groupCount === 0) return Optional.of(match.text);
  const group = match.groups[0] ?? "";
  return group === "" ? Optional.none : Optional.of(group);
}

/** All matches, or the texts of their only group, without empty ones. */
function extractAll(target: string, pattern: string): string[] | CelError {
  const regex = compileSingle(pattern);
  if (isError(regex)) return regex;
  if (regex.groupCount === 0) return regex.findAll(target);
  return regex
    .matches(target)
    .map((match) => match.groups[0] ?? "")
    .filter((group) => group !== "");
}

function compileSingle(pattern: string): Regex | CelError {
  const regex = compileRegex(pattern);
  if (isError(regex)) return celError(regex.code, `given regex is invalid: ${regex.message}`);
  if (regex.groupCount <= 1) return regex;
  return celError("invalid_argument", `regular expression has more than one capturing group: ${quoteText(pattern)}`);
}

const MAX_COUNT = 0x7fff_ffff;

/** Replaces the first `count` matches, all when negative. The replacement is checked only when there is a match. */
function replace(target: string, pattern: string, replacement: string, count: Int = -1): string | CelError {
  if (count === 0) return target;
  if (count > MAX_COUNT) return intOverflow();
  const regex = compileRegex(pattern);
  if (isError(regex)) return regex;
  let parts: readonly Part[] | CelError | undefined;
  let length = 0;
  let from = 0;
  return regex.replace(
    target,
    (match) => {
      parts ??= readReplacement(replacement, regex.groupCount);
      if (isError(parts)) return parts;
      let text = "";
      for (const part of parts) text += typeof part === "string" ? part : groupText(match, part);
      const made = match.start - from + text.length;
      from = match.end;
      grow(made);
      length += made;
      return length > MAX_TEXT_LENGTH ? textTooLong() : text;
    },
    count < 0 ? -1 : Number(count),
  );
}

/** Text as it is, or the number of a group. */
type Part = string | number;

const groupText = (match: RegexMatch, group: number): string =>
  group === 0 ? match.text : (match.groups[group - 1] ?? "");

/** `\1` is what group 1 took, `\0` the whole match, `\\` a backslash. */
function readReplacement(replacement: string, groupCount: number): readonly Part[] | CelError {
  const parts: Part[] = [];
  let from = 0;
  for (let at = replacement.indexOf("\\"); at >= 0; at = replacement.indexOf("\\", from)) {
    parts.push(replacement.slice(from, at));
    from = at + 2;
    const next = replacement[at + 1];
    if (next === undefined) return invalidReplacement(replacement, "not allowed at end");
    if (next === "\\") {
      parts.push("\\");
      continue;
    }
    if (next < "0" || next > "9") return invalidReplacement(replacement, "must be followed by a digit or \\");
    const group = Number(next);
    if (group > groupCount) {
      const message = `replacement string references group ${group} but regex has only ${groupCount} group(s)`;
      return celError("invalid_argument", message);
    }
    parts.push(group);
  }
  parts.push(replacement.slice(from));
  return parts;
}

function invalidReplacement(replacement: string, rule: string): CelError {
  return celError("invalid_argument", `invalid replacement string: '${replacement}' \\ ${rule}`);
}
