import type { JsonPath } from "@celadon/base";
import { Double } from "@celadon/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { recorded } from "../recorded.testing.ts";
import { readIssueText } from "./issue.ts";
import type { ReadOptions } from "./options.ts";
import { readDocument, readDocuments } from "./read.ts";

const double = (n: number): unknown => new Double(n);

/** Values with their Go types: `i` int64, `f` float64, `s` string. */
function tagged(value: unknown): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return `s${value}`;
  if (typeof value === "bigint") return `i${value}`;
  if (typeof value === "number") return `${Number.isSafeInteger(value) ? "i" : "f"}${value}`;
  if (value instanceof Double) return `f${value.value}`;
  if (Array.isArray(value)) return value.map(tagged);
  return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, tagged(item)]));
}

function sameFloats(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, item) =>
    typeof item === "string" && item.startsWith("f") ? `f${Number(item.slice(1))}` : item,
  );
}

function read(text: string, options: ReadOptions = {}): unknown {
  const { documents, issues } = readDocuments(text, { double, ...options });
  if (issues.length > 0) return { issue: issues[0]!.code };
  return documents.length === 0 ? null : tagged(documents[0]!.value);
}

type Row = { text: string } & ({ value: unknown } | { error: string });

describe("YAML, as recorded", () => {
  test.each(recorded<Row>("yaml", import.meta.url))("$text", (row) => {
    const got = read(row.text, { format: "yaml", foldYamlDoubles: true });
    if ("error" in row) expect(got).toHaveProperty("issue");
    else expect(got).toEqual(sameFloats(row.value));
  });
});

describe("JSON, as recorded", () => {
  test.each(recorded<Row>("json", import.meta.url))("$text", (row) => {
    const got = read(row.text, { format: "json" });
    if ("error" in row) expect(got).toHaveProperty("issue");
    else expect(got).toEqual(sameFloats(row.value));
  });
});

// biome-ignore format: one case per line
const doubles: [string, string, string][] = [
  // text    JSON     YAML
  ["1",     "i1",    "i1"],
  ["1.0",   "f1",    "f1"],
  ["1e3",   "f1000", "f1000"],
  ["-0.0",  "f0",    "f0"],
  ["-0",    "i0",    "i0"],
  ["1.5",   "f1.5",  "f1.5"],
];

test.each(doubles)("%s keeps its kind", (text, json, yaml) => {
  expect(read(`{"a": ${text}}`, { format: "json" })).toEqual({ a: json });
  expect(read(`a: ${text}`, { format: "yaml" })).toEqual({ a: yaml });
});

test("without a factory whole doubles are plain numbers", () => {
  expect(readDocuments('{"a": 1.0}').documents[0]!.value).toEqual({ a: 1 });
});

describe("streams", () => {
  test("documents of YAML; empty ones are counted and left out", () => {
    const { documents, issues } = readDocuments("---\na: 1\n---\n# nothing\n---\nb: 2\n...\n---\nc: 3\n");
    expect(issues).toEqual([]);
    expect(documents.map(({ index, value }) => [index, value])).toEqual([
      [0, { a: 1 }],
      [2, { b: 2 }],
      [3, { c: 3 }],
    ]);
  });

  test("an issue in one document leaves the others", () => {
    const { documents, issues } = readDocuments("a: 1\n---\nb: [\n---\nc: 3\n", { file: "x.yaml" });
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }, { c: 3 }]);
    expect(issues.map(({ code, file, line }) => [code, file, line])).toEqual([["syntax", "x.yaml", 3]]);
  });

  test("JSON values that follow each other", () => {
    expect(readDocuments('{"a":1}\n{"b":2} [3]').documents.map(({ value }) => value)).toEqual([
      { a: 1 },
      { b: 2 },
      [3],
    ]);
  });

  test("flow-style YAML that looks like JSON", () => {
    expect(readDocuments("{a: 1, b: [x, z]}\n---\n{c: 2}").documents.map(({ value }) => value)).toEqual([
      { a: 1, b: ["x", "z"] },
      { c: 2 },
    ]);
  });

  test("a byte order mark is no content", () => {
    expect(read('\ufeff{"a": 1}')).toEqual({ a: "i1" });
    expect(read("\ufeffa: 1")).toEqual({ a: "i1" });
  });

  test("one document", () => {
    expect(readDocument("a: 1")).toMatchObject({ value: { a: 1 } });
    expect(readDocument("")).toMatchObject([{ message: "no document found" }]);
    expect(readDocument("a: 1\n---\nb: 2")).toMatchObject([{ message: "more than one document found" }]);
    expect(readDocument("a: [")).toMatchObject([{ code: "syntax" }]);
  });
});

describe("issues", () => {
  // biome-ignore format: one case per line
  const cases: [string, ReadOptions, string][] = [
    ['{\n  "a": 1,\n  "a": 2\n}',        {},                   'f:3:3: duplicate field "a"'],
    ['{"a": 1 "b"}',                     { format: "json" },   'f:1:9: unexpected character "\\"" after a member'],
    ['{"a" 1}',                          { format: "json" },   'f:1:6: unexpected character "1" after a key'],
    ["[1, 2",                            { format: "json" },   "f:1:6: unexpected end of text after an element"],
    ['"a\nb"',                           { format: "json" },   'f:1:3: unexpected character "\\n" in a string'],
    ['"\\x"',                            { format: "json" },   "f:1:2: invalid escape in a string"],
    ['"\\u12g4"',                        { format: "json" },   "f:1:2: invalid \\u escape in a string"],
    ['{"a": 1e999}',                     {},                   "f:1:7: number 1e999 is out of range"],
    ["truth",                            { format: "json" },   'f:1:1: unexpected character "t" looking for a value'],
    ["1x",                               { format: "json" },   "f:1:2: unexpected text after a value"],
    ["",                                 { format: "json" },   "f:1:1: unexpected end of text looking for a value"],
    ["a: 1\nb: 2\na: 3\n",               {},                   'f:3:1: key "a" already set in map'],
    ["a: .nan",                          {},                   "f:1:4: unsupported value: NaN"],
    ["a: -.inf",                         {},                   "f:1:4: unsupported value: -Inf"],
    ["~: 1",                             {},                   "f:1:1: unsupported map key of type: null"],
    ["? [a]\n: 1",                       {},                   "f:1:3: invalid map key: a map or list cannot be a key"],
    ["18446744073709551615: 1",          {},                   "f:1:1: unsupported map key of type: uint64, key: 18446744073709551615"],
    ["a: *x",                            {},                   "f:1:4: unknown anchor 'x' referenced"],
    ["a: &x [*x]",                       {},                   "f:1:8: anchor 'x' value contains itself"],
    ["a: &x\n  b: *x",                   {},                   "f:2:6: anchor 'x' value contains itself"],
    ["a:\n  <<: 1",                      {},                   "f:2:7: map merge requires map or sequence of maps as the value"],
    ["a: !!int x",                       {},                   "f:1:10: cannot decode !!str `x` as a !!int"],
    ["a: !!binary '*'",                  {},                   "f:1:13: !!binary value contains invalid base64 data"],
    ["abcdef",                           { limits: { bytes: 5 } },     "f:1:1: larger than 5 bytes"],
    ["a: éé",                            { limits: { bytes: 6 } },     "f:1:1: larger than 6 bytes"],
    ["[[[1]]]",                          { limits: { depth: 2 } },     "f:1:3: nested more than 2 levels deep"],
    ["a:\n  b:\n    c: 1",               { limits: { depth: 2 } },     "f:3:5: nested more than 2 levels deep"],
    ["[1,2,3]",                          { limits: { nodes: 3 } },     "f:1:6: more than 3 values in one document"],
    ["- 1\n- 2\n- 3",                    { limits: { nodes: 3 } },     "f:3:3: more than 3 values in one document"],
    ["a: 1\n---\nb: 2\n---\nc: 3",       { limits: { documents: 2 } }, "f:4:1: more than 2 documents"],
    ["{}{}{}",                           { limits: { documents: 2 } }, "f:1:5: more than 2 documents"],
  ];
  test.each(cases)("%j", (text, options, want) => {
    const { issues } = readDocuments(text, { file: "f", ...options });
    expect(issues.map(readIssueText)).toEqual([want]);
  });

  test("duplicates can be let through: the last one counts", () => {
    expect(read('{"a": 1, "a": 2}', { duplicateKeys: "last" })).toEqual({ a: "i2" });
    expect(read("a: 1\na: 2", { duplicateKeys: "last" })).toEqual({ a: "i2" });
  });
});

describe("merge keys and aliases", () => {
  test("merged members are set at the key; later ones win", () => {
    expect(read("b: &b {x: 1, z: 1}\nd:\n  <<: *b\n  z: 2\n")).toMatchObject({ d: { x: "i1", z: "i2" } });
    expect(read("b: &b {x: 1}\nd:\n  x: 2\n  <<: *b\n")).toMatchObject({ d: { x: "i1" } });
    expect(read("d:\n  <<: [{a: 1, b: 1}, {b: 2, c: 2}]\n")).toEqual({ d: { a: "i1", b: "i1", c: "i2" } });
    expect(read("'<<': 1\n")).toEqual({ "<<": "i1" });
  });

  test("an alias is a copy, and the anchor the last one before it", () => {
    const { documents } = readDocuments("a: &x [1]\nb: *x\nc: &x [2]\nd: *x\n");
    const value = documents[0]!.value as Record<string, unknown>;
    expect(value).toEqual({ a: [1], b: [1], c: [2], d: [2] });
    expect(value.a).not.toBe(value.b);
  });

  test("aliases that multiply are stopped", () => {
    const levels = 9;
    let text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (let i = 1; i < levels; i++)
      text += `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(", ")}]\n`;
    expect(readDocuments(text).issues).toMatchObject([{ message: "document contains excessive aliasing" }]);
  });
});

test("fifty thousand anchors are read, each once; a chain of them is stopped", () => {
  const lines = Array.from({ length: 50_000 }, (_, i) => `k${i}: &a${i} v\n`);
  const { documents, issues } = readDocuments(`${lines.join("")}last: *a49999\n`);
  expect(issues).toEqual([]);
  const value = documents[0]!.value as Record<string, unknown>;
  expect(Object.keys(value)).toHaveLength(50_001);
  expect(value.last).toBe("v");
  const chain = Array.from({ length: 2000 }, (_, i) => `k${i + 1}: &a${i + 1} [*a${i}]\n`);
  expect(readDocuments(`k0: &a0 [x]\n${chain.join("")}`).issues).toMatchObject([
    { message: "document contains excessive aliasing" },
  ]);
});

describe("numbers of a million digits", () => {
  const digits = "9".repeat(1_000_000);
  const none = (text: string): unknown => readDocuments(text, { format: "json" }).issues;

  test.each([digits, `-${digits}`, `${digits}.5`, `1e${digits}`])("are out of range in JSON", (number) => {
    const message = `number ${number.slice(0, 40)}... (${number.length} characters) is out of range`;
    expect(none(`{"a": ${number}}`)).toMatchObject([{ code: "number_range", message, column: 7 }]);
  });

  test("are the nearest double where there is one", () => {
    expect(read(`a: 0.${digits}\n`)).toEqual({ a: "f1" });
    const { documents } = readDocuments(`{"a": 0.${digits}, "b": ${digits.slice(0, 300)}}`, { format: "json" });
    expect(documents[0]!.value).toEqual({ a: 1, b: 1e300 });
  });

  test.each([digits, `0x${digits}`, `0b${"1".repeat(1000)}`, `${digits}.5`])("are text in YAML", (number) => {
    expect(readDocuments(`a: ${number}\n`).documents[0]!.value).toEqual({ a: number });
  });

  test("leading zeros count for nothing", () => {
    const zeros = "0".repeat(1000);
    expect(read(`a: 0x${zeros}ff\nb: -0b${zeros}11\nc: 0${zeros}17\n`)).toEqual({ a: "i255", b: "i-3", c: "i15" });
  });
});

test("names that mean something to JavaScript are ordinary members", () => {
  for (const text of ['{"__proto__": {"x": 1}, "constructor": 2}', "__proto__: {x: 1}\nconstructor: 2\n"]) {
    const value = readDocuments(text).documents[0]!.value as object;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect("x" in value).toBe(false);
  }
});

describe("places", () => {
  // The fast reader knows where a document begins; it must be where a search for the place finds it.
  // biome-ignore format: one case per line
  const starts: readonly (readonly [string, JsonPath, "key" | "value"])[] = [
    ["a: 1\n",                          ["a"], "key"],
    ["# c\n\na: 1\n",                   ["a"], "key"],
    ["---\n# c\na: 1\n",               ["a"], "key"],
    ["--- # c\n  a: 1\n",              ["a"], "key"],
    ["# c\r\na: 1\r\n",                ["a"], "key"],
    ["a: &x 1\nb: *x\n",               ["a"], "key"],
  ];
  test.each(starts)("%j starts where its first field does", (text, path, part) => {
    const [document] = readDocuments(text).documents;
    expect(document!.positionOf([])).toEqual(document!.positionOf(path, part));
    expect(document!.positionOf([], "key")).toBeUndefined();
  });

  test("a list starts at its first dash", () => {
    expect(readDocuments("# c\n- a: 1\n").documents[0]!.positionOf([])).toMatchObject({ line: 2, column: 1 });
  });

  const yaml = `kind: Pod
spec:
  containers:
  - name: a
    image: x:1
  - {name: b, "image": "y"}
  empty:
  text: |
    one
---
base: &base
  cpu: 1
merged:
  <<: *base
  memory: 2
alias: *base
`;
  const json = `{"kind": "Pod",
  "spec": {"containers": [
    {"name": "a"}, {"na\\u006de": "b", "x": [1, [2, "]"], 3]}
  ], "z": null}}`;

  // biome-ignore format: one case per line
  const cases: [string, number, (string | number)[], string, string | undefined][] = [
    // text document path                              value    key
    [yaml, 0, [],                                      "1:1",   undefined],
    [yaml, 0, ["kind"],                                "1:7",   "1:1"],
    [yaml, 0, ["spec", "containers"],                  "4:3",   "3:3"],
    [yaml, 0, ["spec", "containers", 0],               "4:5",   undefined],
    [yaml, 0, ["spec", "containers", 0, "image"],      "5:12",  "5:5"],
    [yaml, 0, ["spec", "containers", 1, "image"],      "6:24",  "6:15"],
    [yaml, 0, ["spec", "empty"],                       "7:9",   "7:3"],
    [yaml, 0, ["spec", "text"],                        "8:9",   "8:3"],
    [yaml, 1, ["merged", "cpu"],                       "12:8",  "12:3"],
    [yaml, 1, ["merged", "memory"],                    "15:11", "15:3"],
    [yaml, 1, ["alias"],                               "16:8",  "16:1"],
    [yaml, 1, ["alias", "cpu"],                        "12:8",  "12:3"],
    [json, 0, [],                                      "1:1",   undefined],
    [json, 0, ["spec", "containers", 1, "name"],       "3:34",  "3:21"],
    [json, 0, ["spec", "containers", 1, "x", 1, 1],    "3:52",  undefined],
    [json, 0, ["spec", "containers", 1, "x", 2],       "3:58",  undefined],
    [json, 0, ["spec", "z"],                           "4:11",  "4:6"],
  ];

  const place = (text: string, index: number, path: (string | number)[], part: "key" | "value"): string | undefined => {
    const position = readDocuments(text, { file: "f" }).documents[index]!.positionOf(path, part);
    return position === undefined ? undefined : `${position.line}:${position.column}`;
  };

  test.each(cases)("%#", (text, index, path, value, key) => {
    expect(place(text, index, path, "value")).toBe(value);
    expect(place(text, index, path, "key")).toBe(key);
  });

  test("an absent field has no place", () => {
    for (const text of [yaml, json]) {
      for (const path of [
        ["nope"],
        ["kind", "x"],
        ["spec", 0],
        ["spec", "containers", 9],
        ["spec", "containers", "0"],
      ]) {
        expect(place(text, 0, path, "value")).toBeUndefined();
      }
    }
  });
});

describe("any data", () => {
  const scalar = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n)),
    fc.integer().map((n) => new Double(n)),
    fc.string(),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "yes",
      "010",
      "1e3",
      "~",
      "- a",
      "a: b",
      "#",
      "\n",
      " x ",
      "0x1",
      ".5",
      "<<",
      "*a",
      "&a",
      "!x",
      "%",
      "---",
    ),
  );
  const data = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(fc.string({ maxLength: 8 }), tie("node"), { maxKeys: 4 }),
    ),
  })).node;

  const json = (value: unknown): string => {
    if (typeof value === "bigint") return String(value);
    if (value instanceof Double) return `${value.value}.0`;
    if (Array.isArray(value)) return `[${value.map(json).join(", ")}]`;
    if (typeof value === "object" && value !== null) {
      return `{${Object.entries(value)
        .map(([key, item]) => `${JSON.stringify(key)}: ${json(item)}`)
        .join(", ")}}`;
    }
    return JSON.stringify(value);
  };

  test("goes through JSON unchanged", () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(read(json(value), { format: "json" })).toEqual(tagged(value));
      }),
      { numRuns: 500 },
    );
  });

  test("goes through YAML unchanged", () => {
    const asText = (value: unknown): unknown => {
      if (value instanceof Double) return value.value + 0.5;
      if (Array.isArray(value)) return value.map(asText);
      if (typeof value === "object" && value !== null) {
        return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asText(item)]));
      }
      return value;
    };
    fc.assert(
      fc.property(data, (value) => {
        const wanted = { root: asText(value) };
        const text = stringify(wanted, { version: "1.1", lineWidth: 0 });
        // The library writes this key bare, and then it is a merge.
        fc.pre(!/(?:^|[ {,])<<:/m.test(text));
        expect(read(text, { format: "yaml" })).toEqual(tagged(wanted));
      }),
      { numRuns: 500 },
    );
  });

  test("JSON says what JSON.parse says", () => {
    const part = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "1",
      "-",
      "0",
      ".5",
      "e1",
      "true",
      "null",
      " ",
      "\\",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
        const text = parts.join("");
        let want: unknown;
        try {
          want = JSON.parse(text);
        } catch {
          want = undefined;
        }
        const { documents, issues } = readDocuments(text, { format: "json", duplicateKeys: "last" });
        if (want === undefined) expect(issues.length > 0 || documents.length > 1).toBe(true);
        else expect(JSON.stringify(documents[0]!.value)).toBe(JSON.stringify(want)); // the integer -0 is 0
      }),
      { numRuns: 1000 },
    );
  });

  test("no text makes a reader throw or go beyond its bounds", () => {
    const limits = { bytes: 400, depth: 6, nodes: 60, documents: 3 };
    const size = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? 1 + Object.values(value).reduce((sum: number, item) => sum + size(item), 0)
        : 1;
    const depth = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
    const part = fc.constantFrom(
      "a",
      ": ",
      ":",
      "- ",
      "\n",
      "\n  ",
      "\n    ",
      "{",
      "}",
      "[",
      "]",
      ", ",
      "&x ",
      "*x",
      "<<: ",
      "|\n",
      ">-\n",
      "'",
      '"',
      "#",
      "!!int ",
      "!t ",
      "? ",
      "---\n",
      "...\n",
      "%YAML 1.1\n",
      "1",
      "1.0",
      "~",
      "\t",
      "\\",
      "\0",
      "é",
      "\ud800",
      "b: 2",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part, { maxLength: 40 }).map((parts) => parts.join("")),
        ),
        (text) => {
          for (const format of ["auto", "json", "yaml"] as const) {
            const { documents, issues } = readDocuments(text, { format, limits });
            expect(documents.length).toBeLessThanOrEqual(limits.documents);
            for (const { value, positionOf } of documents) {
              expect(size(value)).toBeLessThanOrEqual(limits.nodes);
              expect(depth(value)).toBeLessThanOrEqual(limits.depth);
              expect(positionOf([])).toBeDefined();
            }
            for (const issue of issues) expect(issue.offset).toBeLessThanOrEqual(text.length);
          }
        },
      ),
      { numRuns: 700 },
    );
  });

  test("deep nesting is an issue, not a crash", () => {
    for (const text of [
      "[".repeat(200_000),
      "{a: ".repeat(20_000),
      "- ".repeat(20_000),
      `${'{"a":'.repeat(100_000)}1`,
    ]) {
      for (const format of ["auto", "json", "yaml"] as const) {
        expect(readDocuments(text, { format }).issues.length).toBeGreaterThan(0);
      }
    }
  });
});

describe("what YAML takes away without a word is a warning", () => {
  // biome-ignore format: one case per line
  const cases: [string, string][] = [
    ["a: 1\nb: 2\na: 3\n",                     '3:1: key "a" already set in map; the last one counts'],
    ["a: !has(object.x)\n",                    "1:4: YAML reads !has(object.x) as a tag and drops it; quote the text if it belongs to it"],
    ["a: !object.x == 1\n",                    "1:4: YAML reads !object.x as a tag and drops it; quote the text if it belongs to it"],
    ["on: push\n",                             '1:1: YAML reads the key on as the boolean true: write "on"'],
    ["a: {y: 1, x: 2}\n",                      '1:5: YAML reads the key y as the boolean true: write "y"'],
    ["a: x.contains('a # b')\n",               "1:18: YAML reads # behind a space as a comment, and the text ends before it; quote the text"],
    ["a: has(x) && (y # or\n",                 "1:17: YAML reads # behind a space as a comment, and the text ends before it; quote the text"],
    ["a: has(x) || #y\n",                      "1:14: YAML reads # behind a space as a comment, and the text ends before it; quote the text"],
    ["a: 1\n...\nb: 2\n",                      "3:1: ignored: the document ends before this text"],
    ["[1] x\n",                                "1:5: ignored: the document ends before this text"],
  ];
  test.each(cases)("%j", (text, want) => {
    const { documents, issues, warnings } = readDocuments(text, { duplicateKeys: "warn" });
    expect([documents.length, issues]).toEqual([1, []]);
    expect(warnings.map(readIssueText)).toEqual([want]);
  });

  test.each(["a: cm9vdA==  # root\n", "a: aW5mbHV4ZGI= # name\n", "a: 1 # one\n"])(
    "%j has an ordinary comment",
    (text) => expect(readDocuments(text, { duplicateKeys: "warn" }).warnings).toEqual([]),
  );

  test.each([
    "a: it's # so\n",
    "a: f(x) # c\n",
    "a: 'x # y'\n",
    "true: 1\n",
    "a: !!str 1\n",
    "a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n",
    "a: 1\n# c\n",
  ])("not %j", (text) => expect(readDocuments(text, { duplicateKeys: "warn" }).warnings).toEqual([]));
});

describe("manifests that kubectl reads, and those it refuses", () => {
  // biome-ignore format: one case per line
  const read = [
    ["data:\n  k: \"a\nb\"\n",                 { data: { k: "a b" } }],
    ["data:\n  k: 'a\n  b'\n",                 { data: { k: "a b" } }],
    ["data:\n  k: [a,\n  b\n  ]\n",            { data: { k: ["a", "b"] } }],
    ["data: {a: 1,\nb: 2}\n",                  { data: { a: 1, b: 2 } }],
    ["spec:\n  rules: [{\n    a: [b]\n  }]\n", { spec: { rules: [{ a: ["b"] }] } }],
    ["data:\n  k: \"it\\'s\"\n",               { data: { k: "it's" } }],
    ["a: 1\rb: 2\r",                           { a: 1, b: 2 }],
    ["a: \"x\u0085y\"\n",                      { a: "x y" }],
    ["a: |\n  x",                              { a: "x\n" }],
    ["k:\t1\n",                                { k: 1 }],
  ] as const;
  test.each(read)("%j", (text, want) => {
    expect(readDocuments(text).documents.map(({ value }) => value)).toEqual([want]);
  });

  // biome-ignore format: one case per line
  const refused = [
    ["a: \"x\u0007\"\n",                       "1:6: the character U+0007 cannot stand in YAML; in double quotes, write \\u0007"],
    ["a: \"x\\/y\"\n",                         "1:6: \\/ is no escape sequence in double quotes; write \\\\ for a backslash, or use single quotes"],
    ["a: 1\n\t\nb: 2\n",                       "2:1: a tab in the indentation"],
    ["%YAML 1.2\n---\na: yes\n",               "1:1: Kubernetes reads YAML 1.1 only; remove the %YAML directive"],
    ["--- a: 1\n",                             "1:5: only a comment may follow --- in its line; kubectl refuses anything else"],
    ["a: \"foo\nb: \"bar\"\n",                 "1:4: missing closing double quote"],
    ["a: 'x\n---\nb: 1\n",                     "1:4: missing closing single quote"],
    ["a: {b: 1\nc: 2\n",                       "1:4: missing closing }"],
    ["a: {{ .x }}\n",                          "1:4: {{ }} is a template action, not YAML"],
    ["a: b: c\n",                              "1:5: YAML reads a colon followed by a space as a map, which cannot begin here"],
    ["a: 'it's'\n",                            "1:8: unexpected text behind the closing '; quote the whole value, or escape the quote in it"],
  ] as const;
  test.each(refused)("not %j", (text, want) => {
    expect(readDocuments(text).issues.map(readIssueText)[0]).toBe(want);
  });
});
