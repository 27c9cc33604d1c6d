// Answers of cel-go v0.26.

import { expect, test } from "vitest";
import { Optional } from "../value/value.ts";
import { call } from "./library.testing.ts";
import { regexLibrary as library } from "./regex.ts";

const some = (text: string) => Optional.of(text);
const twoGroups = { error: 'regular expression has more than one capturing group: "(.*)@([^.]*)"' };

// biome-ignore format: one case per line
const cases: [id: string, args: unknown[], want: unknown][] = [
  ["regex_extract_string_string", ["hello world", "hello(.*)"], some(" world")],
  ["regex_extract_string_string", ["item-A, item-B", "item-(\\w+)"], some("A")],
  ["regex_extract_string_string", ["a😀b", "😀"], some("😀")],
  ["regex_extract_string_string", ["HELLO", "hello"], Optional.none],
  ["regex_extract_string_string", ["abc", ""], some("")],
  ["regex_extract_string_string", ["abc", "()"], Optional.none],
  ["regex_extract_string_string", ["abc", "(x)?abc"], Optional.none],
  ["regex_extract_string_string", ["a@b", "(.*)@([^.]*)"], twoGroups],
  ["regex_extract_string_string", ["abc", "("], { error: "given regex is invalid: error parsing regexp: missing closing ): `(`" }],

  ["regex_extractAll_string_string", ["id:123, id:456", "id:\\d+"], ["id:123", "id:456"]],
  ["regex_extractAll_string_string", ["id:123, id:456", "assa"], []],
  ["regex_extractAll_string_string", ["a1b22c", "[a-z](\\d*)"], ["1", "22"]],
  ["regex_extractAll_string_string", ["abc 123", "[0-9]*"], ["", "", "", "", "123"]],
  ["regex_extractAll_string_string", ["ab", "(\\d*)"], []],
  ["regex_extractAll_string_string", ["a@b", "(.*)@([^.]*)"], twoGroups],
  ["regex_extractAll_string_string", ["ab", "["], { error: "given regex is invalid: error parsing regexp: missing closing ]: `[`" }],

  ["regex_replace_string_string_string", ["hello world hello", "hello", "hi"], "hi world hi"],
  ["regex_replace_string_string_string", ["foo bar", "(fo)o (ba)r", "\\2 \\1"], "ba fo"],
  ["regex_replace_string_string_string", ["a😀b", "😀", "<\\0>"], "a<😀>b"],
  ["regex_replace_string_string_string", ["a", "a", "\\\\"], "\\"],
  ["regex_replace_string_string_string", ["a", "a", "$1$&"], "$1$&"],
  ["regex_replace_string_string_string", ["a", "(b)?a", "[\\1]"], "[]"],
  ["regex_replace_string_string_string", ["abc", "", "-"], "-a-b-c-"],
  ["regex_replace_string_string_string", ["abc", "x*", "-"], "-a-b-c-"],
  ["regex_replace_string_string_string", ["test", "(.)", "\\2"], { error: "replacement string references group 2 but regex has only 1 group(s)" }],
  ["regex_replace_string_string_string", ["foo", "(", "x"], { error: "error parsing regexp: missing closing ): `(`" }],
  ["regex_replace_string_string_string", ["id=1", "id=(?P<value>\\d+)", "value: \\values"], { error: "invalid replacement string: 'value: \\values' \\ must be followed by a digit or \\" }],
  ["regex_replace_string_string_string", ["a", "a", "x\\"], { error: "invalid replacement string: 'x\\' \\ not allowed at end" }],
  ["regex_replace_string_string_string", ["b", "a", "x\\"], "b"],

  ["regex_replace_string_string_string_int", ["banana", "a", "x", 2], "bxnxna"],
  ["regex_replace_string_string_string_int", ["banana", "a", "x", -12], "bxnxnx"],
  ["regex_replace_string_string_string_int", ["banana", "(", "x", 0], "banana"],
  ["regex_replace_string_string_string_int", ["a", "a", "x", 2147483647], "x"],
  ["regex_replace_string_string_string_int", ["a", "(", "x", 2147483648], { error: "integer overflow" }],
  ["regex_replace_string_string_string_int", ["a", "a", "x", 9223372036854775807n], { error: "integer overflow" }],
  ["regex_replace_string_string_string_int", ["aa", "a", "x", -9223372036854775808n], "xx"],
];
test.each(cases)("%s %o", (id, args, want) => expect(call(library, id, ...args)).toEqual(want));
