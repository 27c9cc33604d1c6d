// Values that are kept as they were written: the data of ControllerRevisions, defaults in the schemas of CRDs.

import { expect, test } from "vitest";
import { decodeBody } from "./index.ts";

test.each([
  ['{"a": 1, "a": 2}', { a: 2 }],
  ['{"a": [{"b": 1, "b": {"c": 1.5, "c": 2}}]}', { a: [{ b: { c: 2 } }] }],
  ["[1, null]", [1, null]],
])("of members that are named twice the last one counts: %s", (data, want) => {
  const of = { apiVersion: "apps/v1", kind: "ControllerRevision" };
  expect(decodeBody(`{"data": ${data}}`, of).object).toMatchObject({ data: want });
});

test("an empty map of dependencies is not the same as none", () => {
  const of = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  const body = (schema: string): string => `{"spec": {"versions": [{"schema": {"openAPIV3Schema": ${schema}}}]}}`;
  const schemaOf = (schema: string): unknown =>
    (decodeBody(body(schema), of, { keepEmpty: true }).object as { spec: { versions: { schema: unknown }[] } }).spec
      .versions[0]!.schema;
  expect(schemaOf('{"dependencies": {}, "definitions": {}}')).toEqual({ openAPIV3Schema: { dependencies: {} } });
  // Items that are no schema are read as if they were absent.
  expect(schemaOf('{"items": "x"}')).toEqual({ openAPIV3Schema: {} });
});
