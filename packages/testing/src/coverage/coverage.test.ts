// Counts done by hand, by the rules of docs/reference/coverage.md, and what suites of different size miss of them.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runSuite } from "../suite/run-suite.ts";
import type { Texts } from "../suite/suite.testing.ts";
import { CoverageCollector } from "./collector.ts";
import { cover, missed, pointText, suiteFrom } from "./coverage.testing.ts";
import { coverageReport, percentOf } from "./report.ts";

// matchConditions[0]      true, false                                                           2
// variables[0]            evaluated, fails (`object.spec.containers` may be missing),
//                         both branches                                                         4
// validations[0]          true, false                                                           2
//   the body of all       true, false                                                           2
//   c.image.starts…       true, false, fails (`c.image`)                                        3
//   (has(…) || …)         true, false                                                           2
//   has(c.resources.…)    true, false, fails (`c.resources`)                                    3
//   c.name == 'debug'     true, false, fails (`c.name`)                                         3
// its messageExpression   evaluated                                                             1
// auditAnnotations[0]     evaluated                                                             1
// the binding             matched, refused                                                      2
//                                                                                              25
const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: images }
spec:
  matchConstraints:
    resourceRules:
    - { apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE] }
  matchConditions:
  - { name: not-root, expression: "request.userInfo.username != 'root'" }
  variables:
  - name: containers
    expression: "has(object.spec.initContainers) ? object.spec.containers + object.spec.initContainers : object.spec.containers"
  validations:
  - expression: >-
      variables.containers.all(c,
        c.image.startsWith('good/') &&
        (has(c.resources.limits) || c.name == 'debug'))
    messageExpression: "'no: ' + object.metadata.name"
  auditAnnotations:
  - { key: count, valueExpression: "string(size(variables.containers))" }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: in-production }
spec:
  policyName: images
  validationActions: [Deny]
  matchResources: { namespaceSelector: { matchLabels: { env: prod } } }
---
apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { env: prod } }
`;
const FILES: Texts = { "policy.yaml": POLICY };

const HEAD =
  "apiVersion: celadon.dev/v1\nkind: TestSuite\nmetadata: { name: s }\nresources: [policy.yaml]\ndefaults: { serverDefaults: false }\ntests:\n";

/** A case about a pod with this spec. */
function podCase(name: string, spec: string, more = "namespace: shop"): string {
  return `- { name: ${name}, ${more}, expect: allow, object: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: ${spec} } }\n`;
}

const LIMITS = "resources: { limits: { cpu: 1 } }";
// The cases do not check verdicts, so all expect the same.
const CASES = [
  podCase("good", `{ containers: [{ name: a, image: good/a, ${LIMITS} }] }`),
  podCase("elsewhere", `{ containers: [{ name: a, image: bad/a, ${LIMITS} }] }`),
  podCase("debug", "{ containers: [{ name: debug, image: good/a, resources: {} }] }"),
  podCase("unlimited", "{ containers: [{ name: a, image: good/a, resources: {} }] }"),
  podCase("init", `{ initContainers: [{ name: i, image: good/i, ${LIMITS} }], containers: [] }`),
  podCase("no-image", `{ containers: [{ name: a, ${LIMITS} }] }`),
  podCase("no-resources", "{ containers: [{ name: a, image: good/a }] }"),
  podCase("no-name", "{ containers: [{ image: good/a, resources: {} }] }"),
  podCase("no-containers", "{}"),
  podCase("root", "{ containers: [] }", "namespace: shop, user: root"),
  podCase("other-namespace", "{ containers: [] }", "namespace: lab"),
];

const coverCases = async (cases: readonly string[]) => cover(await suiteFrom(HEAD + cases.join(""), FILES));

// biome-ignore format: one case per line
test.each([
  { covered: 0,    points: 0,    percent: 100 },
  { covered: 0,    points: 3,    percent: 0 },
  { covered: 1,    points: 3,    percent: 33.3 },
  { covered: 2,    points: 3,    percent: 66.7 },
  { covered: 9999, points: 10000, percent: 99.9 },
  { covered: 7,    points: 7,    percent: 100 },
])("$covered of $points is $percent%", ({ percent, ...count }) => expect(percentOf(count)).toBe(percent));

describe("the counted policy", () => {
  test("has 25 points, and a whole suite covers them", async () => {
    const { report } = await coverCases(CASES);
    expect(missed(report)).toEqual([]);
    expect(report.total).toEqual({ points: 25, covered: 25 });
    expect(percentOf(report.total)).toBe(100);
    const [policy] = report.policies;
    const counts = policy?.expressions.map(({ kind, points }) => `${kind} ${points.length}`);
    expect(counts).toEqual([
      "matchCondition 2",
      "variable 4",
      "validation 15",
      "messageExpression 1",
      "auditAnnotation 1",
      "binding 2",
    ]);
  });

  test("is not covered at all by a suite that never matches it", async () => {
    const { report } = await coverCases([podCase("other", "{ containers: [] }", "namespace: lab")]);
    // The binding has refused; nothing else happened.
    expect(report.total).toEqual({ points: 25, covered: 1 });
  });

  test("one allowed pod leaves exactly these points uncovered", async () => {
    const { report } = await coverCases([CASES[0]!]);
    expect(missed(report)).toEqual([
      "expression never false: request.userInfo.username != 'root'",
      "evaluation never failed: has(object.spec.initContainers) ? object.spec.containers + object.spec.initContainers : object.spec.containers",
      "branch never taken: object.spec.containers + object.spec.initContainers",
      expect.stringMatching(/^expression never false: variables\.containers\.all\(/),
      expect.stringMatching(/^macro body never false: c\.image/),
      "operand never false: c.image.startsWith('good/')",
      "evaluation never failed: c.image.startsWith('good/')",
      "operand never false: has(c.resources.limits) || c.name == 'debug'",
      "operand never false: has(c.resources.limits)",
      "evaluation never failed: has(c.resources.limits)",
      "operand never true: c.name == 'debug'",
      "operand never false: c.name == 'debug'",
      "evaluation never failed: c.name == 'debug'",
      "expression never evaluated: 'no: ' + object.metadata.name",
      "binding never excluded a request: in-production",
    ]);
  });

  // biome-ignore format: what only one case reaches
  const alone = [
    { without: 4,  misses: ["branch never taken: object.spec.containers + object.spec.initContainers"] },
    { without: 5,  misses: ["evaluation never failed: c.image.startsWith('good/')"] },
    { without: 6,  misses: ["evaluation never failed: has(c.resources.limits)"] },
    { without: 7,  misses: ["evaluation never failed: c.name == 'debug'"] },
    { without: 9,  misses: ["expression never false: request.userInfo.username != 'root'"] },
    { without: 10, misses: ["binding never excluded a request: in-production"] },
  ];
  test.each(alone)("without case $without", async ({ without, misses }) => {
    const { report } = await coverCases(CASES.filter((_, i) => i !== without));
    expect(missed(report)).toEqual(misses);
  });

  test("has the places of its points in the file, in block scalars too", async () => {
    const { report } = await coverCases([CASES[0]!]);
    const points = report.policies.flatMap(({ expressions }) => expressions.flatMap(({ points }) => points));
    const places = points.map((point) => {
      const { file, line, column } = point.place!;
      return `${file}:${line}:${column} ${pointText(point)}`;
    });
    expect(places).toContain("policy.yaml:16:9 operand never false: c.image.startsWith('good/')");
    expect(places).toContain("policy.yaml:17:37 operand never true: c.name == 'debug'");
    expect(places).toContain("policy.yaml:24:19 binding never excluded a request: in-production");
    const lines = POLICY.split("\n");
    for (const { place, text } of points) {
      const { line, column, endLine, endColumn } = place!;
      if (line === endLine) expect(lines[line - 1]!.slice(column - 1, endColumn - 1)).toBe(text);
    }
  });
});

test("more cases never cover less, in any order, and collections can be put together", async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(CASES, { minLength: 1 }), fc.nat(), async (cases, at) => {
      const suite = await suiteFrom(HEAD + cases.join(""), FILES);
      const whole = await cover(suite);
      const fewer = await cover({ ...suite, cases: suite.cases.slice(0, at % cases.length) });
      expect(fewer.report.total.covered).toBeLessThanOrEqual(whole.report.total.covered);
      const missing = new Set(missed(fewer.report));
      for (const text of missed(whole.report)) expect(missing).toContain(text);

      const rest = await cover({ ...suite, cases: suite.cases.slice(at % cases.length) });
      const merged = new CoverageCollector();
      for (const { collector } of [rest, fewer]) merged.merge(JSON.parse(JSON.stringify(collector)));
      expect(coverageReport(merged, [suite.resources])).toEqual(whole.report);
    }),
    { numRuns: 15 },
  );
});

test("watching changes no verdict, message or cost", async () => {
  const suite = await suiteFrom(HEAD + CASES.join(""), FILES);
  const plain = await runSuite(suite);
  const { result } = await cover(suite);
  const shown = ({ cases }: typeof plain) =>
    cases.map(({ observed, result, differences }) => ({ observed, result, differences }));
  expect(shown(result)).toEqual(shown(plain));
});
