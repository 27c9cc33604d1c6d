// Leaving out policies of other namespaces changes no answer: random policies, bindings, namespaces and hosts, each request decided by all
// policies and by the candidates of its namespace.

import type { KubeObject } from "@celadon/kube";
import fc from "fast-check";
import { expect, test } from "vitest";
import { admit, admitEntries } from "../admit.ts";
import { RequestContext } from "../evaluate/context.ts";
import type { Hosts } from "../hosts.ts";
import { createResources } from "../memory/index.ts";
import { createMutatingPolicySet } from "../mutating/compile.ts";
import { mutate, mutateEntries } from "../mutating/dispatch.ts";
import { bindingOf, EVERYTHING, namespaceOf, podRequest, policyOf } from "../policies.testing.ts";
import type { MatchResources, MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from "../policy.ts";
import type { AdmissionRequest } from "../request.ts";
import { candidatesIn } from "./candidates.ts";
import { createPolicySet, type PolicyResource } from "./policy-set.ts";

const NAME = "kubernetes.io/metadata.name";
const NAMESPACES = [
  namespaceOf("a", { [NAME]: "a", team: "red" }),
  namespaceOf("b", { [NAME]: "b", team: "blue", tier: "web" }),
  namespaceOf("unlabelled"),
];

const label = fc.constantFrom([NAME, "a"], [NAME, "b"], ["team", "red"], ["team", "blue"], ["tier", "web"]);
const expression = fc.oneof(
  fc.record({
    key: fc.constantFrom(NAME, "team", "tier"),
    operator: fc.constantFrom("In", "NotIn"),
    values: fc.subarray(["a", "b", "red", "web"], { minLength: 1 }),
  }),
  fc.record({ key: fc.constantFrom("team", "tier"), operator: fc.constantFrom("Exists", "DoesNotExist") }),
);
const selector = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(label, { maxLength: 2 }).map((pairs) => ({ matchLabels: Object.fromEntries(pairs) })),
  },
  { weight: 3, arbitrary: fc.array(expression, { maxLength: 2 }).map((matchExpressions) => ({ matchExpressions })) },
  { weight: 1, arbitrary: fc.constant({ matchLabels: { "not a key": "x" } }) },
);
const rule = fc.constantFrom(
  EVERYTHING,
  { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] },
  { apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces"], operations: ["*"] },
  { apiGroups: ["events.k8s.io"], apiVersions: ["v1"], resources: ["events"], operations: ["CREATE", "UPDATE"] },
);
const constraints = fc.record(
  {
    resourceRules: fc.array(rule, { minLength: 1, maxLength: 2 }),
    excludeResourceRules: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(rule, { maxLength: 1 })),
    matchPolicy: fc.constantFrom("Exact" as const, "Equivalent" as const),
    namespaceSelector: selector,
    objectSelector: fc.constantFrom({}, { matchLabels: { app: "x" } }, { matchLabels: { "not a key": "x" } }),
    namespaces: fc.subarray(["a", "b", "c"], { minLength: 1 }),
    excludeNamespaces: fc.subarray(["a"]),
  },
  { requiredKeys: ["resourceRules"] },
) as fc.Arbitrary<MatchResources>;

const labelled = fc.record({ namespaceSelector: label.map(([key, value]) => ({ matchLabels: { [key!]: value! } })) });
const anyMatch = fc.option(fc.record({ namespaceSelector: selector }), { nil: undefined });
const bindingOn = (matchResources: fc.Arbitrary<MatchResources | undefined>) =>
  fc.record({ matchResources, namespace: fc.constantFrom("", "", "", "a", "b") });
const bindings = fc.oneof(
  { weight: 3, arbitrary: fc.array(bindingOn(labelled), { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.array(bindingOn(labelled), { minLength: 9, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.array(bindingOn(anyMatch), { minLength: 1, maxLength: 10 }) },
);
const PARAM_KINDS = [
  undefined,
  undefined,
  { apiVersion: "v1", kind: "ConfigMap" },
  { apiVersion: "x/v1", kind: "Gone" },
];
const policies = fc.array(fc.record({ constraints, bindings, paramKind: fc.constantFrom(...PARAM_KINDS) }), {
  minLength: 1,
  maxLength: 5,
});
type Policies = typeof policies extends fc.Arbitrary<infer T> ? T : never;

const request = fc
  .record({
    target: fc.constantFrom(
      ["", "pods", "Pod"],
      ["", "events", "Event"],
      ["events.k8s.io", "events", "Event"],
      ["", "namespaces", "Namespace"],
    ),
    operation: fc.constantFrom("CREATE" as const, "UPDATE" as const, "DELETE" as const),
    namespace: fc.constantFrom("a", "b", "unlabelled", "missing", ""),
    labels: fc.constantFrom({}, { app: "x" }, { team: "red" }),
  })
  .map(({ target: [group, resource, kind], operation, namespace, labels }): AdmissionRequest => {
    const version = "v1";
    const object: KubeObject = { apiVersion: "v1", kind: kind!, metadata: { name: "p", labels } };
    return podRequest(object, {
      kind: { group: group!, version, kind: kind! },
      resource: { group: group!, version, resource: resource! },
      operation,
      namespace,
    });
  });

const known = createResources();
const hosts: fc.Arbitrary<Hosts> = fc
  .record({
    namespaces: fc.constantFrom("now", "later", "failing", "hostile"),
    resources: fc.constantFrom("known", "none", "nameless", "failing"),
  })
  .map(({ namespaces, resources }): Hosts => {
    const find = (name: string): KubeObject | undefined => NAMESPACES.find(({ metadata }) => metadata?.name === name);
    const hostile = {
      get metadata(): never {
        throw new Error("metadata cannot be read");
      },
    } as unknown as KubeObject;
    return {
      namespaces: {
        namespace: (name) => {
          if (namespaces === "failing") throw new Error("no namespaces today");
          if (namespaces === "hostile") return hostile;
          return namespaces === "later" ? Promise.resolve(find(name)) : find(name);
        },
      },
      ...(resources !== "none" && {
        resources: {
          equivalents: (...asked) => {
            if (resources === "failing") throw new Error("no mapper today");
            return known.equivalents(...asked);
          },
          kind: (...asked) => (resources === "nameless" ? undefined : known.kind(...asked)),
        },
      }),
      params: {
        scope: ({ kind }) => (kind === "ConfigMap" ? "Namespaced" : undefined),
        get: () => undefined,
        list: () => [],
      },
    } as Hosts;
  });

test("validating policies", async () => {
  await fc.assert(
    fc.asyncProperty(
      policies,
      fc.array(request, { minLength: 1, maxLength: 6 }),
      hosts,
      async (all, requests, host) => {
        const set = createPolicySet(resourcesOf(all), { gates: { NamespaceLists: true, NamespacedBindings: true } });
        for (const asked of requests) {
          const { verdicts: _, ...scanned } = await admitEntries(asked, set.candidates(asked, host.resources), host);
          const { verdicts: __, ...found } = await admit(asked, set, host);
          expect(found).toEqual(scanned);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("mutating policies", async () => {
  await fc.assert(
    fc.asyncProperty(
      policies,
      fc.array(request, { minLength: 1, maxLength: 6 }),
      hosts,
      async (all, requests, host) => {
        const set = createMutatingPolicySet(mutating(resourcesOf(all)));
        for (const asked of requests) {
          const { notInvoked: _, ...scanned } = await mutateEntries(asked, set.candidates(asked, host.resources), host);
          const { notInvoked: __, ...found } = await mutate(asked, set, host);
          expect(found).toEqual(scanned);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test("a policy that matches a resource of an unknown kind is an error, also where none of its bindings applies", async () => {
  const events = {
    apiGroups: ["events.k8s.io"],
    apiVersions: ["v1"],
    resources: ["events"],
    operations: ["*" as const],
  };
  const set = createPolicySet([
    policyOf("events", { matchConstraints: { resourceRules: [events] } }),
    bindingOf("elsewhere", "events", { matchResources: { namespaceSelector: { matchLabels: { team: "blue" } } } }),
  ]);
  const asked = podRequest(
    {},
    {
      kind: { group: "", version: "v1", kind: "Event" },
      resource: { group: "", version: "v1", resource: "events" },
      namespace: "a",
    },
  );
  const namespaces = { namespace: () => NAMESPACES[0] };
  const nameless = { ...known, equivalents: known.equivalents.bind(known), kind: () => undefined };
  expect((await admit(asked, set, { namespaces, resources: nameless })).failures).toMatchObject([
    { policy: "events", source: "configuration" },
  ]);
  expect((await admit(asked, set, { namespaces, resources: known })).failures).toEqual([]);
});

test("policies and bindings of other namespaces are skipped", async () => {
  const matchResources = (name: string): MatchResources => ({ namespaceSelector: { matchLabels: { [NAME]: name } } });
  const names = Array.from({ length: 50 }, (_, i) => (i === 7 ? "a" : `other-${i}`));
  const set = createPolicySet([
    ...names.flatMap((name, i) => [
      policyOf(`policy-${i}`, { matchConstraints: { resourceRules: [EVERYTHING], ...matchResources(name) } }),
      bindingOf(`binding-${i}`, `policy-${i}`),
    ]),
    policyOf("shared"),
    ...names.map((name, i) => bindingOf(`shared-${i}`, "shared", { matchResources: matchResources(name) })),
  ]);
  const asked = podRequest({}, { namespace: "a" });
  const host: Hosts = { namespaces: { namespace: () => NAMESPACES[0] } };
  const entries = await candidatesIn(set.find(asked), new RequestContext(asked, host));
  expect(entries.map(({ policy, bindings: bound }) => [policy.name, bound.map(({ name }) => name)])).toEqual([
    ["policy-7", ["binding-7"]],
    ["shared", ["shared-7"]],
  ]);
});

function resourcesOf(all: Policies): PolicyResource[] {
  return all.flatMap(({ constraints: matchConstraints, bindings: bound, paramKind }, i) => [
    policyOf(`p${i}`, { matchConstraints, ...(paramKind && { paramKind }) }),
    ...bound.map(({ matchResources, namespace }, j) => {
      const binding = bindingOf(`b${i}-${j}`, `p${i}`, {
        ...(matchResources && { matchResources }),
        ...(paramKind && { paramRef: { name: "x", parameterNotFoundAction: "Deny" as const } }),
      });
      return namespace === "" ? binding : { ...binding, metadata: { ...binding.metadata, namespace } };
    }),
  ]);
}

/** The same as mutating policies, which set an annotation. */
function mutating(resources: readonly PolicyResource[]): (MutatingAdmissionPolicy | MutatingAdmissionPolicyBinding)[] {
  return resources.map((resource) => {
    if (resource.kind === "ValidatingAdmissionPolicyBinding") {
      const { validationActions: _, ...spec } = resource.spec;
      return { ...resource, kind: "MutatingAdmissionPolicyBinding", spec };
    }
    const { validations: _, ...spec } = resource.spec;
    const expression = `[JSONPatch{op: "add", path: "/metadata/annotations", value: {"by": "${resource.metadata.name}"}}]`;
    const mutations = [{ patchType: "JSONPatch" as const, jsonPatch: { expression } }];
    const more = { failurePolicy: "Fail" as const, reinvocationPolicy: "IfNeeded" as const, mutations };
    return { ...resource, kind: "MutatingAdmissionPolicy", spec: { ...spec, ...more } } as MutatingAdmissionPolicy;
  });
}
