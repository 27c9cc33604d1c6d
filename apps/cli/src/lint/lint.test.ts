import { describe, expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

interface Report {
  readonly summary: Readonly<Record<string, number>>;
  readonly problems: readonly {
    readonly code: string;
    readonly level: string;
    readonly message: string;
    readonly help?: string;
    readonly place: { readonly line: number; readonly column: number; readonly endColumn: number };
    readonly related?: readonly { readonly message: string; readonly place: { readonly line: number } }[];
  }[];
}

async function lint(yaml: string, ...flags: string[]): Promise<Report & { readonly exit: number }> {
  const { code, stdout, stderr } = await runLine(["lint", "-f", "a.yaml", "-o", "json", ...flags], {
    files: { "a.yaml": yaml },
  });
  expect(stderr).toBe("");
  return { ...(JSON.parse(stdout) as Report), exit: code };
}

/** `line:column-endColumn code`, with the help if the case asks for it. */
async function found(yaml: string, ...flags: string[]): Promise<string[]> {
  const { problems } = await lint(yaml, ...flags);
  return problems.map(({ code, place }) => `${place.line}:${place.column}-${place.endColumn} ${code}`);
}

const policy = (spec: string, metadata = ""): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p${metadata}}
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
${spec}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p, validationActions: [Deny]}
`;

describe("policies", () => {
  // biome-ignore format: one case per line
  const cases = [
    { name: "nothing wrong",           spec: "  validations: [{expression: object.spec.replicas < 5}]",             want: [] },
    { name: "a plain scalar",          spec: "  validations:\n    - expression: objct.spec.replicas < 5",           want: ["9:19-24 compile_error"], help: 'did you mean "object"?' },
    { name: "a quoted scalar",         spec: '  validations:\n    - expression: "1 < objct.x"',                     want: ["9:24-29 compile_error"] },
    { name: "escapes before it",       spec: '  validations:\n    - expression: "\\"\\\\u00e9\\" == objct.x"',      want: ["9:35-40 compile_error"] },
    { name: "a block scalar",          spec: "  validations:\n    - expression: |\n        object.x &&\n          objct.y", want: ["11:11-16 compile_error"] },
    { name: "a folded scalar",         spec: "  validations:\n    - expression: >-\n        object.x &&\n        objct.y",  want: ["11:9-14 compile_error"] },
    { name: "blanks before a condition", spec: "  validations: [{expression: has(object.spec)}]\n  matchConditions:\n    - {name: x, expression: '  objct.x'}", want: ["10:32-37 compile_error"] },
    { name: "two issues",              spec: "  validations:\n    - expression: a || b",                            want: ["9:19-20 compile_error", "9:24-25 compile_error"] },
    { name: "a result that is not bool",spec: "  validations:\n    - expression: size(object)",                     want: ["9:19-31 compile_error"] },
    { name: "params without paramKind", spec: "  validations:\n    - expression: params.x",                         want: ["9:19-25 compile_error"], help: "add spec.paramKind to the policy; without it there are no params" },
    { name: "a variable's bare name",  spec: "  variables: [{name: all, expression: object.spec}]\n  validations:\n    - expression: all == 1", want: ["10:19-22 compile_error"], help: "write variables.all" },
    { name: "a function misspelt",     spec: "  validations:\n    - expression: object.metadata.name.startWith('a')", want: ["9:49-50 compile_error"], help: 'did you mean "startsWith"?' },
    { name: "a macro misspelt",        spec: "  validations:\n    - expression: hass(object.spec)",                 want: ["9:23-24 compile_error"], help: 'did you mean "has"?' },
    { name: "a variable misspelt",     spec: "  variables: [{name: image, expression: object.spec}]\n  validations:\n    - expression: variables.imgae == 1", want: ["10:28-34 compile_error"], help: 'did you mean "image"?' },
    { name: "a value not allowed",     spec: "  failurePolicy: fail\n  validations: [{expression: has(object.spec)}]", want: ["8:18-22 invalid_field"], help: 'did you mean "Fail"?' },
    { name: "nothing to do",           spec: "  failurePolicy: Fail",                                               want: ["4:1-5 invalid_field", "4:1-5 invalid_field"] },
    { name: "a wrong type",            spec: "  validations: [{expression: 3}]",                                    want: ["8:30-31 unreadable"] },
    { name: "an unknown field",        spec: "  validations: [{expresion: x, expression: has(object.spec)}]",     want: ["8:18-27 unknown_field"], help: 'did you mean "expression"?' },
    { name: "a proposed field",        spec: "  singletonPolicy: true\n  validations: [{expression: has(object.spec)}]", want: ["8:3-18 proposed_field"] },
    { name: "a field its kind lacks",  spec: "  validations:\n    - expression: object.spec.replica < 5",           want: ["9:30-38 type_mismatch"], help: 'did you mean "replicas"?' },
    { name: "types in a condition",    spec: "  validations: [{expression: has(object.spec)}]\n  matchConditions:\n    - {name: x, expression: object.spec.replicas == 'x'}", want: ["10:50-51 type_mismatch"] },
    { name: "a constant",              spec: "  validations:\n    - expression: 'true'",                            want: ["9:20-24 rule_reads_nothing"] },
    { name: "a value an enum lacks",   spec: "  validations:\n    - expression: object.spec.strategy.type == 'Recreat'", want: ["9:48-57 impossible_value"], help: 'did you mean "Recreate"?' },
    { name: "a value in a list",       spec: "  validations:\n    - expression: object.spec.template.spec.containers.all(c, c.imagePullPolicy in ['Always', 'always'])", want: ["9:95-103 impossible_value"], help: 'did you mean "Always"?' },
    { name: "a value of a variable",   spec: "  variables: [{name: v, expression: object.spec.template.spec.dnsPolicy}]\n  validations:\n    - expression: variables.v != 'none'", want: ["10:34-40 impossible_value"], help: 'did you mean "None"?' },
    { name: "values that are possible", spec: "  validations:\n    - expression: object.spec.strategy.type == 'Recreate' || object.metadata.name == 'a' || object.spec.strategy.type == ''", want: [] },
    { name: "a condition always false", spec: "  validations: [{expression: has(object.spec)}]\n  matchConditions:\n    - {name: x, expression: has(object.spec) && false}", want: ["10:29-54 rule_reads_nothing"] },
    { name: "a message as expression", spec: "  validations:\n    - expression: has(object.spec)\n      message: object.metadata.name", want: ["10:16-36 message_is_expression"], help: "use messageExpression instead of message" },
  ];
  test.each(cases)("$name", async ({ spec, want, help }) => {
    expect(await found(policy(spec))).toEqual(want);
    if (help !== undefined) expect((await lint(policy(spec))).problems[0]?.help).toBe(help);
  });

  test("a function that older versions lack", async () => {
    const spec = "  validations:\n    - expression: object.metadata.name.split(',').sort().size() > 0";
    expect(await found(policy(spec))).toEqual([]);
    const { problems, exit } = await lint(policy(spec), "--kube-version", "1.30..1.36");
    expect(exit).toBe(1);
    expect(problems).toMatchObject([
      {
        code: "not_in_minor",
        message: "1.30 to 1.34 reject it: undeclared reference to 'sort' (in container '')",
        help: "1.35 and later accept it",
        place: { line: 9, column: 55 },
      },
    ]);
  });

  test("a version that no server serves", async () => {
    const beta = policy("  validations: [{expression: has(object.spec)}]").replaceAll("io/v1\n", "io/v1beta1\n");
    expect(await found(beta)).toEqual(["1:13-49 not_served", "10:13-49 not_served"]);
    const v1 = policy("  validations: [{expression: has(object.spec)}]");
    expect((await lint(v1, "--kube-version", "1.29,1.30")).problems[0]?.message).toBe(
      "1.29 does not serve ValidatingAdmissionPolicy in v1",
    );
  });

  test("kinds of wildcards are checked, as notes, once for all kinds", async () => {
    const yaml = policy("  validations: [{expression: object.spec.replicas < 5}]").replace("[deployments]", "['*']");
    const { problems, exit } = await lint(yaml);
    expect(exit).toBe(0);
    expect(problems.map(({ code, level }) => `${level} ${code}`)).toEqual([
      "note type_mismatch_by_wildcard",
      "note type_mismatch_by_wildcard",
    ]);
    expect(problems[1]?.message).toMatch(/^undefined field 'replicas' \(for .*\)$/);
  });

  test("types that differ only by the kind they are of make one problem", async () => {
    const yaml = policy("  validations: [{expression: object.spec.template + 1 == 2}]").replace(
      "[deployments]",
      "[deployments, daemonsets, replicasets, statefulsets]",
    );
    const { problems } = await lint(yaml);
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "type_mismatch found no matching overload for '_+_' applied to '(DaemonSet.spec.template, int)' " +
        "(for apps/v1, Kind=DaemonSet; apps/v1, Kind=Deployment; apps/v1, Kind=ReplicaSet and 1 more kind)",
    ]);
  });

  test("an expression that asks for the kind, and fits one of them, is noted", async () => {
    const level = async (expression: string): Promise<string[]> => {
      const yaml = policy(`  validations:\n    - expression: ${expression}`).replace(
        "[deployments]",
        "[deployments, daemonsets]",
      );
      return (await lint(yaml)).problems.map((problem) => `${problem.level} ${problem.code}`);
    };
    expect(await level("object.spec.replicas < 5")).toEqual(["warning type_mismatch"]);
    expect(await level("object.kind == 'DaemonSet' || object.spec.replicas < 5")).toEqual(["note type_mismatch"]);
    expect(await level("object.kind == 'DaemonSet' || object.spec.replica < 5")).toEqual(["warning type_mismatch"]);
  });

  test("schemas of definitions and params in the inputs", async () => {
    const custom = policy(
      "  paramKind: {apiVersion: example.com/v1, kind: Limit}\n  validations:\n    - expression: object.spec.size < params.maxx",
    )
      .replace("[apps]", "[example.com]")
      .replace("[deployments]", "[widgets]");
    const definitions = ["widget", "limit"].map((name) =>
      definition(
        "{type: object, properties: {max: {type: integer}, spec: {type: object, properties: {sise: {type: integer}}}}}",
        name,
      ),
    );
    expect(await found([custom, ...definitions].join("---\n"), "--only", "type_mismatch")).toEqual([
      "10:30-35 type_mismatch",
      "10:44-49 type_mismatch",
    ]);
  });
});

describe("bindings", () => {
  // biome-ignore format: one case per line
  const cases = [
    { name: "a policy that does not exist",  from: "policyName: p,",   to: "policyName: q,",               want: ["3:18-19 policy_without_binding", "13:20-21 dangling_policy_name"] },
    { name: "both Deny and Warn",          from: "[Deny]",           to: "[Deny, Warn]",                 want: ["13:42-43 invalid_field"] },
    { name: "params that nobody reads",    from: "[Deny]}",          to: "[Deny], paramRef: {name: x, parameterNotFoundAction: Deny}}", want: ["13:60-61 unused_param_ref"] },
    { name: "rules beside the policy's",   from: "[Deny]}",          to: "[Deny], matchResources: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}}", want: ["13:82-83 binding_never_matches"] },
  ];
  test.each(cases)("$name", async ({ from, to, want }) => {
    expect(await found(policy("  validations: [{expression: has(object.spec)}]").replace(from, to))).toEqual(want);
  });

  test("an unknown operator", async () => {
    const selector = "matchResources: {namespaceSelector: {matchExpressions: [{key: a, operator: NotExists}]}}";
    const yaml = policy("  validations: [{expression: has(object.spec)}]").replace("[Deny]}", `[Deny], ${selector}}`);
    const help = 'did you mean "Exists"?';
    expect((await lint(yaml)).problems).toMatchObject([{ code: "invalid_field", help }]);
  });

  // biome-ignore format: one case per line
  test.each([
    { groups: "[apps]",                 level: "error", help: 'did you mean "deployments"?' },
    { groups: "[example.com]",          level: "note",  help: "add its CustomResourceDefinition to the inputs" },
    { groups: "[apps, example.com]",    level: "note",  help: 'did you mean "deployments"?' },
  ])("a resource that is not there, in $groups", async ({ groups, level, help }) => {
    const yaml = policy("  validations: [{expression: has(object.spec)}]")
      .replace("apiGroups: [apps]", `apiGroups: ${groups}`)
      .replace("[deployments]", "[deployment]");
    expect((await lint(yaml)).problems).toMatchObject([{ code: "unknown_resource", level, help }]);
  });

  test("a param kind without its definition", async () => {
    const yaml = policy("  validations: [{expression: has(object.spec)}]").replace(
      "spec:\n",
      "spec:\n  paramKind: {apiVersion: example.com/v1, kind: Limit}\n",
    );
    const { problems } = await lint(yaml);
    expect(problems.find(({ code }) => code === "unknown_param_kind")).toMatchObject({
      level: "note",
      help: "add the CustomResourceDefinition of Limit (example.com/v1) to the inputs",
    });
  });

  test("alone, names that lead nowhere are notes", async () => {
    const [first, second] = policy("  validations: [{expression: has(object.spec)}]").split("---\n") as [
      string,
      string,
    ];
    expect((await lint(first)).problems).toMatchObject([{ code: "policy_without_binding", level: "note" }]);
    expect((await lint(second)).problems).toMatchObject([{ code: "dangling_policy_name", level: "note" }]);
  });

  test("the nearest name", async () => {
    const yaml = policy("  validations: [{expression: has(object.spec)}]").replaceAll("name: p", "name: replicas");
    expect((await lint(yaml.replace("policyName: p,", "policyName: replica,"))).problems[0]?.help).toBe(
      'did you mean "replicas"?',
    );
  });
});

function definition(schema: string, singular = "widget", more = ""): string {
  const kind = singular[0]!.toUpperCase() + singular.slice(1);
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${singular}s.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: ${singular}s, kind: ${kind}}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: &schema
          ${schema.replaceAll("\n", "\n          ")}
${more}`;
}

describe("namespace selectors", () => {
  const binding = (selector: string): string =>
    policy("  validations: [{expression: has(object.spec)}]").replace(
      "validationActions: [Deny]}",
      `validationActions: [Deny], matchResources: {namespaceSelector: ${selector}}}`,
    );
  const namespaces = "---\n{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {env: prod}}}\n";
  // biome-ignore format: one case per line
  const cases = [
    { name: "a value that no namespace has",   selector: "{matchLabels: {env: pord}}",                                                             want: ["warning unmatched_selector"], help: 'did you mean "prod"?' },
    { name: "a value like no other",           selector: "{matchLabels: {env: staging}}",                                                          want: ["warning unmatched_selector"], help: "namespaces in the inputs have env: prod" },
    { name: "a label that no namespace has",   selector: "{matchLabels: {tier: a}}",                                                               want: ["note unmatched_selector"],    help: "add the namespaces to the inputs, or correct the selector" },
    { name: "the name of another namespace",   selector: "{matchLabels: {kubernetes.io/metadata.name: infra}}",                                    want: [] },
    { name: "a name that is misspelt",         selector: "{matchLabels: {kubernetes.io/metadata.name: shpo}}",                                     want: ["warning unmatched_selector"], help: 'did you mean "shop"?' },
    { name: "one that matches",                selector: "{matchExpressions: [{key: env, operator: In, values: [prod, dev]}]}",                    want: [] },
  ];
  test.each(cases)("$name", async ({ selector, want, help }) => {
    const { problems } = await lint(binding(selector) + namespaces);
    expect(problems.map(({ level, code }) => `${level} ${code}`)).toEqual(want);
    expect(problems[0]?.help).toBe(help);
  });

  test("without namespaces in the inputs nothing is reported", async () => {
    expect(await found(binding("{matchLabels: {env: prod}}"))).toEqual([]);
  });
});

test("params without paramKind are one problem with several places", async () => {
  const spec =
    "  variables: [{name: v, expression: params.a}]\n  validations:\n    - expression: variables.v == params.b";
  const yaml = policy(spec).replace(
    "policyName: p,",
    "policyName: p, paramRef: {name: x, parameterNotFoundAction: Deny},",
  );
  const { problems } = await lint(yaml);
  expect(problems).toMatchObject([
    { code: "compile_error", place: { line: 8, column: 37 }, related: [{ message: "also here", place: { line: 10 } }] },
  ]);
});

describe("definitions", () => {
  const rule = (...rules: string[]): string =>
    `{type: object, properties: {spec: {type: object, properties: {list: {type: array, items: {type: string}}, num: {type: integer}},\nx-kubernetes-validations: [${rules.join(", ")}]}}}`;
  // biome-ignore format: one case per line
  const cases = [
    { name: "nothing wrong",         schema: rule("{rule: self.num > 0}"),                               want: [] },
    { name: "a field misspelt",      schema: rule("{rule: self.m > 0}"),                               want: ["15:49-51 compile_error"] },
    { name: "a message expression",  schema: rule("{rule: self.num > 0, messageExpression: self.num}"),    want: ["15:78-86 compile_error"] },
    { name: "a message that is one", schema: rule('{rule: self.num > 0, message: "\'num is \' + string(self.num)"}'), want: ["15:68-98 message_is_expression"] },
    { name: "a cost",                schema: rule("{rule: 'self.list.all(x, self.list.exists(y, y == x))'}"), want: ["14:11-12 cost_over_limit", "15:45-92 cost_over_limit"] },
    { name: "a format",              schema: "{type: object, properties: {a: {type: string,\nformat: fancy}}}", want: ["15:19-24 unknown_format"] },
    { name: "a constant",            schema: rule("{rule: 1 < 2}"),                                    want: ["15:45-50 rule_reads_nothing"] },
    { name: "no structure",          schema: "{properties: {a: {type: string}}}",                      want: ["13:9-24 invalid_field"] },
    { name: "an unknown keyword",    schema: "{type: object, maxLenght: 3}",                           want: ["14:26-35 unknown_field"] },
  ];
  test.each(cases)("$name", async ({ schema, want }) => expect(await found(definition(schema))).toEqual(want));

  test("the field to blame, and the limit that would do", async () => {
    const { problems } = await lint(definition(rule("{rule: 'self.list.all(x, self.list.exists(y, y == x))'}")));
    expect(problems[1]).toMatchObject({
      help: "set maxItems: 200 on spec.list, maxLength: 512 on spec.list[*]",
      related: [
        { message: "spec.list has no maxItems; 200 would fit", place: { line: 14 } },
        { message: "spec.list[*] has no maxLength; 512 would fit", place: { line: 14 } },
      ],
    });
  });

  test("a message with a text that nothing limits", async () => {
    const schema = `{type: object, properties: {t: {type: string, format: duration}},
x-kubernetes-validations: [{rule: "!has(self.t)", messageExpression: string(self.t) + '!'}]}`;
    const help = "it includes a string without a size limit; remove that, or use message";
    expect((await lint(definition(schema))).problems).toContainEqual(expect.objectContaining({ help }));
  });

  test("versions", async () => {
    const more = `    - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
    - {name: v3, served: false, storage: false, schema: {openAPIV3Schema: *schema}}
`;
    const { problems } = await lint(definition(rule("{rule: self.num > 0}"), "widget", more));
    expect(problems).toMatchObject([
      {
        code: "rules_differ_by_version",
        message:
          "version v2 has 0 rules and lacks 1 of the 1 rule of v1, so objects that v1 rejects can be written through v2",
        place: { line: 16, column: 14 },
      },
      {
        code: "rule_never_runs",
        message: "version v3 is not served, so its 1 rule is never evaluated",
        place: { line: 17, column: 26 },
      },
    ]);
  });

  test("fields that came later", async () => {
    const yaml = definition(rule("{rule: self.num > 0, reason: FieldValueInvalid, optionalOldSelf: true}"));
    expect(await found(yaml, "--kube-version", "1.28..1.30", "--only", "not_in_minor")).toEqual([
      "15:86-101 not_in_minor",
    ]);
  });
});

describe("webhooks and certificate policies", () => {
  const webhooks = (more: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
webhooks:
  - {name: a.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {url: "https://x/"},
    ${more}}
`;
  const certificates = (rule: string, more = ""): string => `apiVersion: policy.cert-manager.io/v1alpha1
kind: CertificateRequestPolicy
metadata: {name: p}
spec:
  selector: {issuerRef: {}}
  allowed: {commonName: {validations: [{rule: '${rule}'}]}${more}}
`;
  // biome-ignore format: one case per line
  const cases = [
    { name: "a condition",           yaml: webhooks("matchConditions: [{name: x, expression: objct.x}]"),  want: ["6:45-50 compile_error"] },
    { name: "a misspelt field",      yaml: webhooks("failurePolcy: Fail"),                                 want: ["6:5-17 unknown_field"] },
    { name: "a wrong type",          yaml: webhooks("timeoutSeconds: ten"),                                want: ["6:21-24 unreadable"] },
    { name: "a certificate rule",    yaml: certificates("slf.size() > 1"),                                 want: ["6:48-51 compile_error"] },
    { name: "its type",              yaml: certificates("self"),                                           want: ["6:47-53 compile_error"] },
    { name: "its fields",            yaml: certificates("self.size() > 1", ", dnsName: {}"),               want: ["6:69-76 unknown_field"] },
  ];
  test.each(cases)("$name", async ({ yaml, want }) => expect(await found(yaml)).toEqual(want));

  const rbac = (name: string): string => `---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r, namespace: ns}, rules: [{apiGroups: [policy.cert-manager.io], resources: [certificaterequestpolicies], verbs: [use], resourceNames: [${name}]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: r, namespace: ns}, subjects: [{kind: ServiceAccount, name: a, namespace: ns}], roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}}
`;
  test("use", async () => {
    expect(await found(certificates("self.size() > 1") + rbac("p"))).toEqual([]);
    expect(await found(certificates("self.size() > 1") + rbac("q"))).toEqual(["3:18-19 no_use_permission"]);
  });
});

describe("the output", () => {
  const yaml = policy("  failurePolicy: fail\n  validations: [{expression: 'true'}]");
  const [error, warning] = ["8:18-22 invalid_field", "9:31-35 rule_reads_nothing"];
  // biome-ignore format: one case per line
  const cases = [
    { flags: [],                                want: [error, warning] },
    { flags: ["--level", "error"],              want: [error] },
    { flags: ["--only", "rule_reads_nothing"],  want: [warning] },
    { flags: ["--disable", "rule_reads_nothing,invalid_field"], want: [] },
  ];
  test.each(cases)("$flags", async ({ flags, want }) => expect(await found(yaml, ...flags)).toEqual(want));

  test("the annotation of a resource, and unknown codes", async () => {
    const quiet = yaml.replace(
      "name: p}",
      `name: p, annotations: {celadon.dev/lint-ignore: "invalid_field, rule_reads"}}`,
    );
    expect(await found(quiet)).toEqual(["3:60-87 unknown_code", warning]);
  });

  // biome-ignore format: one case per line
  const exits = [
    { flags: [],                                                  want: 1 },
    { flags: ["--disable", "invalid_field"],                      want: 0 },
    { flags: ["--disable", "invalid_field", "--warn-exit-code", "4"], want: 4 },
    { flags: ["--disable", "nonsense"],                           want: 2 },
    { flags: ["--level", "nonsense"],                             want: 2 },
  ];
  test.each(exits)("exit $want with $flags", async ({ flags, want }) => {
    expect((await runLine(["lint", "-f", "a.yaml", ...flags], { files: { "a.yaml": yaml } })).code).toBe(want);
  });

  test("nothing to lint", async () => {
    const { code, stdout } = await runLine(["lint", "-f", "a.yaml"], {
      files: { "a.yaml": "apiVersion: v1\nkind: Pod\n" },
    });
    expect({ code, stdout }).toMatchObject({ code: 2, stdout: expect.stringMatching(/^nothing to lint/) });
  });
});
