// The index finds what a scan of all policies finds; sets are immutable and share what did not change.

import fc from "fast-check";
import { expect, test } from "vitest";
import { RequestContext } from "./context.ts";
import { match } from "./match.ts";
import { createResources } from "./memory/index.ts";
import { bindingOf, podRequest, policyOf } from "./policies.testing.ts";
import type { NamedRuleWithOperations, RuleOperation } from "./policy.ts";
import { createPolicySet, type PolicyEntry, type PolicyResource } from "./policy-set.ts";
import type { AdmissionRequest } from "./request.ts";

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

// Resources that policies are never asked about; a scan has to leave them out by itself.
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
      for (const one of changes) {
        if ("put" in one) {
          set = set.with({ put: [one.put] });
          all.set(`${one.put.kind} ${one.put.metadata.name}`, one.put);
        } else {
          set = set.with({ remove: [one] });
          all.delete(`${one.kind} ${one.name}`);
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

test("policies from files come first, and alone are asked about policies", () => {
  const set = createPolicySet(["a", "z.static.k8s.io"].flatMap((name) => [policyOf(name), bindingOf(name, name)]));
  const asked = podRequest(
    {},
    { resource: { group: "admissionregistration.k8s.io", version: "v1", resource: "validatingadmissionpolicies" } },
  );
  expect(set.entries().map(({ policy: { name } }) => name)).toEqual(["z.static.k8s.io", "a"]);
  expect(set.candidates(asked).map(({ policy: { name } }) => name)).toEqual(["z.static.k8s.io"]);
});

test("what is of another kind is refused, not taken for a binding", () => {
  const foreign = { ...bindingOf("b", "p"), kind: "MutatingAdmissionPolicyBinding" } as unknown as PolicyResource;
  expect(() => createPolicySet([policyOf("p"), foreign])).toThrow(
    "MutatingAdmissionPolicyBinding b is neither a ValidatingAdmissionPolicy nor a binding of one",
  );
});
