// Differences that are known, with the reason. Everything else the campaign finds is a bug.

import type { YamlAnswer, YamlCase } from "./answers.ts";

export interface KnownDifference {
  readonly reason: string;
  /** Whether a difference is of this kind. */
  readonly explains: (given: YamlCase, reference: YamlAnswer, ours: YamlAnswer) => boolean;
}

export const KNOWN: readonly KnownDifference[] = [
  {
    reason: "keys of one map that become the same text: the reference takes any of them",
    explains: (_, reference) => reference.undefined === true,
  },
  {
    reason:
      "a marker with text behind it takes the document before it along in the reference; here that document is read",
    explains: (_, reference, ours) =>
      reference.error !== undefined &&
      ours.error?.startsWith("only a comment may follow ---") === true &&
      ours.documents.length === reference.documents.length + 1,
  },
  {
    reason: "a control character behind the first document, where the reference does not look",
    explains: (_, reference, ours) =>
      reference.error === undefined && ours.error?.includes("cannot stand in YAML") === true,
  },
  {
    reason:
      "texts and numbers behind a JSON object, which no Kubernetes object is: here they must not touch each other",
    explains: ({ mode, text }, reference, ours) =>
      mode === "file" &&
      text.trimStart().startsWith("{") &&
      [...reference.documents, ...ours.documents].slice(1).some((document) => !/^[{[]/.test(document)),
  },
  {
    reason: "after two byte order marks the reference drops the first character of lines",
    explains: ({ text }) => text.includes("\ufeff\ufeff"),
  },
];
