// The page of other programs has the kept outcomes, and outcomes are read from the output of test binaries.

import { describe, expect, test } from "vitest";
import { readPage, withOutcomes } from "../../programs/page.mjs";
import { readResults } from "../../programs/results.mjs";
import { ginkgoTests, goTests, scriptTests } from "../../programs/test-output.mjs";

test("docs/reference/programs.md has the kept outcomes", () => {
  const page = readPage();
  expect(withOutcomes(page, readResults())).toBe(page);
});

describe("outcomes of tests", () => {
  test("of a Go test binary: parts count, and a test that ended everything", () => {
    const output = [
      "=== RUN   TestA",
      "=== RUN   TestA/one",
      "    --- PASS: TestA/one (0.00s)",
      "    --- SKIP: TestA/two (0.00s)",
      "--- PASS: TestA (0.01s)",
      "=== RUN   TestSuite",
      "Running Suite: Everything - /tmp",
      "--- FAIL: TestSuite (0.01s)",
      "=== RUN   TestB",
      "panic: nil",
    ].join("\n");
    expect([...goTests(output)]).toEqual([
      ["TestA/one", "passed"],
      ["TestA/two", "skipped"],
      ["TestB", "failed"],
    ]);
  });

  test("of a Ginkgo suite: a set-up counts if it failed", () => {
    const spec = (LeafNodeType: string, LeafNodeText: string, State: string) => ({
      LeafNodeType,
      ContainerHierarchyTexts: ["it"],
      LeafNodeText,
      State,
    });
    const SpecReports = [
      spec("BeforeSuite", "", "passed"),
      spec("It", "works", "passed"),
      spec("It", "works", "timedout"),
      spec("It", "waits", "pending"),
      spec("AfterSuite", "", "failed"),
    ];
    expect([...ginkgoTests([{ SpecReports }])]).toEqual([
      ["it works", "passed"],
      ["it works #2", "failed"],
      ["it waits", "skipped"],
      ["it AfterSuite", "failed"],
    ]);
  });

  test("of a script", () => {
    expect([...scriptTests("ok a b\nother\nnot ok c\n")]).toEqual([
      ["a b", "passed"],
      ["c", "failed"],
    ]);
  });
});
