// Objects that do not stay in memory get the same answers in the same places, and nothing of them is kept.

import { expect, test } from "vitest";
import { command } from "../commands/check.ts";
import { isPassing } from "../inputs/inputs.ts";
import { argsFor, testIo } from "../io.testing.ts";
import { FORMATS, loadFormat } from "../output/formats.ts";
import { paintOf } from "../output/paint.ts";
import { wholeText } from "../output/pieces.ts";
import { givenTwice } from "../review/given-twice.ts";
import { loadReview } from "../review/load-review.ts";
import { type Checked, checkAll } from "./check-all.ts";
import { checkAnswer } from "./check-answer.ts";

const policy = (name: string, more: string, expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  ${more}
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}]}
  validations: [{expression: "${expression}"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec:
  policyName: ${name}
  validationActions: [Deny]
${more === "" ? "" : "  paramRef: {selector: {matchLabels: {params: 'yes'}}, parameterNotFoundAction: Deny}\n"}`;

const object = (i: number): Record<string, unknown> => ({
  apiVersion: "v1",
  kind: i % 7 === 3 ? "Secret" : "ConfigMap",
  metadata: { name: `c${i}`, ...(i % 3 > 0 && { namespace: `n${i % 3}` }), ...(i % 5 === 0 && { uid: `u-${i}` }) },
  [i % 7 === 3 ? "stringData" : "data"]: { size: String(i % 11) },
});
const objects = (from: number, to: number): Record<string, unknown>[] =>
  Array.from({ length: to - from }, (_, i) => object(from + i));

const padding = "# text that makes a list large\n".repeat(40_000);
const FILES = {
  "1-stream.yaml": objects(0, 40)
    .map((item) => `# an object\n${JSON.stringify(item).replace(/^{/, "{ ")}\n`)
    .join("---\n"),
  "2-policies.yaml": `${policy("small", "", "int(object.data.size) < 10")}---\n${policy("limit", "paramKind: {apiVersion: v1, kind: ConfigMap}", "int(object.data.size) <= int(params.data.most)")}`,
  "3-lines.json": objects(30, 50)
    .map((item) => `${JSON.stringify(item)}\n`)
    .join(""),
  "4-list.json": JSON.stringify({ apiVersion: "v1", kind: "ConfigMapList", items: objects(50, 53) }),
  "5-large.yaml": `apiVersion: v1\nkind: List\n${padding}items:\n${objects(60, 80)
    .map((item) => `- ${JSON.stringify(item)}\n`)
    .join("")}`,
  "6-params.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limits, labels: {params: 'yes'}}\ndata: {most: '8', size: '1'}\n",
};

interface Run {
  readonly checked: Checked;
  /** The number of manifests that stayed in memory. */
  readonly kept: number;
  readonly texts: Readonly<Record<string, string>>;
}

async function runWith(budget: number): Promise<Run> {
  const io = testIo({ files: FILES });
  const args = argsFor(command, []) as Parameters<typeof loadReview>[2];
  const review = await loadReview("check", Object.keys(FILES), args, io, {}, { passes: isPassing, budget });
  const checked = await checkAll(review, { signal: io.signal });
  const answer = checkAnswer(checked, { onlyProblems: false, notes: true, placeOfPolicy: () => undefined });
  const setting = { paint: paintOf(false), columns: undefined, version: "0", cwd: "/", root: "/" };
  const texts: Record<string, string> = { twice: JSON.stringify(givenTwice(review.inputs.stream)) };
  for (const format of FORMATS) texts[format] = wholeText((await loadFormat(format))(answer, setting));
  return { checked, kept: review.inputs.stream.kept.length, texts };
}

test("results are the same whether objects stay in memory or are read again", async () => {
  const [whole, passing] = [await runWith(Number.POSITIVE_INFINITY), await runWith(0)];
  expect(passing.texts).toEqual(whole.texts);
  expect(whole.texts.text).toContain("5-large.yaml:");
  expect(whole.texts.text).toMatch(/denied by policy limit, binding limit, params/);
  expect(whole.texts.text).toMatch(/denied by policy small/);
  expect(JSON.parse(whole.texts.twice!)).toHaveLength(4);
});

test("of objects that pass, only the set-up and those with problems are kept", async () => {
  const { checked, kept } = await runWith(0);
  const wrong = [...checked.reviewed].filter(({ problems }) => problems.length > 0).length;
  expect({ kept, reviewed: checked.reviewed.length }).toEqual({ kept: 4, reviewed: 88 });
  expect(checked.reviewed.whole).toBe(wrong);
});
