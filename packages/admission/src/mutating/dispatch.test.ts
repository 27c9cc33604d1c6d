import { labelsOf } from "@celadon/kube";
import { describe, expect, test } from "vitest";
import { createConverter } from "../memory/converter.ts";
import { podRequest } from "../policies.testing.ts";
import type { MutatingAdmissionPolicySpec, Mutation } from "../policy.ts";
import { Reinvocation } from "../reinvocation.ts";
import type { AdmissionRequest } from "../request.ts";
import { createMutatingPolicySet, type MutatingPolicyResource } from "./compile.ts";
import { mutate } from "./dispatch.ts";
import { apply, BUILTIN, json, mutating, mutatingBinding } from "./mutating.testing.ts";
import type { MutatingPolicyReport } from "./verdict.ts";

const POD = { spec: { containers: [{ name: "a", image: "x" }] } };

function run(
  resources: readonly MutatingPolicyResource[],
  request: AdmissionRequest = podRequest(POD),
  hosts = BUILTIN,
): Promise<MutatingPolicyReport> {
  return mutate(request, createMutatingPolicySet(resources), hosts);
}
const item = (mutation: Mutation, spec?: Partial<MutatingAdmissionPolicySpec>): Promise<MutatingPolicyReport> =>
  run(mutating("p", [mutation], spec));
const label = (key: string, value: string): string => `Object{metadata: Object.metadata{labels: {"${key}": ${value}}}}`;

describe("patches", () => {
  test("a configuration is merged, with defaults for new fields", async () => {
    const sidecar = `Object{spec: Object.spec{containers: [Object.spec.containers{name: "side", image: "s"}]}}`;
    const { object, changed, allowed } = await item(apply(sidecar));
    expect([allowed, changed]).toEqual([true, true]);
    expect(object?.spec).toMatchObject({
      containers: [
        { name: "a", image: "x" },
        { name: "side", image: "s", imagePullPolicy: "Always", terminationMessagePath: "/dev/termination-log" },
      ],
    });
  });

  test("a JSON patch", async () => {
    const text = `[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}},
      JSONPatch{op: "add", path: "/spec/containers/-", value: Object.spec.containers{name: "b", image: "y"}},
      JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("k/v"), value: string(1)}]`;
    const { object } = await item(json(text));
    expect(labelsOf(object)).toEqual({ a: "b", "k/v": "1" });
    expect(object?.spec).toMatchObject({ containers: [{ name: "a" }, { name: "b", image: "y" }] });
  });

  test("numbers of a configuration are converted as Go converts them", async () => {
    const port = "Object.spec.containers.ports{containerPort: 80, hostPort: 4294967376}";
    const containers = `[Object.spec.containers{name: "a", ports: [${port}]}]`;
    const { object } = await item(
      apply(`Object{spec: Object.spec{terminationGracePeriodSeconds: 2.0, containers: ${containers}}}`),
    );
    expect(object?.spec).toMatchObject({
      terminationGracePeriodSeconds: 2,
      containers: [{ ports: [{ hostPort: 80 }] }],
    });
  });

  test("Objects in a list that was put together are maps", async () => {
    const one = (key: string): string => `[Object.spec.tolerations{key: "${key}", operator: "Exists"}]`;
    const { object } = await item(
      json(`[JSONPatch{op: "add", path: "/spec/tolerations", value: ${one("a")} + ${one("b")}}]`),
    );
    expect(object?.spec).toMatchObject({ tolerations: [{ key: "a" }, { key: "b" }] });
  });

  test("a test that does not hold changes nothing, and is no error", async () => {
    const text = `[JSONPatch{op: "test", path: "/metadata/name", value: "q"}, JSONPatch{op: "remove", path: "/spec"}]`;
    const { allowed, changed, invocations } = await item(json(text));
    expect([allowed, changed, invocations[0]?.mutations[0]?.outcome]).toEqual([true, false, "test failed"]);
  });

  test("a test for null passes for a null that the patch itself wrote, and for no other", async () => {
    const more = `JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}`;
    const absent = await item(json(`[JSONPatch{op: "test", path: "/metadata/labels", value: null}, ${more}]`));
    expect(absent).toMatchObject({ allowed: true, changed: false });
    const put = `JSONPatch{op: "add", path: "/metadata/labels", value: null}`;
    const there = await item(json(`[${put}, JSONPatch{op: "test", path: "/metadata/labels", value: null}, ${more}]`));
    expect(labelsOf(there.object)).toEqual({ a: "b" });
    const unsaid = await item(json(`[JSONPatch{op: "test", path: "/metadata/labels"}, ${more}]`));
    expect(labelsOf(unsaid.object)).toEqual({ a: "b" });
  });

  test("lists of the request may be inside literals", async () => {
    const expression = "Object{spec: Object.spec{containers: [object.spec.containers[0]]}}";
    const { allowed, failures } = await item(apply(expression));
    expect({ allowed, failures }).toEqual({ allowed: true, failures: [] });
  });

  test("each mutation sees what those before it left, and variables anew", async () => {
    const counting = apply(label("n", `string(variables.n + 1)`));
    const variables = [
      {
        name: "n",
        expression: `has(object.metadata.labels) && "n" in object.metadata.labels ? int(object.metadata.labels.n) : 0`,
      },
    ];
    const { object } = await run(mutating("p", [counting, counting, counting], { variables }));
    expect(labelsOf(object)).toEqual({ n: "3" });
  });
});

const DENIED = "policy 'p' with binding 'p' denied request:";

describe("errors", () => {
  // biome-ignore format: one text per line
  const cases: [string, Mutation, string][] = [
    ["an unknown field",   apply("Object{spec: Object.spec{replicasx: 1}}"),       "error applying patch: failed to convert patch object to typed object: .spec.replicasx: field not declared in schema"],
    ["an atomic",          apply(`Object{spec: Object.spec{nodeSelector: {"a": "b"}}}`), "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.nodeSelector"],
    ["a wrong type name",  apply("Object{spec: Object.specx{}}"),                  `type mismatch: unexpected type name "Object.specx", expected "Object.spec", which matches field name path from root Object type`],
    ["null",               apply("Object{spec: Object.spec{hostname: null}}"),     "error applying patch: failed to convert patch object to typed object: .spec.hostname: expected string, got &value.valueUnstructured{Value:0}"],
    ["a uint",             apply("Object{spec: Object.spec{priority: 1u}}"),       "error applying patch: failed to convert patch object to typed object: .spec.priority: expected numeric (int or float), got uint64"],
    ["maps in a list",     apply(`Object{spec: Object.spec{containers: [{"name": "b"}]}}`), "error applying patch: failed to convert patch object to typed object: .spec.containers: element 0: associative list with keys may not have non-map elements"],
    ["a list of strings in Go", apply(`Object{metadata: Object.metadata{finalizers: "a,b".split(",")}}`), "error applying patch: failed to convert patch object to typed object: .metadata.finalizers: expected list, got &{[a b]}"],
    ["a list in a list",   apply(`Object{metadata: Object.metadata{finalizers: [["a"]]}}`), `error applying patch: failed to convert patch object to typed object: .metadata.finalizers[={{undefined}}]: expected string, got &value.valueUnstructured{Value:[]ref.Val{"a"}}`],
    ["a list in a map",    apply(`Object{metadata: Object.metadata{labels: {"a": ["b"]}}}`), `error applying patch: failed to convert patch object to typed object: .metadata.labels.a: expected string, got &value.valueUnstructured{Value:[]ref.Val{"b"}}`],
    ["a key of a map",     apply("Object{metadata: Object.metadata{labels: {1: \"b\"}}}"), `error applying patch: failed to convert patch object to typed object: .metadata: expected map, got &{fail to convert field "labels": map key '\\x01' is of type types.Int, not string}`],
    ["a list in an Object that is a value", json(`[JSONPatch{op: "add", path: "/spec", value: Object.spec{a: [["x"]]}}]`), "JSONPath valueExpression evaluated to a type that could not marshal to JSON: proto: invalid type: []ref.Val"],
    ["infinity",           json(`[JSONPatch{op: "add", path: "/spec", value: 1.0 / 0.0}]`), "JSONPath valueExpression evaluated to a type that could not marshal to JSON: json: error calling MarshalJSON for type *structpb.Value: proto: google.protobuf.Value.number_value: invalid +Inf value"],
    ["evaluation",         apply(label("a", "string(1 / 0)")),                     `expression '${label("a", "string(1 / 0)")}' resulted in error: division by zero`],
    ["a missing path",     json(`[JSONPatch{op: "remove", path: "/metadata/labels/x"}]`), `JSON Patch: remove operation does not apply: doc is missing path: "/metadata/labels/x": missing value`],
    ["a control character in a path", json(`[JSONPatch{op: "add", path: "/metadata/\\a"}]`), "JSON Patch: add operation failed to decode path: missing value"],
    ["one in an op",       json(`[JSONPatch{op: "\\x7f", path: "/metadata"}]`),     "JSON Patch: Unexpected kind: unknown"],
    ["one in a path to test", json(`[JSONPatch{op: "test", path: "/\\v"}]`),       "JSON Patch: test operation failed to decode path: invalid character 'v' in string escape code"],
    ["an unknown op",      json(`[JSONPatch{op: "frob", path: "/a"}]`),            "JSON Patch: Unexpected kind: frob"],
    ["a number with a fraction", apply("Object{spec: Object.spec{terminationGracePeriodSeconds: 1.5}}"), "unable to convert unstructured object to /v1, Kind=Pod: cannot convert float64 to int64"],
    ["a bad quantity",     apply(`Object{spec: Object.spec{overhead: {"cpu": "x"}}}`), "unable to convert unstructured object to /v1, Kind=Pod: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ["compilation",        apply("Object{"),                                       "compilation failed: ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}\n | Object{\n | .......^"],
    ["the type of a result", apply("dyn(Object{})"),                               "must evaluate to Object but got dyn"],
  ];
  test.each(cases)("%s", async (_, mutation, message) => {
    const { status, object, failures } = await item(mutation);
    expect(status).toMatchObject({ code: 403, reason: "Invalid", message: `${DENIED} ${message}` });
    expect(status?.details).toMatchObject({ name: "p", kind: "pods", causes: [{ message: `${DENIED} ${message}` }] });
    expect(object).toEqual(podRequest(POD).object);
    expect(failures).toMatchObject([{ source: "mutation", enforced: true, returned: true }]);
  });

  test("all of them are causes, those of configuration first, and what works is kept", async () => {
    const { status, object } = await run([
      ...mutating("a", [apply(label("x", "string(1/0)")), apply(label("y", `"1"`)), apply(label("z", "string(2/0)"))]),
      ...mutating("b", [apply(label("w", `"1"`))], { paramKind: { apiVersion: "v1", kind: "Nope" } }),
    ]);
    expect(status?.details?.causes).toHaveLength(2);
    expect(status?.message).toContain("policy 'a' with binding 'a' denied request: expression");
    expect(labelsOf(object)).toEqual({ y: "1", w: "1" });
  });

  test("Ignore lets them pass, and keeps earlier mutations", async () => {
    const spec = { failurePolicy: "Ignore" } as const;
    const report = await run(mutating("p", [apply(label("a", `"1"`)), apply("Object{x: 1}")], spec));
    expect([report.allowed, labelsOf(report.object)]).toEqual([true, { a: "1" }]);
    expect(report.failures).toMatchObject([{ enforced: false, returned: false }]);
  });

  test("what does not decode ends the request whatever the failure policy", async () => {
    const spec = { failurePolicy: "Ignore" } as const;
    const unknown = await item(json(`[JSONPatch{op: "add", path: "/spec/frob", value: 1}]`), spec);
    expect(unknown.status).toMatchObject({
      code: 500,
      message: `Internal error occurred: strict decoding error: unknown field "spec.frob"`,
    });
    expect(unknown.failures).toMatchObject([{ policy: "p", source: "mutation", enforced: true, returned: true }]);
    expect(unknown.invocations[0]?.mutations).toMatchObject([{ outcome: "error", error: unknown.status?.message }]);
    const wrong = await item(json(`[JSONPatch{op: "add", path: "/spec/priority", value: "x"}]`), spec);
    expect(wrong.status?.message).toBe(
      "Internal error occurred: json: cannot unmarshal string into Go struct field PodSpec.spec.priority of type int32",
    );
  });

  // kube-apiserver panics.
  test.each([
    `[Object.spec.tolerations{key: "a"}]`,
    `object.spec.containers.map(c, Object.spec.tolerations{key: c.name})`,
    `{"a": Object.x{}}`,
  ])("an Object in the list or map %s ends the request whatever the failure policy", async (value) => {
    const text = `[JSONPatch{op: "add", path: "/spec/tolerations", value: ${value}}]`;
    const { status } = await item(json(text), { failurePolicy: "Ignore" });
    expect(status).toMatchObject({ code: 500, message: expect.stringContaining("an Object inside a list or map") });
  });

  // biome-ignore format: one text per line
  test.each([
    ["/apiVersion", "v2",        `no kind "Pod" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"`],
    ["/kind",       "ConfigMap", `strict decoding error: unknown field "spec", unknown field "status"`],
    ["/kind",       "Binding",   `strict decoding error: unknown field "spec", unknown field "status"`],
  ])("an object whose %s becomes %s ends the request", async (path, value, text) => {
    const { status } = await item(json(`[JSONPatch{op: "add", path: "/status", value: {}}, JSONPatch{op: "replace", path: "${path}", value: "${value}"}]`));
    expect(status).toMatchObject({ code: 500, message: `Internal error occurred: ${text}` });
  });

  test("an object that has become another ends the request", async () => {
    const other = `JSONPatch{op: "replace", path: "/kind", value: "ConfigMap"}`;
    const { status } = await item(json(`[JSONPatch{op: "remove", path: "/spec"}, ${other}]`));
    const text = "failed to convert object: converting (v1.ConfigMap) to (core.Pod): unknown conversion";
    expect(status).toMatchObject({ code: 500, message: `Internal error occurred: ${text}` });
  });

  // biome-ignore format: one text per line
  test.each([
    [`JSONPatch{op: "remove", path: "/kind"}`,                                           `Object 'Kind' is missing in '{"apiVersion":"example.com/v1","metadata":{"name":"t"}}'`],
    [`JSONPatch{op: "remove", path: "/apiVersion"}`,                                     `failed to convert object: /, Kind=Thing is unstructured and is not suitable for converting to "example.com/v1"`],
    [`JSONPatch{op: "replace", path: "/apiVersion", value: "example.com/v2"}`,           "failed to convert object: request to convert CR from an invalid group/version: example.com/v2"],
  ])("a custom resource after %s ends the request", async (operation, text) => {
    const thing = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "t" } };
    const group = "example.com";
    const request = {
      ...podRequest(POD),
      kind: { group, version: "v1", kind: "Thing" },
      resource: { group, version: "v1", resource: "things" },
      object: thing,
    };
    const policies = createMutatingPolicySet(mutating("p", [json(`[${operation}]`)]));
    const { status } = await mutate(request, policies, { mergeType: () => "none" });
    expect(status).toMatchObject({ code: 500, message: `Internal error occurred: ${text}` });
  });

  test("a kind whose schema is not there yet", async () => {
    const { status } = await run(mutating("p", [apply("Object{}")], { failurePolicy: "Ignore" }), undefined, {
      mergeType: () => undefined,
    });
    expect(status).toMatchObject({
      code: 503,
      message:
        "Resource kind /v1, Kind=Pod not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.",
    });
  });

  test("before anything is evaluated", async () => {
    const { status } = await run(mutating("p", [apply(label("a", "string(1 / 0)"))]), undefined, {
      mergeType: () => undefined,
    });
    expect(status?.code).toBe(503);
  });

  test("a policy without rules is an error of the policy", async () => {
    const [policy, binding] = mutating("p", [apply("Object{}")]);
    const { matchConstraints: _, ...spec } = policy!.spec as MutatingAdmissionPolicySpec;
    const { status } = await run([{ ...policy!, spec } as MutatingPolicyResource, binding!]);
    expect(status).toMatchObject({
      reason: "Forbidden",
      message: `policy "p" denied request: failed to configure policy: policy contained no match constraints, a required field`,
    });
  });

  test("running out of budget", async () => {
    const list = `[0,1,2,3,4,5,6,7,8,9]`;
    const loop = `${list}.all(a, ${list}.all(b, ${list}.all(c, ${list}.all(d, ${list}.all(e, ${list}.all(f, true))))))`;
    const { status } = await item(apply(label("a", `string(${loop})`)));
    expect(status?.message).toContain("operation cancelled: actual cost limit exceeded");
  });
});

describe("selection", () => {
  test("all policies are selected before anything is mutated", async () => {
    const selector = {
      resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"] as const }],
    };
    const report = await run([
      ...mutating("a", [apply(label("a", `"1"`))]),
      ...mutating("b", [apply(label("b", `"1"`))], {
        matchConstraints: { ...selector, objectSelector: { matchLabels: { a: "1" } } },
      }),
    ]);
    expect(labelsOf(report.object)).toEqual({ a: "1" });
    expect(report.notInvoked).toMatchObject([{ refusal: { by: "objectSelector" } }]);
  });

  test("match conditions are evaluated at their turn", async () => {
    const condition = [
      { name: "labelled", expression: `has(object.metadata.labels) && "a" in object.metadata.labels` },
    ];
    const report = await run([
      ...mutating("a", [apply(label("a", `"1"`))]),
      ...mutating("b", [apply(label("b", `"1"`))], { matchConditions: condition }),
    ]);
    expect(labelsOf(report.object)).toEqual({ a: "1", b: "1" });
  });

  test("a match condition that fails", async () => {
    const matchConditions = [{ name: "x", expression: "1 / 0 == 1" }];
    const fail = await item(apply("Object{}"), { matchConditions });
    expect(fail.status).toMatchObject({
      reason: "Invalid",
      message: `${DENIED} expression '1 / 0 == 1' resulted in error: division by zero`,
    });
    expect((await item(apply("Object{}"), { matchConditions, failurePolicy: "Ignore" })).allowed).toBe(true);
  });

  test("params of built-in kinds have no kind", async () => {
    const params = {
      scope: () => "Namespaced" as const,
      get: () => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "n" }, data: { k: "v" } }),
      list: () => [],
    };
    const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
    const paramRef = { name: "c", namespace: "n", parameterNotFoundAction: "Deny" } as const;
    const resources = (expression: string): MutatingPolicyResource[] => [
      mutating("p", [apply(label("k", expression))], { paramKind })[0]!,
      mutatingBinding("p", { paramRef }),
    ];
    const hosts = { ...BUILTIN, params };
    expect(labelsOf((await run(resources("params.data.k"), undefined, hosts)).object)).toEqual({ k: "v" });
    expect((await run(resources("params.kind"), undefined, hosts)).status?.message).toContain("no such key: kind");
  });

  test("mutations of a built-in kind that is matched in another version fail", async () => {
    const kind = (version: string): AdmissionRequest["kind"] => ({
      group: "autoscaling",
      version,
      kind: "HorizontalPodAutoscaler",
    });
    const resource = (version: string): AdmissionRequest["resource"] => ({
      group: "autoscaling",
      version,
      resource: "horizontalpodautoscalers",
    });
    const object = { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: { name: "p" } };
    const request = podRequest(POD, { kind: kind("v2"), resource: resource("v2"), object });
    const rule = { apiGroups: ["autoscaling"], apiVersions: ["v1"], resources: ["*"], operations: ["*"] as const };
    const hosts = {
      ...BUILTIN,
      converter: createConverter(),
      resources: {
        equivalents: () => [resource("v1"), resource("v2")],
        kind: () => kind("v1"),
      },
    };
    const mutations = [
      apply(label("a", `"b"`)),
      json(`[JSONPatch{op: "test", path: "/metadata/name", value: "q"}]`),
      json(`[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}]`),
    ];
    const policies = mutating("p", mutations, { matchConstraints: { resourceRules: [rule] } });
    const { status, object: after } = await run(policies, request, hosts);
    const text = `converting (v1.HorizontalPodAutoscaler) to (v2.HorizontalPodAutoscaler): unknown conversion`;
    const message = `${DENIED} ${text}`;
    expect(status).toMatchObject({ code: 403, details: { causes: [{ message }, { message }, { message }] } });
    expect(after).toEqual(object);
  });

  test("nothing is mutated in a DELETE, or where there is no object", async () => {
    const resources = mutating("p", [apply("Object{x: 1}")]);
    const deleted = podRequest({}, { operation: "DELETE", object: null, oldObject: podRequest(POD).object! });
    expect((await run(resources, deleted)).invocations).toEqual([]);
    const connected = podRequest({}, { operation: "CONNECT", object: null });
    expect((await run(resources, connected)).invocations).toMatchObject([{ outcome: "no object", mutations: [] }]);
  });

  test("a mutation whose body is missing is an internal error", async () => {
    const { status } = await run(mutating("p", [{ patchType: "JSONPatch" }]));
    expect(status?.message).toBe("Internal error occurred: expected 1 compiled evaluators for policy p, got 0");
  });
});

describe("reinvocation", () => {
  const count = apply(label("n", `string(int(object.metadata.labels.n) + 1)`));
  const counted = podRequest({ metadata: { name: "p", labels: { n: "0" } }, ...POD });

  async function both(resources: readonly MutatingPolicyResource[]): Promise<unknown> {
    const set = createMutatingPolicySet(resources);
    const reinvocation = new Reinvocation();
    reinvocation.begin();
    const first = await mutate(counted, set, BUILTIN, {}, reinvocation);
    if (!reinvocation.needed) return labelsOf(first.object).n;
    reinvocation.begin();
    return labelsOf((await mutate({ ...counted, object: first.object }, set, BUILTIN, {}, reinvocation)).object).n;
  }
  const IfNeeded = { reinvocationPolicy: "IfNeeded" } as const;

  test("those that ask for it run a second time, even alone", async () => {
    expect(await both(mutating("a", [count], IfNeeded))).toBe("2");
    expect(await both(mutating("a", [count]))).toBe("1");
    expect(
      await both([...mutating("a", [count], IfNeeded), ...mutating("b", [count], IfNeeded), ...mutating("c", [count])]),
    ).toBe("5");
  });

  test("not those skipped in the first pass", async () => {
    const matchConditions = [{ name: "late", expression: `object.metadata.labels.n != "0"` }];
    expect(await both([...mutating("a", [count], { ...IfNeeded, matchConditions }), ...mutating("b", [count])])).toBe(
      "1",
    );
  });
});
