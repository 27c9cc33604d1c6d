import { expect, test } from "vitest";
import { readJsonBody } from "../read/json/json-body.ts";
import { decode } from "./decode.ts";

const KIND = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };

function maximum(number: string): unknown {
  const schema = `{"openAPIV3Schema": {"type": "number", "maximum": ${number}}}`;
  const body = readJsonBody(`{"spec": {"versions": [{"name": "v1", "schema": ${schema}}]}}`);
  const { error, object } = decode(KIND, (body as { value: unknown }).value)!;
  return error ?? (object as { spec: { versions: [{ schema: unknown }] } }).spec.versions[0].schema;
}

test("a number that no double is near to is of the wrong type for a float", () => {
  expect(maximum("1e999")).toMatchObject({ code: "wrong_type", found: "number 1e999", wanted: "float64" });
  expect(maximum("1e300")).toMatchObject({ openAPIV3Schema: { maximum: { value: 1e300 } } });
});
