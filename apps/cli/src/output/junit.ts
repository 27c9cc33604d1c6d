// `-o junit`: the XML that Jenkins, GitLab and most CI servers read. The shape is the one Maven's surefire and Jenkins agree on;
// testdata/schema/junit.xsd says it. Nothing depends on the clock unless a verb measured time.

import type { Answer, Result } from "./answer.ts";
import type { Setting } from "./formats.ts";
import { groupBy } from "./group-by.ts";
import { pathFrom } from "./where.ts";
import { element, xmlDocument } from "./xml.ts";

export function render(answer: Answer, setting: Setting): string {
  const groups = groupBy(answer.results, (result) => result.group);
  const suites = [...groups].map(([name, results]) =>
    element(
      "testsuite",
      { name, ...tallyOf(results) },
      results.map((result) => testcase(result, setting)),
    ),
  );
  return xmlDocument(element("testsuites", { name: "celadon", ...tallyOf(answer.results) }, suites));
}

type Attributes = Readonly<Record<string, string | undefined>>;

function tallyOf(results: readonly Result[]): Attributes {
  const count = (level: Result["level"]): string => String(results.filter((result) => result.level === level).length);
  const timed = results.filter((result) => result.seconds !== undefined);
  return {
    tests: String(results.length),
    failures: count("fail"),
    errors: count("error"),
    skipped: count("skip"),
    time: timed.length === 0 ? undefined : secondsText(timed.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0)),
  };
}

function testcase(result: Result, setting: Setting): string {
  const { name, rule, place, seconds } = result;
  const attributes = {
    name,
    classname: rule,
    file: place === undefined ? undefined : pathFrom(setting, place.file),
    line: place === undefined ? undefined : String(place.line),
    time: seconds === undefined ? undefined : secondsText(seconds),
  };
  return element("testcase", attributes, [...properties(result), ...verdict(result)]);
}

function properties({ properties }: Result): string[] {
  const given = Object.entries(properties ?? {});
  if (given.length === 0) return [];
  return [
    element(
      "properties",
      {},
      given.map(([name, value]) => element("property", { name, value })),
    ),
  ];
}

function verdict(result: Result): string[] {
  const { level, message, detail, rule } = result;
  switch (level) {
    case "pass":
      return message === "" ? [] : [element("system-out", {}, bodyOf(result))];
    // JUnit has no warnings: the case passes, and says it.
    case "warn":
      return [element("system-out", {}, `warning: ${bodyOf(result)}`)];
    case "skip":
      return [element("skipped", { message: message === "" ? undefined : message }, detail ?? "")];
    case "fail":
      return [element("failure", { message, type: rule }, bodyOf(result))];
    case "error":
      return [element("error", { message, type: rule }, bodyOf(result))];
  }
}

function bodyOf({ message, detail, place }: Result): string {
  const where = place === undefined ? [] : [`at ${place.file}:${place.line}:${place.column}`];
  return [message, ...(detail === undefined || detail === "" ? [] : [detail]), ...where].join("\n");
}

const secondsText = (seconds: number): string => seconds.toFixed(3);
