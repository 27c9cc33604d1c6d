// Comments and baselines that suppress findings of lint and check, in every format; those without effect are findings themselves.

import { describe, expect, test } from "vitest";
import { runLine } from "../io.testing.ts";
import { SourceText } from "../sources/source-text.ts";
import { suppressionComments } from "../sources/suppression-comments.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations:
  - expression: object.spec.replicas <= 5
    message: "true"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec: {policyName: few, validationActions: [Deny]}
`;
const ACCESS = "object.metadata.labels['a'] == 'b'";
const LINTED = POLICY.replace("object.spec.replicas <= 5", ACCESS);
const deployment = (spec: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
${spec}
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}
`;

describe("what a comment covers", () => {
  // biome-ignore format: one case per line
  const cases: readonly (readonly [what: string, text: string, covers: string])[] = [
    ["behind a line, what the line begins",        "a:\n  b: # celadon: ignore X r\n    c: 1\n  d: 1\n",        "2-3"],
    ["on its own, what the next line begins",      "a:\n  # celadon: ignore X r\n  b:\n    c: 1\n  d: 1\n",      "3-4"],
    ["a list at the indentation of its key",       "k: v\na:\n# celadon: ignore X r\nb:\n- c\n- d\ne: 1\n",       "4-6"],
    ["an item of a list",                          "k: v\na:\n# celadon: ignore X r\n- c: 1\n  d: 1\n- e\n",      "4-5"],
    ["above a document, the document",             "a: 1\n---\n# celadon: ignore X r\na: 1\nb: 1\n---\nc: 1\n",   "3-5"],
    ["a block scalar",                             "k: v\n# celadon: ignore X r\na: |\n  b: 1\n\n  c\nd: 1\n",    "3-6"],
    ["text of a block scalar is no comment",       "a: |\n  b # celadon: ignore X r\n  # celadon: ignore X r\n",   ""],
    ["quoted text is no comment",                  "a: \"b # celadon: ignore X r\"\nb: 'c # celadon: ignore X r'\n", ""],
    ["two codes",                                  "k: v\na: 1 # celadon: ignore X,Y r\n",                        "2-2 2-2"],
    ["other comments",                             "a: 1 # ignore X\n# celadon: ignored\n",                       ""],
  ];
  test.each(cases)("%s", (_, text, covers) => {
    const found = suppressionComments(new SourceText("a.yaml", text));
    expect(found.map(({ from, to }) => `${from}-${to}`).join(" ")).toBe(covers);
    expect(found.every(({ reason }) => reason === "r")).toBe(true);
  });
});

describe("lint", () => {
  const lint = async (text: string, ...flags: string[]) =>
    runLine(["lint", "p.yaml", ...flags], { files: { "p.yaml": text } });
  const codes = async (text: string, ...flags: string[]) => {
    const { stdout } = await lint(text, ...flags, "-o", "json");
    const { problems, suppressed = [], unusedSuppressions = [] } = JSON.parse(stdout);
    const named = (rows: { code?: string; rule?: string }[]): string[] => rows.map(({ code, rule }) => code ?? rule!);
    return { problems: named(problems), suppressed: named(suppressed), unused: named(unusedSuppressions) };
  };

  test("a comment with a reason suppresses", async () => {
    const before = await codes(LINTED);
    expect(before.problems).toContain("unguarded_key");
    const text = LINTED.replace(
      "  - expression",
      "  # celadon: ignore unguarded_key replicas are set by defaults\n  - expression",
    );
    const after = await codes(text);
    expect(after.problems).toEqual(before.problems.filter((code) => code !== "unguarded_key"));
    expect(after.suppressed).toEqual(["lint/unguarded_key"]);
    expect(after.unused).toEqual([]);
    expect((await lint(text)).stdout).toMatch(/1 suppressed\n$/);
  });

  // biome-ignore format: one case per line
  const unused: readonly (readonly [what: string, comment: string, rule: string])[] = [
    ["no reason",           "# celadon: ignore unguarded_key",          "suppression/no_reason"],
    ["nothing to suppress", "# celadon: ignore unused_variable not used", "suppression/unused"],
    ["no such code",        "# celadon: ignore ungarded_key reason",    "suppression/no_code"],
    ["no code",             "# celadon: ignore",                          "suppression/no_code"],
  ];
  test.each(unused)("%s is a finding", async (_, comment, rule) => {
    const text = LINTED.replace("  - expression", `  ${comment}\n  - expression`);
    const before = await codes(LINTED);
    expect(await codes(text)).toEqual({ problems: before.problems, suppressed: [], unused: [rule] });
    expect((await lint(text, "-o", "github")).stdout).toContain("p.yaml,line=8,");
    expect((await lint(text, "--warn-exit-code", "7")).code).toBe((await lint(LINTED)).code || 7);
  });

  test("one for check, or for a code that is not asked for, is left alone", async () => {
    const text = `# celadon: ignore policy/few old\n# celadon: ignore unused_variable old\n${LINTED}`;
    expect((await codes(text, "--disable", "unused_variable")).unused).toEqual([]);
    expect((await codes(text, "--only", "unguarded_key")).unused).toEqual([]);
  });

  test("a baseline suppresses the old findings, and no more", async () => {
    const files = { "p.yaml": LINTED };
    const written = await runLine(["lint", "p.yaml", "--write-baseline", "--baseline", "b/base.json"], { files });
    expect(written.stderr).toMatch(/wrote \d+ findings? to b\/base.json/);
    const baseline = new TextDecoder().decode(written.io.contents.get("/virtual/b/base.json"));
    expect(JSON.parse(baseline).findings).toContainEqual({
      rule: "lint/unguarded_key",
      file: "../p.yaml",
      object: "ValidatingAdmissionPolicy/few",
      field: "spec.validations[0].expression",
      count: 1,
    });
    const again = async (text: string, ...flags: string[]) =>
      runLine(["lint", "p.yaml", "--baseline", "b/base.json", ...flags], {
        files: { "p.yaml": text, "b/base.json": baseline },
      });
    const same = JSON.parse((await again(`# moved\n${LINTED}`, "-o", "json")).stdout);
    expect(same.problems.filter(({ level }: { level: string }) => level !== "note")).toEqual([]);
    expect(same.unusedSuppressions).toEqual([]);
    const more = JSON.parse(
      (await again(LINTED.replace("\n---", "\n  - expression: object.metadata.labels.b == 'c'\n---"), "-o", "json"))
        .stdout,
    );
    expect(more.problems.map(({ code }: { code: string }) => code)).toContain("unguarded_key");
    const mended = await again(
      LINTED.replace(ACCESS, `has(object.metadata.labels) && 'a' in object.metadata.labels && ${ACCESS}`),
    );
    expect(mended.stdout).toContain("the baseline has 1 more finding of lint/unguarded_key than there are");
  });

  test("a broken baseline ends the run", async () => {
    const { code, stderr } = await runLine(["lint", "p.yaml", "--baseline", "b.json"], {
      files: { "p.yaml": LINTED, "b.json": "{}" },
    });
    expect(code).toBe(2);
    expect(stderr).toContain("b.json: is no baseline");
  });
});

describe("check", () => {
  const check = (text: string, ...flags: string[]) =>
    runLine(["check", "p.yaml", "d.yaml", ...flags], { files: { "p.yaml": POLICY, "d.yaml": text } });
  const EXCUSED = deployment("  replicas: 9 # celadon: ignore policy/few until the move");

  test("a denial that is suppressed does not fail the run, and is shown as suppressed", async () => {
    expect((await check(deployment("  replicas: 9"))).code).toBe(1);
    const { code, stdout } = await check(EXCUSED);
    expect(code).toBe(0);
    expect(stdout).toContain("! Deployment default/web  d.yaml:1  denied, and suppressed, 1 policy");
    expect(stdout).toContain("0 denied");
    expect(stdout).toMatch(/1 suppressed\n$/);
    const [object] = JSON.parse((await check(EXCUSED, "-o", "json")).stdout).objects.slice(-1);
    expect(object).toMatchObject({ allowed: false, suppressed: true, problems: [] });
  });

  test("all problems of one system are suppressed by its name, which lint knows", async () => {
    const text = deployment("  replicas: many # celadon: ignore validation filled in later");
    expect((await check(text)).code).toBe(0);
    const unused = await check(deployment("  replicas: 2 # celadon: ignore validation filled in later"));
    expect(unused.stdout).toContain("nothing here is reported as validation\n");
    const { stdout } = await runLine(["lint", "d.yaml"], { files: { "d.yaml": text } });
    expect(stdout).not.toContain("is no code of a finding");
  });

  test("another reason to deny it still does", async () => {
    const { code, stdout } = await check(EXCUSED.replace("name: web", "name: Web"));
    expect(code).toBe(1);
    expect(stdout).toContain("metadata.name");
  });

  test("one that suppresses nothing is a finding", async () => {
    const { code, stdout } = await check(deployment("  replicas: 2 # celadon: ignore policy/few until the move"));
    expect(code).toBe(0);
    expect(stdout).toContain(
      "d.yaml:5:15: warning: nothing here is reported as policy/few\n  help: remove the comment\n",
    );
  });

  test("a baseline", async () => {
    const files = { "p.yaml": POLICY, "d.yaml": deployment("  replicas: 9") };
    const written = await runLine(["check", "p.yaml", "d.yaml", "--write-baseline"], { files });
    expect(written.code).toBe(0);
    const baseline = new TextDecoder().decode(written.io.contents.get("/virtual/celadon-baseline.json"));
    const config = "apiVersion: celadon.dev/v1\nkind: Configuration\nbaseline: celadon-baseline.json\n";
    const setting = { files: { ...files, "celadon-baseline.json": baseline, "celadon.yaml": config } };
    expect((await runLine(["check", "p.yaml", "d.yaml"], setting)).code).toBe(0);
    // Findings of lint in it are none of this command's, and the other way round.
    expect((await runLine(["lint", "p.yaml"], setting)).stdout).not.toContain("the baseline has");
  });

  test("reports have it as their formats do", async () => {
    const sarif = JSON.parse((await check(EXCUSED, "-o", "sarif")).stdout);
    expect(sarif.runs[0].results).toMatchObject([
      {
        ruleId: "policy/few/validations[0]",
        level: "error",
        suppressions: [{ kind: "inSource", justification: "until the move" }],
      },
    ]);
    const junit = (await check(EXCUSED, "-o", "junit")).stdout;
    expect(junit).toMatch(/failures="0" errors="0" skipped="1"/);
    expect(junit).toContain("suppressed: until the move");
    expect((await check(EXCUSED, "-o", "github")).stdout).not.toContain("::error");
  });
});
