import { expect, test } from "vitest";
import { decodeProtobuf } from "./decode.ts";
import { encodeProtobuf, encodeWatchFrame, hasMessage } from "./encode.ts";

const metadata = {
  name: "web",
  namespace: "default",
  uid: "7f0ac9c6-30ce-4ad1-9d2f-5a2b2d2f2a11",
  resourceVersion: "12",
  generation: 3,
  creationTimestamp: "2026-01-02T03:04:05Z",
  labels: { app: "web", empty: "" },
  managedFields: [
    { manager: "kubectl", operation: "Apply", fieldsType: "FieldsV1", fieldsV1: { "f:data": { ".": {} } } },
  ],
};

// biome-ignore format: one object per line
const objects: readonly Record<string, unknown>[] = [
  { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "ü", b: "" }, binaryData: { c: "AAEC/w==" }, immutable: true },
  { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [{ name: "c", image: "i", resources: { limits: { cpu: "100m" } }, livenessProbe: { httpGet: { path: "/", port: "http" }, periodSeconds: 10 }, ports: [{ containerPort: 80 }] }], volumes: [{ name: "v", emptyDir: {} }], tolerations: [{ tolerationSeconds: -1 }] }, status: { phase: "Pending" } },
  { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 80, targetPort: 8080 }, { port: 81, targetPort: "web" }] } },
  { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec: { renewTime: "2026-01-02T03:04:05.678901Z", leaseDurationSeconds: 15 } },
  { apiVersion: "apps/v1", kind: "ControllerRevision", metadata, data: { spec: { a: [1, 2.5, null] } }, revision: 9 },
  { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", metadata, status: { user: { extra: { k: ["a", "b"] } } } },
];

test.each(objects)("$kind through protobuf is the same object", (object) => {
  expect(decodeProtobuf(encodeProtobuf(object))).toEqual(object);
});

test("schemas of definitions keep schemas, lists and booleans", () => {
  const schema = {
    type: "object",
    properties: { a: { items: { type: "string" }, default: { b: 1 } } },
    additionalProperties: { type: "integer" },
  };
  const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  const names = { plural: "as", kind: "A", singular: "a" };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata,
    spec: { group: "g", names, versions },
  };
  expect(decodeProtobuf(encodeProtobuf(definition))).toMatchObject(definition);
});

test("lists, metadata and events of a watch", () => {
  const item = { metadata, data: { a: "b" } };
  const list = { apiVersion: "v1", kind: "ConfigMapList", metadata: { resourceVersion: "12" }, items: [item] };
  expect(decodeProtobuf(encodeProtobuf(list))).toEqual(list);
  const partial = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata };
  expect(decodeProtobuf(encodeProtobuf(partial))).toEqual(partial);
  const frame = encodeWatchFrame("ADDED", partial);
  expect(frame.readUInt32BE(0)).toBe(frame.length - 4);
  expect(frame.subarray(4, 11)).toEqual(Buffer.from("\x0a\x05ADDED"));
  expect(hasMessage({ apiVersion: "example.com/v1", kind: "Widget" })).toBe(false);
});
