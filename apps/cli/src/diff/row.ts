// One object with a changed verdict: its name and its counts. Whole outcomes are not kept.

import type { AdmissionRequest } from "@celadon/admission";
import type { ChangeKind, OutcomeChange } from "@celadon/simulator/diff";
import type { Manifest } from "@celadon/simulator/manifests";
import { requestSubject } from "../outcome/names.ts";
import type { Subject } from "../output/answer.ts";
import { type ChangeSource, speakersOf } from "./change-sources.ts";

export interface DiffRow {
  readonly manifest: Manifest;
  readonly subject: Subject;
  readonly operation: string;
  readonly subresource: string;
  /** The owner of the object; empty if unknown. */
  readonly owner: string;
  readonly change: OutcomeChange;
  readonly speakers: readonly ChangeSource[];
}

export function rowOf(manifest: Manifest, request: AdmissionRequest, change: OutcomeChange, owner: string): DiffRow {
  return {
    manifest,
    subject: requestSubject(request),
    operation: request.operation,
    subresource: request.subresource ?? "",
    owner,
    change,
    speakers: speakersOf(change),
  };
}

/** The words for kinds of changes. */
export const KIND_WORDS: Readonly<Record<ChangeKind, string>> = {
  denied: "newly denied",
  allowed: "newly allowed",
  error: "with different errors",
  answer: "denied with a different answer",
  warnings: "warned differently",
  audit: "audited differently",
  webhooks: "sent to different webhooks",
  matching: "matched differently",
};
