// The documentation of the format: its examples run, and the schema for editors is the one the reader goes by.

import { readFileSync, writeFileSync } from "node:fs";
import Ajv from "ajv";
import { describe, expect, test } from "vitest";
import { SUITE, suiteSchema } from "./format.ts";
import { checkShape } from "./read/check-shape.ts";
import { manifestsOf, runText, suiteOf, summary } from "./suite.testing.ts";

const DOCS = new URL("../../../../docs/reference/", import.meta.url);
const SCHEMA = new URL("test-suite.schema.json", DOCS);
const page = readFileSync(new URL("test-format.md", DOCS), "utf8");
const blocks = [...page.matchAll(/^```yaml (suite|file=\S+)\n(.*?)^```$/gms)].map(([, what, text]) => ({
  what: what!,
  text: text!,
}));
const files = Object.fromEntries(
  blocks.filter(({ what }) => what !== "suite").map(({ what, text }) => [what.slice("file=".length), text]),
);
const suites = blocks.filter(({ what }) => what === "suite");

describe("examples", () => {
  test.each(suites.map(({ text }, i) => [i + 1, text] as const))("number %i passes", async (_, text) => {
    const result = await runText(text, files);
    expect(summary(result).filter((line) => !line.startsWith("pass "))).toEqual([]);
    expect(result.cases.length).toBeGreaterThan(0);
  });

  test("there are some, and every block of YAML is one or a file of theirs", () => {
    expect(suites.length).toBeGreaterThanOrEqual(5);
    expect(page.match(/^```yaml/gm)).toHaveLength(blocks.length);
  });
});

test("every field of the format is documented", () => {
  const { properties } = suiteSchema() as {
    properties: Record<string, { items?: { properties: Record<string, unknown> } }>;
  };
  const names = [...Object.keys(properties), ...Object.keys(properties.tests!.items!.properties)];
  expect(names.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});

describe("the schema", () => {
  const text = `${JSON.stringify(suiteSchema(), null, 2)}\n`;
  if ((process.env.UPDATE_GOLDENS ?? "") !== "") writeFileSync(SCHEMA, text);

  test("is up to date; UPDATE_GOLDENS=1 writes it", () => {
    expect(readFileSync(SCHEMA, "utf8")).toBe(text);
  });

  const validate = new Ajv({ schemaId: "auto" }).compile(JSON.parse(readFileSync(SCHEMA, "utf8")));

  // biome-ignore format: one document per line
  const documents: [accepted: boolean, text: string][] = [
    [true,  suiteOf("- { name: a }")],
    [true,  suiteOf("- { name: a, object: x, oldObject: { apiVersion: v1, kind: Pod }, patch: [], expect: deny }")],
    [true,  suiteOf("- { name: a, user: { username: a, extra: { k: [v] } }, namespace: { name: ns, labels: { a: b } }, policy: [p], binding: b }")],
    [true,  suiteOf("- { name: a, expect: { failures: [{ validation: 0, message: { contains: x } }], warnings: [x, { matches: z }], cost: { max: 1, policies: { p: 2 } }, auditAnnotations: { a: null } } }")],
    [true,  suiteOf("- { name: a, authorizer: [{ decision: noOpinion }], cases: [{ name: b }] }")],
    [false, suiteOf("- { name: 1 }")],
    [false, suiteOf("- { object: x }")],
    [false, suiteOf("- { name: a, expects: deny }")],
    [false, suiteOf("- { name: a, expect: denied }")],
    [false, suiteOf("- { name: a, object: { kind: Pod } }")],
    [false, suiteOf("- { name: a, object: [x] }")],
    [false, suiteOf("- { name: a, policy: [] }")],
    [false, suiteOf("- { name: a, cases: [] }")],
    [false, suiteOf("- { name: a, namespace: { labels: {} } }")],
    [false, suiteOf("- { name: a, authorizer: [{ user: x }] }")],
    [false, suiteOf("- { name: a, expect: { cost: -1 } }")],
    [false, suiteOf("- { name: a, expect: { failures: [{ level: bad }] } }")],
    [false, suiteOf("- { name: a, cases: [{ name: b, cases: [{ name: c }] }] }")],
    [false, "apiVersion: celadon.dev/v2\nkind: TestSuite\ntests: []"],
    [false, "apiVersion: celadon.dev/v1\nkind: TestSuite"],
  ];

  test.each(documents)("%j as the reader: %s", (accepted, document) => {
    const [manifest] = manifestsOf(document, "tests.yaml");
    expect(checkShape(manifest!.object, SUITE, manifest!.origin!).length === 0).toBe(accepted);
    expect(validate(manifest!.object)).toBe(accepted);
  });
});
