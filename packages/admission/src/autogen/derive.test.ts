import { readFileSync } from "node:fs";
import { fieldErrorText } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import { createSchemas } from "../memory/index.ts";
import { bindingOf, policyOf } from "../policies.testing.ts";
import type { NamedRuleWithOperations, ValidatingAdmissionPolicy } from "../policy.ts";
import { withBindingDefaults, withPolicyDefaults } from "../resources/defaults.ts";
import { checkTypes } from "../resources/type-check/type-check.ts";
import { validateBinding } from "../resources/validate/validate-binding.ts";
import { validatePolicy } from "../resources/validate/validate-policy.ts";
import { decision, PODS, podPolicy } from "./autogen.testing.ts";
import { deriveWorkloadPolicies } from "./derive.ts";
import { derivedName } from "./derived-name.ts";
import { NOTE_CODES, SKIP_CODES } from "./outcome.ts";
import { METADATA_FIELDS } from "./pod-fields.ts";
import { WORKLOAD_KINDS } from "./workloads.ts";

const rule = (more: Partial<NamedRuleWithOperations> = {}): NamedRuleWithOperations => ({ ...PODS, ...more });

const withRules = (...resourceRules: NamedRuleWithOperations[]): ValidatingAdmissionPolicy =>
  podPolicy({ matchConstraints: { resourceRules }, validations: [{ expression: "object.spec.hostPID != true" }] });

test("a policy for each place of the template", () => {
  const { derived, skipped } = deriveWorkloadPolicies(withRules(rule()), { kinds: WORKLOAD_KINDS });
  expect(skipped).toEqual([]);
  expect(derived.map(({ kinds, policy }) => [policy.metadata.name, kinds.length])).toEqual([
    ["autogen-workloads-p", 6],
    ["autogen-cronjobs-p", 1],
    ["autogen-podtemplates-p", 1],
  ]);
  expect(deriveWorkloadPolicies(withRules(rule())).derived.flatMap(({ kinds }) => kinds)).toEqual(
    WORKLOAD_KINDS.filter((kind) => kind !== "PodTemplate"),
  );
  const operations = ["CREATE", "UPDATE"];
  expect(derived[0]?.policy.spec.matchConstraints?.resourceRules).toEqual([
    {
      apiGroups: ["apps"],
      apiVersions: ["v1"],
      operations,
      resources: ["deployments", "statefulsets", "daemonsets", "replicasets"],
    },
    { apiGroups: ["batch"], apiVersions: ["v1"], operations, resources: ["jobs"] },
    { apiGroups: [""], apiVersions: ["v1"], operations, resources: ["replicationcontrollers"] },
  ]);
});

test("everything else of a policy stays", () => {
  const policy = {
    ...podPolicy({
      failurePolicy: "Ignore",
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      matchConstraints: {
        matchPolicy: "Exact",
        namespaceSelector: { matchLabels: { a: "b" } },
        resourceRules: [rule({ scope: "Namespaced" })],
        excludeResourceRules: [rule({ operations: ["UPDATE"] }), rule({ resources: ["services"] })],
      },
      validations: [{ expression: "params != null", message: "m", reason: "Forbidden" }],
      auditAnnotations: [{ key: "k", valueExpression: "'v'" }],
    }),
    metadata: {
      name: "p",
      uid: "1",
      labels: { team: "a" },
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}", note: "n" },
    },
    status: { observedGeneration: 1 },
  } satisfies ValidatingAdmissionPolicy;
  const { derived } = deriveWorkloadPolicies(policy, { kinds: ["CronJob"] });
  const cronjobs = { apiGroups: ["batch"], apiVersions: ["v1"], resources: ["cronjobs"] };
  expect(derived[0]?.policy).toEqual({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "autogen-cronjobs-p", labels: { team: "a" }, annotations: { note: "n" } },
    spec: {
      failurePolicy: "Ignore",
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      matchConstraints: {
        matchPolicy: "Exact",
        namespaceSelector: { matchLabels: { a: "b" } },
        resourceRules: [{ ...cronjobs, operations: ["CREATE", "UPDATE"], scope: "Namespaced" }],
        excludeResourceRules: [{ ...cronjobs, operations: ["UPDATE"] }],
      },
      validations: [{ expression: "params != null", message: "m", reason: "Forbidden" }],
      auditAnnotations: [{ key: "k", valueExpression: `"v"` }],
    },
  });
});

// biome-ignore format: one case per line
const ruleCases: readonly { title: string; rules: readonly NamedRuleWithOperations[]; skipped?: readonly string[]; notes?: readonly string[]; count?: number }[] = [
  { title: "pods",                          rules: [rule()], count: 1 },
  { title: "two rules",                     rules: [rule(), rule({ operations: ["DELETE"] })], count: 2 },
  { title: "any group and version",         rules: [rule({ apiGroups: ["*"], apiVersions: ["*"] })], count: 1 },
  { title: "with subresources",             rules: [rule({ resources: ["pods", "pods/ephemeralcontainers"] })], count: 1, notes: ["subresources_left_out"] },
  { title: "all subresources",              rules: [rule({ resources: ["pods/*"] })], count: 1, notes: ["subresources_left_out"] },
  { title: "a rule for a subresource",      rules: [rule(), rule({ resources: ["pods/exec"], operations: ["CONNECT"] })], count: 1, notes: ["subresources_left_out"] },
  { title: "some by name",                  rules: [rule(), rule({ resourceNames: ["a"] })], count: 1, notes: ["named_pods_left_out"] },
  { title: "only by name",                  rules: [rule({ resourceNames: ["a"] })], skipped: ["no_rules_left"] },
  { title: "only a subresource",            rules: [rule({ resources: ["pods/exec"] })], skipped: ["no_pods"] },
  { title: "another group's pods",          rules: [rule({ apiGroups: ["metrics.k8s.io"] })], skipped: ["no_pods"] },
  { title: "something else",                rules: [rule({ resources: ["services"] })], skipped: ["no_pods"] },
  { title: "nothing",                       rules: [], skipped: ["no_pods"] },
  { title: "pods and services",             rules: [rule({ resources: ["pods", "services"] })], skipped: ["more_than_pods"] },
  { title: "pods, and workloads apart",     rules: [rule(), rule({ apiGroups: ["apps"], resources: ["deployments"] })], skipped: ["more_than_pods"] },
  { title: "everything",                    rules: [rule({ resources: ["*"] })], skipped: ["more_than_pods"] },
];

test.each(ruleCases)("rules: $title", ({ rules, skipped = [], notes = [], count = 0 }) => {
  const made = deriveWorkloadPolicies(withRules(...rules), { kinds: ["CronJob"] });
  expect(made.skipped.map(({ code }) => code)).toEqual(skipped);
  expect(made.derived.flatMap((policy) => policy.notes.map(({ code }) => code))).toEqual(notes);
  expect(made.derived.flatMap(({ policy }) => policy.spec.matchConstraints?.resourceRules ?? []).length).toBe(count);
});

describe("an objectSelector becomes a match condition", () => {
  // biome-ignore format: one case per line
  const selectors = [
    { selector: { matchLabels: { app: "web" } } },
    { selector: { matchLabels: { app: "" } } },
    { selector: { matchExpressions: [{ key: "app", operator: "In", values: ["web", "api"] }] } },
    { selector: { matchExpressions: [{ key: "app", operator: "In", values: ["", "api"] }] } },
    { selector: { matchExpressions: [{ key: "app", operator: "NotIn", values: ["web"] }] } },
    { selector: { matchExpressions: [{ key: "app", operator: "NotIn", values: ["", "web"] }] } },
    { selector: { matchExpressions: [{ key: "app", operator: "Exists" }] } },
    { selector: { matchExpressions: [{ key: "app", operator: "DoesNotExist" }] } },
    { selector: { matchLabels: { app: "web" }, matchExpressions: [{ key: "x.y/z", operator: "DoesNotExist" }, { key: "tier", operator: "NotIn", values: ["a"] }] } },
  ];
  const labels = [
    undefined,
    {},
    { app: "" },
    { app: "web" },
    { app: "api", tier: "a" },
    { app: "web", "x.y/z": "1" },
    { app: "web", tier: "a" },
  ];
  const pods = labels.map((set) => ({ metadata: set === undefined ? {} : { labels: set }, spec: {} }));

  test.each(selectors)("$selector", async ({ selector }) => {
    const policy = podPolicy({
      matchConstraints: { resourceRules: [rule({ operations: ["*"] })], objectSelector: selector },
      validations: [{ expression: "false" }],
    });
    for (const kind of ["Deployment", "CronJob"] as const) {
      const { derived } = deriveWorkloadPolicies(policy, { kinds: [kind] });
      const made = derived[0]!;
      expect(made.policy.spec.matchConstraints).not.toHaveProperty("objectSelector");
      expect(made.notes.map(({ code }) => code)).toEqual(["selector_became_condition"]);
      for (const object of pods) {
        for (const asked of [
          { operation: "CREATE", object },
          { operation: "DELETE", object: null, oldObject: object },
          { operation: "UPDATE", object: pods[0]!, oldObject: object },
        ] as const) {
          expect(await decision([made.policy], asked, kind)).toEqual(await decision([policy], asked));
        }
      }
    }
  });

  test("and reads well", () => {
    const objectSelector = {
      matchLabels: { app: "web" },
      matchExpressions: [{ key: "tier", operator: "In", values: ["a", "b"] }],
    };
    const matchConditions = [{ name: "autogen-object-selector", expression: "true" }];
    const policy = podPolicy({ matchConstraints: { resourceRules: [rule()], objectSelector }, matchConditions });
    const { derived } = deriveWorkloadPolicies(policy, { kinds: ["Job"] });
    expect(derived[0]?.policy.spec.matchConditions).toEqual([
      { name: "autogen-object-selector", expression: "true" },
      {
        name: "autogen-object-selector-2",
        expression: ["object", "oldObject"]
          .map((name) => {
            const labels = `${name}.spec.template.?metadata.?labels`;
            return `${name} != null && ${labels}[?"app"].orValue("") == "web" && ${labels}[?"tier"].orValue("") in ["a", "b"]`;
          })
          .join(" || "),
      },
    ]);
  });

  test("unless it is wrong, or there are too many conditions", () => {
    const objectSelector = { matchExpressions: [{ key: "a", operator: "Is" }] };
    const wrong = podPolicy({ matchConstraints: { resourceRules: [rule()], objectSelector } });
    expect(deriveWorkloadPolicies(wrong).skipped.map(({ code }) => code)).toEqual(["invalid_selector"]);
    const many = podPolicy({
      matchConstraints: { resourceRules: [rule()], objectSelector: { matchLabels: { a: "b" } } },
      matchConditions: Array.from({ length: 64 }, (_, i) => ({ name: `c${i}`, expression: "true" })),
    });
    expect(deriveWorkloadPolicies(many).skipped.map(({ code }) => code)).toEqual(["too_many_conditions"]);
  });
});

describe("bindings", () => {
  const policy = withRules(rule());

  test("bind the derived policies, with their own rules for workloads", () => {
    const bindings = [
      bindingOf("all", "p"),
      bindingOf("some", "p", {
        validationActions: ["Warn", "Audit"],
        matchResources: {
          namespaceSelector: { matchLabels: { a: "b" } },
          resourceRules: [rule({ resources: ["*"], operations: ["CREATE"] })],
          excludeResourceRules: [rule({ resourceNames: ["x"] })],
        },
      }),
      bindingOf("other", "q"),
    ];
    const { derived, skipped } = deriveWorkloadPolicies(policy, { kinds: ["CronJob"], bindings });
    expect(skipped).toEqual([]);
    expect(derived[0]?.bindings).toEqual([
      { ...bindingOf("autogen-cronjobs-all", "autogen-cronjobs-p") },
      bindingOf("autogen-cronjobs-some", "autogen-cronjobs-p", {
        validationActions: ["Warn", "Audit"],
        matchResources: {
          namespaceSelector: { matchLabels: { a: "b" } },
          resourceRules: [
            { apiGroups: ["batch"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["cronjobs"] },
          ],
        },
      }),
    ]);
  });

  test("with an objectSelector get a policy that has it as a condition", async () => {
    const bindings = [
      bindingOf("web", "p", { matchResources: { objectSelector: { matchLabels: { app: "web" } } } }),
      bindingOf("rest", "p", { validationActions: ["Warn"] }),
    ];
    const { derived } = deriveWorkloadPolicies(policy, { kinds: ["Deployment"], bindings });
    expect(
      derived.map((derivedPolicy) => [
        derivedPolicy.policy.metadata.name,
        derivedPolicy.bindings.map(({ metadata }) => metadata.name),
      ]),
    ).toEqual([
      ["autogen-workloads-p", ["autogen-workloads-rest"]],
      ["autogen-workloads-p-web", ["autogen-workloads-web"]],
    ]);
    const resources = derived.flatMap((derivedPolicy) => [derivedPolicy.policy, ...derivedPolicy.bindings]);
    for (const app of ["web", "api"]) {
      const object = { metadata: { labels: { app } }, spec: { hostPID: true } };
      expect((await decision(resources, { object }, "Deployment")).allowed).toBe(app !== "web");
      expect(await decision([policy, ...bindings], { object })).toMatchObject({ allowed: app !== "web" });
    }
    const only = deriveWorkloadPolicies(policy, { kinds: ["Deployment"], bindings: bindings.slice(0, 1) });
    expect(only.derived.map((derivedPolicy) => derivedPolicy.policy.metadata.name)).toEqual([
      "autogen-workloads-p-web",
    ]);
  });

  test("that are not about pods of workloads are skipped by name", () => {
    const bindings = [
      bindingOf("services", "p", { matchResources: { resourceRules: [rule({ resources: ["services"] })] } }),
      bindingOf("wrong", "p", {
        matchResources: { objectSelector: { matchExpressions: [{ key: "", operator: "" }] } },
      }),
    ];
    const { derived, skipped } = deriveWorkloadPolicies(policy, { bindings });
    expect(derived).toEqual([]);
    expect(skipped.map(({ binding, code }) => [binding, code])).toEqual([
      ["services", "no_rules_left"],
      ["wrong", "invalid_selector"],
    ]);
  });
});

test("names stay within their limits and apart", () => {
  expect(derivedName("workloads", "a.b-c")).toBe("autogen-workloads-a.b-c");
  const names = ["x", "y"].map((end) => derivedName("cronjobs", `${"ab.".repeat(80)}${end.repeat(13)}`));
  expect(new Set(names).size).toBe(2);
  for (const name of names) {
    expect(name.length).toBeLessThanOrEqual(253);
    expect(name).toMatch(/^[a-z0-9.-]*[a-z0-9]$/);
    expect(name).not.toContain(".-");
  }
});

// The API server has no complaints about derived policies, also with the types of the kinds they match.
test("derived policies are accepted, and right for the schemas of their kinds", async () => {
  const policy = withPolicyDefaults(
    policyOf("restricted", {
      matchConstraints: {
        resourceRules: [rule()],
        objectSelector: { matchExpressions: [{ key: "app", operator: "NotIn", values: ["", "x"] }] },
      },
      matchConditions: [
        { name: "labelled", expression: "has(object.metadata.labels) && 'a' in object.metadata.labels" },
      ],
      variables: [
        { name: "containers", expression: "object.spec.containers" },
        { name: "pod", expression: "oldObject == null ? object : oldObject" },
      ],
      validations: [
        {
          expression: "variables.containers.all(c, c.?securityContext.?privileged.orValue(false) == false)",
          messageExpression: "object.kind + ' ' + object.metadata.name + ' is privileged'",
        },
        { expression: "variables.pod.metadata.?labels[?'a'].orValue('') != 'b'" },
        { expression: "object.kind == 'Pod' && request.kind.kind == 'Pod'" },
      ],
      auditAnnotations: [{ key: "images", valueExpression: "object.spec.containers.map(c, c.image).join(',')" }],
    }),
  );
  const bindings = [bindingOf("b", "restricted", { matchResources: { resourceRules: [rule()] } })];
  const { derived, skipped } = deriveWorkloadPolicies(policy, { kinds: WORKLOAD_KINDS, bindings });
  expect(skipped).toEqual([]);
  expect(derived.length).toBe(3);
  for (const derivedPolicy of derived) {
    expect(validatePolicy(withPolicyDefaults(derivedPolicy.policy)).map(fieldErrorText)).toEqual([]);
    for (const binding of derivedPolicy.bindings)
      expect(validateBinding(withBindingDefaults(binding)).map(fieldErrorText)).toEqual([]);
    const { warnings, kinds, kindsBeyond } = await checkTypes(derivedPolicy.policy, createSchemas());
    expect(warnings.map(({ path, text }) => `${path}: ${text}`)).toEqual([]);
    expect([...kinds, ...kindsBeyond].map(({ kind }) => kind).sort()).toEqual([...derivedPolicy.kinds].sort());
  }
});

test("the page about it describes every kind, field and code", () => {
  const page = readFileSync(new URL("../../../../docs/reference/autogen.md", import.meta.url), "utf8");
  for (const word of [...WORKLOAD_KINDS, ...METADATA_FIELDS.keys(), ...SKIP_CODES, ...NOTE_CODES]) {
    expect(page).toContain(word);
  }
});
