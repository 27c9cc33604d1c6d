import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeStored } from "../codec/encode.ts";
import { parseHead } from "./stored-head.ts";

const text = fc.oneof(fc.string(), fc.constantFrom('"', "\\", '\\"', "{", "}", ',"metadata":{', "\\\\"));

test("kind, version and metadata are those of the whole object, whatever is in it", () => {
  const property = fc.property(
    fc.dictionary(text, text),
    fc.dictionary(text, fc.oneof(text, fc.dictionary(text, text))),
    (annotations, data) => {
      const metadata = { name: "a", namespace: "b", uid: "u", annotations, labels: { a: "b" } };
      const object = { kind: "ConfigMap", apiVersion: "v1", metadata, data: { ...data, fill: "x".repeat(5_000) } };
      expect(parseHead(encodeStored(object))).toEqual({ kind: "ConfigMap", apiVersion: "v1", metadata });
    },
  );
  fc.assert(property, { numRuns: 200 });
});

test("an object of another form is read whole", () => {
  const whole = { apiVersion: "v1", data: { a: "x".repeat(5_000) }, metadata: { uid: "u" } };
  for (const object of [whole, { kind: "A", data: whole.data }]) {
    expect(parseHead(Buffer.from(JSON.stringify(object, null, 1)))).toEqual(object);
  }
});
