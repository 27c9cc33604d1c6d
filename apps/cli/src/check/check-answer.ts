// The report of `check`: every object, then policies that matched nothing, then the tally.

import { nameOf } from "@celadon/kube";
import type { PolicyTally } from "@celadon/simulator";
import { type Manifest, placeOf } from "@celadon/simulator/manifests";
import { type NothingJudged, withNothingJudged } from "../inputs/nothing-judged.ts";
import { costChart } from "../outcome/cost-chart.ts";
import { speakerText } from "../outcome/names.ts";
import { reviewedJson } from "../outcome/outcome-json.ts";
import { resultsOf } from "../outcome/outcome-results.ts";
import { reviewedText } from "../outcome/outcome-text.ts";
import { isDenied, problemPlace, type ReviewedObject } from "../outcome/reviewed.ts";
import type { CommandReport, ReportRow, ShownPlace, Table } from "../output/answer.ts";
import { denialCharts } from "../output/charts.ts";
import { LazyList } from "../output/lazy-list.ts";
import type { Paint } from "../output/paint.ts";
import { placeText } from "../output/place-text.ts";
import { subjectText } from "../output/subject-text.ts";
import { unbroken } from "../output/visible.ts";
import { EXIT } from "../program/exit.ts";
import { type Ineffective, isMistakeIn, neverEnforcedText } from "../review/ineffective.ts";
import { notInForceText } from "../review/written.ts";
import type { Checked } from "./check-all.ts";
import type { UnboundBinding } from "./unbound-bindings.ts";

export interface CheckAnswerOptions {
  /** Objects with nothing against them are left out of the text. */
  readonly onlyProblems: boolean;
  /** Assumptions are printed in the text. */
  readonly notes: boolean;
  placeOfPolicy(policy: PolicyTally): ShownPlace | undefined;
}

export function checkAnswer(checked: Checked, options: CheckAnswerOptions): CommandReport {
  const { reviewed, policies, ineffective, written, unboundBindings } = checked;
  const mistaken = new Set(ineffective.map(policyKey));
  const unmatched = checked.isPartial ? [] : policies.filter(({ matched }) => matched === 0);
  const unexplained = unmatched.filter((policyTally) => !mistaken.has(policyKey(policyTally)));
  const tally = tallyOf(reviewed);
  // Made when a format needs it: with thousands of objects each costs as much as deciding.
  const answer: CommandReport = {
    results: {
      *[Symbol.iterator]() {
        for (const item of reviewed) yield* resultsOf(item);
        for (const mistake of ineffective) yield ineffectiveResult(mistake, written);
        for (const policyTally of unexplained) yield unmatchedResult(policyTally, options);
        for (const binding of unboundBindings) yield unboundResult(binding);
      },
    },
    get document() {
      return {
        apiVersion: "celadon.dev/v1",
        kind: "CheckReport",
        summary: {
          ...tally,
          policies: policies.length,
          unmatchedPolicies: unmatched.length,
          ineffectivePolicies: mistaken.size,
          unboundBindings: unboundBindings.length,
        },
        objects: new LazyList(reviewed, reviewedJson),
        policies: policies.map((policyTally) => policyJson(policyTally, ineffective)),
      };
    },
    text: (paint) => checkText(checked, unexplained, tally, options, paint),
    table: tableOf(reviewed),
    charts: () => [...denialCharts(answer.results), costChart(policies)],
    exit: tally.denied > 0 || isMistakeIn(written, ineffective) ? EXIT.failed : EXIT.ok,
  };
  return tally.objects > 0 || checked.isPartial ? answer : withNothingJudged(answer, NOTHING_TO_CHECK);
}

const NOTHING_TO_CHECK: NothingJudged = { message: "nothing to check: no objects in the inputs" };

const policyKey = ({ kind, policy }: Pick<PolicyTally, "kind" | "policy"> | Ineffective): string => `${kind}/${policy}`;

function policyJson(tally: PolicyTally, ineffective: readonly Ineffective[]): Readonly<Record<string, unknown>> {
  const mistakes = ineffective.filter((mistake) => policyKey(mistake) === policyKey(tally));
  if (mistakes.length === 0) return { ...tally };
  return { ...tally, problems: mistakes.map(({ code, message, help, place }) => ({ code, message, help, place })) };
}

/** A mistake in a new resource fails the check; one in an existing resource is a warning. */
function ineffectiveResult(mistake: Ineffective, written: ReadonlySet<Manifest>): ReportRow {
  const { policy, code, meaning, message, help, place, manifest } = mistake;
  return {
    group: place?.file ?? "",
    name: `policy ${policy} · ${code}`,
    level: written.has(manifest) ? "fail" : "warn",
    rule: `lint/${code}`,
    ruleText: meaning,
    message: `${neverEnforcedText(mistake)}: ${message}`,
    ...(help !== undefined && { detail: `help: ${help}` }),
    ...(place && { place }),
    policy,
    policyRule: code,
    system: "lint",
  };
}

function unmatchedResult(tally: PolicyTally, { placeOfPolicy }: CheckAnswerOptions): ReportRow {
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

function unboundResult({ manifest, policyName }: UnboundBinding): ReportRow {
  const place = placeOf(manifest, ["spec", "policyName"]);
  const name = nameOf(manifest.object);
  return {
    group: place?.file ?? "",
    name: `binding ${name} · policy`,
    level: "warn",
    rule: "check/unbound_binding",
    ruleText: "binding whose policy is not in the inputs",
    message: unboundText(name, policyName),
    ...(place && { place }),
    policy: policyName,
    system: "policy",
  };
}

const unboundText = (name: string, policyName: string): string =>
  `binding ${name} has no effect: its policy ${policyName} is not in the inputs`;

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

function tallyOf(reviewed: Iterable<ReviewedObject>): Counts {
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
  { reviewed, rejected, ineffective, written, unboundBindings }: Checked,
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
    if (part) notInForce.push(`${paint.yellow("!")} ${notInForceText(subjectText(subject), part.instead)}\n`);
    if (onlyProblems && !isDenied(item) && problems.length === 0) continue;
    isEmpty = false;
    yield reviewedText(item, paint);
  }
  const last = [
    ...notInForce,
    ...ineffective.map((mistake) => ineffectiveText(mistake, written.has(mistake.manifest), paint)),
    ...unmatched.map(
      (tally) => `${paint.yellow("!")} ${unmatchedText({ ...tally, policy: paint.bold(tally.policy) })}\n`,
    ),
    ...unboundBindings.map(
      ({ manifest, policyName }) =>
        `${paint.yellow("!")} ${unboundText(paint.bold(nameOf(manifest.object)), policyName)}\n`,
    ),
    ...[...assumptions].map((text) => paint.dim(`note: ${unbroken(text)}\n`)),
  ];
  yield* last;
  const mistaken = new Set(ineffective.map(policyKey));
  const isMistaken = isMistakeIn(written, ineffective);
  const parts = [`${objects} ${objects === 1 ? "object" : "objects"}`, `${allowed} allowed`, `${denied} denied`];
  if (warned > 0) parts.push(`${warned} with warnings`);
  if (mistaken.size > 0) parts.push(`${counted(mistaken.size)} never enforced`);
  if (unmatched.length > 0) parts.push(`${counted(unmatched.length)} matched nothing`);
  const line = parts.join(", ");
  yield `${isEmpty && last.length === 0 ? "" : "\n"}${denied > 0 || isMistaken ? paint.red(line) : paint.green(line)}\n`;
}

const counted = (policies: number): string => `${policies} ${policies === 1 ? "policy" : "policies"}`;

function ineffectiveText(mistake: Ineffective, isWritten: boolean, paint: Paint): string {
  const { message, help, place } = mistake;
  const sign = isWritten ? paint.red("✗") : paint.yellow("!");
  const where = place === undefined ? "" : paint.dim(`   ${placeText(place)}`);
  const lines = [
    `${sign} ${neverEnforcedText({ ...mistake, policy: paint.bold(mistake.policy) })}`,
    `    ${unbroken(message)}${where}`,
    ...(help === undefined ? [] : [`    help: ${unbroken(help)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function tableOf(reviewed: Iterable<ReviewedObject>): Table {
  const rows = {
    *[Symbol.iterator]() {
      for (const item of reviewed) yield* rowsOf(item);
    },
  };
  return { columns: ["KIND", "NAMESPACE", "NAME", "OPERATION", "VERDICT", "BY", "MESSAGE", "PLACE"], rows };
}

function rowsOf(item: ReviewedObject): readonly (readonly string[])[] {
  const { subject, operation, problems } = item;
  const head = [subject.kind, subject.namespace ?? "", subject.name, operation];
  if (problems.length === 0) return [[...head, isDenied(item) ? "denied" : "allowed", "", "", ""]];
  return problems.map((problem) => {
    const place = problemPlace(item, problem);
    const verdict = `${problem.level}${problem.returned ? " *" : ""}`;
    return [...head, verdict, speakerText(problem), problem.message, place ? placeText(place) : ""];
  });
}
