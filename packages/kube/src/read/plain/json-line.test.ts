// JSON in one line is read as the complete YAML reader reads it, or left to that.

import fc from "fast-check";
import { expect, test } from "vitest";
import { settingsOf } from "../options.ts";
import { parseYaml } from "../yaml/yaml-parser.ts";
import { YamlConverter } from "../yaml/yaml-value.ts";
import { readJsonLine } from "./json-line.ts";

const settings = settingsOf({ double: (n) => ({ double: n }), foldYamlDoubles: true, asBody: true });

const readFully = (text: string): unknown =>
  new YamlConverter(settings).convert(parseYaml(text, settings.limits).root!);

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("<<", "yes", "~", "1.0", "# c", "a: b", "- a", '"', "\\", "\n", "\t", "/", "\u2028", "👍", "\ud800"),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null, -0, 1e21, 2 ** 60),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(text, tie("any"), { maxKeys: 4 }),
  ),
})).any;

test("a value that is read is the complete reader's", () => {
  let read = 0;
  const property = fc.property(fc.dictionary(text, value, { maxKeys: 4 }), (object) => {
    const json = JSON.stringify(object);
    const found = readJsonLine(json, settings);
    if (found === undefined) return;
    read++;
    expect(found).toEqual(readFully(json));
  });
  fc.assert(property, { numRuns: 500 });
  expect(read).toBeGreaterThan(50);
});

// biome-ignore format: one text per line
const LEFT = [
  '{"a":1,"a":2}', '{"a":"\\u0041"}', '{"a":"\\/"}', '{"a":1.0}', '{"a":1e3}', '{"a":-0}', '{"a":9007199254740993}', '{"a":\n1}',
  '{"a":\t1}', '{"a":1} b', '{"a":1}\n---\n', "[1]", "{a: 1}", '{"a":"\u0085"}', `{"${"k".repeat(1100)}":1}`, '{"a":1',
  `${'{"a":'.repeat(600)}1${"}".repeat(600)}`,
];

test.each(LEFT)("%s is left to the readers of YAML", (json) => {
  expect(readJsonLine(json, settings)).toBeUndefined();
});

test("what clients send is read", () => {
  const json =
    '{"apiVersion":"v1","metadata":{"name":"a-0","labels":{"v":"1.25"}},"spec":{"n":3,"f":0.5,"l":[null,"a\\"b"]}}\n';
  expect(readJsonLine(json, settings)).toEqual(JSON.parse(json));
});
