import { WireReader } from "@celadon/storage/wire";
import { expect, test } from "vitest";
import { encodeOpenApiV2 } from "./protobuf-v2.ts";

/** A message as lists of its fields by number; messages inside stay bytes. */
function fields(reader: WireReader): Map<number, (Uint8Array | number | bigint)[]> {
  const found = new Map<number, (Uint8Array | number | bigint)[]>();
  while (!reader.isAtEnd) {
    const { field, wire } = reader.tag();
    const value = wire === 0 ? reader.varint() : reader.bytes();
    found.set(field, [...(found.get(field) ?? []), value]);
  }
  return found;
}
const read = (bytes: Uint8Array | number | bigint | undefined) => fields(new WireReader(bytes as Uint8Array));
const text = (bytes: Uint8Array | number | bigint | undefined): string =>
  Buffer.from(bytes as Uint8Array).toString("utf8");

test("definitions and paths with what clients look for", () => {
  const kind = [{ group: "example.com", version: "v1", kind: "Note" }];
  const document = read(
    encodeOpenApiV2({
      swagger: "2.0",
      info: { title: "t", version: "v" },
      paths: {
        "/apis/example.com/v1/notes/{name}": {
          patch: {
            operationId: "patchNote",
            consumes: ["application/merge-patch+json"],
            produces: ["application/json"],
            parameters: [{ name: "fieldValidation", in: "query", type: "string", uniqueItems: true }],
            responses: { 200: { description: "OK", schema: { $ref: "#/definitions/Note" } } },
            "x-kubernetes-group-version-kind": kind[0],
          },
          parameters: [{ name: "name", in: "path", required: true, type: "string", uniqueItems: true }],
        },
      },
      definitions: {
        Note: {
          type: "object",
          required: ["spec"],
          properties: {
            spec: { type: "array", items: { type: "string" } },
            open: { type: "object", properties: {}, "x-kubernetes-preserve-unknown-fields": true },
          },
          "x-kubernetes-group-version-kind": kind,
        },
      },
    }),
  );
  expect(text(document.get(1)![0])).toBe("2.0");
  const path = read(read(document.get(8)![0]).get(2)![0]);
  expect(text(path.get(1)![0])).toBe("/apis/example.com/v1/notes/{name}");
  const patch = read(read(path.get(2)![0]).get(8)![0]);
  expect([text(patch.get(5)![0]), text(patch.get(7)![0])]).toEqual(["patchNote", "application/merge-patch+json"]);
  const query = read(read(read(read(patch.get(8)![0]).get(1)![0]).get(2)![0]).get(3)![0]);
  expect([text(query.get(4)![0]), text(query.get(6)![0]), query.get(20)]).toEqual(["fieldValidation", "string", [1]]);
  const note = read(read(read(document.get(9)![0]).get(1)![0]).get(2)![0]);
  expect([text(read(note.get(22)![0]).get(1)![0]), text(note.get(19)![0])]).toEqual(["object", "spec"]);
  const extension = read(note.get(31)![0]);
  expect(JSON.parse(text(read(extension.get(2)![0]).get(2)![0]))).toEqual(kind);
  const [spec, open] = read(note.get(25)![0])
    .get(1)!
    .map((item) => read(read(item).get(2)![0]));
  expect(text(read(read(read(spec!.get(23)![0]).get(1)![0]).get(22)![0]).get(1)![0])).toBe("string");
  // A field that keeps unknown fields has no type in the schema.
  expect([...open!.keys()]).toEqual([31]);
});
