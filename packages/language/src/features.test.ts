// Navigation, structure, actions and verdicts, each in a table with the cursor `¦`.

import { describe, expect, test } from "vitest";
import { applyEdits } from "./document/file.ts";
import { BINDING, marked, policy, validation, WIDGETS } from "./marked.testing.ts";
import { Workspace } from "./workspace.ts";

const VARIABLES = policy(`  variables:
  - name: conta¦iners
    expression: object.spec.template.spec.containers
  validations:
  - expression: variables.containers.all(c, c.image != '')
  - expression: "size(variables.containers) < 5 && [1].all(c, c > 0)"
`);
const LIMITS = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: limits, namespace: default }\ndata: { max: '5' }\n";
const WITH_PARAMS = policy(
  "  paramKind: { apiVersion: v1, kind: ConfigMap }\n  validations: [{ expression: object.spec.replicas < int(params.data.max) }]\n",
);
const PARAM_BINDING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: b }
spec: { policyName: p, validationActions: [Deny], paramRef: { name: lim¦its, namespace: default, parameterNotFoundAction: Deny } }
`;

describe("definition and references", () => {
  // biome-ignore format: one case per line
  test.each([
    { at: VARIABLES,                                                           want: ["a.yaml:containers*", "a.yaml:containers", "a.yaml:containers"] },
    { at: VARIABLES.replace("¦", "").replace("variables.containers.all", "variables.cont¦ainers.all"), want: ["a.yaml:containers*", "a.yaml:containers", "a.yaml:containers"] },
    { at: VARIABLES.replace("¦", "").replace("all(c, c.image", "all(c, ¦c.image"), want: ["a.yaml:c*", "a.yaml:c"] },
    { at: BINDING.replace("policyName: p", "policyName: ¦p"),                   want: ["p.yaml:p*", "a.yaml:p"], others: { "p.yaml": policy("") } },
    { at: PARAM_BINDING,                                                       want: ["p.yaml:limits*", "a.yaml:limits"], others: { "q.yaml": WITH_PARAMS, "p.yaml": LIMITS } },
    { at: WIDGETS.replace("RULE", "self.si¦ze > 0"),                           want: ["a.yaml:size*"] },
    { at: "apiVersion: example.com/v1\nkind: Wid¦get\nmetadata: { name: w }\n", want: ["c.yaml:Widget*", "a.yaml:Widget"], others: { "c.yaml": WIDGETS.replace("RULE", "'true'") } },
  ])("$at", ({ at, want, others = {} }) => {
    const { workspace, uri, offset } = marked(at, others as Record<string, string>);
    const shown = workspace.references(uri, offset).map(({ uri: file, range, isDefinition }) => `${file}:${workspace.file(file)!.text.slice(range.start, range.end)}${isDefinition ? "*" : ""}`);
    expect(shown.sort()).toEqual([...want].sort());
    expect(workspace.definition(uri, offset).length).toBe(1);
  });

  test("a field of a definition, from a policy", () => {
    const rules =
      "  matchConstraints: { resourceRules: [{ apiGroups: [example.com], apiVersions: [v1], resources: [widgets], operations: [CREATE] }] }\n";
    const { workspace, uri, offset } = marked(
      policy("  validations: [{ expression: object.spec.si¦ze > 0 }]\n", { rules }),
      { "c.yaml": WIDGETS.replace("RULE", "'true'") },
    );
    const [found] = workspace.definition(uri, offset);
    expect(found?.uri).toBe("c.yaml");
    expect(workspace.file("c.yaml")!.text.slice(found!.range.start, found!.range.end)).toBe("size");
  });
});

describe("rename", () => {
  const renamed = (at: string, name: string, others: Record<string, string> = {}): Record<string, string> | string => {
    const { workspace, uri, offset } = marked(at, others);
    const result = workspace.rename(uri, offset, name);
    if ("problem" in result) return result.problem;
    return Object.fromEntries(
      [...result.edits].map(([file, edits]) => [file, applyEdits(workspace.file(file)!.text, edits)]),
    );
  };

  test("a variable, in every style", () => {
    const text = VARIABLES.replace("¦", "");
    expect(renamed(VARIABLES, "cs")).toEqual({
      "a.yaml": text.replaceAll("variables.containers", "variables.cs").replace("name: containers", "name: cs"),
    });
  });
  test("the element of a loop, and not that of another", () => {
    const text = VARIABLES.replace("¦", "");
    expect(renamed(text.replace("all(c, c.image", "all(¦c, c.image"), "x")).toEqual({
      "a.yaml": text.replace("all(c, c.image", "all(x, x.image"),
    });
  });
  test("a policy with its bindings, quoted where YAML needs it", () => {
    const at = policy("", { name: "¦p" });
    expect(renamed(at, "on", { "b.yaml": BINDING })).toEqual({
      "a.yaml": policy("", { name: '"on"' }),
      "b.yaml": BINDING.replace("policyName: p", 'policyName: "on"'),
    });
  });
  // biome-ignore format: one case per line
  test.each([
    [VARIABLES, "1x", /not a CEL name/], [VARIABLES, "in", /reserved/], [policy("", { name: "¦p" }), "No_Name", /not a Kubernetes name/],
    [validation("object.spec.re¦plicas > 1"), "x", /nothing to rename/],
  ])("%s as %s", (at, name, want) => expect(renamed(at, name)).toMatch(want));

  test("what would be renamed", () => {
    const { workspace, uri, text, offset } = marked(VARIABLES);
    const found = workspace.renameRange(uri, offset)!;
    expect([found.name, text.slice(found.range.start, found.range.end)]).toEqual(["containers", "containers"]);
  });
});

// biome-ignore format: one case per line
test.each([
  { at: validation("object.metadata.name.startsWith(¦"),                  label: "string.startsWith(string) -> bool", argument: 0 },
  { at: validation("object.metadata.name.replace('a', ¦"),                label: "string.replace(string, string) -> string", argument: 1 },
  { at: validation("object.spec.template.spec.containers.all(c, ¦"),      label: "all(x, condition)", argument: 1 },
  { at: validation("sets.contains([1], ¦)"),                              label: "sets.contains(list(T), list(T)) -> bool", argument: 1 },
])("signature at $at", ({ at, label, argument }) => {
  const { workspace, uri, offset } = marked(at);
  const found = workspace.signature(uri, offset)!;
  expect(found.signatures[found.active]?.label).toBe(label);
  expect(found.argument).toBe(argument);
  const [start, end] = found.signatures[found.active]!.parameters[argument]!;
  expect(label.slice(start, end)).toMatch(/^[\w()]+$/);
});

test("colours", () => {
  const { workspace, uri, text } = marked(
    validation("variables.x.all(c, has(c.image)) // why\n&& object.metadata.name.size() > 1"),
  );
  const shown = workspace
    .tokens(uri)
    .map(({ type, start, end }) => `${type}:${text.slice(start, end)}`)
    .join(" ");
  expect(shown).toBe(
    "variable:variables property:x macro:all parameter:c macro:has parameter:c property:image comment:// why operator:&& variable:object property:metadata property:name method:size operator:> number:1",
  );
});

test("a text over several lines is a token on each", () => {
  const { workspace, uri, text } = marked(validation("'''a\nb''' != ''"));
  const shown = workspace.tokens(uri).map(({ start, end }) => text.slice(start, end));
  expect(shown).toEqual(["'''a", "b'''", "!=", "''"]);
});

// biome-ignore format: one case per line
test.each([
  { expression: "'object.kind == ''a'''",                  want: ["object", "kind", "==", "''a''"] },
  { expression: String.raw`"object.kind == \"a\""`,        want: ["object", "kind", "==", String.raw`\"a\"`] },
  { expression: String.raw`"'\u00e9' == object.kind"`,     want: [String.raw`'\u00e9'`, "==", "object", "kind"] },
  { expression: ">-\n      'a' ==\n      object.kind",     want: ["'a'", "==", "object", "kind"] },
  { expression: "|-\r\n      'a' ==\r\n      object.kind", want: ["'a'", "==", "object", "kind"] },
])("a token is coloured as it is written: $expression", ({ expression, want }) => {
  const { workspace, uri, text } = marked(policy(`  validations:\n  - expression: ${expression}\n`));
  expect(workspace.tokens(uri).map(({ start, end }) => text.slice(start, end))).toEqual(want);
});

test("outline", () => {
  const { workspace, uri } = marked(`${VARIABLES.replace("¦", "")}---\n${BINDING}`);
  expect(workspace.symbols(uri).map(({ name, children }) => [name, children.map((child) => child.name)])).toEqual([
    [
      "ValidatingAdmissionPolicy p",
      [
        "containers",
        "variables.containers.all(c, c.image != '')",
        "size(variables.containers) < 5 && [1].all(c, c > 0)",
      ],
    ],
    ["ValidatingAdmissionPolicyBinding b", []],
  ]);
});

test("folding", () => {
  const { workspace, uri, text } = marked(`${validation("a.all(x,\n  x > 0\n)\n&& b")}---\n${BINDING}`);
  const shown = workspace.folding(uri).map(({ start, end }) => text.slice(start, end).split("\n")[0]);
  expect(shown).toEqual(["apiVersion: admissionregistration.k8s.io/v1", "---", "|", "(x,"]);
});

test("formatting touches expressions alone", () => {
  const { workspace, uri, text } = marked(policy("  validations:\n  - expression: a&&b # why\n"));
  expect(applyEdits(text, workspace.format(uri))).toBe(policy("  validations:\n  - expression: a && b # why\n"));
});

test("hints", () => {
  const { workspace, uri, text } = marked(VARIABLES.replace("¦", ""));
  const shown = workspace
    .hints(uri, { start: 0, end: text.length })
    .map(({ offset, text: hint }) => text.slice(0, offset).slice(-10) + hint);
  expect(shown).toEqual(["containers: list(object)", "ners.all(c: object", " [1].all(c: int"]);
});

describe("actions", () => {
  async function actions(at: string, others: Record<string, string> = {}): Promise<{ title: string; text: string }[]> {
    const { workspace, uri, text, offset } = marked(at, others);
    const diagnostics = await workspace.diagnostics(uri);
    return workspace
      .actions(uri, { start: offset, end: offset }, diagnostics)
      .map(({ title, edits }) => ({ title, text: applyEdits(text, edits.get(uri) ?? []) }));
  }
  const TEMPLATE = "  variables:\n  - { name: t, expression: object.spec.template }\n";

  // biome-ignore format: one case per line
  test.each([
    { at: validation("object.spec.repl¦cas <= 5"),                         title: 'Change to "replicas"', want: validation("object.spec.replicas <= 5") },
    { at: validation("objec¦.spec.replicas <= 5"),                         title: 'Change to "object"', want: validation("object.spec.replicas <= 5") },
    { at: validation("object.metadata.name.startWit¦h('a')"),              title: 'Change to "startsWith"', want: validation("object.metadata.name.startsWith('a')") },
    { at: policy("  validation¦: []\n"),                                   title: 'Change to "validations"', want: policy("  validations: []\n") },
    { at: policy("  failurePolicy: Fai¦\n  validations: [{ expression: 'true' }]\n"), title: 'Change to "Fail"', want: policy("  failurePolicy: Fail\n  validations: [{ expression: 'true' }]\n") },
    { at: validation("object.spec.repl¦icas <= 5"),                        title: "Guard with has(object.spec.replicas)", want: validation("!has(object.spec.replicas) || object.spec.replicas <= 5") },
    { at: validation("object.kind == 'x' && object.spec.repl¦icas <= 5"),  title: "Guard with has(object.spec.replicas)", want: validation("object.kind == 'x' && (!has(object.spec.replicas) || object.spec.replicas <= 5)") },
    { at: validation("object.spec.template.spec.containers.all(c, c.im¦age != 'a')"), title: "Guard with has(c.image)", want: validation("object.spec.template.spec.containers.all(c, (!has(c.image) || c.image != 'a'))") },
    { at: validation("object.spec.repl¦icas <= 5"),                        title: "Read as object.?spec.?replicas.orValue(0)", want: validation("object.?spec.?replicas.orValue(0) <= 5") },
    { at: policy("  validations:\n  - expression: object.spec.re¦plicas < 5\n"), title: "Write the expression as a block", want: policy("  validations:\n  - expression: |-\n      object.spec.replicas < 5\n") },
    { at: policy("  validations:\n  - expression: has(object.spec # ¦x)\n"), title: "Write the expression as a block", want: policy("  validations:\n  - expression: |-\n      has(object.spec # x)\n") },
    { at: policy("  validations:\n  - expression: !has(object.¦spec)\n"),  title: "Write the expression as a block", want: policy("  validations:\n  - expression: |-\n      !has(object.spec)\n") },
    { at: policy("  validations:\n  - expression: >-\n      true // ¦note\n      && object.x == 1\n"), title: "Write the expression as a block", want: policy("  validations:\n  - expression: |-\n      true // note\n      && object.x == 1\n") },
    { at: policy("  validations:\n  - expression: &e object.spec.re¦plicas < 5\n  - expression: *e\n"), title: "Write the expression as a block", want: policy("  validations:\n  - expression: &e |-\n      object.spec.replicas < 5\n  - expression: *e\n") },
    { at: validation("variables.t.spec.hostN¦etwork", TEMPLATE),           title: "Read as variables.t.?spec.?hostNetwork.orValue(false)", want: validation("variables.t.?spec.?hostNetwork.orValue(false)", TEMPLATE) },
  ])("$title: $at", async ({ at, title, want }) => {
    const found = await actions(at, { "b.yaml": BINDING });
    expect(found.find((item) => item.title === title)?.text).toBe(want);
  });

  // biome-ignore format: one case per line
  test.each([
    validation("object.spec.repl¦cas <= 5"), validation("object.sp¦c.replicas <= 5"), validation("object.spec.repl¦cas.x <= 5"),
    validation("object.spec.template.spec.containers.all(c, c.im¦ge != 'a')"), validation("variables.¦t.spec.hostNetwork", TEMPLATE),
  ])("no guard for a field that does not exist, or a variable: %s", async (at) => {
    const titles = (await actions(at, { "b.yaml": BINDING })).map(({ title }) => title);
    expect(titles.filter((title) => /^(?:Guard|Read)/.test(title))).toEqual([]);
  });

  test("a binding for a policy", async () => {
    const at = policy("  validations: [{ expression: object.spec.replicas < 5 }]\n", { name: "¦p" });
    const [found] = await actions(at);
    expect(found?.title).toBe("Add a binding that enforces the policy");
    const workspace = new Workspace();
    workspace.set("a.yaml", found!.text);
    expect(await workspace.diagnostics("a.yaml")).toEqual([]);
  });

  test("the bound that makes a rule affordable", async () => {
    const rule = "self.parts.all(a, self.parts.all(b, a.color == b.color))";
    const text = WIDGETS.replace("maxItems: 5, ", "").replace("RULE", `¦${rule}`);
    const found = (await actions(text)).filter(({ title }) => title.startsWith("Set max"));
    expect(found.length).toBeGreaterThan(0);
    const workspace = new Workspace();
    workspace.set("a.yaml", found[0]!.text);
    expect((await workspace.diagnostics("a.yaml")).map(({ code }) => code)).not.toContain("cost_over_limit");
  });

  test("all misspelt names at once", async () => {
    const { workspace, uri, text } = marked(validation("object.spec.replcas <= 5 && object.metdata.name != ''"), {
      "b.yaml": BINDING,
    });
    const [fix] = workspace.fixAll(uri, await workspace.diagnostics(uri));
    expect(applyEdits(text, fix!.edits.get(uri)!)).toBe(
      validation("object.spec.replicas <= 5 && object.metadata.name != ''"),
    );
  });
});

const deployment = (replicas: number | string, more = ""): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
      - { name: a, image: "a:1" }
      - { name: b, image: "b:latest" }
${more}`;

describe("verdicts", () => {
  const POLICY = policy(
    "  validations:\n  - expression: object.spec.replicas <= 5\n    message: too many\n  - expression: object.spec.template.spec.containers.all(c, !c.image.endsWith(':latest'))\n",
  );

  const setUp = (replicas: number): Workspace => {
    const workspace = new Workspace();
    workspace.set("p.yaml", POLICY);
    workspace.set("b.yaml", BINDING);
    workspace.set("web.yaml", deployment(replicas));
    return workspace;
  };

  test("at the guilty field, with the clause", async () => {
    const workspace = setUp(9);
    const found = (await workspace.verdictDiagnostics()).get("web.yaml") ?? [];
    const text = deployment(9);
    expect(found.map(({ code, range, message }) => [code, text.slice(range.start, range.end), message])).toEqual([
      ["denied", "9", "too many (ValidatingAdmissionPolicy p)"],
      [
        "denied",
        '"b:latest"',
        "failed expression: object.spec.template.spec.containers.all(c, !c.image.endsWith(':latest')) (ValidatingAdmissionPolicy p)",
      ],
    ]);
    const clause = found[0]!.related![0]!;
    expect(POLICY.slice(clause.range.start, clause.range.end)).toBe("object.spec.replicas <= 5");
  });

  test("a change of the policy or the object is seen", async () => {
    const workspace = setUp(9);
    await workspace.verdictDiagnostics();
    workspace.set("p.yaml", POLICY.replace("<= 5", "<= 9"));
    expect((await workspace.verdictDiagnostics()).get("web.yaml")?.length).toBe(1);
    workspace.set("web.yaml", deployment(10));
    expect((await workspace.verdictDiagnostics()).get("web.yaml")?.length).toBe(2);
    workspace.delete("b.yaml");
    expect((await workspace.verdictDiagnostics()).get("web.yaml")).toBeUndefined();
  });

  test("lenses: how many it denies, the truth strip, the cost", async () => {
    const workspace = setUp(3);
    workspace.set("more.yaml", deployment(9).replace("name: web", "name: more"));
    const titles = (await workspace.lenses("p.yaml")).map(({ title }) => title);
    expect(titles[0]).toBe("denies 2 of the 2 objects it matches");
    expect(titles[1]).toBe("no tests");
    expect(titles[2]).toMatch(/^●○ {2}1 true, 1 false {2}cost: up to \d+/);
    expect(titles[3]).toMatch(/^○○ {2}2 false/);
  });

  // biome-ignore format: one case per line
  test.each([
    { resources: "[p.yaml]",     tests: "[{ name: one }, { name: two, policy: q }, { name: three, policy: [p, q] }]", want: "2 tests: one, three" },
    { resources: "[./*.yaml]",   tests: "[{ name: one }]",                                                        want: "1 test: one" },
    { resources: "[.]",          tests: "[{ name: a }, { name: b }, { name: c }, { name: d }]",                   want: "4 tests: a, b, c, …" },
    { resources: "[other.yaml]", tests: "[{ name: one }]",                                                        want: "no tests" },
  ])("tests about a policy: $resources", async ({ resources, tests, want }) => {
    const workspace = setUp(3);
    workspace.set("suite.yaml", `apiVersion: celadon.dev/v1\nkind: TestSuite\nmetadata: { name: s }\nresources: ${resources}\ntests: ${tests}\n`);
    expect((await workspace.lenses("p.yaml"))[1]?.title).toBe(want);
  });

  test("the value of a part, for a sample", async () => {
    const workspace = setUp(9);
    const found = await workspace.valueAt("p.yaml", POLICY.indexOf("replicas <="));
    expect(found).toMatchObject({ sample: "Deployment web", text: "object.spec.replicas", value: "9" });
  });

  const WIDGET =
    "apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: w, namespace: default }\nspec: { size: 7, parts: [] }\n";
  const WEBHOOK = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: w }
webhooks:
- name: w.example.com
  clientConfig: { service: { name: w, namespace: default } }
  sideEffects: None
  admissionReviewVersions: [v1]
  rules: [{ apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE] }]
  matchConditions: [{ name: many, expression: object.spec.replicas > 5 }]
`;
  // biome-ignore format: one system per line
  test.each([
    { what: "a rule of a definition", text: WIDGETS.replace("RULE", "self.size < 5"), at: "size < 5", want: { sample: "Widget w", text: "self.size", value: "7" } },
    { what: "a match condition",      text: WEBHOOK,                                  at: "replicas >", want: { sample: "Deployment web", text: "object.spec.replicas", value: "9" } },
  ])("the value of a part of $what", async ({ text, at, want }) => {
    const workspace = setUp(9);
    workspace.set("w.yaml", WIDGET);
    workspace.set("x.yaml", text);
    expect(await workspace.valueAt("x.yaml", text.indexOf(at))).toMatchObject(want);
  });

  test("a definition says how many objects it denies", async () => {
    const workspace = new Workspace();
    workspace.set("crd.yaml", WIDGETS.replace("RULE", "self.size < 5"));
    workspace.set("w.yaml", WIDGET);
    expect((await workspace.lenses("crd.yaml"))[0]?.title).toBe("denies 1 of the 1 object it matches");
  });

  test("the truth strip of rules", async () => {
    const workspace = new Workspace();
    workspace.set("crd.yaml", WIDGETS.replace("RULE", "self.size < 5"));
    workspace.set("w.yaml", WIDGET);
    workspace.set("v.yaml", WIDGET.replace("name: w", "name: v").replace("size: 7", "size: 3"));
    expect((await workspace.lenses("crd.yaml"))[1]?.title).toMatch(/^○● {2}1 true, 1 false {2}cost: up to \d+/);
    workspace.set("w.yaml", WIDGET.replace("size: 7", "size: 4"));
    expect((await workspace.lenses("crd.yaml"))[1]?.title).toMatch(/^●● {2}2 true {2}/);
    workspace.set("crd.yaml", WIDGETS.replace("RULE", "self.size >= oldSelf.size"));
    expect((await workspace.lenses("crd.yaml"))[1]?.title).toMatch(/^·· {2}2 not reached/);
  });

  // biome-ignore format: one case per line
  test.each([
    { rule: "self.size < 5",                                             at: WIDGET.replace("spec: {", "sp¦ec: {"), title: "Set spec.size to 4: would be allowed", want: WIDGET.replace("7", "4") },
    { rule: "'!has(self.size) || self.size in [1, 3]'",                  at: WIDGET.replace("spec: {", "sp¦ec: {"), title: "Set spec.size to 1: would be allowed", want: WIDGET.replace("7", "1") },
    { rule: "self.parts.all(p, p.color == 'red')",                       at: WIDGET.replace("spec: {", "sp¦ec: {").replace("[]", "[{ color: red }, { color: blue }]"), title: 'Set spec.parts[1].color to "red": would be allowed', want: WIDGET.replace("[]", "[{ color: red }, { color: red }]") },
  ])("the change that satisfies $rule, and a suite of both sides that passes", async ({ rule, at, title, want }) => {
    const { workspace, uri, text, offset } = marked(at, { "crd.yaml": WIDGETS.replace("RULE", rule) });
    const found = await workspace.verdictActions(uri, offset);
    expect(found.slice(0, 2).map((action) => action.title)).toEqual([title, "Add tests for both sides of this verdict"]);
    expect(applyEdits(text, found[0]!.edits.get(uri)!)).toBe(want);
    const [[suiteUri, suite] = ["", ""]] = found[1]!.create!;
    expect(suiteUri).toBe("crd-tests.yaml");
    workspace.set(suiteUri, suite);
    expect(suite).toMatch(/verdict: deny[\s\S]*expect: allow/);
    expect([...(await workspace.suiteDiagnostics()).values()].flat()).toEqual([]);
    expect((await workspace.suites()).length).toBe(1);
  });

  test("the sample can be another object", async () => {
    const workspace = setUp(9);
    workspace.set("more.yaml", deployment(3).replace("name: web", "name: more"));
    const [pin] = (await workspace.verdictActions("more.yaml", 0)).filter((action) => action.pin !== undefined);
    workspace.pinned = pin!.pin;
    const found = await workspace.valueAt("p.yaml", POLICY.indexOf("replicas <="));
    expect(found).toMatchObject({ sample: "Deployment more", value: "3" });
    const again = await workspace.verdictActions("more.yaml", 0);
    expect(again.filter((action) => action.pin !== undefined)).toEqual([]);
  });

  test("the change that turns it, and a suite of both sides", async () => {
    const workspace = setUp(9);
    const text = deployment(9);
    const found = await workspace.verdictActions("web.yaml", text.indexOf("9"));
    expect(found.map(({ title }) => title)).toEqual([
      "Set spec.replicas to 5: this would pass, others still deny",
      "Add tests for both sides of this verdict",
      "Show values for Deployment web in policies",
    ]);
    expect(applyEdits(text, found[0]!.edits.get("web.yaml")!)).toBe(deployment(5));
    const [[uri, suite] = ["", ""]] = found[1]!.create!;
    expect(uri).toBe("p-tests.yaml");
    expect(suite).toContain("kind: TestSuite");
    expect(suite).toMatch(/resources:\n {2}- p\.yaml\n {2}- b\.yaml/);
    expect(suite).toMatch(/verdict: deny\n\s+message: too many/);
    workspace.set(uri, suite);
    expect([...(await workspace.suiteDiagnostics()).values()].flat()).toEqual([]);
  });
});
