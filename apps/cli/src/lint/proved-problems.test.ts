// Problems that the prover settles: suspicions that it disproves, validations that contradict each other, and what --proofs asks besides.

import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const policy = (kind: string, ...expressions: string[]): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{apiGroups: ["", apps], apiVersions: [v1], operations: [CREATE], resources: [${kind}]}]}
  validations:
${expressions.map((expression) => `  - expression: ${JSON.stringify(expression)}\n`).join("")}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny]}
`;

async function lint(text: string, ...flags: string[]): Promise<string[]> {
  const { stdout } = await runLine(["lint", "p.yaml", "-o", "json", ...flags], { files: { "p.yaml": text } });
  const { problems } = JSON.parse(stdout) as { problems: { level: string; code: string; path: unknown[] }[] };
  return problems.map(({ level, code, path }) => `${level} ${code} ${path.slice(1, 3).join(".")}`);
}

test("a suspicion about an expression that cannot fail is dropped", async () => {
  const guarded =
    "object.metadata.name == 'a' || !('team' in object.metadata.?labels.orValue({})) || object.metadata.labels.size() > 1";
  expect(await lint(policy("configmaps", guarded))).toEqual([]);
  expect(await lint(policy("configmaps", "object.metadata.labels.size() > 1"))).toEqual([
    "warning unguarded_field validations.0",
  ]);
});

test("validations that no request passes together", async () => {
  const [above, below] = ["object.spec.replicas > 5", "object.spec.replicas < 3"];
  expect(await lint(policy("deployments", above, below))).toEqual(["error validations_contradict validations"]);
  expect(await lint(policy("deployments", "object.spec.replicas < 7", below))).toEqual([]);
  // Denying everything by itself is meant.
  expect(await lint(policy("deployments", "false", below))).toEqual(["warning rule_reads_nothing validations.0"]);
});

test("a contradiction is reported beside other problems, and with --proofs as without", async () => {
  const [above, below] = ["object.spec.replicas > 5", "object.spec.replicas <= 5"];
  const unguarded = policy("deployments", above, below, "object.metadata.labels.size() > 1");
  const holds = policy("deployments", above, below, "object.metadata.name != '' || object.metadata.name == ''");
  for (const flags of [[], ["--proofs"]]) {
    expect(await lint(unguarded, ...flags)).toEqual([
      "warning unguarded_field validations.2",
      "error validations_contradict validations",
    ]);
    expect(await lint(holds, ...flags)).toContain("error validations_contradict validations");
  }
});

test("--proofs asks of every validation whether it can fail, always or never holds, or denies nothing of its own", async () => {
  const always = "object.metadata.name != '' || object.metadata.name == ''";
  expect(await lint(policy("deployments", always))).toEqual([]);
  expect(await lint(policy("deployments", always), "--proofs")).toEqual([
    "note validation_denies_nothing validations.0",
  ]);
  const never = "object.spec.replicas < 0";
  expect(await lint(policy("deployments", never), "--proofs")).toEqual([
    "warning validation_denies_everything validations.0",
  ]);
  const wider = policy("deployments", "object.spec.replicas < 7", "object.spec.replicas < 3");
  expect(await lint(wider, "--proofs")).toEqual(["note redundant_validation validations.0"]);
  const fails = policy("configmaps", "object.data.size() > 0");
  expect(await lint(fails, "--proofs")).toEqual(["warning evaluation_fails validations.0"]);
});

test("codes that are disabled are not reported when proved", async () => {
  const text = policy("deployments", "object.spec.replicas > 5", "object.spec.replicas < 3");
  expect(await lint(text, "--disable", "validations_contradict")).toEqual([]);
});
