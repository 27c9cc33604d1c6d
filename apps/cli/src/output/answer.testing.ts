// Answers for tests of formats: every level, places and none, and texts that break careless writers.

import type { CommandReport, ReportRow } from "./answer.ts";
import type { Setting } from "./formats.ts";
import { paintOf } from "./paint.ts";

export const PLAIN: Setting = {
  paint: paintOf(false),
  columns: undefined,
  version: "1.2.3",
  cwd: "/repo",
  root: "/repo",
};

export const NASTY = "a <b> & \"c\", 'd': 100% ]]>\r\n\u001b[31mred\u0000 \ud800 é 日本 😀 ::error::x\ttab";

const pod = (name: string, namespace?: string): NonNullable<ReportRow["subject"]> => ({
  apiVersion: "v1",
  kind: "Pod",
  name,
  ...(namespace !== undefined && { namespace }),
});

const base = { group: "pods.yaml", system: "policy", policy: "trusted-images", policyRule: "validations[0]" } as const;
const rule = "policy/trusted-images/validations[0]";

export const RESULTS: readonly ReportRow[] = [
  { ...base, name: "Pod shop/web", level: "pass", rule, message: "", subject: pod("web", "shop"), seconds: 0.0125 },
  {
    ...base,
    name: "Pod shop/db",
    level: "fail",
    rule,
    ruleText: "images come from our registry",
    message: "image docker.io/db is not allowed",
    detail: "spec.containers[0].image is docker.io/db",
    place: { file: "my pods/50%#?é.yaml", line: 12, column: 7, endLine: 12, endColumn: 20 },
    related: [{ message: "the policy", place: { file: "/elsewhere/policy.yaml", line: 3, column: 1 } }],
    subject: { ...pod("db", "shop"), uid: "u-1" },
    seconds: 1.5,
    properties: { operation: "CREATE" },
  },
  { ...base, name: NASTY, level: "fail", rule, message: NASTY, detail: NASTY, subject: pod("nasty", "data") },
  {
    ...base,
    name: "Pod shop/cache",
    level: "warn",
    rule: "policy/limits/validations[1]",
    message: "no limits,\nnone at all",
    place: { file: "pods.yaml", line: 3, column: 1 },
    subject: pod("cache", "shop"),
  },
  { ...base, group: "nodes.yaml", name: "Node n1", level: "error", rule: "policy/broken", message: "no such key: x" },
  { ...base, group: "nodes.yaml", name: "Node n2", level: "skip", rule: "policy/broken", message: "nothing matched" },
  {
    ...base,
    group: "nodes.yaml",
    name: "Node n3",
    level: "error",
    rule: "policy/broken",
    message: "no such key: x",
    place: { file: "-", line: 1, column: 1 },
  },
];

export function answerOf(
  results: readonly ReportRow[],
  document: Readonly<Record<string, unknown>> = {},
): CommandReport {
  return {
    results,
    document,
    text: (paint) => results.map(({ name }) => `${paint.red(name)}\n`).join(""),
    table: { columns: ["name", "message"], rows: results.map(({ name, message }) => [name, message]) },
    exit: results.some(({ level }) => level === "fail" || level === "error") ? 1 : 0,
  };
}

export const ANSWER: CommandReport = answerOf(RESULTS);
