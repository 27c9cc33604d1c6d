// A question about one part of a manifest with its answer, as data for commands, editors and pages, and its sentence.

import type { JsonPath } from "@celadon/base";
import type { Manifest } from "@celadon/simulator/manifests";
import type { ProofAnswer } from "../question/answer.ts";

/** The kinds of subjects that questions are asked about. */
export type ProvedSystem = "policy" | "rule" | "webhook" | "certificate";

/** The names of questions, as reports and rules of CI formats have them. */
export type QuestionName =
  | "never-errors"
  | "always"
  | "never"
  | "allows-nothing"
  | "redundant"
  | "idle-operand"
  | "shadowed";

/** A question about an expression, or about several of a resource, with its answer. */
export interface AskedQuestion {
  readonly system: ProvedSystem;
  /** The name of the policy, CRD or webhook. */
  readonly name: string;
  /** The part in question, `validations[0]`; empty for the resource as a whole. */
  readonly part: string;
  /** Steps to that part in the manifest. */
  readonly path: JsonPath;
  readonly question: QuestionName;
  readonly answer: ProofAnswer;
  /** The answer as the rest of a sentence whose subject is the part. */
  readonly says: string;
  /** Authors do not want it, whatever the reason. */
  readonly isProblem: boolean;
  readonly manifest: Manifest;
}

/** The place of a question. */
export type AskedPlace = Pick<AskedQuestion, "system" | "name" | "part" | "path" | "manifest">;

export function askedQuestion(
  place: AskedPlace,
  question: QuestionName,
  answer: ProofAnswer,
  subject = "",
): AskedQuestion {
  if (answer.is === "proved" && answer.reachesNothing)
    return { ...place, question, answer, says: "is never evaluated: no request gets that far", isProblem: true };
  const isProblem = answer.is === (PROBLEMS[question] ?? "proved");
  return { ...place, question, answer, says: saysOf(place.system, question, answer.is) + subject, isProblem };
}

function saysOf(system: ProvedSystem, question: QuestionName, is: ProofAnswer["is"]): string {
  return (system === "webhook" ? WEBHOOK_SAYS[question]?.[is] : undefined) ?? SAYS[question][is];
}

/** Most questions ask for something that authors do not want. */
const PROBLEMS: Partial<Readonly<Record<QuestionName, ProofAnswer["is"]>>> = { "never-errors": "counterexample" };

/** Answers in the words of an author. */
const SAYS: Readonly<Record<QuestionName, Readonly<Record<ProofAnswer["is"], string>>>> = {
  "never-errors": {
    proved: "never fails to evaluate",
    counterexample: "can fail to evaluate",
    unknown: "may fail to evaluate",
  },
  always: { proved: "always holds: it denies nothing", counterexample: "can be false", unknown: "may always hold" },
  never: {
    proved: "never holds: it denies everything that the policy matches",
    counterexample: "can be true",
    unknown: "may never hold",
  },
  "allows-nothing": {
    proved: "validations contradict each other: together they deny everything that the policy matches",
    counterexample: "validations can hold together",
    unknown: "validations may contradict each other",
  },
  redundant: {
    proved: "is redundant: the other validations deny everything that it denies",
    counterexample: "denies requests that the other validations allow",
    unknown: "may be redundant",
  },
  "idle-operand": {
    proved: "has an operand that never makes a difference: ",
    counterexample: "needs all of its operands",
    unknown: "may have an operand that never makes a difference",
  },
  shadowed: {
    proved: "the binding changes no answer: other bindings of the policy deny all that it denies",
    counterexample: "the binding makes a difference",
    unknown: "the binding may change no answer",
  },
};

/** A match condition does not deny: it decides whether the webhook is called. */
const WEBHOOK_SAYS: Partial<typeof SAYS> = {
  always: {
    proved: "always holds: it excludes no request",
    counterexample: "can be false",
    unknown: "may always hold",
  },
  never: {
    proved: "never holds: the webhook is never called",
    counterexample: "can be true",
    unknown: "may never hold",
  },
  "allows-nothing": {
    proved: "match conditions contradict each other: the webhook is never called",
    counterexample: "match conditions can hold together",
    unknown: "match conditions may contradict each other",
  },
};

/** Whether the answer is worth a line although it is no problem: a guard of a field that always exists. */
export function isNote({ question, answer, isProblem }: AskedQuestion): boolean {
  return question === "idle-operand" && answer.is === "proved" && !isProblem;
}

/** The answer as a sentence. */
export function sentenceOf({ part, says }: AskedQuestion): string {
  return part === "" ? says : `${part} ${says}`;
}

/** The reason of an answer: the error of a counterexample, or the expressions that an unknown answer depends on. */
export function reasonOf({ answer, question }: AskedQuestion): string | undefined {
  if (answer.is === "unknown") return `not known because of: ${answer.because.join("; ")}`;
  if (answer.is !== "counterexample" || question !== "never-errors") return undefined;
  return answer.counterexample.message?.replace(/^expression '.*' resulted in error: /s, "");
}
