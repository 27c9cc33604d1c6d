import { readDocuments } from "@celadon/kube/read";
import { expect, test } from "vitest";
import { ANSWER, answerOf } from "../answer.testing.ts";
import { wholeText } from "../pieces.ts";
import { policyReportProblems } from "../schemas.testing.ts";
import { render as renderOpenReports } from "./openreports.ts";
import { render } from "./policyreport.ts";

interface Report {
  apiVersion: string;
  source?: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  summary: Record<string, number>;
  results: { policy: string; result: string; resources?: unknown[] }[];
}

const read = (text: string): Report[] => {
  const { documents, issues } = readDocuments(text);
  expect(issues).toEqual([]);
  return documents.map(({ value }) => value as Report);
};

test.each([
  ["a full report", ANSWER],
  ["an empty report", answerOf([])],
])("%s fits the schema", (_, answer) => {
  expect(policyReportProblems(wholeText(render(answer)))).toEqual([]);
});

test.each([
  ["a full report", ANSWER],
  ["an empty report", answerOf([])],
])("%s fits the schema of openreports.io", (_, answer) => {
  expect(policyReportProblems(wholeText(renderOpenReports(answer)), "openreports.io")).toEqual([]);
});

test("the kinds of openreports.io", () => {
  const reports = read(wholeText(renderOpenReports(ANSWER)));
  expect(reports.map(({ apiVersion, kind, source }) => [apiVersion, kind, source])).toEqual([
    ["openreports.io/v1alpha1", "ClusterReport", "celadon"],
    ["openreports.io/v1alpha1", "Report", "celadon"],
    ["openreports.io/v1alpha1", "Report", "celadon"],
  ]);
});

test("one report per namespace, one for the cluster", () => {
  const reports = read(wholeText(render(ANSWER)));
  expect(reports.map(({ kind, metadata, summary }) => [kind, metadata.namespace, summary])).toEqual([
    ["ClusterPolicyReport", undefined, { pass: 0, fail: 0, warn: 0, error: 2, skip: 1 }],
    ["PolicyReport", "data", { pass: 0, fail: 1, warn: 0, error: 0, skip: 0 }],
    ["PolicyReport", "shop", { pass: 1, fail: 1, warn: 1, error: 0, skip: 0 }],
  ]);
  expect(reports[2]!.results[1]).toEqual({
    source: "celadon",
    policy: "trusted-images",
    rule: "validations[0]",
    category: "policy",
    result: "fail",
    scored: true,
    message: "image docker.io/db is not allowed",
    resources: [{ apiVersion: "v1", kind: "Pod", namespace: "shop", name: "db", uid: "u-1" }],
    properties: { operation: "CREATE" },
  });
});
