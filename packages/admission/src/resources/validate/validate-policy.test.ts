// One case per rule of a policy, with the text kube-apiserver gives.

import { fieldErrorText } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import { policy, policyErrors, RULE } from "../policies.testing.ts";
import { validatePolicy, validatePolicyUpdate } from "./validate-policy.ts";

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const NAME_PART =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const NOTHING = "validations or auditAnnotations must contain at least one item";
const OPERATIONS = `supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`;

type Case = readonly [title: string, spec: Record<string, unknown>, ...errors: string[]];

const rule = (change: Record<string, unknown>): Record<string, unknown> => ({
  matchConstraints: { resourceRules: [{ ...RULE, ...change }] },
});
const match = (change: Record<string, unknown>): Record<string, unknown> => ({
  matchConstraints: { resourceRules: [RULE], ...change },
});
const R = "spec.matchConstraints.resourceRules[0]";
const S = "spec.matchConstraints.namespaceSelector.matchExpressions[0]";
const selector = (expression: Record<string, unknown>): Record<string, unknown> =>
  match({ namespaceSelector: { matchExpressions: [expression] } });
const paramKind = (apiVersion: string, kind = "K"): Record<string, unknown> => ({ paramKind: { apiVersion, kind } });
const condition = (name: string, expression = "true"): Record<string, unknown> => ({
  matchConditions: [{ name, expression }],
});
const variable = (name: string, expression = "1"): Record<string, unknown> => ({ variables: [{ name, expression }] });
const validation = (change: Record<string, unknown>): Record<string, unknown> => ({
  validations: [{ expression: "true", ...change }],
});
const annotation = (key: string, valueExpression = "'v'"): Record<string, unknown> => ({
  auditAnnotations: [{ key, valueExpression }],
});

// biome-ignore format: one case per line
const cases: readonly Case[] = [
  ["all is well", {}],
  ["failurePolicy", { failurePolicy: "other" }, `spec.failurePolicy: Unsupported value: "other": supported values: "Fail", "Ignore"`],
  ["failurePolicy empty", { failurePolicy: "" }, `spec.failurePolicy: Unsupported value: "": supported values: "Fail", "Ignore"`],

  ["paramKind empty", paramKind("", ""), "spec.paramKind.apiVersion: Required value", "spec.paramKind.kind: Required value"],
  ["paramKind with two slashes", paramKind("a/b/c"), `spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`],
  ["paramKind with a bad group", paramKind("G!/v1"), `spec.paramKind.apiVersion: Invalid value: "G!": ${SUBDOMAIN}`],
  ["paramKind without a version", paramKind("g/"), `spec.paramKind.apiVersion: Invalid value: "g/": version must be specified`],
  ["paramKind that is a slash", paramKind("/"), `spec.paramKind.apiVersion: Invalid value: "/": version must be specified`],
  ["paramKind that is a group alone", paramKind("test.example.com"), `spec.paramKind.apiVersion: Invalid value: "test.example.com": ${LABEL_1035}`],
  ["paramKind with a bad kind", paramKind("v1", "K!"), `spec.paramKind.kind: Invalid value: "K!": may have mixed case, but should otherwise match: ${LABEL_1035}`],
  ["paramKind of any group, version and kind", paramKind("things.example.com/v2beta3", "ThingParams")],

  ["matchConstraints missing", { matchConstraints: undefined }, "spec.matchConstraints: Required value"],
  ["resourceRules missing", { matchConstraints: {} }, "spec.matchConstraints.resourceRules: Required value"],
  ["matchPolicy", match({ matchPolicy: "other" }), `spec.matchConstraints.matchPolicy: Unsupported value: "other": supported values: "Equivalent", "Exact"`],
  ["selector In without values", selector({ key: "a", operator: "In" }), `${S}.values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`],
  ["selector Exists with values", selector({ key: "a", operator: "Exists", values: ["x"] }), `${S}.values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`],
  ["selector operator", selector({ key: "a", operator: "x" }), `${S}.operator: Invalid value: "x": not a valid selector operator`],
  ["selector key", selector({ key: "a b", operator: "Exists" }), `${S}.key: Invalid value: "a b": ${NAME_PART}`],
  ["objectSelector label", match({ objectSelector: { matchLabels: { "a b": "x" } } }), `spec.matchConstraints.objectSelector.matchLabels: Invalid value: "a b": ${NAME_PART}`],

  ["resourceNames with a slash", rule({ resourceNames: ["/./."] }), `${R}.resourceNames[0]: Invalid value: "/./.": may not contain '/'`],
  ["resourceNames with a percent sign", rule({ resourceNames: ["a%"] }), `${R}.resourceNames[0]: Invalid value: "a%": may not contain '%'`],
  ["resourceNames that are dots", rule({ resourceNames: [".", ".."] }), `${R}.resourceNames[0]: Invalid value: ".": may not be '.'`, `${R}.resourceNames[1]: Invalid value: "..": may not be '..'`],
  ["resourceNames twice", rule({ resourceNames: ["test", "test"] }), `${R}.resourceNames[1]: Duplicate value: "test"`],
  ["operations missing", rule({ operations: [] }), `${R}.operations: Required value`],
  ["operations * and more", rule({ operations: ["*", "CREATE"] }), `${R}.operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`],
  ["operations unknown", rule({ operations: ["PATCH", ""] }), `${R}.operations[0]: Unsupported value: "PATCH": ${OPERATIONS}`, `${R}.operations[1]: Unsupported value: "": ${OPERATIONS}`],
  ["apiGroups missing", rule({ apiGroups: [] }), `${R}.apiGroups: Required value`],
  ["apiGroups * and more", rule({ apiGroups: ["*", "a"] }), `${R}.apiGroups: Invalid value: ["*","a"]: if '*' is present, must not specify other API groups`],
  ["apiVersions missing", rule({ apiVersions: [] }), `${R}.apiVersions: Required value`],
  ["apiVersions empty", rule({ apiVersions: ["v1", ""] }), `${R}.apiVersions[1]: Required value`],
  ["apiVersions * and more", rule({ apiVersions: ["v1", "*"] }), `${R}.apiVersions: Invalid value: ["v1","*"]: if '*' is present, must not specify other API versions`],
  ["resources missing", rule({ resources: [] }), `${R}.resources: Required value`],
  ["resources empty", rule({ resources: [""] }), `${R}.resources[0]: Required value`],
  ["a/* then a/x", rule({ resources: ["a/*", "a/x"] }), `${R}.resources[1]: Invalid value: "a/x": if 'a/*' is present, must not specify a/x`],
  ["*/a then x/a", rule({ resources: ["*/a", "x/a"] }), `${R}.resources[1]: Invalid value: "x/a": if '*/a' is present, must not specify x/a`],
  ["x/a then */a", rule({ resources: ["x/a", "*/a"] })],
  ["*/* and more", rule({ resources: ["*/*", "a"] }), `${R}.resources: Invalid value: ["*/*","a"]: if '*/*' is present, must not specify other resources`],
  ["* then a", rule({ resources: ["*", "a"] }), `${R}.resources: Invalid value: ["*","a"]: if '*' is present, must not specify other resources without subresources`],
  ["a then *", rule({ resources: ["a", "*"] })],
  ["scope", rule({ scope: "x" }), `${R}.scope: Unsupported value: "x": supported values: "*", "Cluster", "Namespaced"`],
  ["excluded rules too", match({ excludeResourceRules: [{ ...RULE, operations: [] }] }), "spec.matchConstraints.excludeResourceRules[0].operations: Required value"],

  ["matchConditions: too many", { matchConditions: Array.from({ length: 65 }, (_, i) => ({ name: `c${i}`, expression: "true" })) }, "spec.matchConditions: Too many: 65: must have at most 64 items"],
  ["matchConditions: no name", condition(""), "spec.matchConditions[0].name: Required value"],
  ["matchConditions: bad name", condition("-hello"), `spec.matchConditions[0].name: Invalid value: "-hello": ${NAME_PART}`],
  ["matchConditions: the same name", { matchConditions: [{ name: "x", expression: "true" }, { name: "x", expression: "true" }] }, `spec.matchConditions[1].name: Duplicate value: "x"`],
  ["matchConditions: blank", condition("c", " \n"), "spec.matchConditions[0].expression: Required value"],
  ["matchConditions: trimmed before it is compiled", condition("c", "  1 +  "), `spec.matchConditions[0].expression: Invalid value: "1 +": compilation failed: ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | 1 +\n | ...^`],
  ["matchConditions: not bool", condition("c", "6"), `spec.matchConditions[0].expression: Invalid value: "6": must evaluate to bool but got int`],
  ["matchConditions: no variables", { ...condition("c", "variables.x == 1"), ...variable("x") }, `spec.matchConditions[0].expression: Invalid value: "variables.x == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')\n | variables.x == 1\n | ^`],
  ["matchConditions: no params", condition("c", "params.x == 1"), `spec.matchConditions[0].expression: Invalid value: "params.x == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.x == 1\n | ^`],
  ["matchConditions: params", { ...condition("c", "params.x == 1"), ...paramKind("v1", "ConfigMap") }],

  ["variables: no name", variable(" "), "spec.variables[0].name: Required value: name is not specified"],
  ["variables: no identifier", variable("4ever"), `spec.variables[0].name: Invalid value: "4ever": must be a valid CEL identifier`],
  ["variables: reserved", variable("namespace"), `spec.variables[0].name: Invalid value: "namespace": must be a valid CEL identifier`],
  ["variables: blank", variable("x", " "), "spec.variables[0].expression: Required value: expression is not specified"],
  ["variables: wrong", variable("x", "114 + '514'"), `spec.variables[0].expression: Invalid value: "114 + '514'": compilation failed: ERROR: <input>:1:5: found no matching overload for '_+_' applied to '(int, string)'\n | 114 + '514'\n | ....^`],
  ["variables: later ones", { variables: [{ name: "a", expression: "variables.foo" }, { name: "foo", expression: "1" }] }, `spec.variables[0].expression: Invalid value: "variables.foo": compilation failed: ERROR: <input>:1:10: undefined field 'foo'\n | variables.foo\n | .........^`],
  ["variables: a wrong one is dyn", { variables: [{ name: "a", expression: "nothing" }], ...validation({ expression: "variables.a == 1" }) }, `spec.variables[0].expression: Invalid value: "nothing": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nothing' (in container '')\n | nothing\n | ^`],
  ["variables: twice", { variables: [{ name: "a", expression: "1" }, { name: "a", expression: "'x'" }], ...validation({ expression: "variables.a == 'x'" }) }],

  ["nothing to do", { validations: [] }, `spec.validations: Required value: ${NOTHING}`, `spec.auditAnnotations: Required value: ${NOTHING}`],
  ["expression blank", validation({ expression: " " }), "spec.validations[0].expression: Required value: expression is not specified"],
  ["expression not trimmed", validation({ expression: " 1" }), `spec.validations[0].expression: Invalid value: " 1": must evaluate to bool but got int`],
  ["expression dyn", validation({ expression: "object.spec.flag" }), `spec.validations[0].expression: Invalid value: "object.spec.flag": must evaluate to bool but got dyn`],
  ["expression with variables, where there are none", validation({ expression: "variables.x" }), `spec.validations[0].expression: Invalid value: "variables.x": compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')\n | variables.x\n | ^`],
  ["expression with the authorizer", validation({ expression: "authorizer.requestResource.check('get').allowed()" })],
  ["messageExpression blank", validation({ messageExpression: "  " }), `spec.validations[0].messageExpression: Invalid value: "  ": must be non-empty if specified`],
  ["messageExpression not a text", validation({ messageExpression: "0 == 0" }), `spec.validations[0].messageExpression: Invalid value: "0 == 0": must evaluate to string but got bool`],
  ["messageExpression with the authorizer", validation({ messageExpression: "string(authorizer)" }), `spec.validations[0].messageExpression: Invalid value: "string(authorizer)": compilation failed: ERROR: <input>:1:8: undeclared reference to 'authorizer' (in container '')\n | string(authorizer)\n | .......^`],
  ["messageExpression with params", { ...validation({ messageExpression: "'max ' + string(params.max)" }), ...paramKind("v1", "ConfigMap") }],
  ["message blank", validation({ message: "  " }), `spec.validations[0].message: Invalid value: "  ": must be non-empty if specified`],
  ["message with a line break", validation({ message: "a\rb" }), `spec.validations[0].message: Invalid value: "a\\rb": must not contain line breaks`],
  ["message with line breaks around", validation({ message: "\nab\n" })],
  ["reason", validation({ reason: "Unauthorized" }), `spec.validations[0].reason: Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"`],
  ["reason empty", validation({ reason: "" }), `spec.validations[0].reason: Unsupported value: "": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"`],

  ["auditAnnotations: bad key", annotation("@"), `spec.auditAnnotations[0].key: Invalid value: "p/@": ${NAME_PART}`],
  ["auditAnnotations: long key", annotation("k".repeat(64)), `spec.auditAnnotations[0].key: Invalid value: "p/${"k".repeat(64)}": name part must be no more than 63 bytes`],
  ["auditAnnotations: the same key", { auditAnnotations: [{ key: "a", valueExpression: "'v'" }, { key: "a", valueExpression: "'v'" }] }, `spec.auditAnnotations[1].key: Duplicate value: "a"`],
  ["auditAnnotations: blank", annotation("k", " "), "spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified"],
  ["auditAnnotations: too long", annotation("k", `'${"x".repeat(5119)}'`), "spec.auditAnnotations[0].valueExpression: Required value: must not exceed 5120 bytes in length"],
  ["auditAnnotations: not quite too long", annotation("k", ` '${"x".repeat(5118)}' `)],
  ["auditAnnotations: type, shown as written", annotation("k", " true "), `spec.auditAnnotations[0].valueExpression: Invalid value: " true ": must evaluate to one of [string null_type] but got bool`],
  ["auditAnnotations: a text or null", annotation("k", "true ? 'x' : null"), `spec.auditAnnotations[0].valueExpression: Invalid value: "true ? 'x' : null": compilation failed: ERROR: <input>:1:6: found no matching overload for '_?_:_' applied to '(bool, string, null)'\n | true ? 'x' : null\n | .....^`],
  ["auditAnnotations: null", annotation("k", "null")],
  ["auditAnnotations: dyn", annotation("k", "object.x"), `spec.auditAnnotations[0].valueExpression: Invalid value: "object.x": must evaluate to one of [string null_type] but got dyn`],
];

for (const [title, spec, ...errors] of cases) test(title, () => expect(policyErrors(spec)).toEqual(errors));

test("more than 20 audit annotations are all shown", () => {
  const auditAnnotations = Array.from({ length: 21 }, (_, i) => ({
    key: `k${i}`,
    valueExpression: "'a' < 'b' ? '' : '&'",
  }));
  const shown = auditAnnotations
    .map(({ key }) => `{"Key":"${key}","ValueExpression":"'a' \\u003c 'b' ? '' : '\\u0026'"}`)
    .join(",");
  expect(policyErrors({ auditAnnotations })).toEqual([
    `spec.auditAnnotations: Invalid value: [${shown}]: must not have more than 20 auditAnnotations`,
  ]);
});

describe("metadata", () => {
  // biome-ignore format: one case per line
  const names: readonly (readonly [Record<string, unknown>, ...string[]])[] = [
    [{}, "metadata.name: Required value: name or generateName is required"],
    [{ name: "X" }, `metadata.name: Invalid value: "X": ${SUBDOMAIN}`],
    [{ name: "x".repeat(254) }, `metadata.name: Invalid value: "${"x".repeat(254)}": must be no more than 253 characters`],
    [{ name: "p", namespace: "n" }, "metadata.namespace: Forbidden: not allowed on this type"],
    [{ name: "x.static.k8s.io" }],
  ];
  for (const [metadata, ...errors] of names) {
    test(JSON.stringify(metadata), () => expect(policyErrors({}, metadata)).toEqual(errors));
  }

  test("an audit annotation needs the policy's name", () => {
    expect(policyErrors({ auditAnnotations: [{ key: "k", valueExpression: "'v'" }] }, {})).toContain(
      `spec.auditAnnotations[0].key: Invalid value: "k": requires metadata.name be non-empty`,
    );
    expect(policyErrors({ auditAnnotations: [{ key: "k", valueExpression: "'v'" }] }, { name: "nope!" })).toContain(
      `spec.auditAnnotations[0].key: Invalid value: "nope!/k": prefix part ${SUBDOMAIN}`,
    );
  });

  test("names of manifest files are refused where these are on", () => {
    const errors = validatePolicy(policy({}, { name: "x.static.k8s.io" }), { manifestBasedConfig: true });
    expect(errors.map(fieldErrorText)).toEqual([
      `metadata.name: Invalid value: "x.static.k8s.io": names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API`,
    ]);
  });
});

describe("update", () => {
  const meta = { name: "p", resourceVersion: "1", uid: "u", creationTimestamp: "2026-01-01T00:00:00Z" };
  const update = (spec: Record<string, unknown>, old: Record<string, unknown>): string[] =>
    validatePolicyUpdate(policy(spec, meta), policy(old, meta)).map(fieldErrorText);

  test("unchanged match conditions are not validated", () => {
    const wrong = condition("c", "nothing");
    expect(update({ ...wrong, failurePolicy: "Ignore" }, wrong)).toEqual([]);
    expect(update({ ...wrong, ...paramKind("v1") }, wrong)).toHaveLength(1);
    expect(
      update({ matchConditions: [...(wrong.matchConditions as object[]), { name: "d", expression: "true" }] }, wrong),
    ).toHaveLength(1);
  });

  test("unchanged validations are validated again", () => {
    const wrong = validation({ expression: "1" });
    expect(update(wrong, wrong)).toEqual([
      `spec.validations[0].expression: Invalid value: "1": must evaluate to bool but got int`,
    ]);
  });
});

test("what defaulting would have filled in is required", () => {
  const { spec, ...rest } = policy();
  const { failurePolicy: _, ...bare } = spec;
  const errors = validatePolicy({
    ...rest,
    spec: { ...bare, matchConstraints: { resourceRules: spec.matchConstraints!.resourceRules! } },
  });
  expect(errors.map(fieldErrorText)).toEqual([
    "spec.failurePolicy: Required value",
    "spec.matchConstraints.matchPolicy: Required value",
    "spec.matchConstraints.namespaceSelector: Required value",
    "spec.matchConstraints.objectSelector: Required value",
  ]);
});
