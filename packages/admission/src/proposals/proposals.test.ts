// The gates: with one off nothing changes, with it on its fields work and are validated.

import type { KubeObject } from "@celadon/kube";
import { fieldErrorText } from "@celadon/kube/errors";
import type { Schema } from "@celadon/kube/schemas";
import { describe, expect, test } from "vitest";
import { admit, admitEntries } from "../admit.ts";
import type { AdmissionReport } from "../decide/report.ts";
import { refusalText } from "../match/refusal.ts";
import { bindingOf, EVERYTHING, namespaceOf, podRequest, policyOf } from "../policies.testing.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../policy.ts";
import { validateTypes } from "../resources/type-check/strict-types.ts";
import { createPolicySet, type PolicyResource } from "../set/policy-set.ts";
import { GATES, type Gates, parseGates } from "./gates.ts";
import { gatedFields, validateBindingCount, validateGatedBinding, validateGatedPolicy } from "./validate.ts";

const ALL: Gates = Object.fromEntries(Object.keys(GATES).map((name) => [name, true]));
const namespaces = { namespace: (name: string): KubeObject => namespaceOf(name) };

const ask = (resources: readonly PolicyResource[], gates: Gates, namespace = ""): Promise<AdmissionReport> =>
  admit(podRequest({}, { namespace }), createPolicySet(resources, { gates }), { namespaces });

/** A policy with fields that the API does not have. */
const policy = (spec: Record<string, unknown>): ValidatingAdmissionPolicy => policyOf("p", spec);
const errors = (spec: Record<string, unknown>, gates = ALL): string[] =>
  validateGatedPolicy(policy(spec), gates).map(fieldErrorText);

test("gates are read as Kubernetes' own are", () => {
  expect(parseGates("SingletonPolicies=true, NamespaceLists=false,PolicyLimits")).toEqual({
    SingletonPolicies: true,
    NamespaceLists: false,
    PolicyLimits: true,
  });
  expect(parseGates("Nope=true")).toMatchObject({ error: expect.stringContaining("unknown gate 'Nope'") });
  expect(parseGates("PolicyLimits=maybe")).toEqual({ error: "gate 'PolicyLimits' is true or false, not 'maybe'" });
});

describe("SingletonPolicies", () => {
  const singleton = policy({ singletonPolicy: true, validations: [{ expression: "false", message: "no" }] });
  test("a policy that needs no binding", async () => {
    const report = await ask([singleton], { SingletonPolicies: true });
    expect(report.status?.message).toBe(`pods "p" is forbidden: ValidatingAdmissionPolicy 'p' denied request: no`);
    expect((await ask([singleton], {})).verdicts.policies).toEqual([]);
  });
  test("its own actions", async () => {
    const warned = policy({ singletonPolicy: true, validationActions: ["Warn"] });
    expect((await ask([warned], ALL)).warnings).toEqual([
      "Validation failed for ValidatingAdmissionPolicy 'p': failed expression: false",
    ]);
  });
  test("bindings add nothing to it", async () => {
    expect((await ask([singleton, bindingOf("b", "p")], ALL)).failures).toHaveLength(1);
  });
  // biome-ignore format: one case per line
  test.each([
    { spec: { singletonPolicy: true, paramKind: { apiVersion: "v1", kind: "ConfigMap" } }, want: ["spec.paramKind: Forbidden: a singleton policy has no params"] },
    { spec: { validationActions: ["Deny"] },                                    want: ["spec.validationActions: Forbidden: only a singleton policy has actions of its own"] },
    { spec: { singletonPolicy: true, validationActions: [] },                   want: ["spec.validationActions: Required value: at least one validation action is required"] },
    { spec: { singletonPolicy: true, validationActions: ["Deny", "Deny"] },     want: ['spec.validationActions[1]: Duplicate value: "Deny"'] },
    { spec: { singletonPolicy: true, validationActions: ["Shout"] },            want: ['spec.validationActions[0]: Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"'] },
    { spec: { singletonPolicy: true, validationActions: ["Deny", "Warn"] },     want: ['spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn'] },
    { spec: { singletonPolicy: true, validationActions: ["Deny", "Audit"] },    want: [] },
  ])("validated: $spec", ({ spec, want }) => {
    expect(errors(spec)).toEqual(want);
    expect(errors(spec, {})).toEqual([]);
  });
});

describe("NamespacedBindings", () => {
  const binding: ValidatingAdmissionPolicyBinding = {
    ...bindingOf("b", "p"),
    metadata: { name: "b", namespace: "shop" },
  };
  test("a binding applies in its namespace alone", async () => {
    expect((await ask([policyOf("p"), binding], ALL, "shop")).allowed).toBe(false);
    expect(await ask([policyOf("p"), binding], ALL, "other")).toMatchObject({ allowed: true, failures: [] });
    const entries = createPolicySet([policyOf("p"), binding], { gates: ALL }).entries();
    const elsewhere = await admitEntries(podRequest({}, { namespace: "other" }), entries, { namespaces });
    const [outcome] = elsewhere.verdicts.policies;
    const refused = outcome?.outcome === "matched" ? outcome.bindings[0] : undefined;
    expect(refused?.outcome === "refused" && refusalText(refused.refusal)).toBe(
      "the binding applies only in namespace 'shop'",
    );
    expect((await ask([policyOf("p"), binding], {}, "other")).allowed).toBe(false);
  });
  test("removed as it was put, with the gate and without", () => {
    for (const gates of [ALL, {}]) {
      const set = createPolicySet([policyOf("p"), binding], { gates });
      expect(set.entries()).toHaveLength(1);
      const removed = set.with({ remove: [{ kind: binding.kind, name: "b", namespace: "shop" }] });
      expect([...removed.bindings()]).toEqual([]);
      expect(removed.entries()).toEqual([]);
    }
  });
  test("two namespaces may have bindings of one name", async () => {
    const other = { ...binding, metadata: { name: "b", namespace: "other" } };
    const set = createPolicySet([policyOf("p"), binding, other], { gates: ALL });
    expect(set.entries()[0]?.bindings).toHaveLength(2);
    expect(
      set.with({ remove: [{ kind: binding.kind, name: "b", namespace: "shop" }] }).entries()[0]?.bindings,
    ).toHaveLength(1);
  });
  test("validated", () => {
    const paramRef = { name: "x", namespace: "elsewhere", parameterNotFoundAction: "Deny" as const };
    const wrong = { ...binding, metadata: { name: "b", namespace: "shop" }, spec: { ...binding.spec, paramRef } };
    expect(validateGatedBinding(wrong, ALL).map(fieldErrorText)).toEqual([
      "spec.paramRef.namespace: Forbidden: must be the binding's own namespace",
    ]);
    expect(validateGatedBinding({ ...binding, metadata: { name: "b", namespace: "No!" } }, ALL)[0]?.path.steps).toEqual(
      ["metadata", "namespace"],
    );
    expect(validateGatedBinding(wrong, {})).toEqual([]);
  });
});

describe("NamespaceLists", () => {
  const constraints = (lists: Record<string, unknown>) =>
    policy({ matchConstraints: { resourceRules: [EVERYTHING], ...lists } });
  // biome-ignore format: one case per line
  test.each([
    { lists: { namespaces: ["a", "b"] },                    namespace: "a", allowed: false },
    { lists: { namespaces: ["a", "b"] },                    namespace: "c", allowed: true },
    { lists: { excludeNamespaces: ["a"] },                  namespace: "a", allowed: true },
    { lists: { excludeNamespaces: ["a"] },                  namespace: "b", allowed: false },
    { lists: { namespaces: ["a"] },                         namespace: "",  allowed: false },
  ])("$lists in '$namespace'", async ({ lists, namespace, allowed }) => {
    expect((await ask([constraints(lists), bindingOf("b", "p")], ALL, namespace)).allowed).toBe(allowed);
    expect((await ask([constraints(lists), bindingOf("b", "p")], {}, namespace)).allowed).toBe(false);
  });
  test("validated", () => {
    const matchConstraints = { resourceRules: [EVERYTHING], namespaces: ["a", "a"], excludeNamespaces: ["a"] };
    expect(errors({ matchConstraints })).toEqual([
      'spec.matchConstraints.namespaces[1]: Duplicate value: "a"',
      'spec.matchConstraints.excludeNamespaces[0]: Invalid value: "a": is also in namespaces',
    ]);
  });
});

describe("NamedValidations", () => {
  const named = policy({ validations: [{ expression: "false", name: "replicas", code: 409 }] });
  test("a failure has the name, the Status the code", async () => {
    const report = await ask([named, bindingOf("b", "p")], ALL);
    expect([report.failures[0]?.name, report.status?.code, report.status?.reason]).toEqual([
      "replicas",
      409,
      "Invalid",
    ]);
    const off = await ask([named, bindingOf("b", "p")], {});
    expect([off.failures[0]?.name, off.status?.code]).toEqual([undefined, 422]);
  });
  test("validated", () => {
    const validations = [
      { expression: "true", name: "a", code: 200 },
      { expression: "true", name: "a" },
      { expression: "true", name: "-" },
    ];
    const got = errors({ validations });
    expect(got.slice(0, 2)).toEqual([
      "spec.validations[0].code: Invalid value: 200: must be between 400 and 599",
      'spec.validations[1].name: Duplicate value: "a"',
    ]);
    expect(got[2]).toMatch(/^spec\.validations\[2\]\.name: Invalid value: "-": name part must consist/);
  });
});

describe("ValidationFailurePolicy", () => {
  const validations = [{ expression: "object.nope == 1", failurePolicy: "Ignore" }, { expression: "object.nada == 1" }];
  test("one validation's errors are ignored, the others' are not", async () => {
    const report = await ask([policy({ validations }), bindingOf("b", "p")], ALL);
    expect(report.failures.map(({ index, enforced }) => [index, enforced])).toEqual([
      [0, false],
      [1, true],
    ]);
    const off = await ask([policy({ validations }), bindingOf("b", "p")], {});
    expect(off.failures.map(({ enforced }) => enforced)).toEqual([true, true]);
  });
  test("validated", () => {
    expect(errors({ validations: [{ expression: "true", failurePolicy: "Maybe" }] })).toEqual([
      'spec.validations[0].failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
    ]);
  });
});

describe("StrictTypeChecking", () => {
  const schema: Schema = {
    type: "object",
    properties: new Map<string, Schema>([
      [
        "spec",
        { type: "object", properties: new Map<string, Schema>([["replicas", { type: "integer", format: "int32" }]]) },
      ],
    ]),
  };
  const kind = { group: "apps", version: "v1", kind: "Deployment" };
  const source = { schema: () => schema, kinds: () => [kind], resources: () => [] };
  const typed = policy({
    matchConstraints: {
      resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments"], operations: ["*"] }],
    },
    validations: [{ expression: "object.spec.replicas < 5" }, { expression: "object.spec.replica < 5" }],
  });
  test("an expression that does not fit its type is refused", async () => {
    const [error, ...rest] = await validateTypes(typed, source, ALL);
    expect(error?.path.steps).toEqual(["spec", "validations", 1, "expression"]);
    expect(error?.detail).toMatch(
      /^type checking failed: apps\/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replica'/,
    );
    expect(rest).toEqual([]);
    expect(await validateTypes(typed, source, {})).toEqual([]);
  });
});

describe("PolicyLimits", () => {
  test("lengths of lists", () => {
    const validations = Array.from({ length: 65 }, () => ({ expression: "true" }));
    expect(errors({ validations })).toEqual(["spec.validations: Too many: 65: must have at most 64 items"]);
    expect(errors({ validations }, { ...ALL, PolicyLimits: false })).toEqual([]);
  });
  test("bindings per policy", () => {
    const others = Array.from({ length: 100 }, (_, i) => bindingOf(`b${i}`, "p"));
    expect(validateBindingCount(bindingOf("new", "p"), others, ALL).map(fieldErrorText)).toEqual([
      "spec.policyName: Forbidden: the policy has 100 bindings already",
    ]);
    expect(validateBindingCount(bindingOf("b7", "p"), others, ALL)).toEqual([]);
    const elsewhere = { ...bindingOf("b7", "p"), metadata: { name: "b7", namespace: "n" } };
    expect(validateBindingCount(elsewhere, others, ALL)).toHaveLength(1);
    expect(validateBindingCount(bindingOf("new", "p"), others, {})).toEqual([]);
  });
});

test("fields a cluster does not know are found, gates on or off", () => {
  const spec = {
    singletonPolicy: true,
    validations: [{ expression: "true" }, { expression: "true", name: "x", failurePolicy: "Fail" }],
  };
  expect(gatedFields(policy(spec)).map(({ gate, path }) => `${gate} ${path}`)).toEqual([
    "SingletonPolicies spec.singletonPolicy",
    "NamedValidations spec.validations[1].name",
    "ValidationFailurePolicy spec.validations[1].failurePolicy",
  ]);
  expect(gatedFields(bindingOf("b", "p"))).toEqual([]);
});
