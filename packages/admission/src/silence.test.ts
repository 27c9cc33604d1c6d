// Deciding without results agrees with `admitEntries`.

import { expect, test } from "vitest";
import { admitEntries } from "./admit.ts";
import type { Hosts } from "./hosts.ts";
import { bindingOf, namespaceOf, podRequest, policyOf } from "./policies.testing.ts";
import type { ValidatingAdmissionPolicyBindingSpec, ValidatingAdmissionPolicySpec } from "./policy.ts";
import { createPolicySet } from "./set/policy-set.ts";
import { applySilently } from "./silence.ts";

interface Case {
  readonly name: string;
  readonly spec?: Partial<ValidatingAdmissionPolicySpec>;
  readonly binding?: Partial<ValidatingAdmissionPolicyBindingSpec>;
  readonly hosts?: Hosts;
  /** Whether the policy applied; undefined where it has something to say. */
  readonly want: boolean | undefined;
  /** Or where a host answers later. */
  readonly waits?: true;
}

const valid = (...expressions: string[]) => ({ validations: expressions.map((expression) => ({ expression })) });
const rules = (resource: string) => ({
  resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*" as const], resources: [resource] }],
});
const config = { apiVersion: "v1", kind: "ConfigMap" };
const params: Hosts["params"] & object = {
  scope: () => "Namespaced",
  get: async () => ({ ...config, metadata: { name: "c" }, data: { a: "1" } }),
  list: () => [],
};
const boom = (): never => {
  throw new Error("boom");
};
const selector = { matchLabels: { team: "a" } };
const costly = "[0,1,2,3,4,5,6,7,8,9].map(a, [0,1,2,3,4,5,6,7,8,9].map(b, [0,1,2,3,4,5,6,7,8,9].map(c, a + b + c)))";

// biome-ignore format: one case per line
const cases: readonly Case[] = [
  { name: "holds",                        spec: valid("object.metadata.name == 'p'", "true"),                    want: true },
  { name: "does not hold",                spec: valid("true", "object.metadata.name == 'q'"),                    want: undefined },
  { name: "fails",                        spec: valid("object.spec.nothing == 1"),                               want: undefined },
  { name: "fails, ignored",               spec: { ...valid("object.spec.nothing == 1"), failurePolicy: "Ignore" }, want: undefined },
  { name: "does not compile",             spec: valid("object.("),                                               want: undefined },
  { name: "variables",                    spec: { ...valid("variables.n == 'p'"), variables: [{ name: "n", expression: "object.metadata.name" }] }, want: true },
  { name: "a variable that fails",        spec: { ...valid("variables.n == 'p'"), variables: [{ name: "n", expression: "object.x.y" }] }, want: undefined },
  { name: "other resources",              spec: { ...valid("false"), matchConstraints: rules("secrets") },       want: false },
  { name: "other objects",                spec: { ...valid("false"), matchConstraints: { ...rules("*"), objectSelector: selector } }, want: false },
  { name: "other namespaces",             spec: valid("false"), binding: { matchResources: { namespaceSelector: selector } }, want: false },
  { name: "a condition that is false",    spec: { ...valid("false"), matchConditions: [{ name: "c", expression: "false" }] }, want: false },
  { name: "a condition that is true",     spec: { ...valid("true"), matchConditions: [{ name: "c", expression: "true" }] }, want: true },
  { name: "a condition that fails",       spec: { ...valid("true"), matchConditions: [{ name: "c", expression: "object.x.y" }] }, want: undefined },
  { name: "a message that is not needed", spec: { validations: [{ expression: "true", messageExpression: "'no ' + object.metadata.name" }] }, want: true },
  { name: "an audit annotation",          spec: { ...valid("true"), auditAnnotations: [{ key: "k", valueExpression: "'v'" }] }, want: undefined },
  { name: "params",                       spec: { ...valid("params.data.a == '1'"), paramKind: config }, binding: { paramRef: { name: "c", parameterNotFoundAction: "Deny" } }, hosts: { params }, want: true },
  { name: "params it does not like",      spec: { ...valid("params.data.a == '2'"), paramKind: config }, binding: { paramRef: { name: "c", parameterNotFoundAction: "Deny" } }, hosts: { params }, want: undefined },
  { name: "params that are not known",    spec: { ...valid("true"), paramKind: config }, binding: { paramRef: { name: "c", parameterNotFoundAction: "Deny" } }, want: undefined },
  { name: "a warning",                    spec: valid("false"), binding: { validationActions: ["Warn"] },        want: undefined },
  { name: "the namespace",                spec: valid("namespaceObject.metadata.name == 'n'"),                   want: true },
  { name: "no namespace",                 spec: valid("true"), hosts: { namespaces: { namespace: () => undefined } }, want: undefined },
  { name: "a namespace later",            spec: valid("true"), hosts: { namespaces: { namespace: async () => namespaceOf("n", {}) } }, want: true },
  { name: "a host that throws",           spec: valid("true"), hosts: { namespaces: { namespace: boom } },       want: undefined },
  { name: "an authorizer later",          spec: valid("authorizer.group('').resource('pods').check('get').allowed()"), hosts: { authorizer: { authorize: async () => ({ decision: "allow" }) } }, want: undefined, waits: true },
  { name: "beyond the budget",            spec: valid(...Array.from({ length: 3000 }, () => `${costly}.size() == 10`)), want: undefined },
];

test.each(cases)("$name", async ({ spec = {}, binding = {}, hosts = {}, want, waits = false }) => {
  const set = createPolicySet([
    policyOf("p", spec),
    policyOf("beside", valid("object.metadata.name == 'p'")),
    bindingOf("b", "p", binding),
    bindingOf("c", "p", binding),
    bindingOf("d", "beside"),
  ]);
  const all = { namespaces: { namespace: () => namespaceOf("n", {}) }, ...hosts };
  const request = podRequest({}, { namespace: "n", name: "p" });
  const applied = await applySilently(request, set.entries(), all);
  expect(applied).toEqual(
    want === undefined ? undefined : set.entries().map(({ policy }) => policy.name !== "p" || want),
  );
  const { allowed, failures, auditAnnotations } = await admitEntries(request, set.entries(), all);
  const isSilent = allowed && failures.length + Object.keys(auditAnnotations).length === 0;
  expect(isSilent).toBe(want !== undefined || waits);
});
