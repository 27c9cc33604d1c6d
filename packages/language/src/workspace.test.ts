// Diagnostics of files, at their places, alone and with each other.

import { expect, test } from "vitest";
import { BINDING, marked, policy, validation, WIDGETS } from "./marked.testing.ts";
import { Workspace } from "./workspace.ts";

async function shown(text: string, others?: Record<string, string>): Promise<string[]> {
  const { workspace, uri, text: plain } = marked(text, others);
  const found = await workspace.diagnostics(uri);
  return found.map(({ code, severity, range }) => `${severity} ${code} [${plain.slice(range.start, range.end)}]`);
}

// biome-ignore format: one case per line
test.each([
  { text: validation("object.spec.replcas <= 5"),        want: ["error type_mismatch [replcas]"] },
  { text: validation("object.spec.replicas <= 5 &&\n  objct.x == 1"), want: ["error compile_error [objct]"] },
  { text: validation("a &&\n  ) b"),                      want: ["error compile_error [)]"] },
  { text: policy("  validations:\n  - expression: >-\n      true &&\n      nope\n"), want: ["error compile_error [nope]"] },
  { text: policy("  validations:\n  - expression: \"'\\u00e9😀' == nope\"\n"), want: ["error compile_error [nope]"] },
  { text: policy("  failurPolicy: Fail\n  validations: [{ expression: object == null }]\n"), want: ["error unknown_field [failurPolicy]"] },
  { text: policy("  failurePolicy: Fial\n  validations: [{ expression: object == null }]\n"), want: ["error invalid_field [Fial]"] },
  { text: "a: [",                                         want: ["error syntax [[]"] },
  { text: policy("  validations:\n  - expression: >\n      true // a note\n      && object.x == 1\n"), want: ["warning rule_reads_nothing [true // a note\n      && object.x == 1]", "warning comment_in_folded_text [ // a note]"] },
  { text: policy("  validations:\n  - expression: has(object. # x)\n"), want: ["error compile_error [object]", "error compile_error [ ]", "warning yaml_comment [ # x)]"] },
])("$text", async ({ text, want }) => expect(await shown(text, { "b.yaml": BINDING })).toEqual(want));

test("CRLF and characters beyond 16 bits", async () => {
  const text = validation("'😀' != '' && objct.x == 1").replaceAll("\n", "\r\n");
  expect(await shown(text, { "b.yaml": BINDING })).toEqual(["error compile_error [objct]"]);
});

test("resources of other files", async () => {
  const fine = policy("  validations: [{ expression: object.spec.replicas < 5 }]\n");
  expect(await shown(fine, { "b.yaml": BINDING })).toEqual([]);
  expect(await shown(fine)).toEqual(["information policy_without_binding [p]"]);
  expect(await shown(BINDING, { "p.yaml": fine.replace("name: p", "name: q") })).toEqual([
    "warning dangling_policy_name [p]",
  ]);
});

test("a key given twice is a warning, and the last one counts", async () => {
  const workspace = new Workspace();
  const twice = policy("  validations: [{ expression: object.spec.replicas < 5 }]\n").replace(
    "metadata:",
    "kind: Pod\nkind: ValidatingAdmissionPolicy\nmetadata:",
  );
  workspace.set("p.yaml", twice);
  workspace.set("b.yaml", BINDING);
  const found = await workspace.diagnostics("p.yaml");
  expect(found.map(({ code, severity, message }) => `${severity} ${code} ${message}`)).toEqual([
    'warning duplicate_key key "kind" already set in map; the last one counts',
    'warning duplicate_key key "kind" already set in map; the last one counts',
  ]);
});

test("mistakes in celadon.yaml", async () => {
  const workspace = new Workspace();
  workspace.set("celadon.yaml", "apiVersion: celadon.dev/v1\nkind: Configuration\nexlude: [a]\nunknownKinds: none\n");
  const found = await workspace.diagnostics("celadon.yaml");
  expect(found.map(({ message, help, source }) => [source, message, help])).toEqual([
    ["configuration", 'unknown field "exlude"', 'did you mean "exclude"?'],
    ["configuration", 'unknownKinds is "none", not one of error, warn, ignore', undefined],
  ]);
});

test("a change is seen, and a file that goes", async () => {
  const workspace = new Workspace();
  workspace.set("p.yaml", policy("  validations: [{ expression: object.spec.replicas < 5 }]\n"));
  workspace.set("b.yaml", BINDING);
  expect(await workspace.diagnostics("b.yaml")).toEqual([]);
  workspace.edit("p.yaml", [
    {
      range: {
        start: workspace.file("p.yaml")!.text.indexOf("name: p") + 6,
        end: workspace.file("p.yaml")!.text.indexOf("name: p") + 7,
      },
      text: "q",
    },
  ]);
  expect((await workspace.diagnostics("b.yaml")).map(({ code }) => code)).toEqual(["dangling_policy_name"]);
  workspace.delete("p.yaml");
  expect((await workspace.diagnostics("p.yaml")).length).toBe(0);
  expect((await workspace.diagnostics("b.yaml")).map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    "information dangling_policy_name",
  ]);
});

test("an object written in two files stays when one lets it go", async () => {
  const workspace = new Workspace();
  const fine = policy("  validations: [{ expression: object.spec.replicas < 5 }]\n");
  workspace.set("p.yaml", fine);
  workspace.set("q.yaml", fine);
  workspace.set("b.yaml", BINDING);
  workspace.delete("q.yaml");
  expect(await workspace.diagnostics("b.yaml")).toEqual([]);
});

test("parts that stay are not read again", () => {
  const workspace = new Workspace();
  workspace.set("a.yaml", `${BINDING}---\n${policy("")}`);
  const [before] = workspace.file("a.yaml")!.parts;
  workspace.set("a.yaml", `${BINDING}---\n${policy("  validations: []\n")}`);
  expect(workspace.file("a.yaml")!.parts[0]!.part).toBe(before!.part);
});

test("template actions are masked, and the fields they fill in are not checked", async () => {
  const chart = `{{- if .Values.on }}\n${policy("  validations:\n  - expression: object.spec.replicas <= {{ .Values.max }}\n  - expression: objct.x == 1\n")}{{- end }}\n`;
  expect(await shown(chart, { "b.yaml": BINDING })).toEqual(["error compile_error [objct]"]);
});

test("rules of definitions, with the bound that makes them cheap enough", async () => {
  const wide = WIDGETS.replace("maxItems: 5, ", "").replace(
    "RULE",
    "self.parts.all(a, self.parts.all(b, self.parts.all(c, a.color == b.color && b.color == c.color)))",
  );
  const { workspace, uri } = marked(wide);
  const found = await workspace.diagnostics(uri);
  expect(found.map(({ code }) => code)).toContain("cost_over_limit");
  expect(found.map(({ help }) => help).join()).toMatch(/maxItems/);
});

test("quick diagnostics are those of the file itself", async () => {
  const { workspace, uri } = marked(validation("objct.x == 1"));
  expect((await workspace.quickDiagnostics(uri)).map(({ code }) => code)).toEqual(["compile_error"]);
});
