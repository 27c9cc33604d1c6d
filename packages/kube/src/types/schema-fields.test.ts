// Below `items`, `additionalProperties`, `additionalItems` and `dependencies` of a CRD's schema the server does not look for
// unknown or repeated fields.

import { expect, test } from "vitest";
import { readJsonBody } from "../read/json/json-body.ts";
import { decode, strictText } from "./index.ts";

const KIND = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };

function strictOf(schema: string): string[] {
  const body = readJsonBody(`{"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": ${schema}}}]}}`);
  if (!("value" in body)) throw new Error("not JSON");
  return decode(KIND, body.value)!.strict.map(strictText);
}

const AT = "spec.versions[0].schema.openAPIV3Schema";

test.each([
  ['{"x": 1}', [`unknown field "${AT}.x"`]],
  ['{"items": {"x": 1, "type": "a", "type": "b"}}', []],
  ['{"items": [{"x": 1}]}', []],
  ['{"additionalProperties": {"properties": {"a": {"x": 1}}}, "y": 1}', [`unknown field "${AT}.y"`]],
  ['{"dependencies": {"a": {"x": 1}}, "additionalItems": {"x": 1}}', []],
  [
    '{"not": {"x": 1}, "properties": {"a": {"x": 1}}}',
    [`unknown field "${AT}.not.x"`, `unknown field "${AT}.properties.a.x"`],
  ],
])("%s", (schema, want) => expect(strictOf(schema)).toEqual(want));
