// What `check` says: every object, then policies that matched nothing, then the tally.

import { isSetUp, type PolicyTally } from "@celadon/simulator";
import { EXIT } from "../exit.ts";
import { speakerText, subjectText } from "../outcome/names.ts";
import { reviewedJson } from "../outcome/outcome-json.ts";
import { resultsOf } from "../outcome/outcome-results.ts";
import { reviewedText } from "../outcome/outcome-text.ts";
import { placeText } from "../outcome/place.ts";
import { isDenied, problemPlace, type Reviewed } from "../outcome/reviewed.ts";
import type { Answer, Place, Result, Table } from "../output/answer.ts";
import type { Paint } from "../output/paint.ts";
import { unbroken } from "../output/visible.ts";
import type { Checked } from "./check-all.ts";

export interface CheckAnswerOptions {
  /** Objects with nothing against them are left out of the text. */
  readonly onlyProblems: boolean;
  placeOfPolicy(name: string): Place | undefined;
}

export function checkAnswer({ reviewed, policies }: Checked, options: CheckAnswerOptions): Answer {
  const unmatched = policies.filter(({ matched }) => matched === 0);
  const tally = tallyOf(reviewed);
  // Made when a format asks for it: with thousands of objects each costs as much as deciding.
  return {
    get results() {
      return [...reviewed.flatMap(resultsOf), ...unmatched.map((one) => unmatchedResult(one, options))];
    },
    get document() {
      return {
        apiVersion: "celadon.dev/v1",
        kind: "CheckReport",
        summary: { ...tally, policies: policies.length, unmatchedPolicies: unmatched.length },
        objects: reviewed.map(reviewedJson),
        policies,
      };
    },
    text: (paint) => checkText(reviewed, unmatched, options, paint),
    get table() {
      return tableOf(reviewed);
    },
    exit: tally.denied > 0 ? EXIT.failed : EXIT.ok,
  };
}

function unmatchedResult({ policy, refusals }: PolicyTally, { placeOfPolicy }: CheckAnswerOptions): Result {
  const place = placeOfPolicy(policy);
  return {
    group: place?.file ?? "",
    name: `policy ${policy} · unmatched`,
    level: "warn",
    rule: "check/unmatched_policy",
    ruleText: "a policy that matched none of the objects",
    message: unmatchedText(policy, refusals),
    ...(place && { place }),
    policy,
    system: "policy",
  };
}

function unmatchedText(policy: string, refusals: PolicyTally["refusals"]): string {
  const [most] = refusals;
  return `policy ${policy} matched nothing${most === undefined ? "" : `: ${most.text}`}`;
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
  const warned = reviewed.filter((one) => !isDenied(one) && one.problems.length > 0).length;
  return { objects: reviewed.length, allowed: reviewed.length - denied, denied, warned };
}

function checkText(
  reviewed: readonly Reviewed[],
  unmatched: readonly PolicyTally[],
  { onlyProblems }: CheckAnswerOptions,
  paint: Paint,
): string {
  const shown = reviewed.filter((one) => !onlyProblems || isDenied(one) || one.problems.length > 0);
  const blocks = shown.map((one) => reviewedText(one, paint));
  for (const { subject } of reviewed.filter((one) => isDenied(one) && isSetUp(one.manifest.object))) {
    blocks.push(`${paint.yellow("!")} ${subjectText(subject)} is refused and not in force: it decides nothing here\n`);
  }
  for (const { policy, refusals } of unmatched) {
    blocks.push(`${paint.yellow("!")} ${unmatchedText(paint.bold(policy), refusals)}\n`);
  }
  const assumptions = new Set(reviewed.flatMap(({ assumptions }) => assumptions));
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
  const rows = reviewed.flatMap((one) => {
    const { subject, operation, problems } = one;
    const head = [subject.kind, subject.namespace ?? "", subject.name, operation];
    if (problems.length === 0) return [[...head, isDenied(one) ? "denied" : "allowed", "", "", ""]];
    return problems.map((problem) => {
      const place = problemPlace(one, problem);
      const verdict = `${problem.level}${problem.returned ? " *" : ""}`;
      return [...head, verdict, speakerText(problem), problem.message, place ? placeText(place) : ""];
    });
  });
  return { columns: ["KIND", "NAMESPACE", "NAME", "OPERATION", "VERDICT", "BY", "MESSAGE", "PLACE"], rows };
}
