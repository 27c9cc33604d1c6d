// Files before and after, byte for byte; and properties over files in all styles.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { formatExpression } from "@celadon/cel/format";
import { readDocuments } from "@celadon/kube/read";
import { expressionsIn } from "@celadon/simulator/manifests";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CORPUS, everyNth, hasCorpus } from "../../../../conformance/src/corpus/corpus-directory.ts";
import { formatManifestText } from "./format-manifest.ts";

const HEAD = `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n`;
const policy = (...lines: readonly string[]): string => `${HEAD}${lines.join("\n")}\n`;

// biome-ignore format: lines as they stand in the file
const cases = [
  {
    name: "one line keeps its style",
    before: policy(
      "spec:",
      "  variables: # all of them",
      "  - {name: 'a', expression: a+b}",
      "  - { expression: 'x==\"y\"' , name: b}",
      "  matchConditions:",
      "    - name:   c",
      "      expression:   a&&b   # why",
      "  validations:",
      "    - expression: 'a==''x'''",
      `    - expression: "a==\\"x\\"&&b"`,
      "    - expression: |",
      "        a==b",
      "",
      "    - messageExpression: >-",
      "        a+",
      "        b",
      "      message: 'a+b'",
    ),
    after: policy(
      "spec:",
      "  variables: # all of them",
      "  - {name: 'a', expression: a + b}",
      "  - { expression: 'x == \"y\"' , name: b}",
      "  matchConditions:",
      "    - name:   c",
      "      expression:   a && b   # why",
      "  validations:",
      "    - expression: 'a == ''x'''",
      `    - expression: "a == \\"x\\" && b"`,
      "    - expression: |",
      "        a == b",
      "",
      "    - messageExpression: >-",
      "        a + b",
      "      message: 'a+b'",
    ),
    width: 80,
    changed: 7,
  },
  {
    name: "what plain text cannot hold is quoted",
    before: policy("spec:", "  validations:", "  - expression: a?b:c", "  - expression: a?'b':c", `  - expression: a?'b':"c"`),
    after: policy("spec:", "  validations:", "  - expression: 'a ? b : c'", `  - expression: "a ? 'b' : c"`, `  - expression: 'a ? ''b'' : "c"'`),
    width: 80,
    changed: 3,
  },
  {
    name: "several lines become a literal block",
    before: policy(
      "spec:",
      "  validations:",
      "  - expression: object.metadata.name.startsWith('a') && object.metadata.name.size() < 10 # why",
      "    message: no",
      "  - expression: >",
      "      object.metadata.name.startsWith('a') &&",
      "      object.metadata.name.size() < 10",
      "",
      "",
      "    # about the next",
      "  - expression: |2-   # kept",
      "        object.metadata.name.startsWith('a')",
      "        && object.metadata.name.size() < 10",
      "  - expression:",
      "      'object.metadata.name.startsWith(\"a\")",
      "",
      "      && object.metadata.name.size() < 10'",
    ),
    after: policy(
      "spec:",
      "  validations:",
      "  - expression: |- # why",
      "      object.metadata.name.startsWith('a') &&",
      "      object.metadata.name.size() < 10",
      "    message: no",
      "  - expression: |",
      "      object.metadata.name.startsWith('a') &&",
      "      object.metadata.name.size() < 10",
      "",
      "",
      "    # about the next",
      "  - expression: |-   # kept",
      "      object.metadata.name.startsWith('a') &&",
      "      object.metadata.name.size() < 10",
      "  - expression:",
      "      |-",
      '      object.metadata.name.startsWith("a") &&',
      "      object.metadata.name.size() < 10",
    ),
    width: 60,
    changed: 4,
  },
  {
    name: "comments of expressions, and empty lines",
    before: policy("spec:", "  variables:", "  - name: x", "    expression: |+", "        a&& // first", "", "        // second", "        b", "", "  validations: []"),
    after: policy("spec:", "  variables:", "  - name: x", "    expression: |+", "        a && // first", "", "        // second", "        b", "", "  validations: []"),
    width: 80,
    changed: 1,
  },
  {
    name: "every document, a List, and kinds without expressions",
    before: `---\n# one\nkind: Pod\nexpression: a+b\n---\n${HEAD}spec: {validations: [{expression: a+b}]}\n---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: admissionregistration.k8s.io/v1\n  kind: MutatingWebhookConfiguration\n  webhooks:\n  - matchConditions:\n    - expression: a+b\n...\n`,
    after: `---\n# one\nkind: Pod\nexpression: a+b\n---\n${HEAD}spec: {validations: [{expression: a + b}]}\n---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: admissionregistration.k8s.io/v1\n  kind: MutatingWebhookConfiguration\n  webhooks:\n  - matchConditions:\n    - expression: a + b\n...\n`,
    width: 80,
    changed: 2,
  },
  {
    name: "rules of definitions and of certificate policies",
    before: `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n  - schema:\n      openAPIV3Schema:\n        properties:\n          spec:\n            x-kubernetes-validations:\n            - {rule: self.a<self.b, message: a<b}\n---\napiVersion: policy.cert-manager.io/v1alpha1\nkind: CertificateRequestPolicy\nspec: {allowed: {dnsNames: {validations: [{rule: self!=''}]}}}\n`,
    after: `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n  - schema:\n      openAPIV3Schema:\n        properties:\n          spec:\n            x-kubernetes-validations:\n            - {rule: self.a < self.b, message: a<b}\n---\napiVersion: policy.cert-manager.io/v1alpha1\nkind: CertificateRequestPolicy\nspec: {allowed: {dnsNames: {validations: [{rule: self != ''}]}}}\n`,
    width: 80,
    changed: 2,
  },
  {
    name: "one text for two fields",
    before: policy("spec:", "  validations:", "  - expression: &e a+b", "  - expression: *e"),
    after: policy("spec:", "  validations:", "  - expression: &e a + b", "  - expression: *e"),
    width: 80,
    changed: 2,
  },
  {
    name: "what only an escape can say stays in double quotes",
    before: policy("spec:", "  validations:", `  - expression: "a=='\\a\\u2028'&&object.metadata.name.startsWith('x')"`, `  - expression: "a=='\\x7f'"`, `  - expression: "a=='\\t'"`),
    after: policy("spec:", "  validations:", `  - expression: "a == '\\u0007\\u2028' && object.metadata.name.startsWith('x')"`, `  - expression: "a == '\\u007f'"`, `  - expression: "a == '\\t'"`),
    width: 30,
    changed: 3,
  },
  {
    name: "no end of line at the end",
    before: policy("spec:", "  validations:", "  - expression: |-", "      a+b").trimEnd(),
    after: policy("spec:", "  validations:", "  - expression: |-", "      a + b").trimEnd(),
    width: 80,
    changed: 1,
  },
];
describe.each(cases)("$name", ({ before, after, width, changed }) => {
  test("formats", () => {
    const result = formatManifestText(before, { width });
    expect(result.text).toBe(after);
    expect(result.issues).toEqual([]);
    expect(result.changed).toBe(changed);
    expect(formatManifestText(after, { width })).toEqual({ text: after, changed: 0, edits: [], issues: [] });
  });
  test("with CRLF", () => {
    const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
    expect(formatManifestText(crlf(before), { width }).text).toBe(crlf(after));
  });
});

// biome-ignore format: one case per line
const untouched = [
  { name: "a syntax error",        text: policy("spec:", "  validations:", "  - expression: |-", "      a &&", "        ) b"), want: ["error syntax_error 7:9"] },
  { name: "JSON",                  text: `{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy", "spec": {"variables": [{"expression": "a+b"}]}}`, want: ["note json 1:1"] },
  { name: "JSON without any",      text: `{"kind": "Pod"}`,                                                                   want: [] },
  { name: "several lines in flow", text: policy(`spec: {validations: [{expression: "a&&\\nb"}]}`),                            want: ["note left_as_is 3:35"] },
  { name: "a text shared with another field", text: policy("spec:", "  validations:", "  - message: &m a+b", "    expression: *m"), want: ["note left_as_is 6:17"] },
  { name: "no YAML",               text: "a: [",                                                                              want: ["error syntax 1:4"] },
  { name: "no expression",         text: policy("spec:", "  validations: [{expression: ''}, {expression: 1}, 2]", "  variables: x"), want: [] },
  { name: "empty",                 text: "",                                                                                  want: [] },
];
test.each(untouched)("$name stays", ({ text, want }) => {
  const result = formatManifestText(text, { file: "a.yaml" });
  expect(result.text).toBe(text);
  expect(result.changed).toBe(0);
  expect(result.issues.map((issue) => `${issue.severity} ${issue.code} ${issue.line}:${issue.column}`)).toEqual(want);
  expect(result.issues.every(({ file }) => file === "a.yaml")).toBe(true);
});

/** Values with their expressions formatted, so that files before and after are the same; syntax errors stay. */
function canonical(text: string): unknown[] {
  return readDocuments(text).documents.map(({ value }) => {
    const copy = structuredClone(value);
    for (const { path, text: expression } of expressionsIn(copy)) {
      const result = formatExpression(expression, { width: 1 });
      const parent = path
        .slice(0, -1)
        .reduce<unknown>((item, step) => (item as Record<string | number, unknown>)[step], copy);
      if ("text" in result) (parent as Record<string | number, unknown>)[path.at(-1)!] = result.text;
    }
    return copy;
  });
}

function holds(text: string, width: number): number {
  const result = formatManifestText(text, { width });
  expect(canonical(result.text)).toEqual(canonical(text));
  const again = formatManifestText(result.text, { width });
  expect(again.text).toBe(result.text);
  expect(again.changed).toBe(0);
  expect(result.text.includes("\r\n")).toBe(text.includes("\r\n"));
  return result.changed;
}

const STYLES: Readonly<Record<string, (text: string, margin: string) => string>> = {
  plain: (text) => text,
  single: (text) => `'${text.replaceAll("'", "''")}'`,
  double: (text) => JSON.stringify(text),
  clip: (text, margin) => `|\n${margin}${text.replaceAll("\n", `\n${margin}`)}`,
  strip: (text, margin) => `|- # c\n${margin}${text.replaceAll("\n", `\n${margin}`)}`,
  keep: (text, margin) => `|+\n${margin}${text.replaceAll("\n", `\n${margin}`)}\n\n`,
  folded: (text, margin) => `>\n${margin}${text.replaceAll("\n", `\n${margin}`)}`,
};
// biome-ignore format: clauses to make expressions of
const clause = fc.constantFrom(
  "a", "a==b", "object.metadata.name.startsWith('x')", 'has(object.spec)', '{"a":1}.a==1', "x?y:z", "[1,2,].all(e,e>0)", "'é\"# : '",
  "object.spec.containers.all(c,c.image.startsWith('registry.example.com/')&&!c.image.endsWith(':latest'))", "r'\\d'", "((p||q))",
);
const expression = fc
  .tuple(
    fc.array(clause, { minLength: 1, maxLength: 5 }),
    fc.constantFrom("&&", " || ", "\n&& ", " &&\n", " && // why\n"),
  )
  .map(([clauses, operator]) => clauses.join(operator));

test("files in all styles", () => {
  const field = fc.tuple(expression, fc.constantFrom(...Object.keys(STYLES)), fc.boolean());
  const files = fc.tuple(fc.array(field, { minLength: 1, maxLength: 4 }), fc.nat(6), fc.boolean(), fc.boolean());
  let changed = 0;
  fc.assert(
    fc.property(files, fc.constantFrom(40, 80, 120), ([fields, indent, crlf, end], width) => {
      const spaces = " ".repeat(indent);
      const lines = fields.map(([text, style, comment]) => {
        const value = STYLES[style]!(text, `${spaces}     `);
        const beside = comment && !value.includes("\n") ? " # beside" : "";
        return `${spaces}- message: m # m\n${spaces}  expression: ${value}${beside}\n${spaces}  reason: r\n`;
      });
      const text = `${HEAD}spec:\n  validations:\n${lines.join(`${spaces}# between\n`)}${end ? "# end" : ""}`;
      changed += holds(crlf ? text.replaceAll("\n", "\r\n") : text, width);
    }),
    { numRuns: 150 },
  );
  expect(changed).toBeGreaterThan(50);
});

const files = hasCorpus
  ? readdirSync(CORPUS, { recursive: true, encoding: "utf8" }).filter((name) => /\.ya?ml$/.test(name))
  : [];

test.skipIf(!hasCorpus)("files of real-world policies", { timeout: 120_000 }, () => {
  let changed = 0;
  for (const name of everyNth(files, 4)) {
    const text = readFileSync(join(CORPUS, name), "utf8");
    if (!/xpression|rule:/.test(text)) continue;
    changed += holds(text, 80);
  }
  expect(changed).toBeGreaterThan(25);
});
