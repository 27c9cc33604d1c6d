import { expect, test } from "vitest";
import type { Ask } from "./ask.ts";
import type { Manifest } from "./manifest.ts";
import { Tally } from "./tally.ts";
import { World } from "./world.ts";

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
const cases: { name: string; world: Manifest[]; ask: Ask; want: string[] }[] = [
  { name: "nothing concerns it",    world: [],                                                              ask: { object: pod },                               want: ["allowed"] },
  { name: "a policy denies",        world: [policy("p", "false"), binding("p", ["Deny"])],                  ask: { object: pod },                               want: ["denied", "policy deny p says no returned"] },
  { name: "a policy warns",         world: [policy("p", "false"), binding("p", ["Warn"])],                  ask: { object: pod },                               want: ["allowed", "policy warn p says no"] },
  { name: "two deny, one returned", world: [policy("p", "false"), binding("p", ["Deny"]), policy("q", "false"), binding("q", ["Deny"])], ask: { object: pod }, want: ["denied", "policy deny p says no returned", "policy deny q says no"] },
  { name: "a policy that does not compile is not in force", world: [policy("p", "objekt == 1"), binding("p", ["Deny"])], ask: { object: pod },              want: ["allowed"] },
  { name: "and is refused itself",  world: [policy("p", "1 +")],                                            ask: { object: policy("p", "1 +").object },         want: ["denied", expect.stringContaining("schema deny spec.validations[0].expression: Invalid value")] as unknown as string[] },
  { name: "a rule denies",          world: [definition],                                                    ask: { object: widget({ size: 5, max: 3 }) },       want: ["denied", "rules deny spec: Invalid value: too large returned"] },
  { name: "a transition rule",      world: [definition],                                                    ask: { object: widget({ size: 1 }), oldObject: widget({ size: 2 }) }, want: ["denied", "rules deny spec: Invalid value: may not shrink returned"] },
  { name: "rule before policy",     world: [definition, policy("p", "false", ["widgets"], ["example.com"]), binding("p", ["Deny"])], ask: { object: widget({ size: 5, max: 3 }) }, want: ["denied", "rules deny spec: Invalid value: too large returned", "policy deny p says no"] },
  { name: "an unknown field",       world: [definition],                                                    ask: { object: widget({ sice: 5 }) },               want: ["denied", 'schema deny unknown field "spec.sice" returned'] },
  { name: "deleting asks with the old object", world: [policy("p", "object == null && oldObject.metadata.name == 'b'"), binding("p", ["Deny"])], ask: { object: pod, operation: "DELETE" }, want: ["denied", "policy deny p says no returned"] },
];

test.each(cases)("$name", async ({ world, ask, want }) => {
  const outcome = await World.of(world).review(ask);
  const problems = outcome.problems.map(
    ({ system, level, message, returned }) => `${system} ${level} ${message}${returned ? " returned" : ""}`,
  );
  expect([outcome.allowed ? "allowed" : "denied", ...problems]).toEqual(want);
});

test("a changed world shares what did not change", async () => {
  const world = World.of([policy("p", "params == null"), binding("p", ["Deny"]), definition]);
  const other = world.with({ put: [{ object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } } }] });
  expect(other.policies).toBe(world.policies);
  expect(other.typeOf("example.com", "Widget")).toBe(world.typeOf("example.com", "Widget"));
  const without = world.with({ remove: [binding("p", []).object] });
  expect(without.policies).not.toBe(world.policies);
  expect((await without.review({ object: pod })).allowed).toBe(true);
});

test("policies that never match, bound or not", async () => {
  const bound = [
    policy("bound", "true"),
    binding("bound", ["Deny"]),
    policy("other", "true", ["services"]),
    binding("other", ["Deny"]),
  ];
  const world = World.of([...bound, policy("unbound", "true")]);
  const tally = new Tally();
  const outcome = await world.review({ object: pod });
  tally.add(outcome);
  const found = await tally.finish(world, [outcome.request]);
  expect(found.map(({ policy, matched, refusals }) => [policy, matched, refusals[0]?.text])).toEqual([
    ["unbound", 0, "the policy has no binding"],
    ["bound", 1, undefined],
    ["other", 0, "no resource rule matches: resourceRules[0].resources"],
  ]);
});

test("an object whose definition is refused is not judged, and a request nobody may approve is told", async () => {
  const refused: Manifest = { object: { ...definition.object, metadata: { name: "other.example.com" } } };
  const { problems } = await World.of([refused]).review({ object: widget({ size: 1 }) });
  expect(problems.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'warning CustomResourceDefinition "other.example.com" was rejected, so example.com/v1 Widget is not validated',
  ]);
  const certificates = World.of([
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
  expect(outcome.problems.map(({ system, level }) => `${system} ${level}`)).toEqual(["certificate warning"]);
});
