// Two sets of policies compared for all requests, as a report: the relation, and a request for each direction that differs.

import { type Counterexample, exampleCase, type ProofAnswer, type SetComparison } from "@celadon/prove";
import type { CommandReport, Level, ReportRow } from "../output/answer.ts";
import type { Paint } from "../output/paint.ts";
import { EXIT } from "../program/exit.ts";
import { assumptionLines, caseYaml, indent } from "./answers-report.ts";

/** One direction of a comparison. */
interface Direction {
  readonly rule: "newly-denied" | "newly-allowed";
  readonly answer: ProofAnswer;
  readonly proved: string;
  readonly counterexample: string;
  readonly expect: "deny" | "allow";
}

function directionsOf({ newlyDenied, newlyAllowed }: SetComparison): readonly Direction[] {
  return [
    {
      rule: "newly-denied",
      answer: newlyDenied,
      proved: "no request is newly denied",
      counterexample: "newly denied",
      expect: "deny",
    },
    {
      rule: "newly-allowed",
      answer: newlyAllowed,
      proved: "no request is newly allowed",
      counterexample: "newly allowed",
      expect: "allow",
    },
  ];
}

/** The requests that get another answer, as cases of a suite for the new set. */
export function casesOf(comparison: SetComparison): readonly object[] {
  return directionsOf(comparison).flatMap(({ answer, rule, expect }) =>
    answer.is === "counterexample" ? [caseOf(answer.counterexample, rule, expect)] : [],
  );
}

export function comparisonReport(comparison: SetComparison): CommandReport {
  const { relation } = comparison;
  const directions = directionsOf(comparison);
  const isSame = relation === "equivalent";
  const count = (is: ProofAnswer["is"]): number => directions.filter(({ answer }) => answer.is === is).length;
  return {
    results: directions.map(rowOf),
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "ProofReport",
      answers: [],
      comparison,
      summary: { proved: count("proved"), problems: count("counterexample"), unknown: count("unknown") },
    },
    text: (paint) =>
      `${(isSame ? paint.green : paint.red)(SENTENCES[relation])}\n${directions.map((item) => blockOf(item, paint)).join("")}`,
    table: {
      columns: ["QUESTION", "ANSWER", "SAYS"],
      rows: directions.map((item) => [item.rule, item.answer.is, sentenceOf(item)]),
    },
    exit: isSame ? EXIT.ok : EXIT.failed,
  };
}

const SENTENCES: Readonly<Record<SetComparison["relation"], string>> = {
  equivalent: "equivalent: both sets deny the same requests",
  stricter: "stricter: the set in -f denies requests that the old set allows, and allows none that the old set denies",
  "more-permissive":
    "more permissive: the set in -f allows requests that the old set denies, and denies none that the old set allows",
  incomparable: "incomparable: each set denies requests that the other allows",
  unknown: "unknown: not every request could be followed",
};

const LEVELS: Readonly<Record<ProofAnswer["is"], Level>> = { proved: "pass", counterexample: "fail", unknown: "skip" };

function sentenceOf({ answer, proved, counterexample }: Direction): string {
  switch (answer.is) {
    case "proved":
      return proved;
    case "counterexample":
      return `${counterexample}: ${subjectOf(answer.counterexample)}`;
    case "unknown":
      return `not known whether ${proved.replace("no", "any")}, because of: ${answer.because.join("; ")}`;
  }
}

function subjectOf({ operation, object, oldObject, subresource }: Counterexample): string {
  const kind = (object ?? oldObject)?.kind ?? "object";
  return `${operation} of a ${kind}${subresource === undefined ? "" : `, ${subresource}`}`;
}

function rowOf(item: Direction): ReportRow {
  const { rule, answer, expect } = item;
  return {
    group: "policies",
    name: rule,
    level: LEVELS[answer.is],
    rule: `prove/${rule}`,
    message: answer.is === "proved" ? "" : sentenceOf(item),
    ...(answer.is === "counterexample" && { detail: caseYaml(caseOf(answer.counterexample, rule, expect)) }),
    system: "policy",
  };
}

function blockOf(item: Direction, paint: Paint): string {
  const { rule, answer, expect } = item;
  const head = `${answer.is === "counterexample" ? paint.red(sentenceOf(item)) : sentenceOf(item)}\n`;
  if (answer.is === "proved") return `${head}${assumptionLines(answer)}`;
  return answer.is === "unknown" ? head : `${head}${indent(caseYaml(caseOf(answer.counterexample, rule, expect)))}`;
}

function caseOf(example: Counterexample, name: string, expect: "deny" | "allow"): object {
  return exampleCase(undefined, name.replace("-", " "), example, expect);
}
