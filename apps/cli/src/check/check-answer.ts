// What `check` says: every object, then policies that matched nothing, then the tally.

import type { PolicyTally } from "@celadon/simulator";
import { speakerText } from "../outcome/names.ts";
import { reviewedJson } from "../outcome/outcome-json.ts";
import { resultsOf } from "../outcome/outcome-results.ts";
import { reviewedText } from "../outcome/outcome-text.ts";
import { placeText } from "../outcome/place.ts";
import { isDenied, problemPlace, type Reviewed } from "../outcome/reviewed.ts";
import type { Answer, Place, Result, Table } from "../output/answer.ts";
import { LazyList } from "../output/lazy-list.ts";
import type { Paint } from "../output/paint.ts";
import { subjectText } from "../output/subject-text.ts";
import { unbroken } from "../output/visible.ts";
import { EXIT } from "../program/exit.ts";
import { notInForceText } from "../review/written.ts";
import type { Checked } from "./check-all.ts";

export interface CheckAnswerOptions {
  /** Objects with nothing against them are left out of the text. */
  readonly onlyProblems: boolean;
  /** Assumptions are printed in the text. */
  readonly notes: boolean;
  placeOfPolicy(policy: PolicyTally): Place | undefined;
}

export function checkAnswer(checked: Checked, options: CheckAnswerOptions): Answer {
  const { reviewed, policies } = checked;
  const unmatched = policies.filter(({ matched }) => matched === 0);
  const tally = tallyOf(reviewed);
  // Made when a format needs it: with thousands of objects each costs as much as deciding.
  return {
    results: {
      *[Symbol.iterator]() {
        for (const item of reviewed) yield* resultsOf(item);
        for (const policyTally of unmatched) yield unmatchedResult(policyTally, options);
      },
    },
    get document() {
      return {
        apiVersion: "celadon.dev/v1",
        kind: "CheckReport",
        summary: { ...tally, policies: policies.length, unmatchedPolicies: unmatched.length },
        objects: new LazyList(reviewed, reviewedJson),
        policies,
      };
    },
    text: (paint) => checkText(checked, unmatched, tally, options, paint),
    table: tableOf(reviewed),
    exit: tally.denied > 0 ? EXIT.failed : EXIT.ok,
  };
}

function unmatchedResult(tally: PolicyTally, { placeOfPolicy }: CheckAnswerOptions): Result {
  const { policy } = tally;
  const place = placeOfPolicy(tally);
  return {
    group: place?.file ?? "",
    name: `policy ${policy} · unmatched`,
    level: "warn",
    rule: "check/unmatched_policy",
    ruleText: "policy that matched no object",
    message: unmatchedText(tally),
    ...(place && { place }),
    policy,
    system: "policy",
  };
}

export function unmatchedText({ kind, policy, refusals }: PolicyTally): string {
  const [most] = refusals;
  return `${kind === "MutatingAdmissionPolicy" ? "mutating policy" : "policy"} ${policy} matched nothing${most === undefined ? "" : `: ${most.text}`}`;
}

interface Counts {
  readonly objects: number;
  readonly allowed: number;
  readonly denied: number;
  /** Objects that are allowed with something to say against them. */
  readonly warned: number;
}

function tallyOf(reviewed: Iterable<Reviewed>): Counts {
  const counts = { objects: 0, allowed: 0, denied: 0, warned: 0 };
  for (const item of reviewed) {
    counts.objects++;
    if (isDenied(item)) counts.denied++;
    else {
      counts.allowed++;
      if (item.problems.length > 0) counts.warned++;
    }
  }
  return counts;
}

function* checkText(
  { reviewed, rejected }: Checked,
  unmatched: readonly PolicyTally[],
  { objects, allowed, denied, warned }: Counts,
  { onlyProblems, notes }: CheckAnswerOptions,
  paint: Paint,
): Generator<string> {
  const assumptions = new Set<string>();
  const notInForce: string[] = [];
  let isEmpty = true;
  for (const item of reviewed) {
    const { subject, manifest, problems } = item;
    if (notes) for (const text of item.assumptions) assumptions.add(text);
    const part = rejected.get(manifest);
    if (part) notInForce.push(`${paint.yellow("!")} ${notInForceText(subjectText(subject), part.isUpdate)}\n`);
    if (onlyProblems && !isDenied(item) && problems.length === 0) continue;
    isEmpty = false;
    yield reviewedText(item, paint);
  }
  const last = [
    ...notInForce,
    ...unmatched.map(
      (tally) => `${paint.yellow("!")} ${unmatchedText({ ...tally, policy: paint.bold(tally.policy) })}\n`,
    ),
    ...[...assumptions].map((text) => paint.dim(`note: ${unbroken(text)}\n`)),
  ];
  yield* last;
  const parts = [`${objects} ${objects === 1 ? "object" : "objects"}`, `${allowed} allowed`, `${denied} denied`];
  if (warned > 0) parts.push(`${warned} with warnings`);
  if (unmatched.length > 0) {
    parts.push(`${unmatched.length} ${unmatched.length === 1 ? "policy" : "policies"} matched nothing`);
  }
  const line = parts.join(", ");
  yield `${isEmpty && last.length === 0 ? "" : "\n"}${denied > 0 ? paint.red(line) : paint.green(line)}\n`;
}

function tableOf(reviewed: Iterable<Reviewed>): Table {
  const rows = {
    *[Symbol.iterator]() {
      for (const item of reviewed) yield* rowsOf(item);
    },
  };
  return { columns: ["KIND", "NAMESPACE", "NAME", "OPERATION", "VERDICT", "BY", "MESSAGE", "PLACE"], rows };
}

function rowsOf(item: Reviewed): readonly (readonly string[])[] {
  const { subject, operation, problems } = item;
  const head = [subject.kind, subject.namespace ?? "", subject.name, operation];
  if (problems.length === 0) return [[...head, isDenied(item) ? "denied" : "allowed", "", "", ""]];
  return problems.map((problem) => {
    const place = problemPlace(item, problem);
    const verdict = `${problem.level}${problem.returned ? " *" : ""}`;
    return [...head, verdict, speakerText(problem), problem.message, place ? placeText(place) : ""];
  });
}
