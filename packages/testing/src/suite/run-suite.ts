// Running a suite: every case against its simulated cluster, and the differences from its expectations. Cases do not see each other.

import type { TextPosition } from "@celadon/kube/read";
import type { IntendedRequest, Outcome, ReviewOptions, SimulatedCluster } from "@celadon/simulator";
import { compare, type Difference } from "./compare.ts";
import type { SuiteIssue } from "./issue.ts";
import { type ObservedAnswers, observe } from "./observed.ts";
import { resourceIssues } from "./resource-issues.ts";
import { RuleCosts } from "./rule-costs.ts";
import { runProof } from "./run-proof.ts";
import { type Replace, SimulatedClusters } from "./simulated-clusters.ts";
import type { Case, Suite } from "./suite.ts";

/** `fail`: not as expected. `error`: could not be evaluated. */
export type CaseOutcome = "pass" | "fail" | "error" | "skip";

/** The result of a case, and the differences from its expectation. */
export interface CaseResult {
  /** `suite/test/case` */
  readonly id: string;
  readonly case: Case;
  readonly result: CaseOutcome;
  readonly differences: readonly Difference[];
  /** Why it was skipped or has no result. */
  readonly reason?: string;
  readonly observed?: ObservedAnswers;
  readonly outcome?: Outcome;
  /** The request that refutes the statement of the case, as a case. */
  readonly counterexample?: object;
  readonly milliseconds: number;
  readonly place?: TextPosition;
}

/** The results of a suite's cases. */
export interface SuiteResult {
  readonly suite: Suite;
  /** The problems of the resources: then nothing was run. */
  readonly issues: readonly SuiteIssue[];
  readonly cases: readonly CaseResult[];
}

/** Receives what happens in one case as it runs. */
export interface CaseWatch extends Pick<ReviewOptions, "observer" | "ruleObserver" | "certificateObserver"> {
  /** Called at the end of the case. */
  done?(outcome: Outcome): void;
}

/** The cases to run, and their observers. */
export interface RunOptions {
  /** Only cases whose `suite/case` it matches; others do not appear. */
  readonly run?: { test(name: string): boolean };
  readonly failFast?: boolean;
  /** Why no case is run at all. */
  readonly skip?: string;
  readonly onCase?: (result: CaseResult) => void;
  readonly signal?: AbortSignalLike;
  /** Milliseconds. Without it all durations are 0. */
  readonly now?: () => number;
  readonly replace?: Replace;
  /** Watches the expressions of a case: for coverage. */
  readonly observe?: (testCase: Case, simulated: SimulatedCluster) => CaseWatch | undefined;
}

interface AbortSignalLike {
  readonly aborted: boolean;
}

/** Runs the cases of a suite, each in its own simulated cluster. */
export async function runSuite(suite: Suite, options: RunOptions = {}): Promise<SuiteResult> {
  const { run, failFast = false, onCase, signal, now = () => 0 } = options;
  const clusters = new SimulatedClusters(suite, options.replace);
  const cases: CaseResult[] = [];
  const issues = resourceIssues(suite, clusters.base);
  if (issues.length > 0) return { suite, issues, cases };
  let skip = options.skip;
  for (const testCase of suite.cases) {
    const id = `${suite.name}/${testCase.name}`;
    if (run !== undefined && !run.test(id)) continue;
    const about = { id, case: testCase, ...(testCase.place && { place: testCase.place }) };
    let result: CaseResult;
    if (skip !== undefined || signal?.aborted) {
      const reason = skip ?? "interrupted";
      result = { ...about, result: "skip", differences: [], reason, milliseconds: 0 };
    } else {
      const started = now();
      const run = await runCase(testCase, clusters.of(testCase), options);
      result = { ...about, ...run, milliseconds: now() - started };
      if (failFast && (result.result === "fail" || result.result === "error")) skip = "skipped after a failure";
    }
    cases.push(result);
    onCase?.(result);
  }
  return { suite, issues, cases };
}

/** A case that ran: its result, without where it is written. */
export type CaseRun = Pick<CaseResult, "result" | "differences" | "reason" | "observed" | "outcome" | "counterexample">;

/** One case in a simulated cluster: its result, and the differences from its expectations. */
export async function runCase(
  testCase: Case,
  simulated: SimulatedCluster,
  { signal, observe: watch }: Pick<RunOptions, "signal" | "observe"> = {},
): Promise<CaseRun> {
  const { proof } = testCase;
  if (proof !== undefined) return await runProof({ ...testCase, proof }, simulated);
  const { done, ...observers }: CaseWatch = watch?.(testCase, simulated) ?? {};
  const rules = new RuleCosts();
  const outcome = await simulated.review(askOf(testCase), {
    everyPolicy: true,
    ...(signal && { signal }),
    ...observers,
    ruleObserver: rules.watch(observers.ruleObserver),
  });
  done?.(outcome);
  const observed = observe(testCase, outcome, simulated, rules.costs);
  if (testCase.expect === undefined) {
    const { verdict, note } = observed;
    const reason = `the case has no \`expect\`; the result is ${verdict}${note === undefined ? "" : `: ${note}`}`;
    return { result: "error", differences: [], reason, observed, outcome };
  }
  const differences = compare(testCase.expect, observed, outcome);
  return { result: differences.length === 0 ? "pass" : "fail", differences, observed, outcome };
}

function askOf(testCase: Case): IntendedRequest {
  const { object, oldObject, operation, subresource, user, namespace, objectName, resource, dryRun, options } =
    testCase;
  return {
    operation,
    ...(object && { object: object.object }),
    ...(oldObject && { oldObject: oldObject.object }),
    ...(subresource !== undefined && { subresource }),
    ...(user && { user }),
    ...(namespace !== undefined && { namespace }),
    ...(objectName !== undefined && { name: objectName }),
    ...(resource !== undefined && { resource }),
    ...(dryRun !== undefined && { dryRun }),
    ...(options && { options }),
  };
}
