// One case per rule of a binding, with the text kube-apiserver gives.

import { fieldErrorText } from "@celadon/kube/errors";
import { expect, test } from "vitest";
import { binding, bindingErrors } from "../policies.testing.ts";
import { validateBindingUpdate } from "./validate-binding.ts";

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const ACTIONS = `supported values: "Audit", "Deny", "Warn"`;
const DENY_AND_WARN =
  "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";

const ref = (paramRef: Record<string, unknown>): Record<string, unknown> => ({
  paramRef: { name: "n", parameterNotFoundAction: "Deny", ...paramRef },
});
const actions = (...validationActions: string[]): Record<string, unknown> => ({ validationActions });

// biome-ignore format: one case per line
const cases: readonly (readonly [title: string, spec: Record<string, unknown>, ...errors: string[]])[] = [
  ["all is well", {}],
  ["policyName missing", { policyName: "" }, "spec.policyName: Required value"],
  ["policyName", { policyName: "A" }, `spec.policyName: Invalid value: "A": ${SUBDOMAIN}`],
  ["paramRef by both", ref({ selector: {} }), "spec.paramRef.name: Forbidden: name and selector are mutually exclusive", "spec.paramRef.selector: Forbidden: name and selector are mutually exclusive"],
  ["paramRef by neither", ref({ name: "" }), "spec.paramRef: Required value: one of name or selector must be specified"],
  ["paramRef name", ref({ name: "a/b" }), `spec.paramRef.name: Invalid value: "a/b": may not contain '/'`],
  ["paramRef selector", ref({ name: "", selector: { matchExpressions: [{ key: "a", operator: "In" }] } }), "spec.paramRef.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"],
  ["paramRef namespace is anything", ref({ namespace: "Not A Namespace" })],
  ["parameterNotFoundAction missing", ref({ parameterNotFoundAction: null }), "spec.paramRef.parameterNotFoundAction: Required value"],
  ["parameterNotFoundAction empty", ref({ parameterNotFoundAction: "" }), "spec.paramRef.parameterNotFoundAction: Required value"],
  ["parameterNotFoundAction", ref({ parameterNotFoundAction: "invalid" }), `spec.paramRef.parameterNotFoundAction: Unsupported value: "invalid": supported values: "Deny", "Allow"`],
  ["matchResources", { matchResources: { matchPolicy: "x" } }, `spec.matchResources.matchPolicy: Unsupported value: "x": supported values: "Equivalent", "Exact"`],
  ["matchResources may be empty", { matchResources: {} }],
  ["validationActions missing", actions(), "spec.validationActions: Required value: at least one validation action is required"],
  ["validationActions unknown", actions("illegal"), `spec.validationActions[0]: Unsupported value: "illegal": ${ACTIONS}`],
  ["validationActions twice", actions("Deny", "Deny"), `spec.validationActions[1]: Duplicate value: "Deny"`],
  ["validationActions Deny and Warn", actions("Deny", "Warn"), `spec.validationActions: Invalid value: ["Deny","Warn"]: ${DENY_AND_WARN}`],
  ["validationActions Warn and Audit", actions("Warn", "Audit")],
];

for (const [title, spec, ...errors] of cases) test(title, () => expect(bindingErrors(spec)).toEqual(errors));

test("a binding needs a name", () => {
  expect(bindingErrors({}, {})).toEqual(["metadata.name: Required value: name or generateName is required"]);
});

test("an update is validated like a create", () => {
  const meta = { name: "b", resourceVersion: "1" };
  const errors = validateBindingUpdate(binding(actions("x"), meta));
  expect(errors.map(fieldErrorText)).toEqual([`spec.validationActions[0]: Unsupported value: "x": ${ACTIONS}`]);
});

test("more errors than anybody reads", () => {
  const matchExpressions = Array.from({ length: 150_000 }, () => ({ key: "a", operator: "In" }));
  const errors = bindingErrors({ matchResources: { namespaceSelector: { matchExpressions } } });
  expect(errors).toHaveLength(1_000);
});
