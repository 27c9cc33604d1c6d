// For any bytes, loading ends with data: objects, issues, notes. Nothing throws; quadratic work would run into the test's time limit.

import fc from "fast-check";
import { expect, test } from "vitest";
import { testIo } from "../io.testing.ts";
import { loadManifests } from "./load.ts";
import { showIssues, showNotes } from "./show-issues.ts";

const SEEDS: readonly string[] = [
  "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels: {a: b, \"c\": 'd'}\nspec:\n  containers:\n  - name: x\n    args: [a, 1.0, ~]\n  text: |\n    one\n     two\n",
  '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"\\u00e9"}}]}',
  "%YAML 1.2\n---\napiVersion: v1\nkind: List\nitems:\n- &a {apiVersion: v1, kind: X}\n- *a\n...\n---\n# c\n",
  '{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"create","objectRef":{"resource":"pods"},"requestObject":{}}\n{"kind":"Event"}\n',
  '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","kind":{},"resource":{},"operation":"CREATE"},"response":{"allowed":true}}',
  "apiVersion: v1\nkind: X\n<<: {a: 1}\nb: !!binary aGk=\nc: {{ .Values.x }}\n",
];

const PIECES: readonly string[] = [
  ..."{}[]:,-#&*!|>'\"%@`~?\\\n\t \r\0",
  "---\n",
  "...\n",
  "\n- ",
  ": ",
  "{{",
  "items:",
  "kind: List\n",
  "\ufeff",
  "é",
  "\ud800",
];

const mutated = fc
  .tuple(
    fc.constantFrom(...SEEDS),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 4 }), fc.constantFrom(...PIECES)), { minLength: 1, maxLength: 5 }),
  )
  .map(([seed, edits]) =>
    edits.reduce((text, [where, remove, piece]) => {
      const at = where % (text.length + 1);
      return text.slice(0, at) + piece + text.slice(at + remove);
    }, seed),
  );

async function check(data: string | Uint8Array, large = false): Promise<void> {
  const io = testIo({ files: { "d/a.yaml": data, "b.json": data }, stdin: data });
  const loaded = await loadManifests(["d", "b.json", "-"], {}, io);
  for (const { object, origin } of loaded.manifests) {
    expect(typeof object.kind).toBe("string");
    const position = origin!.positionOf([]);
    expect(position === undefined || origin!.lineText(position.line) !== undefined).toBe(true);
    origin!.positionOf(["metadata", "name"]);
  }
  for (const { line, column, lineText } of loaded.issues) {
    if (line !== undefined) expect(column! - 1).toBeLessThanOrEqual(lineText!.length + 1);
  }
  showIssues(loaded.issues);
  showNotes(loaded.notes);
  // Every file without manifests is reported.
  if (loaded.manifests.length + loaded.reviews.length + loaded.events.length === 0 && !large) {
    expect(loaded.files).toHaveLength(3);
  }
}

test("any bytes", () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (data) => check(data)),
    { numRuns: 200 },
  ));
test("any text", () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), (data) => check(data)),
    { numRuns: 300 },
  ));
test("changed manifests", () =>
  fc.assert(
    fc.asyncProperty(mutated, (data) => check(data)),
    { numRuns: 300 },
  ));

test("any paths", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom(..."ab./*?[]{},-!\\") }), { maxLength: 3 }),
      async (paths) => {
        const io = testIo({ files: { "a/b.yaml": SEEDS[0]!, "a/a/b.json": SEEDS[1]!, "b.yaml": "" }, stdin: "" });
        const { manifests, issues, notes, events, reviews } = await loadManifests(paths, {}, io);
        expect(manifests.length + issues.length + notes.length + events.length + reviews.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 500 },
  ));

// biome-ignore format: one case per line
const HARD: readonly (readonly [string, string])[] = [
  ["deep flow",           "[".repeat(66_000)],
  ["deep JSON",           `{"kind":"List","items":${"[".repeat(33_000)}`],
  ["deep block",          Array.from({ length: 3000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
  ["many markers",        "---\n".repeat(33_000)],
  ["many directives",     "%YAML 1.2\n".repeat(5_000)],
  ["markers, directives", "%A\n---\n".repeat(2_000)],
  ["comments, markers",   "#\n".repeat(50_000) + "---\n".repeat(50_000)],
  ["items of nothing",    `kind: List\napiVersion: v1\nitems:\n${"-\n".repeat(20_000)}`],
  ["aliases",             `a: &a [x]\n${Array.from({ length: 40 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? "a" : `b${i - 1}`}, *${i === 0 ? "a" : `b${i - 1}`}]`).join("\n")}`],
  ["one long line",       `apiVersion: v1\nkind: X\na: ${"x".repeat(1000_000)}`],
  ["quotes",              `"${"\\\\".repeat(166_000)}`],
  ["braces",              "{".repeat(33_000)],
  ["blank lines",         "\n".repeat(333_000)],
];
test.each(HARD)("%s", (_, text) => check(text, true), 60_000);
