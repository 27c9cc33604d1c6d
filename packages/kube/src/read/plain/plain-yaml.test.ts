// The fast reader returns the same as the complete reader, or nothing.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ReadFailure } from "../issue.ts";
import { settingsOf } from "../options.ts";
import { locateYaml } from "../yaml/yaml-locate.ts";
import { parseYaml } from "../yaml/yaml-parser.ts";
import { splitYaml } from "../yaml/yaml-stream.ts";
import { YamlConverter } from "../yaml/yaml-value.ts";
import { PlainYamlReader } from "./plain-yaml.ts";
import { PlaceRecorder } from "./plain-yaml-places.ts";

const settings = settingsOf({ double: (n) => ({ double: n }) });

/** Every document of the text, or undefined if one of them needs the complete reader. */
function readPlainYaml(text: string, using = settings): unknown[] | undefined {
  const ranges = splitYaml(text);
  const reader = new PlainYamlReader(text, using);
  const values = ranges.map(({ from, end, isMarked }) => ({ isMarked, value: reader.read(from, end) }));
  if (values.some(({ value }) => value === undefined)) return undefined;
  return values.filter(({ isMarked, value }) => isMarked || value !== null).map(({ value }) => value);
}

/** The complete reader's results; a failure is no value that the fast reader could answer. */
function readFully(text: string): unknown[] {
  return splitYaml(text).flatMap(({ from, end, isMarked, wrongMarker }) => {
    if (wrongMarker !== undefined) return ["only comments may follow a marker"];
    try {
      const { root } = parseYaml(ended(text.slice(from, end)), settings.limits);
      if (root === undefined) return isMarked ? [null] : [];
      return [new YamlConverter(settings).convert(root)];
    } catch (failure) {
      if (failure instanceof ReadFailure) return [failure];
      throw failure;
    }
  });
}

const ended = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

const withIndex = (values: readonly unknown[]): [number, unknown][] =>
  [...values.entries()].filter(([, value]) => value !== null);

function agree(text: string): boolean {
  const fast = readPlainYaml(text, settings);
  if (fast === undefined) return false;
  expect(withIndex(fast)).toEqual(withIndex(readFully(text)));
  agreeOnPlaces(text);
  return true;
}

function agreeOnPlaces(text: string): void {
  const reader = new PlainYamlReader(text, settings);
  for (const { from: start, end } of splitYaml(text)) {
    const places = new PlaceRecorder(text);
    const value = reader.read(start, end, places);
    if (value === null) continue;
    const locate = locateYaml(parseYaml(ended(text.slice(start, end)), settings.limits).root!, start, end);
    for (const path of pathsOf(value)) {
      expect([path, places.locate(path)]).toEqual([path, locate(path)]);
      const sought = new PlaceRecorder(text, path);
      reader.read(start, end, sought);
      expect([path, sought.locate(path)]).toEqual([path, locate(path)]);
    }
  }
}

function pathsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null || "double" in value) return [path];
  const steps = Array.isArray(value) ? value.map((_, i) => i) : Object.keys(value);
  return [
    path,
    ...steps.flatMap((step) => pathsOf((value as Record<string | number, unknown>)[step], [...path, step])),
  ];
}

const manifest = `# a comment
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web   # the name
  labels: {app: web, "app.kubernetes.io/name": 'web'}
  annotations:
    "on": "yes"
    text: |
      first

        indented
      last
    folded: >-
      one
      two

      three
    long: words that
      go on

      and on
spec:
  replicas: 3
  ratio: 1.0
  selector:
    matchLabels: {}
  template:
    spec:
      containers:
      - name: web
        image: registry:5000/web:1.2
        args: ["--a=b", -c, "\\u00e9\\n"]
        ports:
        - containerPort: 80
        -
          containerPort: 010
      - name: 'it''s'
        env: []
        nothing:
      volumes:
        - - nested
          - list
        - null
---
kind: List
---
# nothing here
---
a: 1`;

describe("what manifests are written in is read fast", () => {
  // biome-ignore format: one case per line
  const texts = [
    manifest, "", "# only a comment\n", "---\n", "a: 1\n---\n---\nb: 2\n", "- 1\n- a: 2\n  b: 3\n", "a:\n- 1\nb:\n  - 2\n",
    "a: |+\n  x\n\n\nb: 1\n", "a: >\n  x\n  y\n\n\n", "'a b': 1\n\"c\\td\": 2\n", "a: [[1, 2], {b: [x]}]  # c\n", "1: a\ntrue: b\n1.5: c\n",
    "a: 9223372036854775807\nb: 18446744073709551615\n", "a: x#y\nb: x:y\nc: -x\n", "__proto__: {a: 1}\n",
    "a: 'x\n  y  \n\n  it''s '\nb: 1\n", 'a: "x \\n\n\n\n  y\\\n   z"\n', "- 'x\n  y'\n- \"a: b\n  c\"\n", "a: [1,\n  2,\n\n  {b: c,\n   d: e},\n  ]\nb: 1\n",
    "a: |\n  all:\n  \tgo build\n    \n  x\n# \ta comment\nb: 1\n", "a: []\nb: [ ]\nc: {}\n", "a: >\n  x\n   y\n  z\n",
  ];
  test.each(texts)("%#", (text) => expect(agree(text)).toBe(true));
});

describe("what needs the complete reader is left to it", () => {
  // biome-ignore format: one case per line
  const texts = [
    "a: &x 1\n", "a: *x\n", "a: !!str 1\n", "<<: {a: 1}\n", "a: 1\na: 2\n", "{a: 1, a: 2}\n", "? a\n", "%YAML 1.1\n---\na: 1\n",
    "a: 1\n...\n", "a:\tb\n", "a: b\r\n", "\ufeffa: 1\n", "a: b: c\n", "a: 'x\ny'\n", "a: \"x\n", "a: [1,\n2]\n", "a: [1,,]\n", "a: 'x\ty'\n",
    "'a\n  b': 1\n", "a: [x\n  y]\n", "a: \"x\\\n\n  y\"\n", "\ta: 1\n", "a: 1\t\n",
    "a: {b}\n", "a: |2\n   x\n", "a: |\n  x", "a: .inf\n", "~: 1\n", "text\n", "a: 1\n b: 2\n", "a:\n    b: 1\n  c: 2\n",
    "a: @x\n", "a: 'x' y\n", "a: \"\\q\"\n", "- 1\na: 2\n", "a: 1\n- 2\n", "--- a: 1\n", "a : 1\n", `${"k".repeat(1001)}: 1\n`,
  ];
  test.each(texts)("%j", (text) => expect(readPlainYaml(text, settings)).toBeUndefined());

  test("and what goes beyond the bounds", () => {
    const small = settingsOf({ limits: { depth: 2, nodes: 6 } });
    expect(readPlainYaml("a: {b: 1}\n", small)).toEqual([{ a: { b: 1 } }]);
    for (const text of ["a: {b: {c: 1}}\n", "a:\n  b:\n    c: 1\n", "[1, 2, 3, 4, 5, 6]\n"]) {
      expect(readPlainYaml(text, small)).toBeUndefined();
    }
  });
});

describe("any text", () => {
  // biome-ignore format: one group per line
  const words = fc.constantFrom(
    "", "x", "1", "1.0", "yes", "~", "a b", "a#b", "a # c", "#c", "'q'", "'it''s'", '"d"', '"a\\n\\u00e9"', "[]", "{}", "[a, 'b', 1]",
    '{a: 1, "b": x}', "[[a], {b: [c]}]", "[a: b]", "{a}", "[a,]", "|", "|-", "|+", ">", ">-", "|\n      x\n\n       \tz \n\n      y",
    ">\n      x\n      z \n\n       \tz\n      y\n\n      \tw\n      a", ">+\n        \n      x\n", "- x", "-1", "--x", "?x", ":x", "a:", "a: b",
    "a:b", "&x y", "*x", "!t v", "@x", "x ", "  ", "é", "\u00a0", "---", "...", "'a", '"a', "http://a:80/b", "{{x}}", "<<", "0x1F", "[-1]",
    "{a: - b}", '"k": v', "k: v # c", "a-b.c/d: e", "-", "- k: v", "[a]b", "'a' b", "{} # c", "'x'# c", "|2", "'a\n    b'", '"a\n\n      b\\\n    c"', "[a,\n    b]", "\tx", "x\ty", "{a: b,\n      c: [d,\n    ]}",
  );
  const starts = fc.constantFrom("", "- ", "k: ", "b: ", "a:", "-", "'q': ", "- - ", "- k: ", "?", "# c", "---");
  const line = fc.tuple(fc.constantFrom(0, 0, 2, 2, 4, 1, 6), starts, words);
  const text = fc.tuple(fc.array(line, { maxLength: 8 }), fc.boolean());

  test("is read as the complete reader reads it, or not at all", () => {
    let answered = 0;
    fc.assert(
      fc.property(text, ([lines, lineEnd]) => {
        const source = lines.map(([indent, start, word]) => " ".repeat(indent) + start + word).join("\n");
        if (agree(lineEnd ? `${source}\n` : source)) answered++;
      }),
      { numRuns: 4000 },
    );
    expect(answered).toBeGreaterThan(100);
  });

  test("a tree of maps and lists is read fast", () => {
    const scalar = fc.constantFrom(
      " x\n",
      " 1\n",
      " 'a: b'\n",
      ' "c\\n"\n',
      " [a, 1]\n",
      " {}\n",
      " http://x:1/y # c\n",
      "\n",
    );
    const { map } = fc.letrec<{ map: string[]; list: string[]; value: string[] }>((tie) => ({
      map: fc
        .uniqueArray(fc.constantFrom("a", "b-c", "d.e/f", "'g h'", "TRUE", "7"), { minLength: 1, maxLength: 3 })
        .chain((keys) => fc.tuple(...keys.map((key) => tie("value").map((value) => prefixed(`${key}:`, value, "  ")))))
        .map((members) => members.flat()),
      list: fc
        .array(tie("value"), { minLength: 1, maxLength: 3 })
        .map((items) => items.flatMap((value) => prefixed("-", value, "  "))),
      value: fc.oneof(
        { maxDepth: 4, depthSize: "small" },
        scalar.map((item) => [item]),
        tie("map").map(onNextLine),
        tie("list").map(onNextLine),
      ),
    }));
    fc.assert(
      fc.property(map, (lines) => {
        expect(agree(lines.join(""))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

const onNextLine = (lines: string[]): string[] => ["\n", ...lines];

function prefixed(start: string, value: readonly string[], indent: string): string[] {
  return [start + value[0]!, ...value.slice(1).map((line) => indent + line)];
}
