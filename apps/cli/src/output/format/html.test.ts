import { describe, expect, test } from "vitest";
import { runLine } from "../../io.testing.ts";
import { ANSWER, answerOf, NASTY, PLAIN } from "../answer.testing.ts";
import type { ReportRow } from "../answer.ts";
import { wholeText } from "../pieces.ts";
import { render } from "./html.ts";

const page = (answer = ANSWER): string => wholeText(render(answer, PLAIN));

test("nothing of the page is loaded, and nothing runs", () => {
  const text = page();
  expect(text).not.toMatch(
    /<(?:script|img|link|iframe|object|embed|form)\b|\bon\w+=|style="|url\(|@import|javascript:/i,
  );
  expect(text).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\w+/=]+'/);
});

test("texts of users are escaped", () => {
  const shown = page();
  expect(shown).not.toContain(NASTY);
  expect(shown).toContain(
    "a &lt;b&gt; &amp; &quot;c&quot;, &#39;d&#39;: 100% ]]&gt;\\u000d&#10;\\u001b[31mred\\u0000 \\ud800 é 日本 😀 ::error::x",
  );
});

test("a rule links to its page only by https", () => {
  const [row] = ANSWER.results as readonly ReportRow[];
  const linked = (ruleUrl: string): string => page(answerOf([{ ...row!, level: "fail", ruleUrl }]));
  expect(linked("https://celadon.dev/a?b=1&c")).toContain('<a href="https://celadon.dev/a?b=1&amp;c">');
  expect(linked("javascript:alert(1)")).not.toContain("<a ");
});

test("a page ends: results beyond 5000 are counted", () => {
  const [, row] = ANSWER.results as readonly ReportRow[];
  const text = page(answerOf(Array.from({ length: 5007 }, () => row!)));
  expect(text.match(/<tr class="fail">/g)).toHaveLength(5000);
  expect(text).toContain("7 more results are not listed");
  expect(text).toContain("failed (5,007)");
});

const policy = (name: string, expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: ["*"]}]}
  validations: [{expression: '${expression}'}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}, validationActions: [${name === "warns" ? "Warn" : "Deny"}]}
`;
const object = (name: string, namespace: string, size: number): string =>
  `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: ${namespace}}, data: {size: "${size}"}}\n`;

const FILES = {
  "policies/small.yaml": policy("small", "int(object.data.size) < 5"),
  "policies/warns.yaml": policy("warns", "object.data.all(k, k.size() > 10)"),
  "new/small.yaml": policy("small", "int(object.data.size) < 3"),
  "objects.yaml": [object("a", "shop", 9), object("b", "shop", 4), object("c", "data", 7), object("d", "data", 1)].join(
    "---\n",
  ),
};

/** The charts of a page, as rows of names and numbers. */
async function chartsOf(argv: readonly string[]): Promise<Record<string, string[]>> {
  const { stdout } = await runLine([...argv, "-o", "html"], { files: FILES });
  const sections = stdout.split('<section class="chart"><h2>').slice(1);
  return Object.fromEntries(
    sections.map((section) => [
      section.slice(0, section.indexOf("<")),
      section
        .split('<th scope="row">')
        .slice(1)
        .map((row) =>
          row
            .slice(0, row.indexOf("</tr>"))
            .replaceAll(/<[^>]*>/g, " ")
            .replaceAll(/\s+/g, " ")
            .trim(),
        ),
    ]),
  );
}

describe("charts", () => {
  test("of check", async () => {
    const charts = await chartsOf(["check", "-f", "policies", "-f", "objects.yaml"]);
    const { "Cost by policy, in units of CEL evaluation": costs, ...others } = charts;
    expect(others).toEqual({
      "Denials by policy": ["small 2 denied 0 with warnings", "warns 0 denied 4 with warnings"],
      "Denials by namespace": ["data 1 denied 1 with warnings", "shop 1 denied 1 with warnings"],
    });
    expect(costs).toHaveLength(2);
    expect(costs![0]).toMatch(/^warns \d+ units over all objects \d+ for the most expensive object$/);
  });

  test("of diff", async () => {
    const charts = await chartsOf(["diff", "policies", "new", "-f", "objects.yaml"]);
    expect(charts["Changes by policy"]).toContain("policy small 1 newly denied 0 newly allowed 2 other changes");
    expect(charts["Changes by namespace"]).toContain("shop 1 newly denied 0 newly allowed 1 other changes");
    const costs = charts["Cost by policy, in units of CEL evaluation over all objects"]!;
    expect(costs.find((bar) => bar.startsWith("small"))).toMatch(/^small (\d+) NEW \1 OLD$/);
    expect(costs.find((bar) => bar.startsWith("warns"))).toMatch(/^warns 0 NEW [1-9]\d* OLD$/);
  });

  test("costs in the document are those of the chart", async () => {
    const { stdout } = await runLine(["check", "-f", "policies", "-f", "objects.yaml", "-o", "json"], { files: FILES });
    const { policies } = JSON.parse(stdout) as {
      policies: { policy: string; cost: { total: number; most: number } }[];
    };
    const charts = await chartsOf(["check", "-f", "policies", "-f", "objects.yaml"]);
    for (const { policy: name, cost } of policies)
      expect(charts["Cost by policy, in units of CEL evaluation"]).toContain(
        `${name} ${cost.total} units over all objects ${cost.most} for the most expensive object`,
      );
  });
});
