import { expect, test } from "vitest";
import type { FieldValidation } from "../codec/write-options.ts";
import type { StatusError } from "../wire/status-error.ts";
import { readMergePatch, readOperations, readStrategicPatch } from "./patch-body.ts";

const READERS = { json: readOperations, merge: readMergePatch, strategic: readStrategicPatch };

// Patches are read as by kube-apiserver 1.36; undefined is a patch.
// biome-ignore format: one body per line
test.each<[type: keyof typeof READERS, text: string, validation: FieldValidation, message: string | undefined]>([
  ["json",      "",                                "Warn",   "error decoding patch: unexpected end of JSON input"],
  ["json",      "{}",                              "Warn",   "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"],
  ["json",      "[1]",                             "Warn",   "error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp"],
  ["json",      '[{"op": 1}]',                     "Warn",   "error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string"],
  ["json",      '[{"op": "add", "path": {}}]',     "Strict", "error decoding patch: json: cannot unmarshal object into Go struct field jsonPatchOp.path of type string"],
  ["json",      "{",                               "Ignore", "unexpected end of JSON input"],
  ["json",      "{}",                              "Ignore", "json: cannot unmarshal object into Go value of type jsonpatch.Patch"],
  ["json",      '[{"op": 1}]',                     "Ignore", undefined],
  ["json",      "null",                            "Warn",   undefined],
  ["json",      "[null]",                          "Warn",   undefined],
  ["merge",     "{",                               "Warn",   "error decoding patch: unexpected end of JSON input"],
  ["merge",     "1.5",                             "Warn",   "error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}"],
  ["merge",     "{",                               "Ignore", "Invalid JSON Patch"],
  ["merge",     "[]",                              "Ignore", undefined],
  ["merge",     "null",                            "Warn",   undefined],
  ["strategic", "",                                "Warn",   "unexpected end of JSON input"],
  ["strategic", "[]",                              "Warn",   "json: cannot unmarshal array into Go value of type map[string]interface {}"],
  ["strategic", '"x"',                             "Ignore", "json: cannot unmarshal string into Go value of type map[string]interface {}"],
  ["strategic", "true",                            "Strict", "json: cannot unmarshal bool into Go value of type map[string]interface {}"],
  ["strategic", "null",                            "Warn",   undefined],
])("%s patch %s with %s", (type, text, validation, message) => {
  let thrown: unknown;
  try {
    READERS[type](text, validation);
  } catch (error) {
    thrown = error;
  }
  expect((thrown as StatusError | undefined)?.status.message).toBe(message);
  if (message !== undefined) expect((thrown as StatusError).status.code).toBe(400);
});

// biome-ignore format: one body per line
test.each<[type: keyof typeof READERS, text: string, validation: FieldValidation, strict: readonly string[]]>([
  ["json",      '[{"op": "add", "path": "/a", "op": "add", "note": 1}]', "Strict", ['json patch duplicate field "[0].op"', 'json patch unknown field "[0].note"']],
  ["json",      '[{"op": "add", "path": "/a", "note": 1}]',              "Ignore", []],
  ["merge",     '{"data": {"a": "1", "a": "2"}}',                        "Warn",   ['duplicate field "data.a"']],
  ["strategic", '{"data": {"a": "1", "a": "2"}}',                        "Strict", ['duplicate field "data.a"']],
  ["strategic", '{"data": {"a": "1", "a": "2"}}',                        "Ignore", []],
])("strict decoding of the %s patch %s with %s", (type, text, validation, strict) => {
  expect(READERS[type](text, validation).strict).toEqual(strict);
});
