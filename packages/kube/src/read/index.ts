// Reading JSON and YAML without losing anything: `@celadon/kube/read`.

export type { JsonPath } from "@celadon/base";
export type { ReadDocument } from "./document.ts";
export { goJsonError } from "./go-json-error.ts";
export { type ReadIssue, type ReadIssueCode, readIssueText } from "./issue.ts";
export { type JsonBody, readJsonBody } from "./json-body.ts";
export type { ReadLimits, ReadOptions } from "./options.ts";
export type { Position } from "./position.ts";
export { RawNumber, RepeatedMembers } from "./raw-json.ts";
export { type ReadResult, readDocument, readDocuments } from "./read.ts";
export { readJson, readStoredJson } from "./read-json.ts";
export type { FieldPlace, ScalarRange, ScalarStyle } from "./scalar-style.ts";
export { seekPlain } from "./seek-plain.ts";
