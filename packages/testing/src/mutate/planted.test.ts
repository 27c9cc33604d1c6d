// Suites with a known hole: mutation testing finds exactly that hole, and its proposed case closes it.

import { describe, expect, test } from "vitest";
import { runSuite } from "../suite/run-suite.ts";
import { read, summary, type Texts } from "../suite/suite.testing.ts";
import { type MutationOptions, PolicyMutation, runMutation } from "./mutation.ts";
import { type MutationReport, mutationReport, survivorsOf } from "./report.ts";
import { toYaml } from "./yaml.testing.ts";

const policy = (validations: readonly string[], more = "", rules = "operations: [CREATE]"): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints:
    resourceRules:
    - { apiGroups: [apps], apiVersions: [v1], resources: [deployments], ${rules} }
  validations:
${validations.map((text) => `  - expression: ${JSON.stringify(text)}`).join("\n")}
${more}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: b }
spec: { policyName: p, validationActions: [Deny] }
`;

const web = (change: string): string =>
  `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web, namespace: shop }, spec: { selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: "web:1" }] } }, ${change} } }`;

const suiteOf = (tests: readonly (readonly [object: string, expect: string])[], more = ""): string =>
  `apiVersion: celadon.dev/v1\nkind: TestSuite\nresources: [policy.yaml]\n${more}tests:\n${tests
    .map(([object, expect], i) => `- { name: t${i}, object: ${object}, expect: ${expect} }\n`)
    .join("")}`;

const DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: queues.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: queues, singular: queue, kind: Queue, listKind: QueueList }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: { type: integer, minimum: 1, maximum: 10 }
              low: { type: integer }
            x-kubernetes-validations:
            - rule: "!has(self.low) || self.low <= self.size"
`;

const queue = (spec: string): string =>
  `{ apiVersion: example.com/v1, kind: Queue, metadata: { name: q, namespace: shop }, spec: { ${spec} } }`;

interface Hole {
  readonly name: string;
  readonly files: Texts;
  readonly suite: string;
  /** The survivors; `none` for mutants without a difference. */
  readonly survivors: readonly string[];
}

// biome-ignore format: one hole per entry
const holes: readonly Hole[] = [
  { name: "a bound that is never reached",
    files: { "policy.yaml": policy(["object.spec.replicas <= 5"]) },
    suite: suiteOf([[web("replicas: 1"), "allow"], [web("replicas: 9"), "deny"]]),
    survivors: ["comparison-changed object.spec.replicas <= 5 → object.spec.replicas < 5: allow, with the mutant deny",
      "constant-changed 5 → 6: deny, with the mutant allow"] },
  { name: "nothing: the bound is tested on both sides",
    files: { "policy.yaml": policy(["object.spec.replicas <= 5"]) },
    suite: suiteOf([[web("replicas: 5"), "allow"], [web("replicas: 6"), "deny"]]),
    survivors: [] },
  { name: "a clause that decides in no case",
    files: { "policy.yaml": policy(["object.spec.replicas < 5 || object.metadata.name == 'big'"]) },
    suite: suiteOf([[web("replicas: 4"), "allow"], [web("replicas: 5"), "deny"]]),
    survivors: ["clause-dropped object.metadata.name == \"big\" → : allow, with the mutant deny",
      "constant-changed \"big\" → \"big~\": allow, with the mutant deny"] },
  { name: "one container only",
    files: { "policy.yaml": policy(["object.spec.template.spec.containers.all(c, c.image.startsWith('web:'))"]) },
    suite: suiteOf([[web("replicas: 1"), "allow"], [web("replicas: 1").replace("web:1", "x:1"), "deny"], [web("replicas: 1").replace("web:1", "x/web:1"), "deny"]]),
    survivors: ["quantifier-swapped object.spec.template.spec.containers.all(c, c.image.startsWith(\"web:\")) → object.spec.template.spec.containers.exists(c, c.image.startsWith(\"web:\")): deny, with the mutant allow"] },
  { name: "a second validation without a test",
    files: { "policy.yaml": policy(["object.spec.replicas == 1", "object.metadata.name == 'web'"]) },
    suite: suiteOf([[web("replicas: 1"), "allow"], [web("replicas: 2"), "deny"]]),
    survivors: ["validation-dropped validations: object.metadata.name == 'web' → : deny, with the mutant allow"] },
  { name: "an operation without a test",
    files: { "policy.yaml": policy(["object.spec.replicas == 1"], "", "operations: [CREATE, UPDATE]") },
    suite: suiteOf([[web("replicas: 1"), "allow"], [web("replicas: 2"), "deny"], [web("replicas: 0"), "deny"]]),
    survivors: ["rule-narrowed operations: \"UPDATE\" → : allow, with the mutant unmatched"] },
  { name: "a match condition nobody meets",
    files: { "policy.yaml": policy(["object.spec.replicas == 1"], "  matchConditions: [{ name: c, expression: \"request.userInfo.username != 'root'\" }]") },
    suite: suiteOf([[web("replicas: 1"), "allow"], [web("replicas: 2"), "deny"], [web("replicas: 0"), "deny"]]),
    survivors: ["constant-changed \"root\" → \"root~\": unmatched, with the mutant allow",
      "condition-dropped matchConditions: request.userInfo.username != 'root' → : unmatched, with the mutant allow"] },
  { name: "a list that is never shorter",
    files: { "policy.yaml": policy(["object.spec.replicas in [1, 2]"]) },
    suite: suiteOf([[web("replicas: 1"), "allow"], [web("replicas: 5"), "deny"]]),
    survivors: ["element-dropped 2 → : allow, with the mutant deny", "constant-changed 2 → 3: allow, with the mutant deny", "constant-changed 2 → 1: allow, with the mutant deny"] },
  { name: "a variable with a guard that is never needed",
    files: { "policy.yaml": policy(["variables.team == 'a'"], "  variables: [{ name: team, expression: \"has(object.metadata.labels) && has(object.metadata.labels.team) ? object.metadata.labels.team : 'none'\" }]") },
    suite: suiteOf([[web("replicas: 1").replace("name: web,", "name: web, labels: { team: a },"), "allow"], [web("replicas: 1").replace("name: web,", "name: web, labels: { team: b },"), "deny"], [web("replicas: 1").replace("name: web,", "name: web, labels: { x: z },"), "deny"]]),
    survivors: [
      "clause-dropped has(object.metadata.labels) → : deny, with the mutant error",
      "constant-changed \"none\" → \"none~\": none",
    ] },
  { name: "labels of namespaces that are not tested",
    files: { "policy.yaml": policy(["object.spec.replicas == 1"]).replace("validationActions: [Deny]", "validationActions: [Deny], matchResources: { namespaceSelector: { matchLabels: { env: prod } } }") },
    suite: suiteOf([[web("replicas: 1"), "allow"], [web("replicas: 2"), "deny"], [web("replicas: 0"), "deny"]], "defaults: { namespace: { name: shop, labels: { env: prod } } }\n"),
    survivors: ["selector-dropped namespaceSelector: {\"matchLabels\":{\"env\":\"prod\"}} → : unmatched, with the mutant allow"] },
  { name: "warnings not distinguished from denials",
    files: { "policy.yaml": policy(["object.spec.replicas == 1"]).replace("[Deny]", "[Warn, Audit]") },
    suite: suiteOf([[web("replicas: 1"), "allow"], [web("replicas: 2"), "{ failures: 1 }"], [web("replicas: 0"), "{ failures: 1 }"]]),
    survivors: ["action-dropped validationActions: \"Warn\" → : warn, with the mutant audit", "action-dropped validationActions: \"Audit\" → : different audit annotations"] },
  { name: "rules of a definition",
    files: { "policy.yaml": DEFINITION },
    suite: suiteOf([[queue("size: 5, low: 5"), "allow"], [queue("size: 0"), "deny"], [queue("size: 12"), "deny"], [queue("low: 1"), "deny"]]),
    survivors: [
      "clause-dropped !has(self.low) → : allow, with the mutant error",
      "negated !has(self.low) → has(self.low): deny, with the mutant allow",
      "has-fixed has(self.low) → false: deny, with the mutant allow",
      "rule-dropped x-kubernetes-validations: !has(self.low) || self.low <= self.size → : deny, with the mutant allow",
      "bound-shifted minimum: 1 → minimum: 2: allow, with the mutant deny",
      "bound-shifted maximum: 10 → maximum: 11: deny, with the mutant allow",
      "bound-shifted maximum: 10 → maximum: 9: allow, with the mutant deny",
    ] },
];

async function mutate(files: Texts, text: string, options: MutationOptions = {}): Promise<MutationReport> {
  const { suite, issues } = await read(text, files);
  if (suite === undefined) throw new Error(JSON.stringify(issues));
  expect(summary(await runSuite(suite)).filter((line) => !line.startsWith("pass "))).toEqual([]);
  return mutationReport(await runMutation(await PolicyMutation.of([suite]), options));
}

const told = (report: MutationReport): string[] =>
  survivorsOf(report).map(({ mutant, witness }) => {
    const found = typeof witness === "object" ? witness.difference : String(witness);
    return `${mutant.mutator} ${mutant.original} → ${mutant.mutated}: ${found}`;
  });

describe("holes", () => {
  test.each(holes)("$name", async ({ files, suite, survivors }) => {
    const report = await mutate(files, suite);
    expect(told(report)).toEqual(survivors);
    // With the proposed cases only equivalent mutants are left.
    const proposed = survivorsOf(report).flatMap(({ witness }) => (typeof witness === "object" ? [witness.test] : []));
    const closed = suite + proposed.map((text) => toYaml(text)).join("");
    const again = await read(closed, files);
    expect(again.issues).toEqual([]);
    const left = survivorsOf(await mutate(files, closed, { tries: 0 })).map(({ mutant }) => mutant.id);
    const alike = report.results.filter(({ outcome, witness }) => outcome === "no-effect" || witness === "none");
    expect(left).toEqual(alike.map(({ mutant }) => mutant.id));
  });
});
