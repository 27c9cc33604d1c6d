import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import { Tally } from "../explain/tally.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { IntendedRequest } from "../request/intended-request.ts";
import { SimulatedCluster } from "./simulated-cluster.ts";

const admission = "admissionregistration.k8s.io/v1";
const policy = (name: string, expression: string, resources: string[] = ["pods"], apiGroups = [""]): Manifest => ({
  object: {
    apiVersion: admission,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [{ apiGroups, apiVersions: ["v1"], resources, operations: ["*"] }] },
      validations: [{ expression, message: `${name} says no` }],
    },
  },
});
const binding = (name: string, validationActions: string[]): Manifest => ({
  object: {
    apiVersion: admission,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions },
  },
});
const definition: Manifest = {
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
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  properties: { size: { type: "integer", default: 1 }, max: { type: "integer", maximum: 9 } },
                  "x-kubernetes-validations": [
                    { rule: "!has(self.max) || self.size <= self.max", message: "too large" },
                    { rule: "self.size >= oldSelf.size", message: "may not shrink" },
                  ],
                },
              },
            },
          },
        },
      ],
    },
  },
};
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a" },
  spec: { containers: [{ name: "c", image: "i" }] },
};
const widget = (spec: object) => ({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, spec });

// biome-ignore format: one case per line
const cases: { name: string; simulated: Manifest[]; ask: IntendedRequest; want: string[] }[] = [
  { name: "nothing concerns it",    simulated: [],                                                              ask: { object: pod },                               want: ["allowed"] },
  { name: "a policy denies",        simulated: [policy("p", "false"), binding("p", ["Deny"])],                  ask: { object: pod },                               want: ["denied", "policy deny p says no returned"] },
  { name: "a policy warns",         simulated: [policy("p", "false"), binding("p", ["Warn"])],                  ask: { object: pod },                               want: ["allowed", "policy warn p says no"] },
  { name: "two deny, one returned", simulated: [policy("p", "false"), binding("p", ["Deny"]), policy("q", "false"), binding("q", ["Deny"])], ask: { object: pod }, want: ["denied", "policy deny p says no returned", "policy deny q says no"] },
  { name: "a policy that does not compile is not in force", simulated: [policy("p", "objekt == 1"), binding("p", ["Deny"])], ask: { object: pod },              want: ["allowed"] },
  { name: "and is refused itself",  simulated: [policy("p", "1 +")],                                            ask: { object: policy("p", "1 +").object },         want: ["denied", expect.stringContaining("validation deny spec.validations[0].expression: Invalid value")] as unknown as string[] },
  { name: "a rule denies",          simulated: [definition],                                                    ask: { object: widget({ size: 5, max: 3 }) },       want: ["denied", "rules deny spec: Invalid value: too large returned"] },
  { name: "a transition rule",      simulated: [definition],                                                    ask: { object: widget({ size: 1 }), oldObject: widget({ size: 2 }) }, want: ["denied", "rules deny spec: Invalid value: may not shrink returned"] },
  { name: "rule before policy",     simulated: [definition, policy("p", "false", ["widgets"], ["example.com"]), binding("p", ["Deny"])], ask: { object: widget({ size: 5, max: 3 }) }, want: ["denied", "rules deny spec: Invalid value: too large returned", "policy deny p says no"] },
  { name: "an unknown field",       simulated: [definition],                                                    ask: { object: widget({ sice: 5 }) },               want: ["denied", 'validation deny unknown field "spec.sice" returned'] },
  { name: "deleting asks with the old object", simulated: [policy("p", "object == null && oldObject.metadata.name == 'b'"), binding("p", ["Deny"])], ask: { object: pod, operation: "DELETE" }, want: ["denied", "policy deny p says no returned"] },
];

test.each(cases)("$name", async ({ simulated, ask, want }) => {
  const outcome = await SimulatedCluster.of(simulated).review(ask);
  const problems = outcome.problems.map(
    ({ system, level, message, returned }) => `${system} ${level} ${message}${returned ? " returned" : ""}`,
  );
  expect([outcome.allowed ? "allowed" : "denied", ...problems]).toEqual(want);
});

test("a changed simulated shares what did not change", async () => {
  const simulated = SimulatedCluster.of([policy("p", "params == null"), binding("p", ["Deny"]), definition]);
  const other = simulated.with({ put: [{ object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } } }] });
  expect(other.policies).toBe(simulated.policies);
  expect(other.typeOf("example.com", "Widget")).toBe(simulated.typeOf("example.com", "Widget"));
  const without = simulated.with({ remove: [binding("p", []).object] });
  expect(without.policies).not.toBe(simulated.policies);
  expect((await without.review({ object: pod })).allowed).toBe(true);
});

test("policies that never match, bound or not", async () => {
  const bound = [
    policy("bound", "true"),
    binding("bound", ["Deny"]),
    policy("other", "true", ["services"]),
    binding("other", ["Deny"]),
  ];
  const simulated = SimulatedCluster.of([...bound, policy("unbound", "true")]);
  const tally = new Tally();
  const outcome = await simulated.review({ object: pod });
  tally.add(outcome);
  const found = await tally.finish(simulated, [outcome.request]);
  expect(found.map(({ policy, matched, refusals }) => [policy, matched, refusals[0]?.text])).toEqual([
    ["unbound", 0, "the policy has no binding"],
    ["bound", 1, undefined],
    ["other", 0, "no resource rule matches: resourceRules[0].resources"],
  ]);
});

test("the closest object shows why a policy never matched", async () => {
  const picky = policy("picky", "true");
  const spec = { ...(picky.object.spec as object), matchConditions: [{ name: "never", expression: "false" }] };
  const simulated = SimulatedCluster.of([{ ...picky, object: { ...picky.object, spec } }, binding("picky", ["Deny"])]);
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } };
  const requests = [];
  for (const object of [service, { ...service, metadata: { name: "t" } }, pod]) {
    requests.push((await simulated.review({ object })).request);
  }
  const [found] = await new Tally().finish(simulated, requests);
  expect(found?.refusals).toEqual([
    { text: "binding 'picky': match condition 'never' is false", count: 1 },
    { text: "no resource rule matches: resourceRules[0].resources", count: 2 },
  ]);
});

test("the closest object counts, even if selectors exclude it before the rules are looked at", async () => {
  const chosen = policy("chosen", "true");
  const matchConstraints = {
    ...(chosen.object.spec as { matchConstraints: object }).matchConstraints,
    namespaceSelector: { matchLabels: { tier: "prod" } },
    objectSelector: { matchLabels: { app: "x" } },
  };
  const spec = { ...(chosen.object.spec as object), matchConstraints };
  const namespace = (name: string, tier: string) => ({
    object: { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { tier } } },
  });
  const simulated = SimulatedCluster.of([
    { ...chosen, object: { ...chosen.object, spec } },
    binding("chosen", ["Deny"]),
    namespace("prod", "prod"),
    namespace("dev", "dev"),
  ]);
  const reasons = async (...objects: KubeObject[]) => {
    const requests = [];
    for (const object of objects) requests.push((await simulated.review({ object })).request);
    const [found] = await new Tally().finish(simulated, requests);
    return found?.refusals.map(({ text }) => text);
  };
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } };
  const podIn = (inNamespace: string, app: string) => ({
    ...pod,
    metadata: { name: "p", namespace: inNamespace, labels: { app } },
  });
  const rules = "no resource rule matches: resourceRules[0].resources";
  const unselected = (name: string) => `namespaceSelector 'tier=prod' does not select namespace '${name}'`;
  const object = "objectSelector 'app=x' selects neither the object nor the old object";
  expect(await reasons(service, service, podIn("dev", "x"))).toEqual([unselected("dev"), rules]);
  expect(await reasons(service, podIn("default", "y"), podIn("default", "y"), podIn("dev", "x"))).toEqual([
    unselected("dev"),
    unselected("default"),
    rules,
  ]);
  expect(await reasons(podIn("dev", "y"), podIn("dev", "y"), podIn("prod", "y"))).toEqual([object, unselected("dev")]);
});

test("a policy with unknown fields is not in force where those are rejected", () => {
  const given = policy("typo", "true");
  const typo = {
    ...given,
    object: { ...given.object, spec: { ...(given.object.spec as object), failurepolicy: "Fail" } },
  };
  const names = (simulated: SimulatedCluster) => [...simulated.policies.policies()].map(({ name }) => name);
  const strict = SimulatedCluster.of([typo]);
  expect(names(strict)).toEqual([]);
  expect(strict.rejection(typo.object)?.message).toContain('strict decoding error: unknown field "spec.failurepolicy"');
  const lenient = SimulatedCluster.of([typo], { fieldValidation: "Warn" });
  expect(names(lenient)).toEqual(["typo"]);
  expect(lenient.rejection(typo.object)).toBeUndefined();
});

test("an object of a rejected CRD is not evaluated, and a request that nobody may approve is reported", async () => {
  const refused: Manifest = { object: { ...definition.object, metadata: { name: "other.example.com" } } };
  const { problems } = await SimulatedCluster.of([refused]).review({ object: widget({ size: 1 }) });
  expect(problems.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'notice CustomResourceDefinition "other.example.com" was rejected, so example.com/v1 Widget is not validated',
  ]);
  const certificates = SimulatedCluster.of([
    {
      object: {
        apiVersion: "policy.cert-manager.io/v1alpha1",
        kind: "CertificateRequestPolicy",
        metadata: { name: "p" },
        spec: { selector: { issuerRef: { name: "other" } } },
      },
    },
  ]);
  const request = { apiVersion: "cert-manager.io/v1", kind: "CertificateRequest", metadata: { name: "r" } };
  const outcome = await certificates.review({ object: { ...request, spec: { issuerRef: { name: "ca" } } } });
  expect(outcome.certificate?.result).toBe("Unprocessed");
  expect(outcome.problems.map(({ system, level }) => `${system} ${level}`)).toEqual(["certificate notice"]);
});

test("policies of a changed simulated are those of one made anew", () => {
  const shown = (simulated: SimulatedCluster): string[] =>
    simulated.policies
      .entries()
      .map(
        ({ policy: { name, policy: written }, bindings }) =>
          `${name}: ${written.spec.validations?.[0]?.expression}; ${bindings.map((bound) => bound.name).join()}`,
      );
  const steps: readonly { put?: Manifest[]; remove?: Manifest[] }[] = [
    { put: [policy("a", "true"), policy("b", "true"), binding("a", ["Deny"]), binding("b", ["Deny"])] },
    { put: [policy("b", "false")] },
    { put: [policy("c", "true")] },
    { remove: [binding("a", ["Deny"])], put: [binding("c", ["Warn"])] },
    { remove: [policy("b", "false")] },
    { put: [policy("a", "1 +"), binding("a", ["Deny"])] },
    { put: [policy("a", "1 > 0")] },
  ];
  let simulated = SimulatedCluster.of([]);
  const seen: string[][] = [];
  for (const [i, { put = [], remove = [] }] of steps.entries()) {
    simulated = simulated.with({ put, remove: remove.map(({ object }) => object) });
    // One simulated cluster in between is never asked: the next uses the results of the earlier ones.
    if (i === 2) continue;
    seen.push(shown(simulated));
    expect(seen.at(-1)).toEqual(shown(SimulatedCluster.of(simulated.manifests())));
  }
  expect(seen.at(-1)).toEqual(["a: 1 > 0; a", "c: true; c"]);
});
