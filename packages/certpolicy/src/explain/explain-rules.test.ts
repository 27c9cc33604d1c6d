// Explanations of certificate rules, and what observers of reviews receive.

import type { ExplainedNode } from "@celadon/cel/explain";
import { expect, test } from "vitest";
import { dns, name, san, specRequest } from "../csr/build.testing.ts";
import type { CertificateRequest, CertificateRequestPolicy } from "../resource.ts";
import { Reviewer } from "../review.ts";
import type { SelectionHost } from "../select/host.ts";
import { explainRules, RuleExplainer } from "./explain-rules.ts";

const request: CertificateRequest = {
  metadata: { name: "r", namespace: "team-a" },
  spec: {
    request: specRequest({ extensions: [san(dns("a.team-a.svc"), dns("b.team-b.svc"))] }),
    username: "kate",
    groups: ["dev", "ops"],
    issuerRef: { name: "ca" },
  },
};

const policy: CertificateRequestPolicy = {
  metadata: { name: "names", uid: "u-1" },
  spec: {
    selector: { issuerRef: {} },
    allowed: {
      dnsNames: {
        validations: [
          { rule: "self.endsWith('.' + cr.namespace + '.svc')", message: "not yours" },
          { rule: "cr.groups.exists(g, g == 'ops')" },
          { rule: "self.split('.')[7] == ''" },
        ],
      },
    },
  },
  status: { conditions: [{ type: "Ready", status: "True" }] },
};

function find(node: ExplainedNode, text: string): ExplainedNode | undefined {
  if (node.text === text) return node;
  return node.children.map((child) => find(child, text)).find((found) => found !== undefined);
}

test("every rule with every value", () => {
  const { expressions, evaluation, cost } = explainRules(policy, request);
  expect(evaluation.result).toBe("Denied");
  const rules = [0, 1, 2].map((i) => `spec.allowed.dnsNames.validations[${i}]`);
  expect(expressions.map(({ self, fieldPath, value, error }) => [self, fieldPath, value, error])).toEqual(
    ["a.team-a.svc", "b.team-b.svc"].flatMap((self) => [
      [self, rules[0], self.startsWith("a"), undefined],
      [self, rules[1], true, undefined],
      [self, rules[2], undefined, "index out of bounds: 7"],
    ]),
  );
  expect(expressions[3]).toMatchObject({
    policy: "names",
    uid: "u-1",
    path: ["spec", "allowed", "dnsNames", "validations", 0],
    expression: "self.endsWith('.' + cr.namespace + '.svc')",
  });
  expect(find(expressions[3]!.tree, "cr.namespace")).toMatchObject({ value: "team-a", path: "metadata.namespace" });
  expect(expressions[1]!.tree.loop?.deciding).toMatchObject({ index: 1, path: "spec.groups[1]" });
  expect(cost).toBe(expressions.reduce((sum, expression) => sum + expression.cost, 0));
  expect(expressions[0]?.shareOfLimit).toBe(expressions[0]!.cost / 1_000_000);
});

test("attributes in lists have their place in the policy", () => {
  const validations = [{ rule: "self == 'a'" }];
  const allowed = {
    commonName: { validations: [{ rule: "true" }, { rule: "self != 'y'" }] },
    subject: { otherAttributes: [{ oid: "1.2.3" }, { oid: "1.2.840.113549.1.9.1", validations }] },
  };
  const subject = name(["2.5.4.3", "x"], ["2.5.4.3", "y"], ["1.2.840.113549.1.9.1", "a"]);
  const asked = { ...request, spec: { ...request.spec, request: specRequest({ subject }) } };
  const { expressions } = explainRules({ ...policy, spec: { ...policy.spec, allowed } }, asked);
  expect(expressions.map(({ fieldPath, path, value }) => [fieldPath, path.join("/"), value])).toEqual([
    ["spec.allowed.commonName[0].validations[0]", "spec/allowed/commonName/validations/0", true],
    ["spec.allowed.commonName[0].validations[1]", "spec/allowed/commonName/validations/1", true],
    ["spec.allowed.commonName[1].validations[0]", "spec/allowed/commonName/validations/0", true],
    ["spec.allowed.commonName[1].validations[1]", "spec/allowed/commonName/validations/1", false],
    [
      "spec.allowed.subject.otherAttributes[1.2.840.113549.1.9.1].validations[0]",
      "spec/allowed/subject/otherAttributes/1/validations/0",
      true,
    ],
  ]);
});

test("an observer of reviews sees the same, and changes nothing", async () => {
  const host: SelectionHost = {
    authorizer: { authorize: () => ({ decision: "allow" }) },
    namespaces: { labelsOf: () => ({}) },
  };
  const observer = new RuleExplainer();
  const watched = await new Reviewer({ observer }).review(request, [policy], host);
  expect(watched).toEqual(await new Reviewer().review(request, [policy], host));
  expect(observer.expressions).toEqual(explainRules(policy, request).expressions);
});
