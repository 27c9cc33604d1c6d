// The findings of policies and bindings, and their absence.

import { readFileSync } from "node:fs";
import type { KubeObject } from "@celadon/kube";
import { builtinResource } from "@celadon/kube/builtin";
import { describe, expect, test } from "vitest";
import { createParamSource } from "../../memory/objects.ts";
import { createResources } from "../../memory/resources.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../../policy.ts";
import { binding, policy, RULE } from "../policies.testing.ts";
import { findProblems } from "./find-problems.ts";
import { FINDING_CODES } from "./finding.ts";

const LIMITS: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "limits", namespace: "n", labels: { a: "b" } },
};
const params = createParamSource([LIMITS], createResources());

async function found(
  policies: ValidatingAdmissionPolicy[],
  bindings: ValidatingAdmissionPolicyBinding[] = policies.map(({ metadata }) => binding({ policyName: metadata.name })),
): Promise<string[]> {
  const hasResource = (resource: Parameters<typeof builtinResource>[0]): boolean =>
    builtinResource(resource) !== undefined;
  const all = await findProblems({ policies, bindings }, { params, hasResource });
  return all.map(({ code, name, path }) => `${code} ${name} ${path.join(".")}`);
}

const on = (change: Record<string, unknown>, more: Record<string, unknown> = {}): ValidatingAdmissionPolicy =>
  policy({ matchConstraints: { resourceRules: [{ ...RULE, ...change }] }, ...more });
const checks = (...expressions: string[]): Record<string, unknown> => ({
  validations: expressions.map((expression) => ({ expression })),
});

test("a set without problems", async () => expect(await found([policy()])).toEqual([]));

describe("names", () => {
  test("a policy without a binding, a binding without a policy", async () => {
    expect(await found([policy()], [binding({ policyName: "other" })])).toEqual([
      "policy_without_binding p metadata.name",
      "dangling_policy_name b spec.policyName",
    ]);
  });

  test("messages", async () => {
    const [first] = await findProblems({ policies: [], bindings: [binding({ policyName: "other" })] });
    expect(first).toEqual({
      code: "dangling_policy_name",
      severity: "warning",
      kind: "ValidatingAdmissionPolicyBinding",
      name: "b",
      path: ["spec", "policyName"],
      message: `policy "other" does not exist, so the binding has no effect`,
      related: { kind: "ValidatingAdmissionPolicy", name: "other" },
    });
  });
});

describe("params", () => {
  const configMaps = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
  const nodes = { paramKind: { apiVersion: "v1", kind: "Node" } };
  const ref = (change: Record<string, unknown>) =>
    binding({ paramRef: { parameterNotFoundAction: "Deny", ...change } });

  // biome-ignore format: one case per line
  const cases: readonly (readonly [title: string, spec: Record<string, unknown>, bound: ValidatingAdmissionPolicyBinding, ...found: string[]])[] = [
    ["there", configMaps, ref({ name: "limits", namespace: "n" })],
    ["not there", configMaps, ref({ name: "nothing", namespace: "n" }), "missing_param b spec.paramRef.name"],
    ["in another namespace", configMaps, ref({ name: "limits", namespace: "m" }), "missing_param b spec.paramRef.name"],
    ["in the namespace of the request", configMaps, ref({ name: "nothing" })],
    ["selected", configMaps, ref({ selector: { matchLabels: { a: "b" } }, namespace: "n" })],
    ["none selected", configMaps, ref({ selector: { matchLabels: { a: "c" } }, namespace: "n" }), "missing_param b spec.paramRef.selector"],
    ["a namespace for what has none", nodes, ref({ name: "x", namespace: "n" }), "invalid_param_ref b spec.paramRef.namespace"],
    ["in no namespace", nodes, ref({ name: "x" }), "missing_param b spec.paramRef.name"],
    ["of a kind nobody knows", { paramKind: { apiVersion: "example.com/v1", kind: "X" } }, ref({ name: "x" }), "unknown_param_kind p spec.paramKind"],
    ["not referred to", configMaps, binding(), "no_param_ref b spec"],
    ["referred to in vain", {}, ref({ name: "x" }), "unused_param_ref b spec.paramRef"],
  ];
  for (const [title, spec, bound, ...wanted] of cases) {
    test(title, async () => expect(await found([policy(spec)], [bound])).toEqual(wanted));
  }
});

describe("bindings that never match", () => {
  const rules = (change: Record<string, unknown>) => ({ resourceRules: [{ ...RULE, ...change }] });
  const selects = (label: string) => ({ namespaceSelector: { matchLabels: { team: label } } });

  // biome-ignore format: one case per line
  test.each<readonly [title: string, constraints: Record<string, unknown>, own: Record<string, unknown>, at?: string]>([
    ["the same rules", rules({}), rules({})],
    ["other resources", rules({}), rules({ resources: ["pods"] }), "resourceRules"],
    ["a subresource", rules({ resources: ["pods"] }), rules({ resources: ["pods/exec"] }), "resourceRules"],
    ["all subresources and the resource", rules({ resources: ["pods"] }), rules({ resources: ["pods/*"] })],
    ["everything", rules({}), rules({ apiGroups: ["*"], resources: ["*/*"], operations: ["*"] })],
    ["other operations", rules({}), rules({ operations: ["DELETE"] }), "resourceRules"],
    ["other groups", rules({}), rules({ apiGroups: ["apps"] }), "resourceRules"],
    ["other versions, which may be the same objects", rules({}), rules({ apiVersions: ["v2"] })],
    ["other versions, exactly", { ...rules({}), matchPolicy: "Exact" }, { ...rules({ apiVersions: ["v2"] }), matchPolicy: "Exact" }, "resourceRules"],
    ["other names", rules({ resourceNames: ["a"] }), rules({ resourceNames: ["b"] }), "resourceRules"],
    ["another scope", rules({ scope: "Namespaced" }), rules({ scope: "Cluster" }), "resourceRules"],
    ["everything excluded", rules({}), { excludeResourceRules: [{ ...RULE, operations: ["*"] }] }, "excludeResourceRules"],
    ["something excluded", rules({ resources: ["configmaps", "pods"] }), { excludeResourceRules: [RULE] }],
    ["other namespaces", { ...rules({ scope: "Namespaced" }), ...selects("a") }, selects("b"), "namespaceSelector"],
    ["other namespaces, and what is in none", { ...rules({}), ...selects("a") }, selects("b")],
    ["objects that cannot be", rules({}), { objectSelector: { matchExpressions: [{ key: "a", operator: "Exists" }, { key: "a", operator: "DoesNotExist" }] } }, "objectSelector"],
    ["values that cannot be", rules({}), { objectSelector: { matchLabels: { a: "x" }, matchExpressions: [{ key: "a", operator: "NotIn", values: ["x"] }] } }, "objectSelector"],
  ])("%s", async (_title, matchConstraints, matchResources, at) => {
    const wanted = at === undefined ? [] : [`binding_never_matches b spec.matchResources.${at}`];
    expect(await found([policy({ matchConstraints })], [binding({ matchResources })])).toEqual(wanted);
  });
});

describe("policies that never match", () => {
  test("reviews and policies", async () => {
    const own = on({ apiGroups: ["admissionregistration.k8s.io"], resources: ["validatingadmissionpolicies"] });
    expect(await found([own])).toEqual(["policy_never_matches p spec.matchConstraints.resourceRules"]);
    const webhooks = on({
      apiGroups: ["admissionregistration.k8s.io"],
      resources: ["validatingwebhookconfigurations"],
    });
    expect(await found([webhooks])).toEqual([]);
  });

  test("excluded resources", async () => {
    const matchConstraints = { resourceRules: [RULE], excludeResourceRules: [{ ...RULE, resources: ["*"] }] };
    expect(await found([policy({ matchConstraints })])).toEqual([
      "policy_never_matches p spec.matchConstraints.excludeResourceRules",
    ]);
  });

  test("unknown resources", async () => {
    expect(await found([on({ resources: ["configmaps", "configmap"] })])).toEqual([
      "unknown_resource p spec.matchConstraints.resourceRules.0.resources.1",
    ]);
    expect(await found([on({ apiGroups: ["*"], resources: ["nothing"] })])).toEqual([]);
  });
});

describe("messages that are expressions", () => {
  // biome-ignore format: one case per line
  test.each<readonly [message: string, isExpression: boolean]>([
    ["replicas must be no more than 5", false],
    ["object", false],
    ["Forbidden", false],
    ["'replicas must be no more than ' + string(params.max)", true],
    ["object.spec.replicas", true],
    ["params['max']", true],
    ["no: use object.spec.x instead", false],
    ["a.b.c", false],
    ["1 + 1", false],
  ])("%s", async (message, isExpression) => {
    const wanted = isExpression ? ["message_is_expression p spec.validations.0.message"] : [];
    expect(await found([policy({ validations: [{ expression: "true", message }] })])).toEqual(wanted);
  });

  test("not beside a message expression", async () => {
    const validations = [{ expression: "true", message: "object.x", messageExpression: "'x'" }];
    expect(await found([policy({ validations })])).toEqual([]);
  });
});

describe("ephemeral containers", () => {
  const containers = checks("object.spec.containers.all(c, c.image != '')");
  const pods = { resources: ["pods"], operations: ["CREATE", "UPDATE"] };
  const MISSED = ["ephemeral_containers_not_matched p spec.matchConstraints.resourceRules.0.resources"];

  // biome-ignore format: one case per line
  test.each<readonly [title: string, change: Record<string, unknown>, more: Record<string, unknown>, wanted: string[]]>([
    ["pods alone", pods, containers, MISSED],
    ["pods with the subresource", { ...pods, resources: ["pods", "pods/ephemeralcontainers"] }, containers, []],
    ["the subresource without UPDATE", { resources: ["pods", "pods/ephemeralcontainers"] }, containers, MISSED],
    ["pods with all subresources", { ...pods, resources: ["pods/*"] }, containers, []],
    ["all resources", { ...pods, resources: ["*"] }, containers, MISSED],
    ["all resources with subresources", { ...pods, resources: ["*/*"] }, containers, []],
    ["pods whose containers do not matter", pods, checks("object.metadata.name != 'x'"), []],
    ["containers in a variable", pods, { variables: [{ name: "all", expression: "object.spec.containers" }] }, [...MISSED, "unused_variable p spec.variables.0.name"]],
    ["other resources", { apiGroups: ["apps"], resources: ["deployments"] }, containers, []],
  ])("%s", async (_title, change, more, wanted) => expect(await found([on(change, more)])).toEqual(wanted));
});

describe("object on DELETE", () => {
  const DELETE = { operations: ["DELETE"] };
  const at = (...paths: string[]): string[] => paths.map((path) => `object_read_on_delete p spec.${path}`);

  // biome-ignore format: one case per line
  test.each<readonly [title: string, change: Record<string, unknown>, more: Record<string, unknown>, wanted: string[]]>([
    ["read", DELETE, checks("object.data.size() == 0"), at("validations.0.expression")],
    ["read by index", { operations: ["*"] }, checks("object['data'] == null"), at("validations.0.expression")],
    ["not deleted", {}, checks("object.data.size() == 0"), []],
    ["the old object", DELETE, checks("oldObject.data.size() == 0"), []],
    ["asked for first", DELETE, checks("object == null || object.data.size() == 0"), []],
    ["the operation asked for", DELETE, checks("request.operation == 'DELETE' || object.data.size() == 0"), []],
    ["kept away by a condition", DELETE, { ...checks("object.data.size() == 0"), matchConditions: [{ name: "c", expression: "request.operation != 'DELETE'" }] }, []],
    ["in a condition", DELETE, { matchConditions: [{ name: "c", expression: "object.data.size() == 0" }] }, at("matchConditions.0.expression")],
    ["in a variable that is used", DELETE, { variables: [{ name: "a", expression: "object.data" }], ...checks("variables.a.size() == 0") }, at("variables.0.expression")],
    ["in a variable that is not", DELETE, { variables: [{ name: "a", expression: "object.data" }] }, ["unused_variable p spec.variables.0.name"]],
    ["in a variable behind the operation", DELETE, { variables: [{ name: "a", expression: "object.data" }], ...checks("request.operation == 'DELETE' || variables.a.size() == 0") }, []],
    ["in a message", DELETE, { validations: [{ expression: "true", messageExpression: "object.metadata.name + ''" }] }, at("validations.0.messageExpression")],
    ["in an annotation", DELETE, { auditAnnotations: [{ key: "k", valueExpression: "string(object.data)" }] }, at("auditAnnotations.0.valueExpression")],
    ["a loop variable of that name", DELETE, checks("[oldObject].all(o, o.data.size() == 0)"), []],
  ])("%s", async (_title, change, more, wanted) => expect(await found([on(change, more)])).toEqual(wanted));
});

describe("oldObject on CREATE", () => {
  const at = (path: string): string[] => [`old_object_read_on_create p spec.${path}`];

  // biome-ignore format: one case per line
  test.each<readonly [title: string, change: Record<string, unknown>, more: Record<string, unknown>, wanted: string[]]>([
    ["read", { operations: ["CREATE", "UPDATE"] }, checks("object.spec.a == oldObject.spec.a"), at("validations.0.expression")],
    ["only updated", { operations: ["UPDATE"] }, checks("object.spec.a == oldObject.spec.a"), []],
    ["asked for first", { operations: ["*"] }, checks("object == null || oldObject == null || object.spec.a == oldObject.spec.a"), []],
    ["the operation asked for", { operations: ["CREATE"] }, checks("request.operation == 'CREATE' || oldObject.spec.a"), []],
  ])("%s", async (_title, change, more, wanted) => expect(await found([on(change, more)])).toEqual(wanted));
});

describe("keys of maps", () => {
  const UNGUARDED = ["unguarded_key p spec.validations.0.expression"];
  const MAP = ["unguarded_field p spec.validations.0.expression"];
  test.each<readonly [text: string, wanted: string[]]>([
    ["object.metadata.labels['team'] == 'x'", UNGUARDED],
    ["object.metadata.annotations.team == 'x'", UNGUARDED],
    ["has(object.metadata.labels) && object.metadata.labels['team'] == 'x'", UNGUARDED],
    ["'team' in object.metadata.labels && object.metadata.labels['team'] == 'x'", MAP],
    ["has(object.metadata.labels.team) && object.metadata.labels.team == 'x'", MAP],
    ["has(object.metadata.labels.team) && object.metadata.labels['team'] == 'x'", MAP],
    ["object.metadata.labels[?'team'].orValue('') == 'x'", MAP],
    [
      "has(object.metadata.labels) && object.metadata.labels.exists(k, k == 'team') && object.metadata.labels['team'] == 'x'",
      [],
    ],
    [
      "has(object.metadata.labels) && object.metadata.labels.all(k, 'team' == k || k == 'x') && object.metadata.labels.x == 'x'",
      [],
    ],
    ["'team' in object.metadata.?labels.orValue({}) && object.metadata.labels['team'] == 'x'", []],
    ["object.metadata.?labels.team.orValue('') == 'x'", []],
    ["object.spec.list[0] == 'x'", []],
    ["object.spec.name == 'x'", []],
  ])("%s", async (text, wanted) => expect(await found([on({}, checks(text))])).toEqual(wanted));
});

describe("fields that objects may lack", () => {
  const UNGUARDED = ["unguarded_field p spec.validations.0.expression"];
  test.each<readonly [text: string, wanted: string[]]>([
    ["object.metadata.labels.all(k, k != 'x')", UNGUARDED],
    ["object.spec.initContainers.exists(c, c.name == 'mesh')", UNGUARDED],
    ["object.spec.template.spec.initContainers.exists(c, c.name == 'mesh')", UNGUARDED],
    ["object.spec.containers.all(c, c.securityContext.runAsNonRoot)", UNGUARDED],
    ["object.spec.containers.filter(c, c.name != 'a').all(c, c.securityContext.runAsNonRoot)", UNGUARDED],
    ["object.spec.containers[0].securityContext.runAsNonRoot", UNGUARDED],
    ["object.spec.volumes.all(v, !has(v.hostPath))", UNGUARDED],
    ["object.spec.containers.all(c, c.volumeMounts.exists(m, m.name == 'a'))", UNGUARDED],
    ["object.spec.?volumes.orValue([]).all(v, !has(v.hostPath))", []],
    ["(has(object.spec.initContainers) ? object.spec.initContainers : []).all(c, !has(c.securityContext))", []],
    ["!has(object.spec.initContainers) || object.spec.initContainers.exists(c, c.name == 'mesh')", []],
    ["object.spec.?initContainers.orValue([]).exists(c, c.name == 'mesh')", []],
    ["object.?spec.initContainers.orValue([]).exists(c, c.name == 'mesh')", []],
    [
      "object.spec.containers.all(c, has(c.securityContext) && has(c.securityContext.runAsNonRoot) && c.securityContext.runAsNonRoot)",
      [],
    ],
    ["object.spec.securityContext.size() == 0", []],
  ])("%s", async (text, wanted) => expect(await found([on({}, checks(text))])).toEqual(wanted));

  test("a variable may test fields for an expression, and read fields that it tests", async () => {
    const variables = [
      { name: "has", expression: "has(object.metadata.labels)" },
      { name: "labels", expression: "object.metadata.labels" },
    ];
    const asked = { variables, ...checks("variables.has && variables.labels.all(k, k != 'x')") };
    expect(await found([on({}, asked)])).toEqual([]);
    const read = { variables, ...checks("variables.has", "variables.labels.all(k, k != 'x')") };
    expect(await found([on({}, read)])).toEqual(["unguarded_field p spec.variables.1.expression"]);
  });
});

describe("unused variables", () => {
  const variables = [
    { name: "a", expression: "object.spec.a" },
    { name: "b", expression: "variables.a + 1" },
  ];
  test.each<readonly [text: string, wanted: string[]]>([
    ["variables.b > 1", []],
    ["variables.a > 1", ["unused_variable p spec.variables.1.name"]],
    ["object.spec.c > 1", ["unused_variable p spec.variables.0.name", "unused_variable p spec.variables.1.name"]],
    ["variables.a ++", []],
  ])("%s", async (text, wanted) => expect(await found([on({}, { variables, ...checks(text) })])).toEqual(wanted));
});

test("params that are read and not given fail every request", async () => {
  const message = async (text: string): Promise<string | undefined> => {
    const reading = policy({ paramKind: { apiVersion: "v1", kind: "ConfigMap" }, ...checks(text) });
    const [item] = await findProblems({ policies: [reading], bindings: [binding()] });
    return `${item?.code} ${item?.severity}`;
  };
  expect(await message("params.data.a == 'b'")).toBe("no_param_ref warning");
  expect(await message("params == null || params.data.a == 'b'")).toBe("no_param_ref note");
});

test("expressions that cannot be read are passed over", async () => {
  expect(await found([on({ operations: ["DELETE"] }, checks("object.data ++"))])).toEqual([]);
});

test("a source of params that fails finds nothing", async () => {
  const fail = (): never => {
    throw new Error("down");
  };
  const withParams = policy({ paramKind: { apiVersion: "v1", kind: "ConfigMap" } });
  const bound = binding({ paramRef: { name: "x", namespace: "n", parameterNotFoundAction: "Deny" } });
  const source = { scope: fail, get: fail, list: fail };
  expect(await findProblems({ policies: [withParams], bindings: [bound] }, { params: source })).toEqual([]);
});

test("the reference page lists every code", () => {
  const page = readFileSync(new URL("../../../../../docs/reference/policy-checks.md", import.meta.url), "utf8");
  for (const [code, text] of Object.entries(FINDING_CODES)) expect(page).toContain(`| \`${code}\` | ${text} |`);
});
