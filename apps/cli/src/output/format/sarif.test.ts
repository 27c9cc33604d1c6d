import { expect, test } from "vitest";
import { ANSWER, answerOf, PLAIN, RESULTS } from "../answer.testing.ts";
import type { ReportRow } from "../answer.ts";
import { sarifProblems } from "../schemas.testing.ts";
import { render } from "./sarif.ts";

interface Run {
  tool: { driver: { rules: { id: string; shortDescription: { text: string } }[] } };
  results: {
    ruleId: string;
    ruleIndex: number;
    level: string;
    message: { text: string };
    locations: { physicalLocation?: { artifactLocation: { uri: string }; region: object } }[];
    relatedLocations?: unknown[];
    partialFingerprints: Record<string, string>;
  }[];
}
const runOf = (results: readonly ReportRow[]): Run => JSON.parse(render(answerOf(results), PLAIN)).runs[0];

test.each([
  ["a full report", ANSWER],
  ["an empty report", answerOf([])],
])("%s fits the official schema", (_, answer) => {
  expect(sarifProblems(render(answer, PLAIN))).toEqual([]);
});

test("a problem is a result, with its rule", () => {
  const { tool, results } = runOf(RESULTS);
  expect(results.map(({ level }) => level)).toEqual(["error", "error", "warning", "error", "error"]);
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]!.id).toBe(ruleId);
  expect(tool.driver.rules.map(({ id, shortDescription }) => [id, shortDescription.text])).toEqual([
    ["policy/trusted-images/validations[0]", "images come from our registry"],
    ["policy/limits/validations[1]", "policy/limits/validations[1]"],
    ["policy/broken", "policy/broken"],
  ]);
});

test("places", () => {
  const [failed, , , , stdin] = runOf(RESULTS).results;
  expect(failed!.locations[0]!.physicalLocation).toEqual({
    artifactLocation: { uri: "my%20pods/50%25%23%3F%C3%A9.yaml", uriBaseId: "%SRCROOT%" },
    region: { startLine: 12, startColumn: 7, endLine: 12, endColumn: 20 },
  });
  expect(failed!.relatedLocations).toEqual([
    {
      id: 0,
      physicalLocation: {
        artifactLocation: { uri: "file:///elsewhere/policy.yaml" },
        region: { startLine: 3, startColumn: 1 },
      },
      message: { text: "the policy" },
    },
  ]);
  expect(stdin!.locations).toEqual([]);
});

test("fingerprints stay when lines move and messages are reworded, and differ between results", () => {
  const prints = (results: readonly ReportRow[]): string[] =>
    runOf(results).results.map(({ partialFingerprints }) => partialFingerprints["celadon/v1"]!);
  const moved = RESULTS.map((result) =>
    result.place === undefined ? result : { ...result, place: { ...result.place, line: result.place.line + 40 } },
  );
  const reworded = RESULTS.map((result) => ({ ...result, message: "other words" }));
  const twice = [...RESULTS, ...RESULTS];
  expect(prints(moved)).toEqual(prints(RESULTS));
  expect(prints(reworded)).toEqual(prints(RESULTS));
  expect(new Set(prints(twice)).size).toBe(10);
});
