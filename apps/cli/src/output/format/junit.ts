// `-o junit`: the XML that Jenkins, GitLab and most CI servers read. The shape is the one Maven's surefire and Jenkins agree on;
// testdata/schema/junit.xsd says it. Nothing depends on the clock unless a command measured time.

import type { CommandReport, ReportRow } from "../answer.ts";
import type { Setting } from "../formats.ts";
import { pathFrom } from "../where.ts";
import { element, longElement, XML_DECLARATION } from "./xml.ts";

export function* render(answer: CommandReport, setting: Setting): Generator<string> {
  const all = new Counts();
  const groups = new Map<string, Group>();
  for (const { result, isLate } of withLate(answer.results)) {
    const group = groups.get(result.group) ?? { counts: new Counts(), late: [] };
    groups.set(result.group, group);
    all.add(result);
    group.counts.add(result);
    if (isLate) group.late.push(testcase(result, setting));
  }
  yield XML_DECLARATION;
  yield* longElement("testsuites", { name: "celadon", ...all.attributes }, suites(answer, groups, setting));
}

interface Group {
  readonly counts: Counts;
  /** Cases that come when the group is over, in which they belong all the same. */
  readonly late: string[];
}

function* suites(answer: CommandReport, groups: ReadonlyMap<string, Group>, setting: Setting): Generator<string> {
  const results = withLate(answer.results);
  let next = results.next();
  while (next.done !== true) {
    const name = next.value.result.group;
    const { counts, late } = groups.get(name)!;
    yield* longElement("testsuite", { name, ...counts.attributes }, cases(name));
    function* cases(group: string): Generator<string> {
      for (; next.done !== true; next = results.next()) {
        if (next.value.isLate) continue;
        if (next.value.result.group !== group) break;
        yield testcase(next.value.result, setting);
      }
      yield* late;
    }
  }
}

/** Results stand by group, but for a few that come late: policies that matched nothing come behind all objects. */
function* withLate(results: Iterable<ReportRow>): Generator<{ readonly result: ReportRow; readonly isLate: boolean }> {
  const begun = new Set<string>();
  let last: string | undefined;
  for (const result of results) {
    const isLate = result.group !== last && begun.has(result.group);
    if (!isLate) begun.add((last = result.group));
    yield { result, isLate };
  }
}

type Attributes = Readonly<Record<string, string | undefined>>;

class Counts {
  readonly #levels: Record<ReportRow["level"], number> = { pass: 0, fail: 0, warn: 0, error: 0, skip: 0 };
  #tests = 0;
  #seconds: number | undefined;

  add({ level, seconds }: ReportRow): void {
    this.#tests++;
    this.#levels[level]++;
    if (seconds !== undefined) this.#seconds = (this.#seconds ?? 0) + seconds;
  }

  get attributes(): Attributes {
    return {
      tests: String(this.#tests),
      failures: String(this.#levels.fail),
      errors: String(this.#levels.error),
      skipped: String(this.#levels.skip),
      time: this.#seconds === undefined ? undefined : secondsText(this.#seconds),
    };
  }
}

/** With its line feed. */
function testcase(result: ReportRow, setting: Setting): string {
  const { name, rule, place, seconds } = result;
  const attributes = {
    name,
    classname: rule,
    file: place === undefined ? undefined : pathFrom(setting, place.file),
    line: place === undefined ? undefined : String(place.line),
    time: seconds === undefined ? undefined : secondsText(seconds),
  };
  return `${element("testcase", attributes, [...properties(result), ...verdict(result)])}\n`;
}

function properties({ properties, ruleUrl }: ReportRow): string[] {
  const given = Object.entries({ ...properties, ...(ruleUrl !== undefined && { url: ruleUrl }) });
  if (given.length === 0) return [];
  return [
    element(
      "properties",
      {},
      given.map(([name, value]) => element("property", { name, value })),
    ),
  ];
}

function verdict(result: ReportRow): string[] {
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

function bodyOf({ message, detail, place }: ReportRow): string {
  const where = place === undefined ? [] : [`at ${place.file}:${place.line}:${place.column}`];
  return [message, ...(detail === undefined || detail === "" ? [] : [detail]), ...where].join("\n");
}

const secondsText = (seconds: number): string => seconds.toFixed(3);
