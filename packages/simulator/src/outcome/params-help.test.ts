// The advice for policies that have params and got none.

import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import { SimulatedCluster } from "../simulated/simulated-cluster.ts";
import type { Problem } from "./outcome.ts";

const GROUP = "admissionregistration.k8s.io/v1";
const matchConstraints = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["services"] }],
};
const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
const service = { apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace: "shop" }, spec: {} };

const validating = (validations: readonly string[], more: object = {}): KubeObject => ({
  apiVersion: GROUP,
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "limit" },
  spec: { paramKind, matchConstraints, validations: validations.map((expression) => ({ expression })), ...more },
});
const bound = (spec: object, kind = "ValidatingAdmissionPolicyBinding"): KubeObject => ({
  apiVersion: GROUP,
  kind,
  metadata: { name: "bound" },
  spec: { policyName: "limit", ...(kind.startsWith("Validating") && { validationActions: ["Deny"] }), ...spec },
});

async function problemsOf(...objects: readonly KubeObject[]): Promise<readonly Problem[]> {
  const { problems } = await SimulatedCluster.of(objects, { builtinValidation: false }).review({ object: service });
  return problems;
}

const READS = "params.data.max == '1'";

test.each([
  {
    paramRef: { name: "limits", namespace: "policies", parameterNotFoundAction: "Deny" },
    help: 'ConfigMap (v1) "limits" not found in namespace "policies"; add',
  },
  {
    paramRef: { name: "limits", parameterNotFoundAction: "Deny" },
    help: 'ConfigMap (v1) "limits" not found in namespace "shop", that of the request; add',
  },
  {
    paramRef: { selector: { matchLabels: { a: "b" } }, parameterNotFoundAction: "Deny" },
    help: 'no ConfigMap (v1) with labels a=b found in namespace "shop", that of the request; add',
  },
  {
    paramRef: { selector: {}, namespace: "policies", parameterNotFoundAction: "Deny" },
    help: 'no ConfigMap (v1) found in namespace "policies"; add',
  },
])("params that do not exist: $paramRef", async ({ paramRef, help }) => {
  const [problem, ...more] = await problemsOf(validating([READS]), bound({ paramRef }));
  expect(more).toEqual([]);
  expect(problem?.help).toContain(help);
  expect(problem?.by).toMatchObject({ binding: "bound", bindingPath: ["spec", "paramRef"] });
});

test("the same for a mutating policy", async () => {
  const mutations = [
    { patchType: "JSONPatch", jsonPatch: { expression: `[JSONPatch{op: "add", path: "/a", value: params.data.a}]` } },
  ];
  const spec = { paramKind, matchConstraints, mutations, failurePolicy: "Fail", reinvocationPolicy: "Never" };
  const policy = { apiVersion: GROUP, kind: "MutatingAdmissionPolicy", metadata: { name: "limit" }, spec };
  const kind = "MutatingAdmissionPolicyBinding";
  const paramRef = { name: "limits", parameterNotFoundAction: "Deny" };
  const [missing] = await problemsOf(policy, bound({ paramRef }, kind));
  expect(missing?.help).toContain('ConfigMap (v1) "limits" not found in namespace "shop"');
  expect(missing?.by?.bindingPath).toEqual(["spec", "paramRef"]);
  const [unset] = await problemsOf(policy, bound({}, kind));
  expect(unset?.help).toContain('binding "bound" has no paramRef');
});

test("params are null because the binding has no paramRef", async () => {
  const variables = [{ name: "max", expression: "params.data.max" }];
  const policy = validating(
    [READS, "variables.max == '1'", "object.spec.none == 1", "params == null || object.x == 1"],
    {
      variables,
    },
  );
  const problems = await problemsOf(policy, bound({}));
  const help = 'binding "bound" has no paramRef, so params is null; add spec.paramRef to the binding';
  expect(problems.map((problem) => problem.help)).toEqual([help, help, undefined]);
});
