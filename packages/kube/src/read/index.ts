// Reading JSON and YAML without losing anything: `@celadon/kube/read`.

export type { JsonPath } from "@celadon/base";
export type { ReadDocument } from "./document.ts";
export { type ReadIssue, type ReadIssueCode, readIssueText } from "./issue.ts";
export { goJsonError } from "./json/go-json-error.ts";
export { type JsonBody, readJsonBody } from "./json/json-body.ts";
export { RawNumber, RepeatedMembers } from "./json/raw-json.ts";
export { readJson, readStoredJson } from "./json/read-json.ts";
export type { ReadLimits, ReadOptions } from "./options.ts";
export { seekPlain } from "./plain/seek-plain.ts";
export type { TextPosition } from "./position.ts";
export { type ReadResult, readDocument, readDocuments } from "./read.ts";
export type { FieldPlace, ScalarRange, ScalarStyle } from "./scalar-style.ts";
export { yamlHint } from "./yaml/yaml-hint.ts";
export { CUT_OFF, isCutOff } from "./yaml/yaml-warning.ts";
