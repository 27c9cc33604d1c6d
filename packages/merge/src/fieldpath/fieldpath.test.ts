import { Invalid } from "@celadon/kube/errors";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ANY_ELEMENT, FieldSet, fieldPattern } from "./field-set.ts";
import { readFieldsV1, writeFieldsV1 } from "./fields-v1.ts";
import { compareElements, elementText, keyElement, type Path, readElement } from "./path-element.ts";

describe("steps", () => {
  // biome-ignore format: one step per line
  const elements: [string, string, string][] = [
    ["f:spec",                          "f:spec",                          ".spec"],
    [`k:{"name":"a"}`,                  `k:{"name":"a"}`,                  `[name="a"]`],
    [`k:{ "p":80,  "a":"x" }`,          `k:{"a":"x","p":80}`,              `[a="x",p=80]`],
    [`v:"x"`,                           `v:"x"`,                           `[="x"]`],
    ["v:1.0",                           "v:1",                             "[=1]"],
    ["v:true",                          "v:true",                          "[=true]"],
    ["i:3",                             "i:3",                             "[3]"],
    [`k:{"a":"<"}`,                     `k:{"a":"\\u003c"}`,               `[a="<"]`],
  ];
  test.each(elements)("%s", (written, canonical, shown) => {
    expect(readElement(written)).toBe(canonical);
    expect(elementText(canonical)).toBe(shown);
  });

  test("numbers that were read are doubles", () => expect(elementText("v:8080000", true)).toBe("[=8.08e+06]"));

  test("what cannot be read", () => {
    expect(readElement("f")).toEqual(new Invalid("key must be 2 characters long:"));
    expect(readElement("fx")).toEqual(new Invalid("missing colon: fx"));
    expect(readElement("i:x")).toEqual(new Invalid(`strconv.Atoi: parsing "x": invalid syntax`));
    expect(readElement("v:{")).toBeInstanceOf(Invalid);
    expect(readElement("z:1")).toBeUndefined();
  });

  test("order: fields, keys, values, indices, each by content", () => {
    const sorted = [
      "f:a",
      "f:b",
      keyElement([["n", 2]]),
      keyElement([["n", 10]]),
      keyElement([["n", "1"]]),
      "v:9",
      "v:10",
      `v:"a"`,
      "i:2",
      "i:10",
    ];
    expect([...sorted].reverse().sort(compareElements)).toEqual(sorted);
  });
});

describe("FieldsV1", () => {
  const json = {
    "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
    "f:spec": { 'k:{"name":"x"}': { ".": {}, "f:image": {} } },
  };

  test("sets whose steps hold the signs of others stay apart", () => {
    const sets = [["f:a", "f:b"], ["f:a(3+f:b)"], ["f:a"], ["f:a)3+f:b"]].map((path) => FieldSet.of(path));
    expect(sets.map(writeFieldsV1)).toEqual([
      { "f:a": { "f:b": {} } },
      { "f:a(3+f:b)": {} },
      { "f:a": {} },
      { "f:a)3+f:b": {} },
    ]);
  });

  test("equal sets are written once", () => {
    const [one, other] = [0, 1].map(() => FieldSet.of(["f:spec", "f:image"], ["f:spec"]));
    expect(writeFieldsV1(other!)).toBe(writeFieldsV1(one!));
    expect(writeFieldsV1(one!)).toEqual({ "f:spec": { ".": {}, "f:image": {} } });
  });

  test("there and back", () => {
    const set = readFieldsV1(structuredClone(json)) as FieldSet;
    expect(writeFieldsV1(set)).toEqual(json);
    expect([...set.paths()].map((path) => path.map((step) => elementText(step)).join(""))).toEqual([
      ".metadata.labels",
      ".metadata.labels.a",
      `.spec[name="x"]`,
      `.spec[name="x"].image`,
    ]);
  });

  test("steps of a later version are dropped; invalid ones are errors", () => {
    expect(writeFieldsV1(readFieldsV1({ "f:a": {}, "z:future": { "f:b": {} } }) as FieldSet)).toEqual({ "f:a": {} });
    expect(readFieldsV1({ x: {} })).toBeInstanceOf(Invalid);
    expect(readFieldsV1({ "f:a": 1 })).toBeInstanceOf(Invalid);
    expect(readFieldsV1([])).toBeInstanceOf(Invalid);
  });

  test("a text too deep is refused, not run out of stack", () => {
    let deep: Record<string, unknown> = {};
    for (let i = 0; i < 100_000; i++) deep = { "f:a": deep };
    expect(readFieldsV1(deep)).toEqual(new Invalid("error decoding set: too deep"));
  });
});

const paths = fc.array(fc.array(fc.constantFrom("f:a", "f:b", "v:1", `k:{"n":"x"}`), { minLength: 1, maxLength: 4 }), {
  maxLength: 8,
});
const keys = (set: FieldSet): Set<string> => new Set([...set.paths()].map((path: Path) => path.join("/")));

test("sets behave as sets of paths", () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const [a, b] = [FieldSet.of(...left), FieldSet.of(...right)];
      const [x, y] = [keys(a), keys(b)];
      expect(keys(a.union(b))).toEqual(new Set([...x, ...y]));
      expect(keys(a.intersection(b))).toEqual(new Set([...x].filter((path) => y.has(path))));
      expect(keys(a.difference(b))).toEqual(new Set([...x].filter((path) => !y.has(path))));
      const under = (path: string): boolean => [...y].some((other) => path === other || path.startsWith(`${other}/`));
      expect(keys(a.recursiveDifference(b))).toEqual(new Set([...x].filter((path) => !under(path))));
      expect(a.covers(b)).toBe([...y].every((path) => x.has(path)));
      expect(a.equals(b)).toBe(a.covers(b) && b.covers(a));
      expect(a.size).toBe(x.size);
      expect(a.union(b).equals(b.union(a))).toBe(true);
      expect((readFieldsV1(structuredClone(writeFieldsV1(a))) as FieldSet).equals(a)).toBe(true);
    }),
    { seed: 42, numRuns: 300 },
  );
});

test("a pattern keeps the fields on the way to its places, and below them", () => {
  const set = FieldSet.of(
    ["f:spec"],
    ["f:spec", "f:list", 'k:{"name":"a"}'],
    ["f:spec", "f:list", 'k:{"name":"a"}', "f:x", "f:deep"],
    ["f:spec", "f:list", 'k:{"name":"a"}', "f:y"],
    ["f:spec", "f:other"],
    ["f:metadata", "f:labels"],
  );
  const kept = set.matching(fieldPattern(["f:spec", "f:list", ANY_ELEMENT, "f:x"]));
  expect([...kept.paths()].map((path) => path.join(" "))).toEqual([
    "f:spec",
    'f:spec f:list k:{"name":"a"}',
    'f:spec f:list k:{"name":"a"} f:x f:deep',
  ]);
  expect(set.matching(fieldPattern([]))).toBe(set);
});
