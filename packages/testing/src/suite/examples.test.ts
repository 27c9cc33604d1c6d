// The suites of the examples, and their failures with other expectations: definitions, webhooks and certificates.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runText, summary, type Texts } from "./suite.testing.ts";

const EXAMPLES = new URL("../../../../examples/", import.meta.url);

function filesOf(example: string): Texts {
  const folder = new URL(`${example}/`, EXAMPLES);
  const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, folder), "utf8")]));
}

async function run(example: string, change: (suite: string) => string = (suite) => suite): Promise<string[]> {
  const { "tests.yaml": suite = "", ...files } = filesOf(example);
  return summary(await runText(change(suite), files));
}

test.each(["trusted-images", "crd", "webhooks", "certificates"])("%s", async (example) => {
  const lines = await run(example);
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.filter((line) => !line.startsWith("pass "))).toEqual([]);
});

// biome-ignore format: one case per line
const others: { example: string; find: string; put: string; want: string[] }[] = [
  { example: "certificates", find: "user: eve\n    expect: unprocessed", put: "user: eve\n    expect: approve",
    want: ["fail somebody who may not use the policy", expect.stringMatching(/^ {2}verdict: approve ≠ unprocessed \(No CertificateRequestPolicies bound or applicable \| certificate policy 'own-domain': .*use/) as unknown as string] },
  { example: "certificates", find: "letsencrypt } } }\n    expect: unprocessed", put: "letsencrypt } } }\n    expect: approve",
    want: ["fail another issuer", `  verdict: approve ≠ unprocessed (No CertificateRequestPolicies bound or applicable | certificate policy 'own-domain': spec.selector.issuerRef.name "internal-ca" does not match the issuer's name "letsencrypt")`] },
  { example: "certificates", find: "8760h } }\n        expect: deny", put: "8760h } }\n        expect: approve",
    want: ["fail refused/for too long", expect.stringMatching(/^ {2}verdict: approve ≠ deny \(.*spec\.constraints\.maxDuration/) as unknown as string] },
  { example: "webhooks", find: "system:nodes] }\n    expect: unmatched", put: "system:nodes] }\n    expect: { webhooks: { called: [signed.images.example.com] } }",
    want: ["fail a node's own pod", "  matched: true ≠ false (webhook 'signed.images.example.com': match condition 'not-for-nodes' is false)", "  webhooks.called: signed.images.example.com ≠ none (webhook 'signed.images.example.com': match condition 'not-for-nodes' is false)"] },
  { example: "webhooks", find: "object: web\n    expect: { webhooks: { called: [signed.images.example.com] } }", put: "object: web\n    expect: { webhooks: { notCalled: [signed.images.example.com] } }",
    want: ["fail a new pod", "  webhooks.notCalled: not called ≠ signed.images.example.com"] },
  { example: "crd", find: "partitions: 4 } }\n        expect:\n          verdict: deny", put: "partitions: 4 } }\n        expect:\n          verdict: allow",
    want: ["fail changes/shrinking", expect.stringMatching(/^ {2}verdict: allow ≠ deny \(spec\.partitions: .*partitions cannot be taken away/) as unknown as string] },
  { example: "crd", find: "object: { spec: { replicas: 1 } }", put: "cost: { max: 100, policies: { queues.example.com: 1 } }",
    want: ["fail a queue gets one replica", "  cost.policies.queues.example.com: at most 1 ≠ 5"] },
  { example: "crd", find: "- { path: spec.replicas }", put: "- { path: spec.partitions }",
    want: ["fail replicas without a partition", expect.stringMatching(/^ {2}failures: path spec\.partitions ≠ queues\.example\.com: spec\.replicas: /) as unknown as string] },
];

describe("had something else been expected", () => {
  test.each(others)("$example: $put", async ({ example, find, put, want }) => {
    const lines = await run(example, (suite) => {
      expect(suite.split(find)).toHaveLength(2);
      return suite.replace(find, put);
    });
    expect(lines.filter((line) => !line.startsWith("pass "))).toEqual(want);
  });
});

test("a definition that was refused with its case about a policy is no denial by the policy", async () => {
  const { "tests.yaml": _, ...files } = filesOf("crd");
  const policy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [example.com], apiVersions: [v1], resources: [queues], operations: ["*"] }] }
  validations: [{ expression: "true" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: p }
spec: { policyName: p, validationActions: [Deny] }
`;
  const suite = `apiVersion: celadon.dev/v1
kind: TestSuite
resources: [definition.yaml, policy.yaml]
defaults: { object: queue.yaml, policy: p }
tests:
- { name: a, patch: { spec: { replicas: 9 } }, expect: deny }
- { name: b, expect: allow }
`;
  const lines = summary(await runText(suite, { ...files, "policy.yaml": policy }));
  expect(lines).toEqual([
    "fail a",
    expect.stringMatching(
      /^ {2}verdict: deny ≠ error \(denied for a reason outside this test: Queue\.example\.com "orders" is invalid: /,
    ),
    "pass b",
  ]);
});
