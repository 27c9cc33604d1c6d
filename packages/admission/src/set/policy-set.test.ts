// The index finds the same policies as a scan of all; sets are immutable and share unchanged parts.

import fc from "fast-check";
import { expect, test } from "vitest";
import { RequestContext } from "../evaluate/context.ts";
import { match } from "../match.ts";
import { createResources } from "../memory/index.ts";
import { bindingOf, EVERYTHING, podRequest, policyOf } from "../policies.testing.ts";
import type { NamedRuleWithOperations, RuleOperation } from "../policy.ts";
import type { AdmissionRequest } from "../request.ts";
import { readPolicyResource } from "../resources/index.ts";
import { createPolicySet, type PolicyEntry, type PolicyResource } from "./policy-set.ts";

const resources = createResources();
const some = (...texts: string[]) => fc.subarray(texts, { minLength: 1, maxLength: 2 });
const rule: fc.Arbitrary<NamedRuleWithOperations> = fc.record({
  apiGroups: some("", "*", "apps", "events.k8s.io", "x"),
  apiVersions: some("v1", "*", "v2"),
  resources: some("pods", "*", "pods/*", "pods/status", "*/*", "*/scale", "events", "deployments", "deployments/scale"),
  operations: fc.subarray<RuleOperation>(["CREATE", "UPDATE", "DELETE", "CONNECT", "*"], {
    minLength: 1,
    maxLength: 2,
  }),
  scope: fc.constantFrom("*" as const, "Cluster" as const, "Namespaced" as const),
});
const rules = fc.array(rule, { minLength: 1, maxLength: 3 });
const policy = fc.record({
  resourceRules: rules,
  matchPolicy: fc.constantFrom("Exact" as const, "Equivalent" as const),
  excludeResourceRules: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: rules }),
});
const request = fc
  .record({
    target: fc.constantFrom(
      ["", "pods", "Pod", ""],
      ["", "pods", "Pod", "status"],
      ["", "events", "Event", ""],
      ["events.k8s.io", "events", "Event", ""],
      ["apps", "deployments", "Deployment", ""],
      ["apps", "deployments", "Deployment", "scale"],
      ["admissionregistration.k8s.io", "validatingadmissionpolicies", "ValidatingAdmissionPolicy", ""],
      ["authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview", ""],
    ),
    operation: fc.constantFrom("CREATE" as const, "UPDATE" as const, "DELETE" as const, "CONNECT" as const),
    namespace: fc.constantFrom("", "n"),
  })
  .map(({ target, operation, namespace }): AdmissionRequest => {
    const [group = "", resource = "", kind = "", subresource = ""] = target;
    const version = "v1";
    return podRequest(
      {},
      { kind: { group, version, kind }, resource: { group, version, resource }, subresource, operation, namespace },
    );
  });

const names = (asked: AdmissionRequest, entries: readonly PolicyEntry[]): string[] => {
  const context = new RequestContext(asked, { resources });
  return entries.filter((entry) => match(entry, context).outcome === "matched").map(({ policy: { name } }) => name);
};

// Resources that are exempt from policies; a scan has to leave them out by itself.
const exempt = ({ resource }: AdmissionRequest): boolean =>
  ["validatingadmissionpolicies", "subjectaccessreviews"].includes(resource.resource);

test("the index and a scan find the same policies", () => {
  fc.assert(
    fc.property(
      fc.array(policy, { maxLength: 12 }),
      fc.array(request, { minLength: 1, maxLength: 10 }),
      (constraints, requests) => {
        const set = createPolicySet(
          constraints.flatMap((matchConstraints, i) => [
            policyOf(`p${i}`, { matchConstraints }),
            bindingOf(`b${i}`, `p${i}`),
          ]),
        );
        for (const asked of requests) {
          const scanned = exempt(asked) ? [] : names(asked, set.entries());
          expect(names(asked, set.candidates(asked, resources))).toEqual(scanned);
        }
      },
    ),
    { numRuns: 150 },
  );
});

type Change = { readonly put: PolicyResource } | { readonly kind: PolicyResource["kind"]; readonly name: string };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.nat(4), policy).map(([i, matchConstraints]) => ({ put: policyOf(`p${i}`, { matchConstraints }) })),
  fc.tuple(fc.nat(6), fc.nat(5)).map(([i, j]) => ({ put: bindingOf(`b${i}`, `p${j}`) })),
  fc.nat(4).map((i) => ({ kind: "ValidatingAdmissionPolicy" as const, name: `p${i}` })),
  fc.nat(6).map((i) => ({ kind: "ValidatingAdmissionPolicyBinding" as const, name: `b${i}` })),
);

test("a set changed step by step is the set built at once", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 25 }), request, (changes, asked) => {
      let set = createPolicySet();
      const all = new Map<string, PolicyResource>();
      for (const item of changes) {
        if ("put" in item) {
          set = set.with({ put: [item.put] });
          all.set(`${item.put.kind} ${item.put.metadata.name}`, item.put);
        } else {
          set = set.with({ remove: [item] });
          all.delete(`${item.kind} ${item.name}`);
        }
      }
      const whole = createPolicySet(all.values());
      const shape = (entries: readonly PolicyEntry[]) =>
        entries.map(({ policy: p, bindings }) => [p.policy, bindings.map((b) => b.binding)]);
      expect(shape(set.entries())).toEqual(shape(whole.entries()));
      expect(shape(set.candidates(asked, resources))).toEqual(shape(whole.candidates(asked, resources)));
    }),
    { numRuns: 100 },
  );
});

test("what did not change is shared, and the old set stays as it was", () => {
  const first = createPolicySet([policyOf("a"), bindingOf("a", "a"), policyOf("b"), bindingOf("b", "b")]);
  const second = first.with({ put: [policyOf("b", { validations: [{ expression: "true" }] })] });
  expect(second.policy("a")).toBe(first.policy("a"));
  expect(second.entries()[0]).toBe(first.entries()[0]);
  expect(second.policy("b")).not.toBe(first.policy("b"));
  expect(first.policy("b")?.validations[0]?.text).toBe("false");
});

test("policies without a binding, and bindings without a policy, are not asked", () => {
  const set = createPolicySet([policyOf("lonely"), bindingOf("dangling", "nobody")]);
  expect(set.entries()).toEqual([]);
  expect(set.with({ put: [policyOf("nobody")] }).entries()).toHaveLength(1);
});

test("static policies come first, and only they are evaluated for policies", () => {
  const set = createPolicySet(["a", "z.static.k8s.io"].flatMap((name) => [policyOf(name), bindingOf(name, name)]));
  const asked = podRequest(
    {},
    { resource: { group: "admissionregistration.k8s.io", version: "v1", resource: "validatingadmissionpolicies" } },
  );
  expect(set.entries().map(({ policy: { name } }) => name)).toEqual(["z.static.k8s.io", "a"]);
  expect(set.candidates(asked).map(({ policy: { name } }) => name)).toEqual(["z.static.k8s.io"]);
});

test("an object of another kind is rejected, not used as a binding", () => {
  const foreign = { ...bindingOf("b", "p"), kind: "MutatingAdmissionPolicyBinding" } as unknown as PolicyResource;
  expect(() => createPolicySet([policyOf("p"), foreign])).toThrow(
    "MutatingAdmissionPolicyBinding b is neither a ValidatingAdmissionPolicy nor a binding of one",
  );
});

const policyWith = (spec: unknown) => ({ ...policyOf("p"), spec });
const bindingWith = (spec: unknown) => ({ ...bindingOf("b", "p"), spec });
const matching = (rules: unknown) => policyWith({ matchConstraints: { resourceRules: rules } });

// biome-ignore format: one case per line
test.each([
  { resource: null,                                                                want: "undefined  is neither a ValidatingAdmissionPolicy nor a binding of one" },
  { resource: policyWith(undefined),                                               want: "ValidatingAdmissionPolicy p: spec must be an object" },
  { resource: policyWith([]),                                                      want: "ValidatingAdmissionPolicy p: spec must be an object" },
  { resource: policyWith({ validations: {} }),                                     want: "ValidatingAdmissionPolicy p: spec.validations must be a list" },
  { resource: policyWith({ validations: [null] }),                                 want: "ValidatingAdmissionPolicy p: spec.validations[0] must be an object" },
  { resource: policyWith({ validations: [{}] }),                                   want: "ValidatingAdmissionPolicy p: spec.validations[0].expression must be a string" },
  { resource: policyWith({ validations: [{ expression: "true" }, { expression: 7 }] }), want: "ValidatingAdmissionPolicy p: spec.validations[1].expression must be a string" },
  { resource: policyWith({ variables: [{ name: "x" }] }),                          want: "ValidatingAdmissionPolicy p: spec.variables[0].expression must be a string" },
  { resource: policyWith({ auditAnnotations: [{ key: "x" }] }),                    want: "ValidatingAdmissionPolicy p: spec.auditAnnotations[0].valueExpression must be a string" },
  { resource: policyWith({ paramKind: "ConfigMap" }),                              want: "ValidatingAdmissionPolicy p: spec.paramKind must be an object" },
  { resource: matching("x"),                                                       want: "ValidatingAdmissionPolicy p: spec.matchConstraints.resourceRules must be a list" },
  { resource: matching([{ apiGroups: "apps" }]),                                   want: "ValidatingAdmissionPolicy p: spec.matchConstraints.resourceRules[0].apiGroups must be a list" },
  { resource: matching([{ resources: [1] }]),                                      want: "ValidatingAdmissionPolicy p: spec.matchConstraints.resourceRules[0].resources[0] must be a string" },
  { resource: policyWith({ matchConstraints: { objectSelector: { matchLabels: { a: 1 } } } }), want: "ValidatingAdmissionPolicy p: spec.matchConstraints.objectSelector.matchLabels.a must be a string" },
  { resource: bindingWith(undefined),                                              want: "ValidatingAdmissionPolicyBinding b: spec must be an object" },
  { resource: bindingWith({ policyName: 1 }),                                      want: "ValidatingAdmissionPolicyBinding b: spec.policyName must be a string" },
  { resource: bindingWith({ validationActions: "Deny" }),                          want: "ValidatingAdmissionPolicyBinding b: spec.validationActions must be a list" },
])("a resource not of its type is refused by name: $want", ({ resource, want }) => {
  const set = createPolicySet([policyOf("a"), bindingOf("a", "a")]);
  expect(() => set.with({ put: [resource as PolicyResource] })).toThrow(new TypeError(want));
  expect(set.entries()).toHaveLength(1);
});

test("fields that are null are as if they were not there", () => {
  const spec = {
    failurePolicy: null,
    paramKind: null,
    matchConstraints: { resourceRules: [{ ...EVERYTHING, scope: null, resourceNames: null }], objectSelector: null },
    matchConditions: null,
    validations: [{ expression: "false", messageExpression: null, message: null }],
    auditAnnotations: null,
    other: null,
  };
  const nulls = bindingWith({ policyName: "p", validationActions: ["Deny"], paramRef: null, matchResources: null });
  const set = createPolicySet([policyWith(spec), nulls] as unknown as PolicyResource[]);
  expect(set.policy("p")?.policy.spec).toEqual({
    matchConstraints: { resourceRules: [EVERYTHING] },
    validations: [{ expression: "false" }],
    other: null,
  });
  expect(names(podRequest(), set.candidates(podRequest()))).toEqual(["p"]);
  expect(createPolicySet([policyWith({ validations: null })] as unknown as PolicyResource[]).policy("p")).toMatchObject(
    {
      validations: [],
      match: undefined,
    },
  );
  const whole = policyOf("p");
  expect(createPolicySet([whole]).policy("p")?.policy).toBe(whole);
});

test("a resource read as the API server reads it always has the shape", () => {
  const odd = {
    validations: [null, {}],
    variables: [{}],
    matchConditions: [{}],
    matchConstraints: { resourceRules: [null] },
  };
  for (const spec of [undefined, null, odd]) {
    const { resource } = readPolicyResource(policyWith(spec), "ValidatingAdmissionPolicy");
    expect(() => createPolicySet([resource!])).not.toThrow();
  }
});
