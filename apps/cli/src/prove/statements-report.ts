// Statements about everything that policies allow, as a report.

import { exampleCase, type ProofAnswer } from "@celadon/prove";
import type { CommandReport, ReportRow } from "../output/answer.ts";
import type { Paint } from "../output/paint.ts";
import { EXIT } from "../program/exit.ts";
import { assumptionLines, caseYaml, indent } from "./answers-report.ts";

/** An expression with its answer. */
export interface ProvedStatement {
  readonly expression: string;
  readonly answer: ProofAnswer;
}

export function statementsReport(statements: readonly ProvedStatement[]): CommandReport {
  const count = (is: ProofAnswer["is"]): number => statements.filter(({ answer }) => answer.is === is).length;
  return {
    results: statements.map(rowOf),
    document: {
      apiVersion: "celadon.dev/v1",
      kind: "ProofReport",
      answers: [],
      statements: statements.map(({ expression, answer }) => ({ expression, ...answer })),
      summary: { proved: count("proved"), problems: count("counterexample"), unknown: count("unknown") },
    },
    text: (paint) => statements.map((statement) => blockOf(statement, paint)).join(""),
    table: {
      columns: ["STATEMENT", "ANSWER"],
      rows: statements.map(({ expression, answer }) => [expression, answer.is]),
    },
    exit: count("proved") === statements.length ? EXIT.ok : EXIT.failed,
  };
}

function sentenceOf({ expression, answer }: ProvedStatement): string {
  switch (answer.is) {
    case "proved":
      return `proved: ${expression}`;
    case "counterexample":
      return `not so: ${expression}; the policies allow this request`;
    case "unknown":
      return `not known: ${expression}; because of: ${answer.because.join("; ")}`;
  }
}

function rowOf(statement: ProvedStatement): ReportRow {
  const { expression, answer } = statement;
  return {
    group: "policies",
    name: expression,
    level: answer.is === "proved" ? "pass" : answer.is === "unknown" ? "skip" : "fail",
    rule: "prove/that",
    message: answer.is === "proved" ? "" : sentenceOf(statement),
    ...(answer.is === "counterexample" && { detail: yamlOf(statement) }),
    system: "policy",
  };
}

function blockOf(statement: ProvedStatement, paint: Paint): string {
  const { answer } = statement;
  const sentence = sentenceOf(statement);
  if (answer.is === "proved") return `${paint.green(sentence)}\n${assumptionLines(answer)}`;
  return `${paint.red(sentence)}\n${indent(yamlOf(statement))}`;
}

function yamlOf(statement: ProvedStatement): string {
  return statementCase(statement).map(caseYaml).join("");
}

/** The request that refutes a statement, as a case of a suite. */
export function statementCase({ expression, answer }: ProvedStatement): readonly object[] {
  if (answer.is !== "counterexample") return [];
  return [exampleCase(undefined, expression, answer.counterexample, "allow")];
}
