// `celadon diff`: the examples, every format, every way to name the sets, and how it ends.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { celadon, expectGoldenRun, folder, installed, program, ROOT, shell } from "./run.testing.ts";

const example = (name: string): string => readFileSync(join(ROOT, "examples/diff", name), "utf8");
const files = {
  "old.yaml": example("old/policies.yaml"),
  "new.yaml": example("new/policies.yaml"),
  "cluster.yaml": example("cluster.yaml"),
  "reviews.yaml": example("reviews.yaml"),
};
const SETS = ["examples/diff/old", "examples/diff/new", "-f", "examples/diff/cluster.yaml"];
const RECORDED = ["--recorded", "examples/diff/new", "-f", "examples/diff/reviews.yaml"];

// biome-ignore format: one golden per line
const goldens: { name: string; argv: string[] }[] = [
  { name: "examples",          argv: SETS },
  { name: "by-namespace",      argv: [...SETS, "--group-by", "namespace", "--show", "1"] },
  { name: "by-owner",          argv: [...SETS, "--group-by", "owner"] },
  { name: "same",              argv: ["examples/diff/old", "examples/diff/old", "-f", "examples/diff/cluster.yaml"] },
  { name: "added",             argv: ["examples/diff/new", "-f", "examples/diff/cluster.yaml"] },
  { name: "recorded",          argv: RECORDED },
  { name: "recorded-messages", argv: [...RECORDED, "--messages"] },
  { name: "update",            argv: [...SETS, "--operation", "UPDATE", "--group-by", "kind"] },
  { name: "no-objects",        argv: ["examples/diff/old", "examples/diff/new"] },
  { name: "no-sets",           argv: ["-f", "examples/diff/cluster.yaml"] },
  { name: "too-many",          argv: ["a", "b", "c", "-f", "d"] },
  { name: "missing",           argv: ["examples/diff/older", "examples/diff/new", "-f", "examples/diff/cluster.yaml"] },
  { name: "nothing-recorded",  argv: ["--recorded", "examples/diff/new", "-f", "examples/diff/cluster.yaml"] },
  { name: "recorded-and-old",  argv: ["--recorded", "examples/diff/old", "examples/diff/new", "-f", "examples/diff/reviews.yaml"] },
  { name: "reviews-as-set",    argv: ["examples/diff/old", "examples/diff/reviews.yaml", "-f", "examples/diff/cluster.yaml"] },
];

describe("goldens", () => {
  test.each(goldens)("$name", async ({ name, argv }) => {
    expectGoldenRun(`diff/${name}.txt`, await celadon(["diff", ...argv]));
  });

  test.each(["table", "json", "junit", "sarif", "github", "policyreport"])("-o %s", async (format) => {
    expectGoldenRun(`diff/format-${format}.txt`, await celadon(["diff", ...SETS, "-o", format]));
  });
});

test("--fail-on denied: only newly denied objects fail the run", async () => {
  const looser = {
    "new.yaml": files["new.yaml"].replace('validationActions: ["Deny"]', 'validationActions: ["Warn"]'),
  };
  const cwd = folder({ ...files, ...looser });
  const argv = ["diff", "old.yaml", "new.yaml", "-f", "cluster.yaml", "-q"];
  expect((await celadon(argv, { cwd })).code).toBe(1);
  expect((await celadon([...argv, "--fail-on", "denied"], { cwd })).code).toBe(0);
  expect((await celadon(["diff", ...SETS, "--fail-on", "denied"])).code).toBe(1);
});

test("OLD from git, objects from standard input", async () => {
  const cwd = folder({ "policies/set.yaml": files["old.yaml"], "cluster.yaml": files["cluster.yaml"] });
  const git = (...argv: string[]) =>
    program("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...argv], { cwd });
  await git("init", "-q");
  await git("add", ".");
  expect((await git("commit", "-q", "-m", "one")).code).toBe(0);
  const same = await shell("celadon diff --old-git HEAD policies -f - < cluster.yaml", { cwd });
  expect([same.code, same.stdout]).toEqual([0, "no verdict changes for 7 objects\n"]);
  const next = folder({ "set.yaml": files["new.yaml"] });
  await program("cp", [join(next, "set.yaml"), join(cwd, "policies/set.yaml")]);
  const changed = await shell("celadon diff --old-git HEAD policies -f - < cluster.yaml | tail -1", { cwd });
  expect(changed.stdout).toBe(
    "4 of 7 objects changed: 1 newly denied, 1 newly allowed, 2 denied with a different answer\n",
  );
  const both = await celadon(["diff", "--old-git", "HEAD", "policies", "policies", "-f", "cluster.yaml"], { cwd });
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("--old-git takes the place of OLD")]);
});

test("a rejected policy is reported, because it no longer denies anything", async () => {
  const cwd = folder({
    ...files,
    "new.yaml": files["old.yaml"].replace("object.spec.replicas <= 5", "object.spec.replicas <="),
  });
  const { code, stdout } = await celadon(["diff", "old.yaml", "new.yaml", "-f", "cluster.yaml"], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain(
    "~ policy replica-limit changed: matches 5 → 0, fails 3 → 0 of the objects: rejected, so it is not in force: ",
  );
});

test("Ctrl-C ends it", async () => {
  const items = files["cluster.yaml"].slice(files["cluster.yaml"].indexOf("  - apiVersion: apps"));
  const many = Array.from({ length: 3000 }, (_, i) => items.replaceAll(/name: (\w+)$/gm, `name: $1-${i}`)).join("");
  const argv = ["diff", "old.yaml", "new.yaml", "-f", "-", "-o", "json=out.json"];
  const { code } = await installed(argv, {
    cwd: folder(files),
    stdin: `apiVersion: v1\nkind: List\nitems:\n${many}`,
    signal: { name: "SIGINT", after: 200 },
  });
  expect(code).toBe(130);
});
