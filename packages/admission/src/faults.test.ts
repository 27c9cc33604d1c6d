// Hosts that throw, reject, hang until released or return invalid values; objects and policies that mean harm.
// failurePolicy answers for all of it, and nothing is thrown.

import type { KubeObject } from "@celadon/kube";
import { serverTimeout } from "@celadon/kube/status";
import { describe, expect, test } from "vitest";
import { admit } from "./admit.ts";
import type { AdmitOptions } from "./evaluate/context.ts";
import { HostError, type Hosts, type ParamSource } from "./hosts.ts";
import { bindingOf, EVERYTHING, namespaceOf, podRequest, policyOf } from "./policies.testing.ts";
import type { FailurePolicy, ValidatingAdmissionPolicySpec } from "./policy.ts";
import type { AdmissionRequest } from "./request.ts";
import { createPolicySet } from "./set/policy-set.ts";

const boom = (): never => {
  throw new Error("boom");
};
const reject = (): Promise<never> => Promise.reject(new Error("boom"));
// Hosts that return values of other types than declared.
const wrong = (value: unknown): (() => never) => {
  return () => value as never;
};

async function ask(
  spec: Partial<ValidatingAdmissionPolicySpec>,
  hosts: Hosts,
  request: Partial<AdmissionRequest> = {},
  binding = {},
  options: AdmitOptions = {},
) {
  const set = createPolicySet([
    policyOf("p", { validations: [{ expression: "true" }], ...spec }),
    bindingOf("b", "p", binding),
  ]);
  return admit(podRequest({}, request), set, hosts, options);
}

const PARAMS = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
const REF = { paramRef: { name: "x", namespace: "n", parameterNotFoundAction: "Deny" as const } };
const scope = (): "Namespaced" => "Namespaced";
const params = (more: Partial<ParamSource>): Hosts => ({
  params: { scope, get: () => undefined, list: () => [], ...more },
});

// biome-ignore format: one case per line
const paramFaults: { name: string; hosts: Hosts; want: string }[] = [
  { name: "scope throws",        hosts: params({ scope: boom }),              want: "failed to configure policy: boom" },
  { name: "scope rejects",       hosts: params({ scope: reject }),            want: "failed to configure policy: boom" },
  { name: "scope is nonsense",   hosts: params({ scope: wrong("Galactic") }), want: "failed to configure policy: failed to find resource referenced by paramKind: '/v1, Kind=ConfigMap'" },
  { name: "get throws",          hosts: params({ get: boom }),                want: "failed to configure binding: boom" },
  { name: "get rejects",         hosts: params({ get: reject }),              want: "failed to configure binding: boom" },
  { name: "get returns a text",  hosts: params({ get: wrong("nope") }),       want: "failed to configure binding: the source of params did not return objects" },
  { name: "get returns a list",  hosts: params({ get: wrong([]) }),           want: "failed to configure binding: the source of params did not return objects" },
  { name: "none found",          hosts: params({}),                           want: "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction" },
];

describe.each<FailurePolicy>(["Fail", "Ignore"])("params, failurePolicy %s", (failurePolicy) => {
  test.each(paramFaults)("$name", async ({ hosts, want }) => {
    const report = await ask({ ...PARAMS, failurePolicy }, hosts, {}, REF);
    expect(report.allowed).toBe(failurePolicy === "Ignore");
    expect(report.failures.map(({ message, enforced }) => ({ message, enforced }))).toEqual([
      { message: want, enforced: failurePolicy === "Fail" },
    ]);
  });
});

const V2 = { matchConstraints: { resourceRules: [{ ...EVERYTHING, apiVersions: ["v2"] }] } };
const resources: Hosts["resources"] & object = {
  equivalents: () => [{ group: "", version: "v2", resource: "pods" }],
  kind: () => ({ group: "", version: "v2", kind: "Pod" }),
};

// biome-ignore format: one case per line
test.each([
  { name: "throws",         hosts: { resources, converter: { convert: boom } },                want: "boom" },
  { name: "rejects",        hosts: { resources, converter: { convert: reject } },              want: "boom" },
  { name: "returns null",   hosts: { resources, converter: { convert: wrong(7) } },            want: "the converter did not return an object" },
  { name: "does not exist",   hosts: { resources },                                              want: "no converter to v2, Kind=Pod" },
])("a converter that $name", async ({ hosts, want }) => {
  const report = await ask(V2, hosts);
  expect(report.status?.message).toContain(`failed to configure binding: failed to convert object version: ${want}`);
  expect((await ask({ ...V2, failurePolicy: "Ignore" }, hosts)).allowed).toBe(true);
});

// biome-ignore format: one case per line
test.each([
  { name: "throws",               resources: { ...resources, equivalents: boom },            want: "boom" },
  { name: "throws for kinds",     resources: { ...resources, kind: boom },                   want: "boom" },
  { name: "returns nonsense",     resources: { ...resources, equivalents: wrong([null]) },   want: "the resource mapper did not return resources equivalent to" },
  { name: "returns no list",      resources: { ...resources, equivalents: wrong(7) },        want: "the resource mapper did not return resources equivalent to" },
  { name: "rejects",              resources: { ...resources, equivalents: reject as never }, want: "the resource mapper did not return resources equivalent to" },
  { name: "returns no kind",      resources: { ...resources, kind: wrong(7) },               want: "the resource mapper did not return the kind of" },
])("a mapper of resources that $name", async ({ resources: mapper, want }) => {
  const report = await ask(V2, { resources: mapper });
  expect(report.status?.message).toContain("ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: ");
  expect(report.status?.message).toContain(want);
  expect((await ask({ ...V2, failurePolicy: "Ignore" }, { resources: mapper })).allowed).toBe(true);
});

const elsewhere = (operation: "*" | "DELETE") => ({
  resourceRules: [{ apiGroups: ["other"], apiVersions: ["v1"], resources: ["pods"], operations: [operation] }],
});
const ELSEWHERE = elsewhere("*");

// biome-ignore format: one case per line
const otherGroups: { name: string; spec: Partial<ValidatingAdmissionPolicySpec>; failures: number }[] = [
  { name: "a policy for another group",       spec: {},                                                  failures: 1 },
  { name: "an exact one",                     spec: { matchConstraints: { ...ELSEWHERE, matchPolicy: "Exact" } }, failures: 0 },
  { name: "one for other operations",         spec: { matchConstraints: elsewhere("DELETE") },           failures: 0 },
  { name: "one that excludes this very kind", spec: { matchConstraints: { ...ELSEWHERE, excludeResourceRules: [EVERYTHING] } }, failures: 0 },
];

// The index finds such policies only by the resource's other names: without them it must not leave any out.
describe.each([
  { how: "throws", equivalents: boom },
  {
    how: "returns a list with a hole",
    equivalents: wrong([{ group: "other", version: "v1", resource: "pods" }, null]),
  },
])("a mapper that $how", ({ equivalents }) => {
  test.each(otherGroups)("$name", async ({ spec, failures }) => {
    const hosts = { resources: { ...resources, equivalents } };
    const report = await ask({ matchConstraints: ELSEWHERE, ...spec }, hosts);
    expect(report.failures).toHaveLength(failures);
    expect(report.allowed).toBe(failures === 0);
    expect((await ask({ matchConstraints: ELSEWHERE, ...spec, failurePolicy: "Ignore" }, hosts)).allowed).toBe(true);
  });
});

// A namespace that is not known ends the request, as upstream: failurePolicy is not asked.
// biome-ignore format: one case per line
test.each([
  { name: "throws",          hosts: { namespaces: { namespace: boom } },                       code: 500, want: "Internal error occurred: boom" },
  { name: "rejects",         hosts: { namespaces: { namespace: reject } },                     code: 500, want: "Internal error occurred: boom" },
  { name: "knows better",    hosts: { namespaces: { namespace: (): never => { throw new HostError(serverTimeout({ group: "", resource: "namespaces" }, "get", 1)); } } }, code: 500, want: "The get operation against namespaces could not be completed at this time, please try again." },
  { name: "returns a number", hosts: { namespaces: { namespace: wrong(1) } },                  code: 500, want: 'Internal error occurred: namespace "n" is not an object' },
  { name: "returns a trap",  hosts: { namespaces: { namespace: () => ({ metadata: { name: "n" }, get spec(): never { return boom(); } }) } }, code: 500, want: "Internal error occurred: boom" },
  { name: "finds nothing",   hosts: { namespaces: { namespace: (): undefined => undefined } }, code: 404, want: 'namespaces "n" not found' },
  { name: "does not exist",    hosts: {},                                                        code: 404, want: 'namespaces "n" not found' },
])("a source of namespaces that $name", async ({ hosts, code, want }) => {
  const report = await ask({ failurePolicy: "Ignore" }, hosts, { namespace: "n" });
  expect(report).toMatchObject({ allowed: false, status: { code, message: want } });
});

const CHECK = "authorizer.group('').resource('pods').namespace('n').check('delete')";
const AUTHORIZED = [
  { expression: `!${CHECK}.errored()`, messageExpression: "'errored'" },
  { expression: `${CHECK}.allowed()` },
];

// biome-ignore format: one case per line
test.each([
  { name: "throws",                hosts: { authorizer: { authorize: boom } },                              want: ["errored", "failed"] },
  { name: "rejects",               hosts: { authorizer: { authorize: reject } },                            want: ["errored", "failed"] },
  { name: "answers nonsense",      hosts: { authorizer: { authorize: wrong({ decision: "perhaps" }) } },    want: ["errored", "failed"] },
  { name: "answers nothing",       hosts: { authorizer: { authorize: wrong(undefined) } },                  want: ["errored", "failed"] },
  { name: "has no opinion",        hosts: { authorizer: { authorize: wrong({ decision: "noOpinion" }) } },  want: ["failed"] },
  { name: "allows, later",         hosts: { authorizer: { authorize: wrong(Promise.resolve({ decision: "allow" })) } }, want: [] },
  { name: "does not exist",          hosts: {},                                                               want: ["failed"] },
])("an authorizer that $name", async ({ hosts, want }) => {
  const report = await ask({ validations: AUTHORIZED }, hosts);
  expect(report.failures.map(({ message }) => message.split(" ", 1)[0])).toEqual(want);
});

const hang = (): Promise<never> => new Promise(() => undefined);
const SELECTOR = { matchConstraints: { resourceRules: [EVERYTHING], namespaceSelector: { matchLabels: { a: "b" } } } };

describe.each<FailurePolicy>(["Fail", "Ignore"])("hosts that never answer, failurePolicy %s", (failurePolicy) => {
  const inTime = (
    spec: Partial<ValidatingAdmissionPolicySpec>,
    hosts: Hosts,
    request: Partial<AdmissionRequest> = {},
    signal = AbortSignal.timeout(20),
  ) => ask({ ...spec, failurePolicy }, hosts, request, REF, { signal });

  // biome-ignore format: one case per line
  test.each([
    { name: "scope of params",      spec: PARAMS,   hosts: params({ scope: hang }),                       want: "failed to configure policy: context deadline exceeded" },
    { name: "params",               spec: PARAMS,   hosts: params({ get: hang }),                         want: "failed to configure binding: context deadline exceeded" },
    { name: "converter",            spec: V2,       hosts: { resources, converter: { convert: hang } },   want: "failed to configure binding: failed to convert object version: context deadline exceeded" },
    { name: "namespace to select",  spec: SELECTOR, hosts: { namespaces: { namespace: hang } },           want: "failed to configure policy: Internal error occurred: context deadline exceeded", request: { namespace: "n" } },
  ])("$name", async ({ spec, hosts, want, request }) => {
    const report = await inTime(spec, hosts, request);
    expect(report.allowed).toBe(failurePolicy === "Ignore");
    expect(report.failures.map(({ message }) => message)).toEqual([want]);
  });

  test("namespace: the request ends, as with one that fails", async () => {
    const report = await inTime({}, { namespaces: { namespace: hang } }, { namespace: "n" });
    const message = "Internal error occurred: context deadline exceeded";
    expect(report).toMatchObject({ allowed: false, status: { code: 500, message } });
  });

  test("authorizer: its decision is an error, which expressions may read", async () => {
    const expression = `${CHECK}.error() == 'context deadline exceeded'`;
    expect((await inTime({ validations: [{ expression }] }, { authorizer: { authorize: hang } })).allowed).toBe(true);
    const report = await inTime({ validations: AUTHORIZED }, { authorizer: { authorize: hang } });
    expect(report.failures.map(({ message }) => message.split(" ", 1)[0])).toEqual(["errored", "failed"]);
  });

  test("given up by the caller, before or while waiting", async () => {
    const hosts = params({ get: hang });
    const controller = new AbortController();
    const waiting = inTime(PARAMS, hosts, {}, controller.signal);
    setTimeout(() => controller.abort(), 5);
    const want = [{ message: "failed to configure binding: context canceled" }];
    expect((await waiting).failures).toMatchObject(want);
    expect((await inTime(PARAMS, hosts, {}, AbortSignal.abort())).failures).toMatchObject(want);
  });
});

test("hosts that respond in time leave no listener behind", async () => {
  const added: (() => void)[] = [];
  const removed: (() => void)[] = [];
  const signal = {
    aborted: false,
    addEventListener: (_: "abort", listener: () => void) => void added.push(listener),
    removeEventListener: (_: "abort", listener: () => void) => void removed.push(listener),
  };
  await ask({ ...PARAMS }, params({ get: () => Promise.resolve({ metadata: {} }) }), {}, REF, { signal });
  await ask({ ...PARAMS }, params({ get: reject }), {}, REF, { signal });
  expect(added).toHaveLength(2);
  expect(removed).toEqual(added);
});

test("an authorizer is called once per check, also if asynchronous", async () => {
  const asked: string[] = [];
  const authorizer: Hosts["authorizer"] = {
    authorize: ({ verb }) => {
      asked.push(verb);
      return Promise.resolve({ decision: verb === "delete" ? "allow" : "deny" });
    },
  };
  const chain =
    "authorizer.group('').resource('pods').check('delete').allowed() && !authorizer.group('').resource('pods').check('get').allowed()";
  const report = await ask({ validations: [{ expression: chain }, { expression: chain }] }, { authorizer });
  expect(report.allowed).toBe(true);
  expect(asked).toEqual(["delete", "get"]);
});

test("getters that throw and objects nested beyond the stack fail the expression alone", async () => {
  const trap = Object.defineProperty({ metadata: { name: "p" } }, "spec", {
    enumerable: true,
    get: boom,
  }) as KubeObject;
  const trapped = await ask({ validations: [{ expression: "object.spec.x == 1" }] }, {}, { object: trap });
  expect(trapped.failures[0]?.message).toMatch(/resulted in error: .*boom/);
  let deep: unknown = "end";
  for (let i = 0; i < 200_000; i++) deep = { deep };
  const nested = await ask(
    { validations: [{ expression: "object.spec == object.spec" }] },
    {},
    { object: { metadata: { name: "p" }, spec: deep } },
  );
  expect(nested.failures.length).toBeLessThanOrEqual(1);
});

test("keys like __proto__ are ordinary and absent", async () => {
  const spec = {
    validations: [{ expression: "!has(object.metadata.constructor) && !('__proto__' in object.metadata)" }],
  };
  expect((await ask(spec, {})).allowed).toBe(true);
});

test("a variable that uses itself ends with an error", async () => {
  const variables = [
    { name: "x", expression: "1" },
    { name: "x", expression: "variables.x + 1" },
  ];
  const report = await ask({ variables, validations: [{ expression: "variables.x > 0" }] }, {});
  expect(report.failures[0]?.message).toContain('composited variable "x" fails to evaluate');
});

test("very many variables, each reading the one before, are compiled and evaluated soon", async () => {
  const variables = Array.from({ length: 5000 }, (_, i) => ({
    name: `v${i}`,
    expression: i === 0 ? "1" : `variables.v${i - 1} + 1`,
  }));
  const report = await ask(
    { variables, validations: [{ expression: "variables.v40 == 41" }, { expression: "variables.v4999 > 0" }] },
    {},
  );
  expect(report.allowed).toBe(true);
});

test("a long chain of variables that ends in itself ends with an error", async () => {
  const chain = Array.from({ length: 300 }, (_, i) => ({
    name: `v${i}`,
    expression: i === 0 ? "1" : `variables.v${i - 1} + 1`,
  }));
  const variables = [...chain, { name: "v0", expression: "variables.v299 + 1" }];
  const report = await ask({ variables, validations: [{ expression: "variables.v299 > 0" }] }, {});
  expect(report.failures[0]?.message).toMatch(/fails to evaluate: it uses itself$/);
});

test("a chain costs what its parts cost, however deep", async () => {
  const costOf = async (length: number) => {
    const variables = Array.from({ length }, (_, i) => ({
      name: `v${i}`,
      expression: i === 0 ? "1" : `variables.v${i - 1} + 1`,
    }));
    const { verdicts } = await ask({ variables, validations: [{ expression: `variables.v${length - 1} > 0` }] }, {});
    const [policy] = verdicts.policies;
    const binding = policy?.outcome === "matched" ? policy.bindings[0] : undefined;
    return binding?.outcome === "evaluated" ? binding.evaluations[0]!.costs.validations : -1;
  };
  const step = (await costOf(11)) - (await costOf(10));
  expect(await costOf(500)).toBe((await costOf(10)) + 490 * step);
});

test("an expensive expression ends at its limit, soon", async () => {
  const list = Array.from({ length: 3000 }, (_, i) => i);
  const object: KubeObject = { metadata: { name: "p" }, spec: { list } };
  const expression = "object.spec.list.all(a, object.spec.list.all(b, object.spec.list.all(c, a + b + c >= 0)))";
  const report = await ask({ validations: [{ expression }] }, {}, { object });
  expect(report.failures[0]?.message).toContain("operation cancelled: actual cost limit exceeded");
});

test("a request that was given up ends between iterations", async () => {
  const object: KubeObject = { metadata: { name: "p" }, spec: { list: Array.from({ length: 1000 }, (_, i) => i) } };
  const set = createPolicySet([
    policyOf("p", { validations: [{ expression: "object.spec.list.all(a, a >= 0)" }] }),
    bindingOf("b", "p"),
  ]);
  const report = await admit(podRequest({}, { object }), set, {}, { signal: { aborted: true } });
  expect(report.failures[0]?.message).toContain("operation interrupted");
});

test.each([
  ["Fail", false],
  ["Ignore", true],
] as const)("an expression that is not done at the deadline has failed: %s", async (failurePolicy, allowed) => {
  const spec = { failurePolicy, validations: [{ expression: "object.metadata.name == 'p'" }] };
  const set = createPolicySet([policyOf("p", spec), bindingOf("b", "p")]);
  const asked = (deadline: number) => admit(podRequest({}), set, {}, { deadline });
  const late = await asked(1);
  expect(late.allowed).toBe(allowed);
  expect(late.failures[0]?.message).toContain("operation interrupted");
  expect((await asked(Number.POSITIVE_INFINITY)).failures[0]?.message ?? "").not.toContain("interrupted");
});

test("the namespace is fetched once for all policies", async () => {
  let fetched = 0;
  const namespaces = {
    namespace: (name: string) => {
      fetched++;
      return Promise.resolve(namespaceOf(name, { env: "prod" }));
    },
  };
  const selector = {
    matchConstraints: { resourceRules: [EVERYTHING], namespaceSelector: { matchLabels: { env: "prod" } } },
  };
  const validations = [{ expression: "namespaceObject.metadata.labels.env == 'prod'" }];
  const resources = [1, 2, 3].flatMap((i) => [
    policyOf(`p${i}`, { ...selector, validations }),
    bindingOf(`b${i}`, `p${i}`),
  ]);
  const report = await admit(podRequest({}, { namespace: "n" }), createPolicySet(resources), { namespaces });
  expect([report.allowed, report.verdicts.policies.length, fetched]).toEqual([true, 3, 1]);
});
