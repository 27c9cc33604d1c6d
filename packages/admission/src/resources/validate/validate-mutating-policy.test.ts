import { fieldErrorText } from "@celadon/kube/errors";
import { expect, test } from "vitest";
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from "../../policy.ts";
import { withBindingDefaults, withPolicyDefaults } from "../defaults.ts";
import { RULE } from "../policies.testing.ts";
import { readPolicyResource } from "../read.ts";
import {
  validateMutatingBinding,
  validateMutatingPolicy,
  validateMutatingPolicyUpdate,
} from "./validate-mutating-policy.ts";

const APPLY = { patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } };

function policy(spec: Record<string, unknown> = {}): MutatingAdmissionPolicy {
  const given = {
    matchConstraints: { resourceRules: [RULE] },
    mutations: [APPLY],
    reinvocationPolicy: "Never",
    ...spec,
  };
  const { resource, error } = readPolicyResource({ metadata: { name: "p" }, spec: given }, "MutatingAdmissionPolicy");
  if (resource === undefined) throw new Error(error);
  return withPolicyDefaults(resource);
}

function binding(spec: Record<string, unknown> = {}): MutatingAdmissionPolicyBinding {
  const { resource, error } = readPolicyResource(
    { metadata: { name: "b" }, spec: { policyName: "p", ...spec } },
    "MutatingAdmissionPolicyBinding",
  );
  if (resource === undefined) throw new Error(error);
  return withBindingDefaults(resource);
}

const rules = (operations: string[]): object => ({ resourceRules: [{ ...RULE, operations }] });
const OPERATIONS = `supported values: "*", "CONNECT", "CREATE", "UPDATE"`;

// biome-ignore format: one rule per line
const cases: [Record<string, unknown>, string[]][] = [
  [{},                                                             []],
  [{ mutations: undefined },                                       ["spec.mutations: Required value: mutations must contain at least one item"]],
  [{ matchConstraints: undefined, mutations: undefined, reinvocationPolicy: undefined }, ["spec.matchConstraints: Required value", "spec.mutations: Required value: mutations must contain at least one item", "spec.reinvocationPolicy: Required value"]],
  [{ matchConstraints: rules(["DELETE"]) },                        [`spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": ${OPERATIONS}`]],
  [{ matchConstraints: rules(["CREATE", "PATCH"]) },               [`spec.matchConstraints.resourceRules[0].operations[1]: Unsupported value: "PATCH": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`, `spec.matchConstraints.resourceRules.operations: Unsupported value: "PATCH": ${OPERATIONS}`]],
  [{ matchConstraints: { resourceRules: [RULE], excludeResourceRules: [{ ...RULE, operations: ["DELETE"] }] } }, []],
  [{ mutations: [{}] },                                            ["spec.mutations[0].patchType: Required value"]],
  [{ mutations: [{ patchType: "other" }] },                        [`spec.mutations[0].patchType: Unsupported value: "other": supported values: "ApplyConfiguration", "JSONPatch"`]],
  [{ mutations: [{ patchType: "JSONPatch" }] },                    ["spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch"]],
  [{ mutations: [{ ...APPLY, jsonPatch: { expression: "[]" } }] }, [`spec.mutations[0].jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration`]],
  [{ mutations: [{ patchType: "ApplyConfiguration" }] },           ["spec.mutations[0].applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration"]],
  [{ mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "  " } }] }, ["spec.mutations[0].applyConfiguration.expression: Required value"]],
  [{ mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: " 1 < 2 " } }] }, [`spec.mutations[0].applyConfiguration.expression: Invalid value: "1 < 2": must evaluate to Object but got bool`]],
  [{ mutations: [{ patchType: "JSONPatch", jsonPatch: { expression: "[]" } }] }, [`spec.mutations[0].jsonPatch.expression: Invalid value: "[]": must evaluate to list(JSONPatch) but got list(dyn)`]],
  [{ variables: [{ name: "o", expression: "Object{}" }] },         [`spec.variables[0].expression: Invalid value: "Object{}": compilation failed: ERROR: <input>:1:7: undeclared reference to 'Object' (in container '')\n | Object{}\n | ......^`]],
  [{ reinvocationPolicy: "x" },                                    [`spec.reinvocationPolicy: Unsupported value: "x": supported values: "IfNeeded", "Never"`]],
  [{ variables: [{ name: "a", expression: "1" }], mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{x: variables.a}" } }] }, []],
  [{ mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "variables.x" } }] }, [`spec.mutations[0].applyConfiguration.expression: Invalid value: "variables.x": compilation failed: ERROR: <input>:1:10: undefined field 'x'\n | variables.x\n | .........^`]],
];

test.each(cases)("policy %#", (spec, want) =>
  expect(validateMutatingPolicy(policy(spec)).map(fieldErrorText)).toEqual(want),
);

// biome-ignore format: one rule per line
const bindings: [Record<string, unknown>, string[]][] = [
  [{},                                               []],
  [{ policyName: "" },                               ["spec.policyName: Required value"]],
  [{ matchResources: rules(["DELETE"]) },            [`spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": ${OPERATIONS}`]],
  [{ paramRef: { name: "x" } },                      ["spec.paramRef.parameterNotFoundAction: Required value"]],
];

test.each(bindings)("binding %#", (spec, want) =>
  expect(validateMutatingBinding(binding(spec)).map(fieldErrorText)).toEqual(want),
);

test("match conditions are left alone on update while they stay as they are", () => {
  const stored = (spec: Record<string, unknown>): MutatingAdmissionPolicy => ({
    ...policy(spec),
    metadata: { name: "p", resourceVersion: "1" },
  });
  const wrong = { matchConditions: [{ name: "x", expression: "nope" }] };
  expect(validateMutatingPolicyUpdate(stored(wrong), stored(wrong))).toEqual([]);
  expect(validateMutatingPolicyUpdate(stored(wrong), stored({}))).toHaveLength(1);
});

test("decoding names types as Go does", () => {
  const read = (spec: object): unknown => readPolicyResource({ spec }, "MutatingAdmissionPolicy").error;
  expect(read({ mutations: [{ applyConfiguration: { expression: 1 } }] })).toContain(
    "cannot unmarshal number into Go struct field ApplyConfiguration.spec.mutations.applyConfiguration.expression of type string",
  );
  expect(
    readPolicyResource({ spec: { frob: 1, mutations: [{ x: 1 }] } }, "MutatingAdmissionPolicy").unknownFields.map(
      String,
    ),
  ).toEqual(["spec.frob", "spec.mutations[0].x"]);
});
