import { expect, test } from "vitest";
import { fieldErrorText } from "./field-error.ts";
import { annotationsOf, labelsOf, metadataOf, nameOf, namespaceOf, type ObjectMeta } from "./metadata.ts";
import { checkDns1123Subdomain } from "./names.ts";
import { validateManagedFields, validateObjectMeta, validateObjectMetaUpdate } from "./validate-metadata.ts";

test("absent fields read as empty", () => {
  for (const object of [
    undefined,
    null,
    1,
    "x",
    [],
    {},
    { metadata: null },
    { metadata: [] },
    { metadata: { labels: 3 } },
  ]) {
    expect(nameOf(object)).toBe("");
    expect(namespaceOf(object)).toBe("");
    expect(labelsOf(object)).toEqual({});
    expect(annotationsOf(object)).toEqual({});
  }
  expect(metadataOf(Object.create({ metadata: { name: "inherited" } }))).toEqual({});
});

test("existing metadata is not copied", () => {
  const labels = { a: "b" };
  const object = { metadata: { name: "web", namespace: "default", labels } };
  expect(nameOf(object)).toBe("web");
  expect(namespaceOf(object)).toBe("default");
  expect(labelsOf(object)).toBe(labels);
  expect(labelsOf({ metadata: { labels: { a: "b", c: 1 } } })).toEqual({ a: "b" });
});

const check = (meta: ObjectMeta, namespaced = true): string[] =>
  validateObjectMeta(meta, namespaced, checkDns1123Subdomain).map((error) =>
    fieldErrorText(error).replace(/: (a lowercase|name part|a valid)[^:]*$/, ": …"),
  );
const good = { name: "web", namespace: "default" };
const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" };

// biome-ignore format: one case per line
const cases: [ObjectMeta, boolean, string[]][] = [
  [good, true, []],
  [{ name: "web" }, false, []],
  [{ name: "web" }, true, ["metadata.namespace: Required value"]],
  [good, false, ["metadata.namespace: Forbidden: not allowed on this type"]],
  [{ namespace: "default" }, true, ["metadata.name: Required value: name or generateName is required"]],
  [{ ...good, name: "Web" }, true, ['metadata.name: Invalid value: "Web": …']],
  [{ ...good, generateName: "Web-" }, true, ['metadata.generateName: Invalid value: "Web-": …']],
  [{ ...good, generateName: "web-" }, true, []],
  [{ ...good, namespace: "a.b" }, true, ['metadata.namespace: Invalid value: "a.b": must not contain dots']],
  [{ ...good, generation: -1 }, true, ["metadata.generation: Invalid value: -1: must be greater than or equal to 0"]],
  [{ ...good, labels: { "a b": "c d" } }, true, ['metadata.labels: Invalid value: "a b": …', 'metadata.labels: Invalid value: "c d": …']],
  [{ ...good, annotations: { "A/b": "x", "a b": "anything at all" } }, true, ['metadata.annotations: Invalid value: "a b": …']],
  [{ ...good, annotations: { a: "x".repeat(256 * 1024) } }, true, ["metadata.annotations: Too long: may not be more than 262144 bytes"]],
  [{ ...good, finalizers: ["orphan", "foregroundDeletion"] }, true, ['metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set']],
  [{ ...good, ownerReferences: [{ ...owner, apiVersion: "", uid: "" }] }, true, ['metadata.ownerReferences[0].apiVersion: Required value: must not be empty', 'metadata.ownerReferences[0].uid: Required value: must not be empty']],
  [{ ...good, ownerReferences: [{ ...owner, controller: true }, { ...owner, name: "q", controller: true }] }, true, ['metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u","controller":true},{"apiVersion":"v1","kind":"Pod","name":"q","uid":"u","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Pod/p and Pod/q']],
  [{ ...good, ownerReferences: [{ ...owner, kind: "Event" }] }, true, ['metadata.ownerReferences[0]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"p","uid":"u"}: /v1, Kind=Event is disallowed from being an owner']],
];

test.each(cases)("metadata %#", (meta, namespaced, want) => expect(check(meta, namespaced)).toEqual(want));

test("managed fields", () => {
  const errors = (...managedFields: object[]): string[] =>
    validateManagedFields({ managedFields } as ObjectMeta).map(fieldErrorText);
  const entry = { operation: "Apply", manager: "m", fieldsType: "FieldsV1" };
  expect(errors(entry, { ...entry, operation: "Update", fieldsType: "" })).toEqual([]);
  expect(errors({ ...entry, manager: "ü".repeat(65) })).toEqual([
    "metadata.managedFields[0].manager: Too long: may not be more than 128 bytes",
  ]);
  expect(errors(entry, { operation: "Patch", manager: "a\tb", fieldsType: "FieldsV2" })).toEqual([
    'metadata.managedFields[1].operation: Invalid value: "Patch": must be `Apply` or `Update`',
    'metadata.managedFields[1].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
    'metadata.managedFields[1].manager: Invalid value: "a\\tb": invalid character U+0009 (at position 1)',
  ]);
});

test("updates", () => {
  const old: ObjectMeta = {
    ...good,
    uid: "u1",
    resourceVersion: "5",
    generation: 3,
    creationTimestamp: "2024-01-01T00:00:00Z",
  };
  const errors = (meta: ObjectMeta, before = old): string[] =>
    validateObjectMetaUpdate(meta, before).map(fieldErrorText);
  expect(errors(old)).toEqual([]);
  expect(errors({ ...old, name: "other", uid: "u2", generation: 2, resourceVersion: "" })).toEqual([
    'metadata.resourceVersion: Invalid value: "": must be specified for an update',
    "metadata.generation: Invalid value: 2: must not be decremented",
    'metadata.name: Invalid value: "other": field is immutable',
    'metadata.uid: Invalid value: "u2": field is immutable',
  ]);
  expect(errors({ ...old, creationTimestamp: null })).toEqual([
    "metadata.creationTimestamp: Invalid value: null: field is immutable",
  ]);
  const deleting: ObjectMeta = { ...old, deletionTimestamp: "2024-01-02T00:00:00Z", finalizers: ["a"] };
  expect(errors({ ...deleting, finalizers: ["a", "c", "b"] }, deleting)).toEqual([
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"b", "c"}',
  ]);
});
