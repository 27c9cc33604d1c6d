import { kubeEnv } from "@celadon/kube-cel";
import { describe, expect, test } from "vitest";
import type { ValidatingAdmissionPolicySpec } from "../policy.ts";
import { PODS, podPolicy } from "./autogen.testing.ts";
import { deriveWorkloadPolicies } from "./derive.ts";
import { namesOfMacro } from "./macro-scopes.ts";
import type { WorkloadKind } from "./workloads.ts";

function derive(spec: Partial<ValidatingAdmissionPolicySpec>, kind: WorkloadKind = "Deployment") {
  return deriveWorkloadPolicies(podPolicy(spec), { kinds: [kind] });
}

/** Rewrites the expression as a variable, which may have any type. */
function rewritten(expression: string, kind?: WorkloadKind): string | undefined {
  const { derived, skipped } = derive({ ...CONFIG, variables: [{ name: "v", expression }] }, kind);
  expect(skipped).toEqual([]);
  return derived[0]?.policy.spec.variables?.[0]?.expression;
}

const CONFIG = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } } as const;

// biome-ignore format: one case per line
const cases: readonly { expr: string; want: string }[] = [
  // spec
  { expr: `object.spec.hostPID`,                                   want: `object.spec.template.spec.hostPID` },
  { expr: `object.spec == oldObject.spec`,                         want: `object.spec.template.spec == oldObject.spec.template.spec` },
  { expr: `has(object.spec)`,                                      want: `has(object.spec) && has(object.spec.template.spec)` },
  { expr: `has(object.spec.volumes)`,                              want: `has(object.spec.template.spec.volumes)` },
  { expr: `object['spec']['hostPID']`,                             want: `object["spec"]["template"]["spec"]["hostPID"]` },
  { expr: `object['spec'].hostPID`,                                want: `object["spec"]["template"]["spec"].hostPID` },
  { expr: `object.spec.?hostPID.orValue(false)`,                   want: `object.spec.template.spec.?hostPID.orValue(false)` },
  { expr: `object.?spec.?hostPID.orValue(false)`,                  want: `object.?spec.?template.?spec.?hostPID.orValue(false)` },
  { expr: `object[?'spec'].hasValue()`,                            want: `object[?"spec"][?"template"][?"spec"].hasValue()` },
  { expr: `dyn(object).spec.hostPID`,                              want: `dyn(object).spec.template.spec.hostPID` },
  { expr: `.object.spec.hostPID`,                                  want: `.object.spec.template.spec.hostPID` },
  { expr: `(request.operation == 'DELETE' ? oldObject : object).spec.hostPID`, want: `(request.operation == "DELETE" ? oldObject : object).spec.template.spec.hostPID` },
  { expr: `(true ? object : null).spec.hostPID`,                   want: `(true ? object : null).spec.template.spec.hostPID` },
  // a field named like a variable, a text that looks like a path, other objects
  { expr: `params == null || object.spec.object.spec.x`,           want: `params == null || object.spec.template.spec.object.spec.x` },
  { expr: `'object.spec' == object.spec.hostname`,                 want: `"object.spec" == object.spec.template.spec.hostname` },
  { expr: `namespaceObject.metadata.labels['a'] == 'b'`,           want: `namespaceObject.metadata.labels["a"] == "b"` },
  { expr: `object.spec.containers.all(c, c.spec.x && c.metadata.y)`, want: `object.spec.template.spec.containers.all(c, c.spec.x && c.metadata.y)` },
  // scopes
  { expr: `object.spec.containers.all(object, object.spec.x)`,     want: `object.spec.template.spec.containers.all(object, object.spec.x)` },
  { expr: `object.spec.containers.all(object, .object.spec.x)`,    want: `object.spec.template.spec.containers.all(object, .object.spec.template.spec.x)` },
  { expr: `object.spec.containers.all(object, true) && object.spec.x`, want: `object.spec.template.spec.containers.all(object, true) && object.spec.template.spec.x` },
  { expr: `object.spec.containers.exists(c, object.spec.xs.exists(object, object.spec == c))`, want: `object.spec.template.spec.containers.exists(c, object.spec.template.spec.xs.exists(object, object.spec == c))` },
  { expr: `object.spec.containers.all(i, oldObject, oldObject.spec == object.spec.x)`, want: `object.spec.template.spec.containers.all(i, oldObject, oldObject.spec == object.spec.template.spec.x)` },
  { expr: `object.spec.?a.optMap(object, object.spec).orValue(true)`, want: `object.spec.template.spec.?a.optMap(object, object.spec).orValue(true)` },
  { expr: `object.spec.containers.filter(c, c.x).map(object, object.spec, object.metadata).size() == 0`, want: `object.spec.template.spec.containers.filter(c, c.x).map(object, object.spec, object.metadata).size() == 0` },
  { expr: `object.spec.containers.sortBy(object, object.spec)[0].x`, want: `object.spec.template.spec.containers.sortBy(object, object.spec)[0].x` },
  { expr: `object.spec.containers.transformList(i, object, object.metadata.uid).size() == 0`, want: `object.spec.template.spec.containers.transformList(i, object, object.metadata.uid).size() == 0` },
  { expr: `object.spec.xs.all(request, request.kind == 'a')`,      want: `object.spec.template.spec.xs.all(request, request.kind == "a")` },
  // literals of all kinds
  { expr: `{object.spec.y: object.spec.x} == {} || [object.spec.z] == []`, want: `{object.spec.template.spec.y: object.spec.template.spec.x} == {} || [object.spec.template.spec.z] == []` },
  // metadata
  { expr: `object.metadata.labels == {}`,                          want: `object.spec.template.metadata.labels == {}` },
  { expr: `has(object.metadata.labels)`,                           want: `has(object.spec.template.metadata) && has(object.spec.template.metadata.labels)` },
  { expr: `!has(object.metadata.annotations)`,                     want: `!(has(object.spec.template.metadata) && has(object.spec.template.metadata.annotations))` },
  { expr: `has(object.metadata.labels.app)`,                       want: `has(object.spec.template.metadata.labels.app)` },
  { expr: `object.metadata.?labels.?app.hasValue()`,               want: `object.spec.template.?metadata.?labels.?app.hasValue()` },
  { expr: `object.metadata[?'labels'].hasValue()`,                 want: `object.spec.template[?"metadata"][?"labels"].hasValue()` },
  { expr: `object.?metadata.?labels.hasValue()`,                   want: `object.?spec.?template.?metadata.?labels.hasValue()` },
  { expr: `'a' in object.metadata.finalizers`,                     want: `"a" in object.spec.template.metadata.finalizers` },
  { expr: `object.metadata.namespace == 'x'`,                      want: `object.metadata.namespace == "x"` },
  { expr: `object.metadata.name.startsWith('x')`,                  want: `object.metadata.name.startsWith("x")` },
  { expr: `has(object.metadata.deletionTimestamp)`,                want: `has(object.metadata.deletionTimestamp)` },
  { expr: `has(object.metadata)`,                                  want: `has(object.metadata)` },
  // expressions that are the same for both
  { expr: `object != null && null == oldObject`,                   want: `object != null && null == oldObject` },
  { expr: `request.operation == 'CREATE' && request.namespace == 'x' && request.subResource == ''`, want: `request.operation == "CREATE" && request.namespace == "x" && request.subResource == ""` },
  // expressions that are true of every pod
  { expr: `object.kind == 'Pod'`,                                  want: `"Pod" == "Pod"` },
  { expr: `has(object.kind) && object.apiVersion in ['v1']`,       want: `has(object.kind) && "v1" in ["v1"]` },
  { expr: `oldObject.kind == 'Pod'`,                               want: `(oldObject != null ? "Pod" : oldObject.kind) == "Pod"` },
  { expr: `request.kind.kind == 'Pod' && request.requestResource.resource == 'pods' && request.kind.group == ''`, want: `"Pod" == "Pod" && "pods" == "pods" && "" == ""` },
];

test.each(cases)("$expr", ({ expr, want }) => expect(rewritten(expr)).toBe(want));

// biome-ignore format: one case per line
const places: readonly { kind: WorkloadKind; spec: string; labels: string }[] = [
  { kind: "Job",                   spec: `object.spec.template.spec.x`,                  labels: `object.spec.template.?metadata.?labels` },
  { kind: "ReplicationController", spec: `object.spec.template.spec.x`,                  labels: `object.spec.template.?metadata.?labels` },
  { kind: "CronJob",               spec: `object.spec.jobTemplate.spec.template.spec.x`, labels: `object.spec.jobTemplate.spec.template.?metadata.?labels` },
  { kind: "PodTemplate",           spec: `object.template.spec.x`,                       labels: `object.template.?metadata.?labels` },
];

test.each(places)("the template of a $kind", ({ kind, spec, labels }) => {
  expect(rewritten("object.spec.x", kind)).toBe(spec);
  expect(rewritten("object.metadata.?labels.hasValue()", kind)).toBe(`${labels}.hasValue()`);
});

// biome-ignore format: one case per line
const refused: readonly { expr: string; code: string; at: string }[] = [
  { expr: `object == oldObject`,                             code: "whole_object",     at: "1:1 1:11" },
  { expr: `true && size(object) == 0`,                       code: "whole_object",     at: "1:14" },
  { expr: `[object].all(o, has(o.spec))`,                    code: "whole_object",     at: "1:2" },
  { expr: `{'a': object}.a.spec.x == 1`,                     code: "whole_object",     at: "1:7" },
  { expr: `'spec' in object`,                                code: "whole_object",     at: "1:11" },
  { expr: `object.all(k, k != 'status')`,                    code: "whole_object",     at: "1:1" },
  { expr: `optional.of(object).hasValue()`,                  code: "whole_object",     at: "1:13" },
  { expr: `type(object) == map`,                             code: "whole_object",     at: "1:6" },
  { expr: `(true ? object : params) == null`,                code: "whole_object",     at: "1:9" },
  { expr: `object.metadata == oldObject.metadata`,           code: "whole_object",     at: "1:7 1:29" },
  { expr: `'labels' in object.metadata`,                     code: "whole_object",     at: "1:19" },
  { expr: `object.?metadata.orValue({}).size() == 0`,        code: "whole_object",     at: "1:7" },
  { expr: `has(object.status)`,                              code: "no_counterpart",   at: "1:4" },
  { expr: `object.status.phase == 'Running'`,                code: "no_counterpart",   at: "1:7" },
  { expr: `has(object.metadata.ownerReferences)`,            code: "no_counterpart",   at: "1:4" },
  { expr: `object.metadata.uid == ''`,                       code: "no_counterpart",   at: "1:16" },
  { expr: `has(object.metadata.generateName)`,               code: "no_counterpart",   at: "1:4" },
  { expr: `object.?kind.hasValue()`,                         code: "no_counterpart",   at: "1:7" },
  { expr: `dyn(object.status) == 1`,                         code: "no_counterpart",   at: "1:11" },
  { expr: `object.data.x == 1`,                              code: "unknown_field",    at: "1:7" },
  { expr: `object.metadata.label.x == 1`,                    code: "unknown_field",    at: "1:16" },
  { expr: `object[request.name] == 1`,                       code: "computed_field",   at: "1:7" },
  { expr: `object.metadata[request.name] == 1`,              code: "computed_field",   at: "1:16" },
  { expr: `request.kind == request.requestKind`,             code: "request_resource", at: "1:8 1:24" },
  { expr: `has(request.kind.group)`,                         code: "request_resource", at: "1:4" },
  { expr: `authorizer.requestResource.check('x').allowed()`, code: "request_resource", at: "1:11" },
  { expr: `cel.bind(o, object, o.spec.x)`,                   code: "does_not_compile", at: "" },
  { expr: `object.spec.x +`,                                 code: "does_not_compile", at: "" },
  { expr: `1`,                                               code: "does_not_compile", at: "" },
];

test.each(refused)("refused: $expr", ({ expr, code, at }) => {
  const { derived, skipped } = deriveWorkloadPolicies(podPolicy({ ...CONFIG, validations: [{ expression: expr }] }));
  expect(derived).toEqual([]);
  expect([...new Set(skipped.map((item) => item.code))]).toEqual([code]);
  const places = skipped.flatMap(({ position }) => (position ? [`${position.line}:${position.column}`] : []));
  expect(places.join(" ")).toBe(at);
  for (const { path, expression } of skipped) {
    expect({ path, expression }).toEqual({ path: ["spec", "validations", 0, "expression"], expression: expr });
  }
});

describe("variables", () => {
  test("are rewritten where they are defined, and one that is the pod is followed", () => {
    const { derived, skipped } = derive({
      variables: [
        { name: "any", expression: "object == null ? oldObject : object" },
        { name: "same", expression: "variables.any" },
        { name: "containers", expression: "variables.same.spec.containers" },
        { name: "spec", expression: "object.spec" },
      ],
      matchConditions: [{ name: "c", expression: "has(variables.any.metadata.labels)" }],
      validations: [{ expression: "variables.containers.all(c, has(c.image)) && variables.spec.hostPID == true" }],
    });
    expect(skipped).toEqual([]);
    const { spec } = derived[0]!.policy;
    expect(spec.variables?.map(({ expression }) => expression)).toEqual([
      "object == null ? oldObject : object",
      "variables.any",
      "variables.same.spec.template.spec.containers",
      "object.spec.template.spec",
    ]);
    expect(spec.matchConditions?.[0]?.expression).toBe(
      "has(variables.any.spec.template.metadata) && has(variables.any.spec.template.metadata.labels)",
    );
    expect(spec.validations?.[0]?.expression).toBe(
      "variables.containers.all(c, has(c.image)) && variables.spec.hostPID == true",
    );
  });

  test("that are the pod's metadata, or defined twice, are refused", () => {
    const validations = [{ expression: "true" }];
    const codes = (variables: { name: string; expression: string }[]) =>
      derive({ variables, validations }).skipped.map(({ code, path }) => [code, path.join(".")]);
    expect(codes([{ name: "m", expression: "object.metadata" }])).toEqual([
      ["whole_object", "spec.variables.0.expression"],
    ]);
    const twice = [
      { name: "a", expression: "object" },
      { name: "a", expression: "1" },
    ];
    expect(codes(twice)).toEqual([["variable_defined_twice", "spec.variables.1.name"]]);
  });
});

// Texts name the object that was sent; comparisons are those of the policy.
test("messages and audit annotations", () => {
  const { derived, skipped } = derive({
    validations: [
      {
        expression: "false",
        message: "object.spec.x of the Pod",
        messageExpression: "object.kind + '/' + object.metadata.name + (object.kind == 'Pod' ? object.spec.x : '')",
      },
      { expression: "false", messageExpression: "string(object.?metadata.?generateName.orValue(request.kind.kind))" },
    ],
    auditAnnotations: [{ key: "k", valueExpression: "string(object.kind + object.spec.x)" }],
  });
  expect(skipped).toEqual([]);
  const { validations, auditAnnotations } = derived[0]!.policy.spec;
  expect(validations?.[0]).toEqual({
    expression: "false",
    message: "object.spec.x of the Pod",
    messageExpression: `object.kind + "/" + object.metadata.name + ("Pod" == "Pod" ? object.spec.template.spec.x : "")`,
  });
  expect(validations?.[1]?.messageExpression).toBe("string(object.?metadata.?generateName.orValue(request.kind.kind))");
  expect(auditAnnotations).toEqual([
    { key: "k", valueExpression: "string(object.kind + object.spec.template.spec.x)" },
  ]);
});

test("an annotation must not fail where the pod's did not", () => {
  const { skipped } = derive({
    auditAnnotations: [{ key: "k", valueExpression: "string(object.metadata.generateName)" }],
  });
  expect(skipped.map(({ code, path }) => [code, path.join(".")])).toEqual([
    ["no_counterpart", "spec.auditAnnotations.0.valueExpression"],
  ]);
});

test("a kind read where the object may be null stays an error there", () => {
  const rule = { ...PODS, operations: ["*"] as const };
  const { derived } = derive({
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: "object.kind == 'Pod'" }],
  });
  expect(derived[0]?.policy.spec.validations?.[0]?.expression).toBe(`(object != null ? "Pod" : object.kind) == "Pod"`);
});

// biome-ignore format: one case per line
const noted: readonly { expr: string; notes: readonly string[] }[] = [
  { expr: `object.spec.x`,                                     notes: [] },
  { expr: `object.spec.x // why`,                              notes: ["comments_lost"] },
  { expr: `object.spec.x == 'https://a'`,                      notes: [] },
  { expr: `object.spec.xs.all(x, x == 'https://a')`,           notes: [] },
  { expr: `object.spec.xs.all(x, // why\n x == 'https://a')`,  notes: ["comments_lost"] },
  { expr: `request.name == object.metadata.name`,              notes: ["own_name_read"] },
];

test.each(noted)("notes of $expr", ({ expr, notes }) => {
  const { derived } = derive({ variables: [{ name: "v", expression: expr }] });
  expect(derived[0]?.notes.map(({ code }) => code)).toEqual(notes);
});

// The parser allows 250 levels, and the way to the template adds some.
test.each([
  { fields: 200, codes: [] },
  { fields: 246, codes: ["derived_does_not_compile"] },
  { fields: 3000, codes: ["does_not_compile"] },
])("$fields fields below each other", ({ fields, codes }) => {
  const { skipped } = derive(
    { variables: [{ name: "v", expression: `object.spec${".x".repeat(fields)}` }] },
    "CronJob",
  );
  expect(skipped.map(({ code }) => code)).toEqual(codes);
});

test("what repeats itself within itself is refused, not written", () => {
  let pod = "object";
  for (let i = 0; i < 60; i++) pod = `(has(${pod}.metadata.labels) ? object : oldObject)`;
  const { skipped } = derive({ variables: [{ name: "v", expression: `${pod}.spec` }] });
  expect(skipped.map(({ code }) => code)).toEqual(["derived_does_not_compile"]);
  const indices = `object.spec${"[object.spec.i]".repeat(100)}`;
  expect(rewritten(indices)).toBe(`object.spec.template.spec${"[object.spec.template.spec.i]".repeat(100)}`);
});

test("every macro of Kubernetes that names something is known", () => {
  const { macros } = kubeEnv();
  expect(macros.length).toBeGreaterThan(10);
  for (const { name, arity = 0 } of macros) {
    if (name !== "has") expect([name, arity, namesOfMacro(name, arity)]).toEqual([name, arity, expect.any(Number)]);
  }
});
