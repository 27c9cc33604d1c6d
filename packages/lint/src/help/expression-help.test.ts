// Common mistakes, and the help for them.

import { DYN, listOf, mapOf, STRING } from "@celadon/cel";
import { compileExpression, kubeEnv } from "@celadon/kube-cel";
import { expect, test } from "vitest";
import { expressionHelp } from "./expression-help.ts";
import { Vocabulary } from "./vocabulary.ts";

const VARIABLES = { object: DYN, labels: mapOf(STRING, STRING), names: listOf(STRING) };
const env = kubeEnv({ variables: VARIABLES });
const vocabulary = new Vocabulary();

function helps(text: string): (string | undefined)[] {
  const compiled = compileExpression(env, text);
  if (compiled.ok) throw new Error(`${text} compiles`);
  return compiled.issues.map((issue) => expressionHelp({ issue, text, names: Object.keys(VARIABLES) }, vocabulary));
}

// biome-ignore format: one mistake per line
test.each<readonly [text: string, help: string]>([
  ["len(names) > 0", "use size(): size(list), or list.size()"],
  ["names.length() > 0", "use size(): size(list), or list.size()"],
  ["names.any(n, n == 'a')", "use exists(): list.exists(e, condition)"],
  ["objct.spec == 1", 'did you mean "object"?'],
  ["names.exist(n, n == 'a')", 'did you mean "exists"?'],
  ["object.a == None", "write null"],
  ["object.a == True", "write true"],
  ["object.a =< 1", "write <="],
  ["object.a => 1", "write >="],
  ["object.a = 1", "compare with =="],
  ["object.a === 1", "compare with =="],
  ["object.a !== 1", "compare with !="],
  ["object.a <> 1", "compare with !="],
  ["not object.a", "write !"],
  ["object.a == 1 && not has(object.b)", "write !"],
  ["object.a == 1 and object.b == 1", "write &&"],
  ["object.a == 1 AND object.b == 1", "write &&"],
  ["'a' in 'abc'", '"in" is for lists and map keys; write string.contains(part)'],
  ["object.a == 1 or object.b == 1", "write ||"],
  ["$object.a == 1", "variables are written without $, as variables.NAME or object"],
  ["labels.contains('a')", 'contains() is for strings; to test for a key, write "key" in map'],
  ["names.contains('a')", "contains() is for strings; write value in list"],
  ["names['a'] == 'b'", "lists are indexed by number; find an element with exists(e, e.name == …) or filter(e, …)"],
  ["names.first == 'b'", "a list has no fields; check its elements with all(e, …) or exists(e, …)"],
  ["'a' + 1 == 'a1'", "convert the other operand with string(…)"],
  ["1 + 1.5 > 2.0", "numbers of different types cannot be mixed; convert one with int(…), uint(…) or double(…)"],
  ["'5' - 3 > 1", "convert the string first with int(…), double(…) or quantity(…)"],
  ["names.al(n, true)", 'did you mean "all"?'],
  ["labels.hasKey('a')", 'write "key" in map'],
  ["'a'.matches('^\\d+$')", "a string has no \\d: write \\\\d, or a raw string as r'\\d'"],
  ["'a'.matches('\\.io/')", "a string has no \\.: write \\\\., or a raw string as r'\\.'"],
  ["object.a == 'abc", "this string has no closing quote"],
  ["'a'.matches('[a-z')", "the pattern is not a valid RE2 regular expression: error parsing regexp: missing closing ]: `[a-z`"],
])("%s", (text, help) => {
  expect(helps(text)).toContain(help);
});

test("an unknown word has no help", () => {
  expect(helps("zzzzzz == 1")).toEqual([undefined]);
  expect(helps("object.a ==")).toEqual([undefined]);
});
