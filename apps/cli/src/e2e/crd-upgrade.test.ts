// `celadon crd upgrade`: the example, every format, definitions that come, go and are refused.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { celadon, expectGoldenRun, folder, ROOT } from "./run.testing.ts";

const example = (name: string): string => readFileSync(join(ROOT, "examples/crd-upgrade", name), "utf8");
const [old, next, objects] = ["old.yaml", "new.yaml", "objects.yaml"].map(example) as [string, string, string];
const SETS = ["examples/crd-upgrade/old.yaml", "examples/crd-upgrade/new.yaml"];
const ALL = [...SETS, "-f", "examples/crd-upgrade/objects.yaml"];

const other = old.replaceAll("queues", "topics").replaceAll("queue", "topic").replaceAll("Queue", "Topic");

// biome-ignore format: one golden per line
const goldens: { name: string; argv: string[]; files?: Readonly<Record<string, string>> }[] = [
  { name: "examples",       argv: ALL },
  { name: "no-objects",     argv: SETS },
  { name: "same",           argv: [SETS[0]!, SETS[0]!, "-f", "examples/crd-upgrade/objects.yaml"] },
  { name: "show-one",       argv: [...ALL, "--show", "1"] },
  { name: "refused",        argv: ["old.yaml", "new.yaml"], files: { "old.yaml": old, "new.yaml": next.replace("scope: Namespaced", "scope: Cluster") } },
  { name: "stored-version", argv: ["old.yaml", "new.yaml", "-f", "objects.yaml"], files: { "old.yaml": old, "new.yaml": old.replace("- name: v1\n", "- name: v2\n"), "objects.yaml": objects } },
  { name: "come-and-go",    argv: ["old.yaml", "new.yaml", "-f", "objects.yaml"], files: { "old.yaml": old, "new.yaml": other, "objects.yaml": objects } },
  { name: "no-definition",  argv: ["old.yaml", "objects.yaml"], files: { "old.yaml": old, "objects.yaml": objects } },
  { name: "fail-on-breaking", argv: [...SETS, "--fail-on", "breaking"] },
  { name: "one-path",       argv: ["old.yaml"], files: { "old.yaml": old } },
];

describe("goldens", () => {
  test.each(goldens)("$name", async ({ name, argv, files }) => {
    const ran = await celadon(["crd", "upgrade", ...argv], files === undefined ? {} : { cwd: folder(files) });
    expectGoldenRun(`crd-upgrade/${name}.txt`, ran);
  });

  test.each(["table", "json", "junit", "sarif", "github", "policyreport"])("-o %s", async (format) => {
    expectGoldenRun(`crd-upgrade/format-${format}.txt`, await celadon(["crd", "upgrade", ...ALL, "-o", format]));
  });
});

test("a manifest without a namespace is taken to be in one", async () => {
  const unplaced = objects.replaceAll(/^ *namespace: .*\n/gm, "").replaceAll(/, namespace: [\w-]+/g, "");
  const cwd = folder({ "old.yaml": old, "objects.yaml": unplaced });
  const { stdout, code } = await celadon(["crd", "upgrade", "old.yaml", "old.yaml", "-f", "objects.yaml"], { cwd });
  expect(stdout).not.toContain("metadata.namespace");
  expect(code).toBe(0);
});

test("nothing breaks if the new definition is only looser", async () => {
  const cwd = folder({
    "old.yaml": old,
    "new.yaml": old.replace("maxItems: 10", "maxItems: 100"),
    "objects.yaml": objects,
  });
  const { code, stdout } = await celadon(["crd", "upgrade", "old.yaml", "new.yaml", "-f", "objects.yaml"], { cwd });
  expect([code, stdout]).toEqual([0, expect.stringContaining("all 5 objects are still valid")]);
});

test("a version that is removed fails for breaking changes, and without them only if objects use it", async () => {
  const files = { "old.yaml": old, "new.yaml": old.replace("- name: v1\n", "- name: v2\n") };
  const cwd = folder(files);
  const breaking = await celadon(["crd", "upgrade", "old.yaml", "new.yaml", "--fail-on", "breaking", "-o", "github"], {
    cwd,
  });
  expect(breaking.code).toBe(1);
  expect(breaking.stdout).toContain("version v1 is removed");
});
