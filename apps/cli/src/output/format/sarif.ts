// `-o sarif`: SARIF 2.1.0, for code scanning. Only problems are results: readers show every result of any kind.

import type { CommandReport, ReportRow, ShownPlace, Subject } from "../answer.ts";
import type { Setting } from "../formats.ts";
import { groupBy } from "../group-by.ts";
import { pathFrom, uriOf } from "../where.ts";
import { fingerprintsOf, qualifiedName } from "./fingerprints.ts";
import { toJson } from "./json.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const LEVELS: Readonly<Partial<Record<ReportRow["level"], string>>> = {
  fail: "error",
  error: "error",
  warn: "warning",
};

type Json = Readonly<Record<string, unknown>>;

export function render(answer: CommandReport, setting: Setting): string {
  const wrong: ReportRow[] = [];
  for (const result of answer.results) if (levelOf(result) !== undefined) wrong.push(result);
  const rules = [...groupBy(wrong, ({ rule }) => rule)].map(([id, results]) => ruleOf(id, results));
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const fingerprints = fingerprintsOf(wrong, setting);
  const run = {
    tool: { driver: { name: "celadon", semanticVersion: setting.version, rules } },
    columnKind: "utf16CodeUnits",
    results: wrong.map((result, index) => ({
      ruleId: result.rule,
      ruleIndex: indexes.get(result.rule),
      level: levelOf(result),
      message: { text: result.message === "" ? result.rule : result.message },
      locations: locationsOf(result, setting),
      ...relatedOf(result, setting),
      partialFingerprints: { "celadon/v1": fingerprints[index] },
      properties: propertiesOf(result),
      ...(result.suppressed && {
        suppressions: [{ kind: result.suppressed.kind, justification: result.suppressed.reason }],
      }),
    })),
  };
  return `${toJson({ $schema: SCHEMA, version: "2.1.0", runs: [run] })}\n`;
}

/** A suppressed finding is a result as well, with its suppression. */
const levelOf = ({ level, suppressed }: ReportRow): string | undefined => LEVELS[suppressed?.level ?? level];

function ruleOf(id: string, results: readonly ReportRow[]): { readonly id: string } & Json {
  const text = results.find(({ ruleText }) => ruleText !== undefined && ruleText !== "")?.ruleText ?? id;
  const { system, ruleUrl } = results[0]!;
  const page = ruleUrl === undefined ? {} : { helpUri: ruleUrl };
  return { id, shortDescription: { text }, ...page, properties: { tags: [system] } };
}

function locationsOf({ place, subject }: ReportRow, setting: Setting): readonly Json[] {
  const logical = subject === undefined ? {} : { logicalLocations: [logicalOf(subject)] };
  const physical = place === undefined ? {} : physicalOf(place, setting);
  const location = { ...physical, ...logical };
  return Object.keys(location).length === 0 ? [] : [location];
}

function physicalOf(place: ShownPlace, setting: Setting): Json {
  const path = pathFrom(setting, place.file);
  if (path === undefined) return {};
  const { line, column, endLine, endColumn } = place;
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(path), ...(path.startsWith("/") ? {} : { uriBaseId: "%SRCROOT%" }) },
      region: { startLine: line, startColumn: column, endLine, endColumn },
    },
  };
}

function logicalOf(subject: Subject): Json {
  return { name: subject.name, fullyQualifiedName: qualifiedName(subject), kind: "resource" };
}

function relatedOf({ related }: ReportRow, setting: Setting): Json {
  const locations = (related ?? []).map(({ message, place }, id) => ({
    id,
    ...physicalOf(place, setting),
    message: { text: message },
  }));
  return locations.length === 0 ? {} : { relatedLocations: locations };
}

function propertiesOf({ detail, policy, policyRule, system, properties }: ReportRow): Json {
  return { system, policy, policyRule, detail, ...properties };
}
