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
    get results() {
      return [...reviewed.flatMap(resultsOf), ...unmatched.map((policyTally) => unmatchedResult(policyTally, options))];
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
    text: (paint) => checkText(checked, unmatched, options, paint),
    get table() {
      return tableOf(reviewed);
    },
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

function tallyOf(reviewed: readonly Reviewed[]): Counts {
  const denied = reviewed.filter(isDenied).length;
  const warned = reviewed.filter((item) => !isDenied(item) && item.problems.length > 0).length;
  return { objects: reviewed.length, allowed: reviewed.length - denied, denied, warned };
}

function checkText(
  { reviewed, rejected }: Checked,
  unmatched: readonly PolicyTally[],
  { onlyProblems, notes }: CheckAnswerOptions,
  paint: Paint,
): string {
  const shown = reviewed.filter((item) => !onlyProblems || isDenied(item) || item.problems.length > 0);
  const blocks = shown.map((item) => reviewedText(item, paint));
  for (const { subject, manifest } of reviewed) {
    const part = rejected.get(manifest);
    if (part) blocks.push(`${paint.yellow("!")} ${notInForceText(subjectText(subject), part.isUpdate)}\n`);
  }
  for (const tally of unmatched) {
    blocks.push(`${paint.yellow("!")} ${unmatchedText({ ...tally, policy: paint.bold(tally.policy) })}\n`);
  }
  const assumptions = new Set(notes ? reviewed.flatMap((item) => item.assumptions) : []);
  for (const text of assumptions) blocks.push(paint.dim(`note: ${unbroken(text)}\n`));
  const { objects, allowed, denied, warned } = tallyOf(reviewed);
  const parts = [`${objects} ${objects === 1 ? "object" : "objects"}`, `${allowed} allowed`, `${denied} denied`];
  if (warned > 0) parts.push(`${warned} with warnings`);
  if (unmatched.length > 0) {
    parts.push(`${unmatched.length} ${unmatched.length === 1 ? "policy" : "policies"} matched nothing`);
  }
  const line = parts.join(", ");
  return `${blocks.join("")}${blocks.length > 0 ? "\n" : ""}${denied > 0 ? paint.red(line) : paint.green(line)}\n`;
}

function tableOf(reviewed: readonly Reviewed[]): Table {
  const rows = reviewed.flatMap((item) => {
    const { subject, operation, problems } = item;
    const head = [subject.kind, subject.namespace ?? "", subject.name, operation];
    if (problems.length === 0) return [[...head, isDenied(item) ? "denied" : "allowed", "", "", ""]];
    return problems.map((problem) => {
      const place = problemPlace(item, problem);
      const verdict = `${problem.level}${problem.returned ? " *" : ""}`;
      return [...head, verdict, speakerText(problem), problem.message, place ? placeText(place) : ""];
    });
  });
  return { columns: ["KIND", "NAMESPACE", "NAME", "OPERATION", "VERDICT", "BY", "MESSAGE", "PLACE"], rows };
}
