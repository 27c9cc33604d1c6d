// Test results for people, in the manner of `go test`: failures with the expected and the actual result and the place; one line for each
// suite; the tally.

import { joinLines, pushAll } from "@celadon/base";
import { type CaseResult, isRecordable, type SuiteResult, type Verdict } from "@celadon/testing";
import { toYaml } from "../output/format/yaml.ts";
import type { Paint } from "../output/paint.ts";
import { placeText } from "../output/place-text.ts";
import { unbroken } from "../output/visible.ts";
import type { Tally } from "./test-answer.ts";

type Difference = CaseResult["differences"][number];

/** One line where the texts have one: `verdict: expected allow, got deny: images must come from …`. */
export function differenceText({ aspect, expected, actual, note }: Difference): string {
  return `${aspect}: expected ${oneLine(expected)}, got ${oneLine(actual)}${note === undefined ? "" : `: ${oneLine(note)}`}`;
}

const oneLine = (text: string): string => joinLines(text, "; ");

export function testText(suites: readonly SuiteResult[], tally: Tally, verbose: boolean, paint: Paint): string {
  const blocks = suites.map((suite) => suiteText(suite, verbose, paint));
  return `${blocks.join("")}${blocks.length > 0 ? "\n" : ""}${tallyText(tally, suites.length, paint)}\n`;
}

function suiteText({ suite, cases }: SuiteResult, verbose: boolean, paint: Paint): string {
  const shown = cases.filter(({ result }) => verbose || result === "fail" || result === "error");
  const bad = cases.filter(({ result }) => result === "fail" || result === "error").length;
  const skipped = cases.filter(({ result }) => result === "skip").length;
  const milliseconds = cases.reduce((sum, testCase) => sum + testCase.milliseconds, 0);
  const time = verbose ? paint.dim(` (${duration(milliseconds)})`) : "";
  const count = `${cases.length} ${cases.length === 1 ? "case" : "cases"}`;
  const rest = skipped === 0 ? "" : `, ${skipped} skipped`;
  const word = bad > 0 ? paint.red("FAIL") : cases.length === 0 ? paint.dim("none") : paint.green("ok  ");
  const result = bad > 0 ? `${bad} of ${count} failed${rest}` : cases.length === 0 ? "no case selected" : count + rest;
  const line = `${word}  ${paint.bold(unbroken(suite.name))}  ${paint.dim(unbroken(suite.origin.file))}  ${result}${time}\n`;
  return shown.map((caseResult) => caseText(caseResult, verbose, paint)).join("") + line;
}

const WORDS = { pass: "PASS", fail: "FAIL", error: "FAIL", skip: "SKIP" } as const;

/** `about` follows the name of the case. */
export function caseText(caseResult: CaseResult, verbose: boolean, paint: Paint, about = ""): string {
  const { result, differences, reason, place, milliseconds, observed, counterexample } = caseResult;
  const colour = result === "pass" ? paint.green : result === "skip" ? paint.yellow : paint.red;
  const time = verbose ? paint.dim(` (${duration(milliseconds)})`) : "";
  const lines = [`${colour(`--- ${WORDS[result]}`)}: ${unbroken(caseResult.id)}${about}${time}`];
  if (result === "pass") return `${lines[0]}\n`;
  if (place !== undefined && result !== "skip") lines.push(`    ${paint.dim(placeText(place))}`);
  if (reason !== undefined) lines.push(`    ${reason.replaceAll("\n", "\n    ")}`);
  if (result === "error" && observed !== undefined) lines.push(`    ${updateText(observed.verdict)}`);
  for (const difference of differences) pushAll(lines, differenceLines(difference, paint));
  if (counterexample !== undefined) lines.push("    counterexample, as a case:", indent(toYaml([counterexample])));
  const helps = new Set(observed?.failures.flatMap(({ help }) => (help === undefined ? [] : [help])));
  if (result !== "skip") for (const help of helps) lines.push(`    help: ${help}`);
  return `${lines.join("\n")}\n`;
}

const indent = (yaml: string): string => yaml.trimEnd().replaceAll(/^(?=.)/gm, "      ");

function updateText(verdict: Verdict): string {
  if (isRecordable(verdict)) return "help: `celadon test --update` writes the result to the suite";
  return `help: \`celadon test --update\` does not write this verdict; if it is right, write \`expect: ${verdict}\``;
}

function differenceLines({ aspect, expected, actual, note }: Difference, paint: Paint): string[] {
  return [
    `    ${aspect}`,
    ...labelled("expected", expected, paint.green),
    ...labelled("got", actual, paint.red),
    ...(note === undefined ? [] : labelled("because", note, (text) => text)),
  ];
}

function labelled(label: string, text: string, colour: (text: string) => string): string[] {
  const [first = "", ...rest] = text.split("\n");
  return [
    `      ${`${label}:`.padEnd(10)}${colour(first)}`,
    ...rest.map((line) => `      ${" ".repeat(10)}${colour(line)}`),
  ];
}

export function tallyText(
  { passed, failed, errors, skipped }: Tally,
  suites: number,
  paint: Paint,
  versions = 1,
): string {
  const bad = failed + errors;
  const parts = [`${passed} passed`, `${bad} failed`];
  if (skipped > 0) parts.push(`${skipped} skipped`);
  const text = `${parts.join(", ")} in ${suites} ${suites === 1 ? "suite" : "suites"}${versions === 1 ? "" : ` with ${versions} versions`}`;
  return bad > 0 ? paint.red(`FAIL  ${text}`) : paint.green(`PASS  ${text}`);
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)}ms` : `${(milliseconds / 1000).toFixed(2)}s`;
}
