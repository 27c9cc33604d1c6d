// The changes between two simulated clusters, whether all requests are answered or only those that a change can reach.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Manifest } from "../manifest/manifest.ts";
import type { IntendedRequest } from "../request/intended-request.ts";
import { SimulatedCluster } from "../simulated/simulated-cluster.ts";
import { changeOf } from "./change-of.ts";
import { ClusterPair } from "./cluster-pair.ts";
import { resourceChanges } from "./resource-changes.ts";

const ADMISSION = "admissionregistration.k8s.io/v1";

function policy(name: string, spec: object): Manifest {
  const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["*"] }];
  return {
    object: {
      apiVersion: ADMISSION,
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: { matchConstraints: { resourceRules }, ...spec },
    },
  };
}

const says = (name: string, expression: string, message = `${name} says no`): Manifest =>
  policy(name, { validations: [{ expression, message }] });

function binding(name: string, validationActions: readonly string[], more: object = {}): Manifest {
  return {
    object: {
      apiVersion: ADMISSION,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions, ...more },
    },
  };
}

const pod = (name: string, labels: Record<string, string> = {}, namespace = "shop"): IntendedRequest => ({
  object: {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels },
    spec: { containers: [{ name: "a", image: "i" }] },
  },
});

const namespace = (name: string, labels: Record<string, string>): Manifest => ({
  object: { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } },
});

const config = (name: string, data: Record<string, string>): Manifest => ({
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "shop" }, data },
});

const definition = (maximum: number): Manifest => ({
  object: {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { size: { type: "integer", maximum } } } },
        },
      ],
    },
  },
});

const widget: IntendedRequest = {
  object: { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "shop" }, size: 5 },
};

const role = (verbs: readonly string[]): Manifest => ({
  object: {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "r" },
    rules: [{ apiGroups: [""], resources: ["secrets"], verbs }],
  },
});
const everybody: Manifest = {
  object: {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "r" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" },
    subjects: [{ kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" }],
  },
};
const asAnn: IntendedRequest = { ...pod("web"), user: { username: "ann", groups: [] } };

const webhook = (operations: readonly string[]): Manifest => ({
  object: {
    apiVersion: ADMISSION,
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "hooks" },
    webhooks: [
      {
        name: "h.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { url: "https://h.example.com" },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations }],
      },
    ],
  },
});

const limited = policy("limited", {
  paramKind: { apiVersion: "v1", kind: "ConfigMap" },
  validations: [{ expression: "object.metadata.name != params.data.name" }],
});
const limit = binding("limited", ["Deny"], {
  paramRef: { name: "c", namespace: "shop", parameterNotFoundAction: "Deny" },
});
const annotated = (value: string): Manifest =>
  policy("p", { auditAnnotations: [{ key: "k", valueExpression: `'${value}'` }] });
const [no, yes] = [says("p", "false"), says("p", "true")];
const [deny, warn, audit] = [binding("p", ["Deny"]), binding("p", ["Warn"]), binding("p", ["Audit"])];
const onlyBlue = binding("p", ["Deny"], { matchResources: { namespaceSelector: { matchLabels: { c: "blue" } } } });
const byRole = says("p", "authorizer.group('').resource('secrets').check('get').allowed()");

interface Case {
  readonly name: string;
  readonly old: readonly Manifest[];
  readonly next: readonly Manifest[];
  readonly ask?: IntendedRequest;
  readonly want: string | undefined;
}

// biome-ignore format: one case per line
const cases: Case[] = [
  { name: "nothing",                        old: [no, deny],                     next: [no, deny],                        want: undefined },
  { name: "a policy that is met is added",  old: [],                             next: [yes, deny],                       want: undefined },
  { name: "a policy is added",              old: [],                             next: [no, deny],                        want: "denied" },
  { name: "a policy is removed",            old: [no, deny],                     next: [],                                want: "allowed" },
  { name: "its binding is removed",         old: [no, deny],                     next: [no],                              want: "allowed" },
  { name: "it is loosened",                 old: [no, deny],                     next: [yes, deny],                       want: "allowed" },
  { name: "Warn becomes Deny",              old: [no, warn],                     next: [no, deny],                        want: "denied" },
  { name: "Audit becomes Warn",             old: [no, audit],                    next: [no, warn],                        want: "warnings" },
  { name: "it is audited",                  old: [],                             next: [no, audit],                       want: "audit" },
  { name: "another message",                old: [no, deny],                     next: [says("p", "false", "other"), deny], want: "answer" },
  { name: "another warning",                old: [no, warn],                     next: [says("p", "false", "other"), warn], want: "warnings" },
  { name: "another message, not shown",     old: [yes, deny],                    next: [says("p", "true", "other"), deny], want: undefined },
  { name: "an annotation changes",          old: [annotated("a"), deny],         next: [annotated("b"), deny],            want: "audit" },
  { name: "one more refusal behind",        old: [no, deny],                     next: [no, deny, says("q", "false"), binding("q", ["Deny"])], want: "answer" },
  { name: "one more refusal before",        old: [no, deny],                     next: [no, deny, says("a", "false"), binding("a", ["Deny"])], want: "answer" },
  { name: "false becomes an error",         old: [no, deny],                     next: [says("p", "object.nothing == 1"), deny], want: "error" },
  { name: "an error that is ignored",       old: [yes, deny],                    next: [policy("p", { failurePolicy: "Ignore", validations: [{ expression: "object.nothing == 1" }] }), deny], want: "error" },
  { name: "no longer matched",              old: [yes, deny],                    next: [policy("p", { matchConditions: [{ name: "m", expression: "false" }], validations: [{ expression: "true" }] }), deny], want: "matching" },
  { name: "a param changes",                old: [limited, limit, config("c", { name: "web" })], next: [limited, limit, config("c", { name: "x" })], want: "allowed" },
  { name: "a param is gone",                old: [limited, limit, config("c", { name: "x" })],   next: [limited, limit],  want: "denied" },
  { name: "labels of the namespace change", old: [no, onlyBlue, namespace("shop", {})], next: [no, onlyBlue, namespace("shop", { c: "blue" })], want: "denied" },
  { name: "of another namespace",           old: [no, onlyBlue, namespace("x", {})],    next: [no, onlyBlue, namespace("x", { c: "blue" })],    want: undefined },
  { name: "permissions change",             old: [byRole, deny, everybody, role(["get"])], next: [byRole, deny, everybody, role(["list"])], ask: asAnn, want: "denied" },
  { name: "permissions nobody asks about",  old: [yes, deny, everybody, role(["get"])],    next: [yes, deny, everybody, role(["list"])],    ask: asAnn, want: undefined },
  { name: "the definition is tighter",      old: [definition(9)],                next: [definition(3)],                   ask: widget, want: "denied" },
  { name: "the definition is looser",       old: [definition(3)],                next: [definition(9)],                   ask: widget, want: "allowed" },
  { name: "of another kind",                old: [definition(9)],                next: [definition(3)],                   want: undefined },
  { name: "a webhook is called no more",    old: [webhook(["CREATE"])],          next: [webhook(["UPDATE"])],             want: "webhooks" },
  { name: "a refused policy is not in force", old: [no, deny],                   next: [says("p", "this is no expression"), deny], want: "allowed" },
];

test.each(cases)("$name", async ({ old, next, ask = pod("web"), want }) => {
  const pair = new ClusterPair({ shared: [], old, next });
  const { change } = await pair.compare({ ask });
  expect(change?.kind).toBe(want);
  const [before, after] = [SimulatedCluster.of(old), SimulatedCluster.of(next)];
  const inBoth = (name: string): boolean =>
    [before, after].every((simulated) => simulated.policies.policy(name) !== undefined);
  expect(change).toEqual(changeOf(await before.review(ask), await after.review(ask), inBoth));
});

test("who says what otherwise", async () => {
  const next = [says("p", "false", "other"), deny, says("q", "false"), binding("q", ["Warn"])];
  const { change } = await new ClusterPair({ shared: [], old: [no, deny], next }).compare({ ask: pod("web") });
  expect(change?.problems.map(({ was, now }) => [was?.message, now?.message, now?.level])).toEqual([
    ["p says no", "other", "deny"],
    [undefined, "q says no", "warn"],
  ]);
  expect(change?.warnings).toEqual({
    removed: [],
    added: [expect.stringContaining("q says no")],
  });
});

test("matches of policies that a change reaches are counted, and of no others", async () => {
  const old = [no, deny, says("kept", "false"), binding("kept", ["Deny"])];
  const next = [yes, deny, says("kept", "false"), binding("kept", ["Deny"])];
  const pair = new ClusterPair({ shared: [], old, next });
  for (const name of ["a", "b"]) await pair.compare({ ask: pod(name) });
  expect(pair.matches).toEqual([{ policy: "p", matched: { was: 2, now: 2 }, failed: { was: 2, now: 0 } }]);
});

test("a policy with other words is evaluated again only where it denies", async () => {
  const [short, other] = [
    says("p", "size(object.metadata.name) < 4"),
    says("p", "size(object.metadata.name) < 4", "other"),
  ];
  const pair = new ClusterPair({ shared: [deny], old: [short], next: [other] });
  const kinds = ["a", "long", "b"].map(async (name) => (await pair.compare({ ask: pod(name) })).change?.kind);
  expect(await Promise.all(kinds)).toEqual([undefined, "answer", undefined]);
  expect(pair.matches).toEqual([{ policy: "p", matched: { was: 3, now: 3 }, failed: { was: 1, now: 1 } }]);
});

test("sets come before what both share", async () => {
  const pair = new ClusterPair({ shared: [no, deny], old: [], next: [yes] });
  expect((await pair.compare({ ask: pod("web") })).change?.kind).toBe("allowed");
  const gone = new ClusterPair({ shared: [no, deny], old: [no], next: [] });
  expect((await gone.compare({ ask: pod("web") })).change?.kind).toBe("allowed");
});

test("what a server writes into a resource is no change", () => {
  const served = {
    object: {
      ...no.object,
      metadata: {
        ...no.object.metadata,
        uid: "u",
        resourceVersion: "7",
        creationTimestamp: "2026-01-01T00:00:00Z",
        generation: 3,
        managedFields: [],
        annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" },
      },
      status: { observedGeneration: 3 },
    },
  };
  expect(resourceChanges([no], [served])).toEqual([]);
  expect(resourceChanges([no, deny], [yes]).map(({ role: kind, change }) => [kind, change])).toEqual([
    ["policy", "changed"],
    ["binding", "removed"],
  ]);
});

// Any change of any resources: asking only about reached requests finds the same as asking about all.
const resources = fc.record({
  p: fc.constantFrom(
    undefined,
    no,
    yes,
    says("p", "true", "other"),
    byRole,
    says("p", "object.metadata.labels.team == 'x'"),
    says("p", "object.metadata.labels.team == 'x'", "other"),
    annotated("a"),
  ),
  q: fc.constantFrom(
    undefined,
    says("q", "false"),
    says("q", "namespaceObject.metadata.labels.c == 'blue'"),
    limitedAs("q"),
  ),
  p2: fc.constantFrom(undefined, deny, warn, audit, onlyBlue),
  q2: fc.constantFrom(undefined, binding("q", ["Deny"]), {
    object: { ...limit.object, metadata: { name: "q" }, spec: { ...(limit.object.spec as object), policyName: "q" } },
  }),
  config: fc.constantFrom(undefined, config("c", { name: "web" }), config("c", { name: "x" })),
  namespace: fc.constantFrom(undefined, namespace("shop", {}), namespace("shop", { c: "blue" })),
  role: fc.constantFrom(undefined, role(["get"]), role(["list"])),
  definition: fc.constantFrom(undefined, definition(3), definition(9)),
  webhook: fc.constantFrom(undefined, webhook(["CREATE"]), webhook(["UPDATE"])),
});

function limitedAs(name: string): Manifest {
  return { object: { ...limited.object, metadata: { name } } };
}

const asks = [pod("web"), pod("x", { team: "x" }), pod("web", {}, "other"), asAnn, widget];

test("evaluating only requests that a change can reach finds every difference", async () => {
  await fc.assert(
    fc.asyncProperty(resources, resources, async (a, b) => {
      const setOf = (item: typeof a): Manifest[] => Object.values(item).filter((manifest) => manifest !== undefined);
      const [old, next] = [setOf(a), setOf(b)];
      const pair = new ClusterPair({ shared: [everybody], old, next });
      const [before, after] = [SimulatedCluster.of([everybody, ...old]), SimulatedCluster.of([everybody, ...next])];
      const inBoth = (name: string): boolean =>
        [before, after].every((simulated) => simulated.policies.policy(name) !== undefined);
      for (const ask of asks) {
        const { change } = await pair.compare({ ask });
        expect(change).toEqual(changeOf(await before.review(ask), await after.review(ask), inBoth));
      }
    }),
    { numRuns: 60 },
  );
});
