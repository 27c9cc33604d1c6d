// The run as a whole: repeatable, bounded, and honest about the parts it skipped.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FILES, read, suiteOf } from "../suite/suite.testing.ts";
import type { Suite } from "../suite/suite.ts";
import { mutationDocument } from "./json.ts";
import { PolicyMutation, runMutation } from "./mutation.ts";
import { MUTATORS } from "./mutators.ts";
import { mutationReport, mutationScore } from "./report.ts";

const TESTS = `
- { name: small, object: web, expect: allow }
- { name: large, object: web, patch: { spec: { replicas: 4 } }, expect: { verdict: deny, message: at most 3 } }
- { name: shrunk, oldObject: web, patch: { spec: { replicas: 1 } }, expect: { verdict: deny, message: no shrinking } }
- { name: elsewhere, object: web, namespace: lab, expect: unmatched }
`;

async function suite(tests = TESTS, name?: string): Promise<Suite> {
  const { suite: found, issues } = await read(suiteOf(tests), FILES);
  if (found === undefined) throw new Error(JSON.stringify(issues));
  return name === undefined ? found : { ...found, name };
}

/** A clock that goes on by one with every look. */
function ticking(): () => number {
  let now = 0;
  return () => now++;
}

describe("a run", () => {
  test("is the same twice, and with any seed", async () => {
    const run = async (seed: number) =>
      mutationDocument(
        mutationReport(await runMutation(await PolicyMutation.of([await suite()]), { seed, tries: 60 })),
      );
    const first = await run(1);
    expect(await run(1)).toEqual(first);
    const fates = (document: typeof first) =>
      (document.mutants as { id: string; outcome: string }[]).map(({ id, outcome }) => `${outcome} ${id}`);
    expect(fates(await run(7))).toEqual(fates(first));
    const ids = (first.mutants as { id: string }[]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toBe("ValidatingAdmissionPolicy/replicas/spec.matchConditions[0].expression:0:comparison-changed");
  });

  test("leaves out what the API server would refuse", async () => {
    const report = mutationReport(await runMutation(await PolicyMutation.of([await suite()]), { tries: 0 }));
    // A policy that matches nothing at all: "spec.matchConstraints.resourceRules: Required value".
    const dropped = report.results.filter(({ mutant }) => mutant.mutator === "rule-dropped");
    expect(dropped.map(({ outcome }) => outcome)).toContain("refused");
    expect(report.tally.refused).toBeGreaterThan(0);
  });

  test("stops when time is up, and reports the mutants that were not run", async () => {
    const mutation = await PolicyMutation.of([await suite()]);
    const all = mutation.plan.mutants.length;
    const report = mutationReport(await runMutation(mutation, { now: ticking(), budget: 10 }));
    const { killed, survived, refused, notRun } = report.tally;
    expect(killed + survived + refused).toBe(9);
    expect(notRun).toBe(all - 9);
    expect(report.results.every(({ witness }) => witness === undefined)).toBe(true);
    // Mutants that were run by then keep their outcome.
    const whole = mutationReport(await runMutation(mutation, { tries: 0 }));
    for (const [i, { outcome }] of report.results.entries()) {
      if (outcome !== "not-run") expect(outcome).toBe(whole.results[i]!.outcome);
    }
  });

  test("ends with the signal", async () => {
    const mutation = await PolicyMutation.of([await suite()]);
    const signal = { aborted: false };
    const onMutant = (done: number): void => {
      if (done === 3) signal.aborted = true;
    };
    const { fates } = await runMutation(mutation, { signal, onMutant });
    expect(fates.size).toBe(3);
  });

  test("a sample is chosen by the seed", async () => {
    const mutation = await PolicyMutation.of([await suite()]);
    const chosen = async (seed: number) => [...(await runMutation(mutation, { sample: 5, seed, tries: 0 })).chosen];
    expect(await chosen(1)).toEqual(await chosen(1));
    expect(await chosen(1)).not.toEqual(await chosen(2));
    expect(mutationReport(await runMutation(mutation, { sample: 5, tries: 0 })).tally.notRun).toBe(
      mutation.plan.mutants.length - 5,
    );
  });
});

describe("suites", () => {
  test("that share a file share its mutants", async () => {
    const [first, second] = TESTS.trim().split(/(?=\n- \{ name: shrunk)/) as [string, string];
    const both = await PolicyMutation.of([await suite(first, "a"), await suite(second, "b")]);
    const item = await PolicyMutation.of([await suite()]);
    expect(both.plan.mutants.map(({ id }) => id)).toEqual(item.plan.mutants.map(({ id }) => id));
    const killed = async (mutation: PolicyMutation) =>
      mutationReport(await runMutation(mutation, { tries: 0 })).tally.killed;
    expect(await killed(both)).toBe(await killed(item));
  });

  test("whose cases are chosen notice less", async () => {
    const some = await PolicyMutation.of([await suite()], (_, { name }) => name === "small");
    const all = await PolicyMutation.of([await suite()]);
    const score = async (mutation: PolicyMutation) =>
      mutationScore(mutationReport(await runMutation(mutation, { tries: 0 })).tally)!;
    expect(await score(some)).toBeLessThan(await score(all));
  });

  test("that do not look at messages leave them alone", async () => {
    const paths = async (tests: string) => {
      const { plan } = await PolicyMutation.of([await suite(tests)]);
      return plan.mutants.filter(({ edit }) => edit.path.includes("messageExpression")).length;
    };
    expect(await paths(TESTS)).toBeGreaterThan(0);
    expect(await paths("- { name: small, object: web, expect: allow }")).toBe(0);
  });
});

test("every mutator is documented", () => {
  const page = readFileSync(new URL("../../../../docs/reference/mutation.md", import.meta.url), "utf8");
  const rows = MUTATORS.map(
    ({ name, about, applies }) => `| \`${name}\` | ${applies} | ${about.replaceAll("|", "\\|")} |`,
  );
  for (const row of rows) expect(page).toContain(row);
});
