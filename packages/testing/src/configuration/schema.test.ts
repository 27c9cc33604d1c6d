// The published schema and page are those of the format. UPDATE_GOLDENS=1 writes the schema.

import { readFileSync, writeFileSync } from "node:fs";
import type { KubeObject } from "@celadon/kube";
import { readDocuments } from "@celadon/kube/read";
import Ajv from "ajv";
import { expect, test } from "vitest";
import { configurationIssues, configurationSchema } from "./index.ts";

const DOCS = new URL("../../../../docs/reference/", import.meta.url);
const SCHEMA = new URL("celadon.schema.json", DOCS);
const page = readFileSync(new URL("configuration.md", DOCS), "utf8");

test("the schema for editors is that of the format", () => {
  const text = `${JSON.stringify(configurationSchema(), undefined, 2)}\n`;
  if ((process.env.UPDATE_GOLDENS ?? "") !== "") writeFileSync(SCHEMA, text);
  expect(readFileSync(SCHEMA, "utf8")).toBe(text);
});

test("every field is documented", () => {
  const { properties } = configurationSchema() as { properties: Record<string, unknown> };
  expect(Object.keys(properties).filter((name) => !page.includes(name))).toEqual([]);
});

test("the example fits format and schema", () => {
  const text = /```yaml\n(.*?)```/s.exec(page)![1]!;
  const [document] = readDocuments(text, { file: "celadon.yaml" }).documents;
  expect(new Ajv().validate(configurationSchema(), document!.value)).toBe(true);
  const origin = { ...document!, file: "celadon.yaml" };
  expect(configurationIssues({ object: document!.value as KubeObject, origin })).toEqual([]);
});
