// Imported texts go to the panes of their objects, however they are written, and the report says where.

import type { Work } from "@celadon/language/playground";
import { expect, test } from "vitest";
import { FIRST_WORK } from "../examples/first.ts";
import { sortSources } from "./sort-sources.ts";

const GROUP = "admissionregistration.k8s.io/v1";
const POLICY = { apiVersion: GROUP, kind: "ValidatingAdmissionPolicy", metadata: { name: "limit" } };
const POD = "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n";

const sort = (text: string, current: Work = FIRST_WORK) => sortSources([{ name: "pasted", text }], current);
const places = (text: string): readonly string[] => sort(text).placed.map((placed) => `${placed.text}: ${placed.what}`);

test.each([
  { written: "JSON", text: JSON.stringify(POLICY) },
  {
    written: "KYAML",
    text: `---\n{\n  apiVersion: "${GROUP}",\n  kind: "ValidatingAdmissionPolicy",\n  metadata: { name: "limit", },\n}\n`,
  },
  {
    written: "flow style after a block",
    text: `{apiVersion: ${GROUP}, kind: ValidatingAdmissionPolicy, metadata: {name: limit}}`,
  },
  {
    written: "keys in another order",
    text: `metadata:\n  name: limit\n"kind": "ValidatingAdmissionPolicy"\napiVersion: ${GROUP}\n`,
  },
  {
    written: "a List",
    text: `apiVersion: v1\nkind: List\nitems:\n  - apiVersion: ${GROUP}\n    kind: ValidatingAdmissionPolicy\n    metadata:\n      name: limit\n`,
  },
])("a policy as $written", ({ text }) => {
  expect(places(text)).toEqual(["policy: ValidatingAdmissionPolicy limit"]);
  const { work } = sort(text);
  expect(work).toMatchObject({ mode: "validating", object: "", oldObject: "", tests: "" });
  expect(work.policy).toContain("limit");
});

test("the items of a List go to different panes", () => {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };
  const { work, placed } = sort(JSON.stringify({ apiVersion: "v1", kind: "List", items: [POLICY, pod] }));
  expect(placed.map(({ text }) => text)).toEqual(["policy", "object"]);
  expect(work.object).toBe("apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n");
});

test("a binding joins the present policy, and replaces one of its name", () => {
  const text = `apiVersion: ${GROUP}\nkind: ValidatingAdmissionPolicyBinding\nmetadata:\n  name: trusted-images-in-production\nspec:\n  policyName: trusted-images\n  validationActions: [Warn]\n`;
  const { work, placed } = sort(text);
  expect(placed).toEqual([{ text: "policy", what: "ValidatingAdmissionPolicyBinding trusted-images-in-production" }]);
  expect(work.policy).toContain("kind: ValidatingAdmissionPolicy\n");
  expect(work.policy.match(/^kind: ValidatingAdmissionPolicyBinding$/gm)).toHaveLength(1);
  expect(work.policy).toContain("[Warn]");
  expect(work.object).toBe(FIRST_WORK.object);
});

test("params go with their policy; without another object, the request is about them", () => {
  const policy = `apiVersion: ${GROUP}\nkind: ValidatingAdmissionPolicy\nmetadata: { name: p }\nspec:\n  paramKind: { kind: ConfigMap, apiVersion: v1 }\n`;
  const params = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n";
  expect(sort(`${policy}---\n${params}---\n${POD}`).placed.map(({ text }) => text)).toEqual([
    "policy",
    "policy",
    "object",
  ]);
  expect(sort(`${policy}---\n${params}`).placed.map(({ text }) => text)).toEqual(["policy", "object"]);
});

test("an object replaces the object, and keeps the policy with its comments", () => {
  const { work } = sort(`# mine\n${POD}`);
  expect(work).toEqual({ ...FIRST_WORK, object: `# mine\n${POD}` });
});

test("text that cannot be read is shown where it belongs, with the problem", () => {
  const { placed, problems, work } = sort(`kind: ValidatingAdmissionPolicy\nspec: [\n`);
  expect(placed).toEqual([{ text: "policy", what: "a document that could not be read" }]);
  expect(problems).toHaveLength(1);
  expect(work.policy).toContain("kind: ValidatingAdmissionPolicy\nspec: [");
});

test("a suite goes to the tests, saved work to all panes, an expression to its mode", () => {
  expect(
    places(
      "apiVersion: celadon.dev/v1\nkind: TestSuite\nobjects:\n  - apiVersion: v1\n    kind: Pod\n    metadata: { name: a }\n",
    ),
  ).toEqual(["tests: TestSuite"]);
  const saved: Work = { ...FIRST_WORK, mode: "mutating", policy: "kind: A\n" };
  expect(sort(JSON.stringify(saved)).work).toEqual(saved);
  expect(sortSources([{ name: "rule.cel", text: "object.a" }], FIRST_WORK).work).toMatchObject({
    mode: "cel",
    policy: "object.a",
  });
});
