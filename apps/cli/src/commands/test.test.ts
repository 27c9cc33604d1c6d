// The command in process: the suites it finds and runs, its output and the files it writes.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runLine, testIo } from "../io.testing.ts";
import { watching } from "../suites/watch.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: replicas }
spec:
  matchConstraints:
    resourceRules:
    - { apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE] }
  validations:
  - { expression: object.spec.replicas <= 5, message: at most 5 replicas }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: everywhere }
spec: { policyName: replicas, validationActions: [Deny] }
`;
const WEB =
  "{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web, namespace: shop }, spec: { replicas: 9, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web }] } } } }";
const suite = (tests: string): string =>
  `apiVersion: celadon.dev/v1\nkind: TestSuite\nresources: [policy.yaml]\nobjects: [${WEB}]\ntests:\n${tests}`;
const GOOD = "- { name: too many, object: web, expect: { verdict: deny, message: at most 5 replicas } }\n";
const files = { "p/policy.yaml": POLICY, "p/tests.yaml": suite(GOOD) };
const withTests = (tests: string) => ({ files: { ...files, "p/tests.yaml": suite(tests) } });

describe("finding suites", () => {
  test.each([[[]], [["."]], [["./..."]], [["p"]], [["p/tests.yaml"]], [["p/*.yaml"]]])("by %j", async (paths) => {
    const { code, stdout } = await runLine(["test", ...paths], { files });
    expect([code, stdout]).toEqual([0, "ok    tests  p/tests.yaml  1 case\n\nPASS  1 passed, 0 failed in 1 suite\n"]);
  });

  test("a broken file next to a suite does not affect it", async () => {
    const { code } = await runLine(["test"], {
      files: { ...files, "p/chart.yaml": "a: {{ TestSuite }}", "x.yaml": "[" },
    });
    expect(code).toBe(0);
  });

  test.each([
    [["test"], { "a.yaml": "kind: Pod\napiVersion: v1\n" }, /^celadon: no test suites in \.\n.*kind: TestSuite/s],
    [["test", "nope"], files, /^nope: no such file or directory/],
    [
      ["test", "p/policy.yaml"],
      files,
      /^p\/policy\.yaml: has no TestSuite\n {2}help: a suite begins with .*; found ValidatingAdmissionPolicy/,
    ],
    [["test", "--run", "nothing"], files, /^celadon: --run "nothing" matches none of 1 cases/],
    [["test", "--run", "("], files, /^celadon: --run "\(" is not a regular expression/],
  ] as const)("%j: code 2", async (argv, given, want) => {
    const { code, stdout, stderr } = await runLine(argv, { files: given });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(want);
  });
});

describe("its output", () => {
  test("a failure shows expectation, result and place", async () => {
    const { code, stdout } = await runLine(
      ["test"],
      withTests(
        "- { name: few, object: web, expect: allow }\n- { name: other, object: web, operation: DELETE, expect: deny }\n",
      ),
    );
    expect(code).toBe(1);
    expect(stdout).toBe(`--- FAIL: tests/few
    p/tests.yaml:6:3
    verdict
      expected: allow
      got:      deny
      because:  at most 5 replicas
--- FAIL: tests/other
    p/tests.yaml:7:3
    verdict
      expected: deny
      got:      unmatched
      because:  policy 'replicas': no resource rule matches: resourceRules[0].operations
FAIL  tests  p/tests.yaml  2 of 2 cases failed

FAIL  0 passed, 2 failed in 1 suite
`);
  });

  test("mistakes in the suite: line, caret, suggestion", async () => {
    const { code, stdout, stderr } = await runLine(["test"], withTests("- { name: a, object: web, expect: denny }\n"));
    expect([code, stdout]).toEqual([2, ""]);
    expect(
      stderr,
    ).toBe(`p/tests.yaml:6:35: tests[0].expect is "denny", not one of allow, deny, warn, audit, error, unmatched, approve, unprocessed
  6 | - { name: a, object: web, expect: denny }
    |                                   ^
  help: did you mean "deny"?
celadon: cannot read or run one input
`);
  });

  test("of policies that a cluster would refuse", async () => {
    const { code, stderr } = await runLine(["test"], {
      files: { ...files, "p/policy.yaml": POLICY.replace("<= 5", "<= ") },
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^p\/policy\.yaml:9:\d+: ValidatingAdmissionPolicy "replicas": Syntax error.*\n {2}9 \| {3}- \{ expression/,
    );
  });

  test("verbosely", async () => {
    const { stdout } = await runLine(["test", "-v"], { files, tick: 3 });
    expect(stdout).toBe(
      "--- PASS: tests/too many (3ms)\nok    tests  p/tests.yaml  1 case (3ms)\n\nPASS  1 passed, 0 failed in 1 suite\n",
    );
  });

  test("as a table", async () => {
    const { stdout } = await runLine(
      ["test", "-o", "table"],
      withTests(`${GOOD}- { name: few, object: web, expect: allow }\n`),
    );
    expect(stdout.split("\n").map((line) => line.trimEnd().split(/ {2,}/))).toEqual([
      ["ID", "SUITE", "CASE", "RESULT", "REASON"],
      ["1", "tests", "too many", "pass"],
      ["2", "tests", "few", "fail", "verdict: expected allow, got deny: at most 5 replicas"],
      [""],
    ]);
  });

  test("as JSON", async () => {
    const { stdout } = await runLine(["test", "-o", "json"], { files });
    expect(JSON.parse(stdout)).toMatchObject({
      apiVersion: "celadon.dev/v1",
      kind: "TestReport",
      summary: { suites: 1, passed: 1, failed: 0, errors: 0, skipped: 0 },
      suites: [
        {
          name: "tests",
          file: "p/tests.yaml",
          cases: [
            {
              name: "too many",
              result: "pass",
              verdict: "deny",
              differences: [],
              line: 6,
              cost: { replicas: expect.any(Number) },
            },
          ],
        },
      ],
    });
  });

  test.each(["yaml", "junit", "sarif", "github", "policyreport"])("as %s", async (format) => {
    const { code, stdout } = await runLine(
      ["test", "-o", format],
      withTests("- { name: few, object: web, expect: allow }\n"),
    );
    expect(code).toBe(1);
    expect(stdout).toContain("few");
  });
});

test("--fail-fast ends all suites", async () => {
  const bad = suite("- { name: a, object: web, expect: allow }\n- { name: b, object: web, expect: deny }\n");
  const { code, stdout } = await runLine(["test", "--fail-fast"], { files: { ...files, "p/a.yaml": bad } });
  expect(code).toBe(1);
  expect(stdout).toContain("1 of 2 cases failed, 1 skipped");
  expect(stdout).toContain("FAIL  0 passed, 1 failed, 2 skipped in 2 suites");
});

test("--run chooses by suite and case", async () => {
  const tests = `${GOOD}- { name: other, object: web, expect: allow }\n`;
  const { code, stdout } = await runLine(["test", "--run", "^tests/too"], withTests(tests));
  expect([code, stdout]).toEqual([0, "ok    tests  p/tests.yaml  1 case\n\nPASS  1 passed, 0 failed in 1 suite\n"]);
});

describe("--update", () => {
  const contentOf = (io: Awaited<ReturnType<typeof runLine>>["io"]): string =>
    new TextDecoder().decode(io.contents.get("/virtual/p/tests.yaml"));

  // biome-ignore format: one case per line
  const cases = [
    { name: "a message",                    before: "expect: { verdict: deny, message: old }",      after: "expect: { verdict: deny, message: at most 5 replicas }", code: 0 },
    { name: "a part that does not exist",     before: "expect: { verdict: deny, message: { contains: old } }", after: "expect: { verdict: deny, message: at most 5 replicas }", code: 0 },
    { name: "a count of failures",          before: "expect: { failures: 0 }",                      after: "expect: { failures: 1 }", code: 0 },
    { name: "failures",                     before: "expect: { failures: [] }",                     after: "expect: { failures: [ { policy: replicas, binding: everywhere, validation: 0, message: at most 5 replicas } ] }", code: 0 },
    { name: "code and reason",              before: "expect: { code: 1, reason: X }",               after: "expect: { code: 422, reason: Invalid }", code: 0 },
    { name: "never the verdict",            before: "expect: { verdict: allow, message: old }",     after: "expect: { verdict: allow, message: old }", code: 1 },
    { name: "nor whether it matched",       before: "expect: { matched: false }",                   after: "expect: { matched: false }", code: 1 },
  ];

  test.each(cases)("$name", async ({ before, after, code }) => {
    const line = (expect: string) => `# kept\n- { name: a, object: web, ${expect} }   # kept too\n`;
    const ran = await runLine(["test", "--update"], withTests(line(before)));
    expect(ran.code).toBe(code);
    expect(contentOf(ran.io)).toBe(suite(line(after)));
    expect(ran.stderr).toBe(before === after ? "" : "updated p/tests.yaml\n");
  });

  test("an expectation that is missing", async () => {
    const { io, code } = await runLine(["test", "--update"], withTests("- name: a\n  object: web\n"));
    expect(code).toBe(0);
    expect(contentOf(io)).toBe(
      suite("- name: a\n  object: web\n  expect:\n    verdict: deny\n    message: at most 5 replicas\n"),
    );
  });

  test("an expectation that cases share is left to the others", async () => {
    const { io, code } = await runLine(
      ["test", "--update"],
      withTests(
        "- name: a\n  object: web\n  expect: { verdict: deny, message: old }\n  cases:\n  - name: x\n  - { name: z, expect: deny }\n",
      ),
    );
    expect(code).toBe(0);
    expect(contentOf(io)).toContain(
      "- name: x\n    expect:\n      verdict: deny\n      message: at most 5 replicas\n  - { name: z, expect: deny }",
    );
  });
});

describe("--init", () => {
  test("writes what a policy allows and denies", async () => {
    const first = await runLine(["test", "--init", "p/policy.yaml"], { files: { "p/policy.yaml": POLICY } });
    expect([first.code, first.stdout]).toEqual([0, ""]);
    const written = new TextDecoder().decode(first.io.contents.get("/virtual/p/tests.yaml"));
    expect(written.match(/expect: \w+/g)).toEqual(["expect: allow", "expect: deny"]);
    const second = await runLine(["test"], { files: { "p/policy.yaml": POLICY, "p/tests.yaml": written } });
    expect(second.code).toBe(0);
  });

  test("uses the params and objects of the inputs, and generates an object for every clause", async () => {
    const file = (name: string): string => readFileSync(new URL(`./testdata/init/${name}`, import.meta.url), "utf8");
    const names = ["cluster.yaml", "deployments.yaml", "policy.yaml"];
    const inputs = Object.fromEntries(names.map((name) => [`p/${name}`, file(name)]));
    const first = await runLine(["test", "--init", "p"], { files: inputs });
    expect([first.code, first.stderr]).toEqual([0, "wrote p/tests.yaml\n"]);
    const written = new TextDecoder().decode(first.io.contents.get("/virtual/p/tests.yaml"));
    expect(written.match(/^ {2}- name: .*|^ {4}expect: .*/gm)).toMatchInlineSnapshot(`
      [
        "  - name: replicalimits.rules.acme.io allows it",
        "    expect: allow",
        "  - name: replica-limit allows it",
        "    expect: allow",
        "  - name: "replica-limit denies it: replicas 100 > 10"",
        "    expect: deny",
        "  - name: "replica-limit denies it: untrusted images: a"",
        "    expect: deny",
        "  - name: "replica-limit denies it: scale by 5 at most"",
        "    expect: deny",
        "  - name: "replica-limit denies it: need bigscale"",
        "    expect: deny",
      ]
    `);
    const second = await runLine(["test"], { files: { ...inputs, "p/tests.yaml": written } });
    expect(second.code).toBe(0);
  });

  test("overwrites nothing", async () => {
    const { code, stderr } = await runLine(["test", "--init", "p/policy.yaml"], { files });
    expect([code, stderr.split("\n")[0]]).toEqual([2, "celadon: p/tests.yaml already exists"]);
  });

  test.each([
    ["definition", "crd/definition.yaml", "kind: Queue"],
    ["certificate policy", "certificates/policy.yaml", "kind: CertificateRequest"],
    ["webhook", "webhooks/webhook.yaml", "kind: Pod"],
  ])("for a %s", async (_, file, want) => {
    const text = readFileSync(new URL(`../../../../examples/${file}`, import.meta.url), "utf8");
    const { code, io } = await runLine(["test", "--init", "x.yaml"], { files: { "x.yaml": text } });
    expect(code).toBe(0);
    expect(new TextDecoder().decode(io.contents.get("/virtual/tests.yaml"))).toContain(want);
  });

  test("not for policies that a cluster would reject", async () => {
    const text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: x }\n";
    const { code, stderr } = await runLine(["test", "--init", "x.yaml"], { files: { "x.yaml": text } });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^celadon: an API server would reject it: /);
  });

  test("needs something to test", async () => {
    const { code, stderr } = await runLine(["test", "--init", "a.yaml"], {
      files: { "a.yaml": "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n" },
    });
    expect([code, stderr.split("\n")[0]]).toEqual([2, "celadon: nothing to test in a.yaml"]);
  });
});

test("--watch runs again on a relevant change and stops on its signal", async () => {
  const controller = new AbortController();
  const io = testIo({ signal: controller.signal });
  const changes: ((path: string) => void)[] = [];
  const watched: (readonly string[])[] = [];
  let runs = 0;
  const run = async () => {
    runs++;
    if (runs === 3) controller.abort();
    return ["p"];
  };
  const watch: typeof io.files.watch = (paths, changed) => {
    watched.push(paths);
    changes.push(changed);
  };
  const done = watching({ run, matters: (path) => path === "p/a.yaml" }, { ...io, files: { ...io.files, watch } });
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
  for (let i = 0; i < 2; i++) {
    while (changes.length <= i) await pause();
    changes[i]!("p/report.xml");
    await pause();
    expect(runs).toBe(i + 1);
    changes[i]!("p/a.yaml");
    changes[i]!("p/a.yaml");
  }
  await done;
  expect([runs, watched]).toEqual([3, [["p"], ["p"]]]);
});

test("--mutate --update adds the cases that would detect more, and nothing else changes", async () => {
  const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]}
  validations: [{expression: object.spec.replicas <= 5}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny]}
`;
  const suite = `# a suite
apiVersion: celadon.dev/v1
kind: TestSuite
resources: [policy.yaml]
tests:
  - name: few
    serverValidation: false
    object: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 1}}
    expect: allow

# the end
`;
  const files = { "policy.yaml": policy, "s.yaml": suite };
  const before = await runLine(["test", "--mutate", "s.yaml", "-o", "json"], { files });
  const updated = await runLine(["test", "--mutate", "--update", "s.yaml"], { files });
  expect(updated.stderr).toMatch(/added \d cases to s\.yaml/);
  const text = new TextDecoder().decode(updated.io.contents.get("/virtual/s.yaml"));
  expect(text.startsWith(suite.slice(0, suite.indexOf("\n\n# the end")))).toBe(true);
  expect(text.endsWith("\n\n# the end\n")).toBe(true);
  expect(text).not.toContain("&");
  const after = await runLine(["test", "--mutate", "s.yaml", "-o", "json"], { files: { ...files, "s.yaml": text } });
  const survived = ({ stdout }: { stdout: string }): number => JSON.parse(stdout).mutation.summary.survived;
  expect(survived(before)).toBeGreaterThan(0);
  expect(survived(after)).toBe(0);
});

describe("with Kubernetes versions", () => {
  const older = {
    "p/policy.yaml": POLICY.replace("object.spec.replicas <= 5", "'[object.spec.replicas].first().value() <= 5'"),
  };
  const text = (key: string) => `kubeVersion: "${key}"\n${suite(GOOD)}`;

  test("a suite runs with each of those it names", async () => {
    const { code, stdout } = await runLine(["test"], { files: { ...files, "p/tests.yaml": text("1.35..1.37") } });
    expect([code, stdout]).toEqual([
      0,
      "SUITE  1.35  1.36  1.37\ntests  ok    ok    ok\n\nPASS  3 passed, 0 failed in 1 suite with 3 versions\n",
    ]);
  });

  test("the flag takes the place of those", async () => {
    const given = { ...files, "p/tests.yaml": text("1.30") };
    const { stdout } = await runLine(["test", "--kube-version", "1.36,1.34", "-o", "json"], { files: given });
    const report = JSON.parse(stdout);
    expect(report.kubeVersions).toEqual(["1.34", "1.36"]);
    expect(report.suites.map(({ kubeVersion }: { kubeVersion: string }) => kubeVersion)).toEqual(["1.34", "1.36"]);
    expect(report.summary).toMatchObject({ suites: 1, passed: 2 });
  });

  test("the configuration counts for suites that name none", async () => {
    const given = {
      ...files,
      "celadon.yaml": 'apiVersion: celadon.dev/v1\nkind: Configuration\nkubeVersion: "1.36..1.37"\n',
      "p/own.yaml": text("1.33"),
    };
    const { stdout } = await runLine(["test", "-o", "json"], { files: given });
    const suites = JSON.parse(stdout).suites as readonly { name: string; kubeVersion: string }[];
    expect(suites.map(({ name, kubeVersion }) => `${name} ${kubeVersion}`)).toEqual([
      "own 1.33",
      "tests 1.36",
      "tests 1.37",
    ]);
  });

  test("a version that rejects a policy does not run its suite", async () => {
    const { code, stdout, stderr } = await runLine(["test", "--kube-version", "1.32,1.33"], {
      files: { ...files, ...older },
    });
    expect(stderr).toContain("rejected by Kubernetes 1.32: ");
    expect([code, stdout]).toEqual([2, expect.stringContaining("SUITE  1.32      1.33\ntests  rejected  ok\n")]);
  });

  test("a failure is shown once, with its versions", async () => {
    const { code, stdout } = await runLine(
      ["test", "--kube-version", "1.30..1.32"],
      withTests(GOOD.replace("at most 5", "at most 6")),
    );
    expect(code).toBe(1);
    expect(stdout).toContain("--- FAIL: tests/too many with Kubernetes 1.30 to 1.32\n");
    expect(stdout.match(/--- FAIL/g)).toHaveLength(1);
    expect(stdout).toContain("SUITE  1.30      1.31      1.32\ntests  1 failed  1 failed  1 failed\n");
  });

  test.each([
    ["1.37..1.30", /--kube-version "1.37..1.30": 1.37 is after 1.30/],
    ["1.99", /--kube-version 1.99 is not supported; supported versions are 1.28 to 1.37/],
    ["new", /--kube-version "new": "new" is no Kubernetes version/],
  ])("%s is a mistake", async (version, want) => {
    const { code, stderr } = await runLine(["test", "--kube-version", version], { files });
    expect([code, stderr]).toEqual([2, expect.stringMatching(want)]);
  });
});
