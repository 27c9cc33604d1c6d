// Policies that mutate find their place: the same snapshot, the same matching, params and conditions.

import { expect, test } from "vitest";
import { type CompiledRules, compileRules } from "../compile/compile.ts";
import { PolicyCompiler } from "../compile/policy-compiler.ts";
import { bindParams } from "../decide/bind.ts";
import { RequestContext } from "../evaluate/context.ts";
import { evaluateConditions } from "../evaluate/evaluate.ts";
import { match } from "../match.ts";
import { EVERYTHING, podRequest } from "../policies.testing.ts";
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from "../policy.ts";
import { type Family, Snapshot } from "./snapshot.ts";

const compiler = new PolicyCompiler();
const MUTATING: Family<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, CompiledRules> = {
  compiler,
  policyKind: "MutatingAdmissionPolicy",
  compile: (policy, gates) => compileRules(policy, compiler, gates).rules,
};

const apiVersion = "admissionregistration.k8s.io/v1";
const policy: MutatingAdmissionPolicy = {
  apiVersion,
  kind: "MutatingAdmissionPolicy",
  metadata: { name: "sidecar" },
  spec: {
    matchConstraints: { resourceRules: [{ ...EVERYTHING, operations: ["CREATE"] }] },
    matchConditions: [{ name: "not-there-yet", expression: "!variables.names.exists(n, n == 'sidecar')" }],
    variables: [{ name: "names", expression: "object.spec.containers.map(c, c.name)" }],
    reinvocationPolicy: "IfNeeded",
    mutations: [{ patchType: "JSONPatch", jsonPatch: { expression: "[]" } }],
  },
};
const binding: MutatingAdmissionPolicyBinding = {
  apiVersion,
  kind: "MutatingAdmissionPolicyBinding",
  metadata: { name: "everywhere" },
  spec: { policyName: "sidecar" },
};

test("a mutating policy is indexed, matched, bound and asked for its conditions", async () => {
  const set = Snapshot.empty(MUTATING).with({ put: [policy, binding] });
  const conditionsFor = async (name: string) => {
    const request = podRequest({ spec: { containers: [{ name }] } });
    const context = new RequestContext(request, {});
    const matched = match(set.candidates(request)[0]!, context);
    if (matched.outcome !== "matched") throw new Error(matched.outcome);
    const params = await bindParams(matched.policy.paramKind, undefined, binding.spec.paramRef, "", undefined);
    expect(params).toEqual({ params: [null] });
    const { resource, kind } = matched;
    const objects = { object: request.object ?? null, oldObject: null };
    const namespace = { value: null, full: null };
    return evaluateConditions(matched.policy, { context, resource, kind, objects, params: null, namespace });
  };
  expect(await conditionsFor("web")).toMatchObject({ matched: true });
  expect(await conditionsFor("sidecar")).toMatchObject({
    matched: false,
    refusal: { by: "matchCondition", name: "not-there-yet" },
  });
  expect(set.candidates(podRequest({}, { operation: "DELETE" }))).toEqual([]);
});
