// Documents as they are while somebody types: cut off anywhere, wrongly indented, with tabs, CRLF, templates and characters beyond 16 bits.
// For any document, nothing throws, and every returned place is in the text, at boundaries of characters.

import fc from "fast-check";
import { expect, test } from "vitest";
import { BINDING, policy, validation, WIDGETS } from "./marked.testing.ts";
import type { TextRange } from "./text/range.ts";
import { Workspace } from "./workspace.ts";

const SAMPLES: readonly string[] = [
  `${validation("object.spec.template.spec.containers.all(c,\n  has(c.image) && c.image.startsWith('é😀/')) // why\n&& variables.n > 1", "  variables:\n  - { name: n, expression: size(object.metadata.name) }\n")}---\n${BINDING}`,
  policy(
    "  paramKind: { apiVersion: v1, kind: ConfigMap }\n  validations:\n  - expression: \"'\\u00e9' in params.data && 'x\\\"y' != \\\"\\\"\"\n    messageExpression: >-\n      'a' +\n      string(object.spec.replicas)\n",
  ),
  WIDGETS.replace("RULE", "'self.parts.all(p, p.color != \"\") || oldSelf.size > 1'"),
  "apiVersion: policy.cert-manager.io/v1alpha1\nkind: CertificateRequestPolicy\nmetadata: { name: c }\nspec: { allowed: { dnsNames: { validations: [{ rule: \"self.endsWith('.x')\" }] } } }\n",
  '{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy", "metadata": {"name": "m"}, "spec": {"mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": "[JSONPatch{op: \\"add\\", path: \\"/x\\", value: 1}]"}}]}}\n',
  "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  replicas: 9\n  selector: { matchLabels: { app: web } }\n  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: a, image: b }] } }\n",
];

type Change = (text: string, at: number) => string;

/** By where `at`, from 0 to 1, falls in the text. */
const CHANGES: readonly Change[] = [
  (text, at) => text.slice(0, Math.floor(at * text.length)),
  (text, at) => text.slice(Math.floor(at * text.length)),
  (text, at) => text.slice(0, Math.floor(at * text.length)) + text.slice(Math.floor(at * text.length) + 7),
  (text) => text.replaceAll("\n", "\r\n"),
  (text, at) => indented(text, at, "  "),
  (text, at) => indented(text, at, "\t"),
  (text, at) => inserted(text, at, "😀"),
  (text, at) => inserted(text, at, "\n"),
  (text, at) => inserted(text, at, "{{ .Values.x }}"),
  (text, at) => inserted(text, at, "{{- if .Values.x }}\n"),
  (text, at) => inserted(text, at, "'"),
  (text, at) => inserted(text, at, '"'),
  (text, at) => inserted(text, at, "|\n"),
  (text, at) => inserted(text, at, "\r"),
  (text, at) => inserted(text, at, "\u2028: - ["),
  (text, at) => inserted(text, at, "&a *a <<: "),
  (text, at) => inserted(text, at, "\n---\n...\n"),
  (text, at) => inserted(text, at, "object.spec."),
];

function inserted(text: string, at: number, piece: string): string {
  const offset = Math.floor(at * text.length);
  return text.slice(0, offset) + piece + text.slice(offset);
}

function indented(text: string, at: number, piece: string): string {
  const lines = text.split("\n");
  const line = Math.floor(at * lines.length);
  return lines.map((item, i) => (i >= line && i < line + 3 ? piece + item : item)).join("\n");
}

const broken = fc
  .tuple(
    fc.constantFrom(...SAMPLES),
    fc.array(fc.tuple(fc.constantFrom(...CHANGES), fc.double({ min: 0, max: 0.999, noNaN: true })), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 4 }),
  )
  .map(([sample, changes, at]) => ({
    text: changes.reduce((text, [change, where]) => change(text, where), sample),
    at,
  }));

/** In the text, forwards, and through no character. */
function expectRange(text: string, { start, end }: TextRange, what: string): void {
  expect(start, what).toBeGreaterThanOrEqual(0);
  expect(end, what).toBeGreaterThanOrEqual(start);
  expect(end, what).toBeLessThanOrEqual(text.length);
}

async function askAll(workspace: Workspace, uri: string, offset: number): Promise<void> {
  const file = workspace.file(uri)!;
  const { text, source } = file;
  for (const encoding of ["utf-16", "utf-8"] as const) {
    const position = source.positionAt(offset, encoding);
    const back = source.offsetAt(position, encoding);
    // Between the halves of a character, or of a line end, there is no place.
    expect(Math.abs(back - offset)).toBeLessThanOrEqual(1);
    expect(source.offsetAt(source.positionAt(back, encoding), encoding)).toBe(back);
  }
  const completions = workspace.completion(uri, offset);
  expectRange(text, completions.range, "completion");
  const hover = workspace.hover(uri, offset);
  if (hover !== undefined) expectRange(text, hover.range, "hover");
  workspace.signature(uri, offset);
  for (const { uri: other, range } of workspace.references(uri, offset))
    expectRange(workspace.file(other)!.text, range, "reference");
  const renamed = workspace.rename(uri, offset, "other");
  if ("edits" in renamed)
    for (const edits of renamed.edits.values()) for (const { range } of edits) expectRange(text, range, "rename");
  const diagnostics = await workspace.diagnostics(uri);
  for (const { range } of diagnostics) expectRange(text, range, "diagnostic");
  for (const { edits } of workspace.actions(uri, { start: offset, end: offset }, diagnostics)) {
    for (const { range } of edits.get(uri) ?? []) expectRange(text, range, "action");
  }
}

test("for any request about a broken document, places are inside its text", { timeout: 120_000 }, async () => {
  const workspace = new Workspace();
  workspace.set("binding.yaml", BINDING);
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(broken, async ({ text, at }) => {
      workspace.set("a.yaml", text);
      for (const where of at) await askAll(workspace, "a.yaml", Math.floor(where * text.length));
      let before = 0;
      for (const token of workspace.tokens("a.yaml")) {
        expectRange(text, token, "token");
        expect(token.start).toBeGreaterThanOrEqual(before);
        before = token.end;
      }
      for (const { range, selection } of workspace.symbols("a.yaml")) {
        expectRange(text, range, "symbol");
        expect(range.start <= selection.start && selection.end <= range.end).toBe(true);
      }
      for (const range of workspace.folding("a.yaml")) expectRange(text, range, "folding");
      for (const { offset } of workspace.hints("a.yaml", { start: 0, end: text.length }))
        expectRange(text, { start: offset, end: offset }, "hint");
      for (const { range } of workspace.format("a.yaml")) expectRange(text, range, "format");
      asked++;
    }),
    { numRuns: 150, seed: 19 },
  );
  const verdicts = await workspace.verdictDiagnostics();
  expect(verdicts.size).toBeLessThanOrEqual(1);
  expect(asked).toBe(150);
});

test("every cut of a policy, at its end", { timeout: 120_000 }, () => {
  const workspace = new Workspace();
  const [text = ""] = SAMPLES;
  for (let end = 0; end <= text.length; end += 3) {
    workspace.set("a.yaml", text.slice(0, end));
    const { range } = workspace.completion("a.yaml", end);
    expectRange(text.slice(0, end), range, `cut at ${end}`);
    workspace.hover("a.yaml", end);
  }
});
