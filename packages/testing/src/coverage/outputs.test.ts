// Rules, webhooks and certificate policies are counted as policies are; and the report as lcov, JSON and a page.

import { describe, expect, test } from "vitest";
import type { Texts } from "../suite/suite.testing.ts";
import { cover, missed, suiteFrom } from "./coverage.testing.ts";
import { coverageHtml } from "./html.ts";
import { coverageDocument } from "./json.ts";
import { coverageLcov } from "./lcov.ts";
import type { CoverageReport } from "./report.ts";

const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
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
            properties:
              size:
                type: integer
                x-kubernetes-validations:
                - rule: self >= oldSelf
                  messageExpression: "'not' + ' less'"
              kind:
                type: string
                maxLength: 9
                x-kubernetes-validations:
                - rule: self in ['<a&b>', 'c'] || self == 'd'
`;
const WEBHOOK = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: w }
webhooks:
- name: w.example.com
  clientConfig: { url: https://w.example.com }
  rules: [{ apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE] }]
  matchConditions: [{ name: c, expression: "request.name != 'x'" }]
  sideEffects: None
  admissionReviewVersions: [v1]
`;
const FILES: Texts = { "crd.yaml": DEFINITION, "webhook.yaml": WEBHOOK };
const HEAD = "apiVersion: celadon.dev/v1\nkind: TestSuite\nresources: [crd.yaml, webhook.yaml]\ntests:\n";
const queue = (spec: string): string =>
  `{ apiVersion: example.com/v1, kind: Queue, metadata: { name: q }, spec: ${spec} }`;

async function reportOf(...cases: readonly string[]): Promise<CoverageReport> {
  const text = cases.map((testCase, i) => `- { name: c${i}, expect: allow, namespace: shop, ${testCase} }\n`).join("");
  return (await cover(await suiteFrom(HEAD + text, FILES))).report;
}

describe("rules and conditions", () => {
  test("that nothing met are missed", async () => {
    const report = await reportOf("object: { apiVersion: v1, kind: ConfigMap, metadata: { name: q } }");
    // size: true, false, message; kind: true, false and both operands; the condition: true, false.
    expect(report.total).toEqual({ points: 3 + 6 + 2, covered: 0 });
  });

  test("are covered by objects that try both sides", async () => {
    const report = await reportOf(
      `object: ${queue("{ size: 2, kind: c }")}`,
      `object: ${queue("{ kind: d }")}`,
      `object: ${queue("{ kind: e }")}`,
      `oldObject: ${queue("{ size: 2 }")}, object: ${queue("{ size: 3 }")}`,
      `oldObject: ${queue("{ size: 2 }")}, object: ${queue("{ size: 1 }")}`,
      "object: { apiVersion: v1, kind: Pod, metadata: { name: x }, spec: { containers: [] } }",
      "object: { apiVersion: v1, kind: Pod, metadata: { name: z }, spec: { containers: [] } }",
    );
    expect(missed(report)).toEqual([]);
  });
});

describe("a report", () => {
  const report = reportOf(`object: ${queue("{ kind: c }")}`);

  test("as lcov", async () => {
    expect(coverageLcov(await report)).toBe(
      [
        ...["TN:", "SF:crd.yaml"],
        ...["BRDA:22,0,0,-", "BRDA:22,0,1,-", "BRDA:23,1,0,-"],
        ...["BRDA:28,2,0,1", "BRDA:28,2,1,0", "BRDA:28,2,2,1", "BRDA:28,2,3,0", "BRDA:28,2,4,0", "BRDA:28,2,5,0"],
        ...["BRF:9", "BRH:2", "DA:22,0", "DA:23,0", "DA:28,1", "LF:3", "LH:1", "end_of_record"],
        ...["TN:", "SF:webhook.yaml", "BRDA:8,0,0,-", "BRDA:8,0,1,-", "BRF:2", "BRH:0", "DA:8,0", "LF:1", "LH:0"],
        "end_of_record\n",
      ].join("\n"),
    );
  });

  test("as JSON", async () => {
    const document = JSON.parse(JSON.stringify(coverageDocument(await report)));
    expect(document).toMatchObject({
      apiVersion: "celadon.dev/v1",
      kind: "CoverageReport",
      total: { points: 11, covered: 2, percent: 18.2 },
      policies: [
        { kind: "CustomResourceDefinition", name: "queues.example.com", file: "crd.yaml", line: 3 },
        { name: "w" },
      ],
    });
    expect(document.policies[0].expressions[2].points[0]).toEqual({
      kind: "expression",
      want: "true",
      text: "self in ['<a&b>', 'c'] || self == 'd'",
      covered: true,
      place: { file: "crd.yaml", line: 28, column: 25, endLine: 28, endColumn: 62 },
    });
  });

  test("as a page: escaped, every line once, nothing loaded and nothing run", async () => {
    const html = coverageHtml(await report);
    expect(html).not.toMatch(/<script|<link|src=|href="(?!#)|@import|url\(/);
    expect(html).not.toContain("<a&b>");
    expect(html).toContain(
      `<span class="part" title="operand never false">self in [&#39;&lt;a&amp;b&gt;&#39;, &#39;c&#39;]</span>`,
    );
    expect(html).toContain(
      `<span class="miss" title="operand never true, operand never false">self == &#39;d&#39;</span>`,
    );
    expect(html).toContain("prefers-color-scheme: dark");
    // Without tags, the files are unchanged, each line with its number.
    const shown = html.replaceAll(/<span class="note">.*?<\/span>/g, "").match(/<pre>(.*?)<\/pre>/s)![1]!;
    const text = shown
      .replaceAll(/<span id="[^"]*"><span class="number">\d+<\/span>/g, "\n")
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&");
    expect(text.slice(1).trimEnd()).toBe(DEFINITION.trimEnd());
    const ids = [...html.matchAll(/id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of html.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
  });
});
