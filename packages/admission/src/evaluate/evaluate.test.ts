// Decisions and their texts: messages and fallbacks, errors, budgets, match conditions, audit annotations, actions.

import type { KubeObject } from "@celadon/kube";
import { describe, expect, test } from "vitest";
import { admit } from "../admit.ts";
import type { AdmissionReport } from "../decide/report.ts";
import type { Hosts } from "../hosts.ts";
import { bindingOf, EVERYTHING, namespaceOf, podRequest, policyOf } from "../policies.testing.ts";
import type { ValidatingAdmissionPolicySpec, Validation, ValidationAction } from "../policy.ts";
import { createPolicySet } from "../set/policy-set.ts";

interface Asked {
  readonly spec: Partial<ValidatingAdmissionPolicySpec>;
  readonly actions?: readonly ValidationAction[];
  readonly object?: Record<string, unknown>;
  readonly hosts?: Hosts;
  readonly namespace?: string;
}

async function ask({
  spec,
  actions = ["Deny"],
  object = {},
  hosts = {},
  namespace = "",
}: Asked): Promise<AdmissionReport> {
  const set = createPolicySet([policyOf("p", spec), bindingOf("b", "p", { validationActions: actions })]);
  return admit(podRequest(object, { namespace }), set, hosts);
}

const messageOf = async (spec: Partial<ValidatingAdmissionPolicySpec>): Promise<string | undefined> =>
  (await ask({ spec })).failures[0]?.message;

const no = (validation: Partial<Validation>): Partial<ValidatingAdmissionPolicySpec> => ({
  validations: [{ expression: "1 > 2", ...validation }],
});
const long = "x".repeat(5120);

// biome-ignore format: one case per line
test.each<{ name: string; validation: Partial<Validation>; want: string }>([
  { name: "the expression itself",              validation: {},                                                             want: "failed expression: 1 > 2" },
  { name: "the expression, trimmed outside",    validation: { expression: "\n  1 >\n 2  \n" },                              want: "failed expression: 1 >\n 2" },
  { name: "a message",                          validation: { message: "  no  " },                                          want: "no" },
  { name: "a message of spaces",                validation: { message: "   " },                                             want: "failed expression: 1 > 2" },
  { name: "a messageExpression",                validation: { message: "no", messageExpression: "' not ' + object.metadata.name + ' '" }, want: "not p" },
  { name: "one that fails",                     validation: { message: "no", messageExpression: "object.metadata.nope" },    want: "no" },
  { name: "one that fails, no message",         validation: { messageExpression: "string(object.metadata.nope)" },           want: "failed expression: 1 > 2" },
  { name: "one that is empty",                  validation: { message: "no", messageExpression: "'  '" },                   want: "no" },
  { name: "one of two lines",                   validation: { message: "no", messageExpression: "'a\\nb'" },                want: "no" },
  { name: "one with a carriage return",         validation: { message: "no", messageExpression: "'a\\rb'" },                want: "a\rb" },
  { name: "one with a line break outside",      validation: { message: "no", messageExpression: "'\\n a \\n'" },            want: "a" },
  { name: "one just short enough",              validation: { messageExpression: `'${long}'` },                             want: long },
  { name: "one byte too long",                  validation: { message: "no", messageExpression: `'${long}y'` },             want: "no" },
  { name: "too long in bytes, not characters",  validation: { message: "no", messageExpression: `'${long.slice(2)}\u20ac'` }, want: "no" },
  { name: "one that does not compile",          validation: { message: "no", messageExpression: "nope" },                   want: "no" },
])("message: $name", async ({ validation, want }) => expect(await messageOf(no(validation))).toBe(want));

// biome-ignore format: one case per line
test.each<{ name: string; spec: Partial<ValidatingAdmissionPolicySpec>; want: string | RegExp }>([
  { name: "a runtime error, text untrimmed",   spec: { validations: [{ expression: " object.spec.x == 1 " }] },           want: "expression ' object.spec.x == 1 ' resulted in error: no such key: spec" },
  { name: "a stored expression that is wrong", spec: { validations: [{ expression: "nope" }] },                           want: /^compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope'/ },
  { name: "a stored expression of another type", spec: { validations: [{ expression: "1" }] },                            want: "compilation error: must evaluate to bool but got int" },
  { name: "dyn is not bool",                   spec: { validations: [{ expression: "object.spec" }] },                    want: "compilation error: must evaluate to bool but got dyn" },
  { name: "a variable that fails",             spec: { variables: [{ name: "v", expression: "object.nope" }], validations: [{ expression: "variables.v == 1" }] }, want: "expression 'variables.v == 1' resulted in error: composited variable \"v\" fails to evaluate: no such key: nope" },
  { name: "a variable that is wrong",          spec: { variables: [{ name: "v", expression: "nope" }], validations: [{ expression: "variables.v == 1" }] },        want: /composited variable "v" fails to compile: compilation failed: ERROR: <input>:1:1: undeclared reference/ },
  { name: "an unknown variable",               spec: { validations: [{ expression: "variables.v == 1" }] },               want: /^compilation error: compilation failed: ERROR: <input>:1:10: undefined field 'v'/ },
  { name: "a later variable",                  spec: { variables: [{ name: "a", expression: "variables.b" }, { name: "b", expression: "1" }], validations: [{ expression: "variables.a == 1" }] }, want: /composited variable "a" fails to compile: .*undefined field 'b'/s },
  { name: "params without paramKind",          spec: { validations: [{ expression: "params.x == 1" }] },                  want: /undeclared reference to 'params'/ },
  { name: "authorizer in an audit annotation", spec: { validations: [], auditAnnotations: [{ key: "k", valueExpression: "string(authorizer.path('/x').check('get').allowed())" }] }, want: /resulted in error: no such attribute\(s\): authorizer$/ },
  { name: "conditions that fail",              spec: { matchConditions: [{ name: "a", expression: "object.x == 1" }, { name: "b", expression: "object.y == 1" }] }, want: "[expression 'object.x == 1' resulted in error: no such key: x, expression 'object.y == 1' resulted in error: no such key: y]" },
  { name: "conditions that fail alike",        spec: { matchConditions: [{ name: "a", expression: "object.x == 1" }, { name: "b", expression: "object.x == 1" }] }, want: "expression 'object.x == 1' resulted in error: no such key: x" },
])("error: $name", async ({ spec, want }) => {
  const message = await messageOf(spec);
  if (typeof want === "string") expect(message).toBe(want);
  else expect(message).toMatch(want);
  const ignored = await ask({ spec: { ...spec, failurePolicy: "Ignore" } });
  expect(ignored.allowed).toBe(true);
});

describe("match conditions", () => {
  const refusal = async (expressions: readonly string[]) => {
    const matchConditions = expressions.map((expression, i) => ({ name: `c${i}`, expression }));
    const { verdicts, allowed } = await ask({ spec: { matchConditions } });
    const [policy] = verdicts.policies;
    const binding = policy?.outcome === "matched" ? policy.bindings[0] : undefined;
    return { allowed, refusal: binding?.outcome === "evaluated" ? binding.evaluations[0]?.refusal : undefined };
  };
  test("all true", async () =>
    expect(await refusal(["true", "1 < 2"])).toEqual({ allowed: false, refusal: undefined }));
  test("the first false one is named", async () => {
    expect(await refusal(["true", "1 > 2", "false"])).toEqual({
      allowed: true,
      refusal: { by: "matchCondition", name: "c1", index: 1 },
    });
  });
  test("false counts more than an error, in any order", async () => {
    for (const order of [
      ["object.x == 1", "false"],
      ["false", "object.x == 1"],
    ])
      expect((await refusal(order)).allowed).toBe(true);
  });
  test("there is no namespace, and there are variables", async () => {
    const hosts = { namespaces: { namespace: (name: string): KubeObject => namespaceOf(name) } };
    const spec = {
      variables: [{ name: "n", expression: "object.metadata.name" }],
      matchConditions: [{ name: "a", expression: "namespaceObject == null && variables.n == 'p'" }],
      validations: [{ expression: "namespaceObject == null", message: "there is one" }],
    };
    expect((await ask({ spec, hosts, namespace: "n" })).failures[0]?.message).toBe("there is one");
  });
});

describe("budgets", () => {
  const check = "authorizer.path('/x').check('get').allowed()"; // 350,002
  const checks = (n: number): Validation[] => Array.from({ length: n }, () => ({ expression: `!${check}` }));
  const OUT = "validation failed due to running out of cost budget, no further validation rules will be run";

  test("28 checks fit, 29 do not, and then there is one decision", async () => {
    expect((await ask({ spec: { validations: checks(28) } })).allowed).toBe(true);
    const report = await ask({ spec: { validations: checks(29) } });
    expect(report.failures.map(({ message, source }) => [message, source])).toEqual([[OUT, "budget"]]);
  });
  test("one expression has its own limit", async () => {
    const report = await ask({ spec: { validations: [{ expression: `!(${check} || ${check} || ${check})` }] } });
    expect(report.failures[0]?.message).toMatch(/resulted in error: operation cancelled: actual cost limit exceeded$/);
  });
  test("a variable is charged once, to the budget and not to the limit of its readers", async () => {
    const variables = ["a", "b", "c"].map((name) => ({ name, expression: `${check} || ${check}` }));
    const validations = [
      { expression: "!(variables.a || variables.b || variables.c)" },
      { expression: "!variables.a" },
    ];
    const report = await ask({ spec: { variables, validations } });
    expect(report.allowed).toBe(true);
    const [policy] = report.verdicts.policies;
    const binding = policy?.outcome === "matched" ? policy.bindings[0] : undefined;
    const costs = binding?.outcome === "evaluated" ? binding.evaluations[0]?.costs : undefined;
    expect(costs?.validations).toBeGreaterThan(6 * 350_000);
    expect(costs?.validations).toBeLessThan(6 * 350_000 + 100);
  });
  test("match conditions have a smaller one, and overrunning it beats a false condition", async () => {
    const conditions = [
      { name: "f", expression: "false" },
      ...checks(8).map(({ expression }, i) => ({ name: `c${i}`, expression })),
    ];
    const report = await ask({ spec: { matchConditions: conditions } });
    expect(report.failures[0]).toMatchObject({ message: OUT, source: "matchConditions" });
  });
  test("messages beyond the budget fail validations that had passed", async () => {
    const costly = "variables.big ? 'a' : 'b'";
    const spec = {
      variables: [{ name: "big", expression: "object.spec.list.all(a, object.spec.list.all(b, a + b >= 0))" }],
      validations: Array.from({ length: 1 }, () => ({ expression: "true", messageExpression: costly })),
    };
    const list = Array.from({ length: 280 }, (_, i) => i);
    const eleven = Array.from({ length: 28 }, () => ({ expression: `!${check}` }));
    const report = await ask({
      spec: { ...spec, validations: [...spec.validations, ...eleven] },
      object: { spec: { list } },
    });
    expect(report.failures[0]?.message).toBe(`failed messageExpression: ${OUT}`);
    expect(report.failures).toHaveLength(29);
  });
});

describe("actions", () => {
  const spec = { validations: [{ expression: "1 > 2", message: '<no> & "no"' }] };
  test("Warn", async () => {
    const report = await ask({ spec, actions: ["Warn"] });
    expect(report.allowed).toBe(true);
    expect(report.warnings).toEqual([
      `Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': <no> & "no"`,
    ]);
    expect(report.failures[0]).toMatchObject({ enforced: true, returned: false, actions: ["Warn"] });
  });
  test("Audit", async () => {
    const report = await ask({ spec, actions: ["Audit"] });
    expect(report.auditAnnotations).toEqual({
      "validation.policy.admission.k8s.io/validation_failure": String.raw`[{"message":"\u003cno\u003e \u0026 \"no\"","policy":"p","binding":"b","expressionIndex":0,"validationActions":["Audit"]}]`,
    });
  });
  test("Deny: the whole Status", async () => {
    const report = await ask({ spec, actions: ["Deny", "Audit"] });
    const text = `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: <no> & "no"`;
    expect(report.status).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `pods "p" is forbidden: ${text}`,
      reason: "Invalid",
      details: { name: "p", kind: "pods", causes: [{ message: text }] },
      code: 422,
    });
    expect(Object.keys(report.auditAnnotations)).toHaveLength(1);
  });
  // biome-ignore format: one case per line
  test.each([["Forbidden", 403], ["Unauthorized", 401], ["RequestEntityTooLarge", 413], ["Invalid", 422]] as const)("reason %s is %d", async (reason, code) => {
    expect((await ask({ spec: { validations: [{ expression: "false", reason }] } })).status).toMatchObject({ reason, code });
  });
  test("errors of configuration deny whatever the binding does", async () => {
    const report = await ask({
      spec: { paramKind: { apiVersion: "x/v1", kind: "Y" } },
      actions: ["Warn"],
      hosts: { params: { scope: () => undefined, get: () => undefined, list: () => [] } },
    });
    expect(report.status?.message).toBe(
      `pods "p" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'x/v1, Kind=Y'`,
    );
  });
  test("all failures are kept, the first is returned", async () => {
    const report = await ask({
      spec: {
        validations: [
          { expression: "false", message: "a" },
          { expression: "true" },
          { expression: "false", message: "b", reason: "Forbidden" },
        ],
      },
    });
    expect(report.failures.map(({ message, index, returned }) => [message, index, returned])).toEqual([
      ["a", 0, true],
      ["b", 2, false],
    ]);
    expect(report.status?.details?.causes).toHaveLength(1);
  });
});

describe("audit annotations", () => {
  const annotated = (valueExpression: string) =>
    ask({ spec: { validations: [], auditAnnotations: [{ key: "k", valueExpression }] } });
  // biome-ignore format: one case per line
  test.each([
    { valueExpression: "'  a  '",          want: { "p/k": "a" } },
    { valueExpression: "''",               want: {} },
    { valueExpression: "' '",              want: {} },
    { valueExpression: "null",             want: {} },
    { valueExpression: "object.metadata.name + '!'", want: { "p/k": "p!" } },
  ])("$valueExpression", async ({ valueExpression, want }) => {
    const report = await annotated(valueExpression);
    expect([report.allowed, report.auditAnnotations]).toEqual([true, want]);
  });
  test("long values are cut by bytes", async () => {
    const object = { spec: { text: `${"a".repeat(10_239)}\u20ac` } };
    const { auditAnnotations } = await ask({
      spec: { validations: [], auditAnnotations: [{ key: "k", valueExpression: "string(object.spec.text)" }] },
      object,
    });
    expect(auditAnnotations["p/k"]).toBe(`${"a".repeat(10_239)}\ufffd`);
  });
  test("several bindings: distinct values, joined", async () => {
    const param = (name: string): KubeObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
    const policy = policyOf("p", {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [],
      auditAnnotations: [{ key: "k", valueExpression: "string(params.metadata.name)" }],
    });
    const bindings = ["a", "b", "a"].map((name, i) =>
      bindingOf(`b${i}`, "p", { paramRef: { name, namespace: "n", parameterNotFoundAction: "Deny" } }),
    );
    const params = {
      scope: () => "Namespaced" as const,
      get: (_k: unknown, _n: string, name: string) => param(name),
      list: () => [],
    };
    const report = await admit(podRequest(), createPolicySet([policy, ...bindings]), { params });
    expect(report.auditAnnotations).toEqual({ "p/k": "a, b" });
  });
  test("an error denies under Fail, whatever the binding does, and is left out under Ignore", async () => {
    const spec = { validations: [], auditAnnotations: [{ key: "k", valueExpression: "string(object.nope)" }] };
    expect((await ask({ spec, actions: ["Audit"] })).status?.message).toContain(
      "expression 'string(object.nope)' resulted in error: no such key: nope",
    );
    expect((await ask({ spec: { ...spec, failurePolicy: "Ignore" } })).failures).toEqual([]);
  });
});

describe("names in denials", () => {
  const nameIn = async (object: KubeObject | null, more = {}) => {
    const set = createPolicySet([
      policyOf("p", { matchConstraints: { resourceRules: [EVERYTHING] } }),
      bindingOf("b", "p"),
    ]);
    return (await admit(podRequest({}, { name: "", object, ...more }), set)).status?.details?.name;
  };
  test("the object's", async () => expect(await nameIn({ metadata: { name: "x", generateName: "y" } })).toBe("x"));
  test("generateName", async () => expect(await nameIn({ metadata: { generateName: "y-" } })).toBe("y-"));
  test("none", async () => expect(await nameIn({ metadata: {} })).toBe("Unknown"));
  test("no object", async () => expect(await nameIn(null, { operation: "DELETE" })).toBe("Unknown"));
  test("no metadata", async () => expect(await nameIn({ kind: "PodExecOptions" })).toBe("Unknown/errorGettingName"));
});

describe("an expression that several policies have", () => {
  const setOf = (spec: Partial<ValidatingAdmissionPolicySpec>) =>
    createPolicySet(["p", "q", "r"].flatMap((name) => [policyOf(name, spec), bindingOf(name, name)]));
  const costsOf = ({ verdicts }: AdmissionReport) =>
    verdicts.policies.flatMap((outcome) =>
      outcome.outcome === "matched"
        ? outcome.bindings.flatMap((binding) =>
            binding.outcome === "evaluated" ? binding.evaluations.map(({ costs }) => costs.validations) : [],
          )
        : [],
    );

  test("is evaluated once, and every policy is charged and reports it", async () => {
    let reads = 0;
    const spec = {
      get replicas() {
        return ++reads;
      },
    };
    const report = await admit(
      podRequest({ spec }),
      setOf({ validations: [{ expression: "object.spec.replicas > 1" }] }),
    );
    expect(report.failures.map(({ policy }) => policy)).toEqual(["p", "q", "r"]);
    const alone = await ask({
      spec: { validations: [{ expression: "object.spec.replicas > 1" }] },
      object: { spec: { replicas: 1 } },
    });
    expect(costsOf(report)).toEqual([1, 2, 3].flatMap(() => costsOf(alone)));
    expect(reads).toBe(1);
  });

  test("is evaluated again if the authorizer is asynchronous", async () => {
    const authorizer = { authorize: () => Promise.resolve({ decision: "allow" as const }) };
    const expression = "!authorizer.path('/x').check('get').errored() && authorizer.path('/x').check('get').allowed()";
    expect((await admit(podRequest(), setOf({ validations: [{ expression }] }), { authorizer })).failures).toEqual([]);
  });
});
