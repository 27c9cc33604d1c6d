// One object of the inputs and what it would get: what `check`, `explain` and `diff` show. It keeps what is shown and no more: whole
// reports of thousands of objects under dozens of policies would be most of the memory.

import { refusalText } from "@celadon/admission";
import type { Selection } from "@celadon/admission/webhook";
import type { DataPath } from "@celadon/cel/explain";
import type { Review } from "@celadon/certpolicy";
import type { Status } from "@celadon/kube";
import { hasApplied, type Manifest, type Outcome, type Problem } from "@celadon/simulator";
import type { Place, Subject } from "../output/answer.ts";
import { mutationsOf, type ReviewedMutation } from "./mutations.ts";
import { requestSubject } from "./names.ts";
import { placeOf } from "./place.ts";

export interface Reviewed {
  readonly manifest: Manifest;
  readonly subject: Subject;
  readonly operation: string;
  readonly subresource: string;
  readonly user: string;
  readonly allowed: boolean;
  readonly status?: Status;
  readonly problems: readonly Problem[];
  /** Where failures of policies were decided, by problem, as far as that was looked into. */
  readonly blame: ReadonlyMap<Problem, DataPath>;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Policies that had something to say, by name. */
  readonly policies: readonly string[];
  /** What mutating policies and webhooks did, in order. */
  readonly mutations: readonly ReviewedMutation[];
  readonly webhooks: readonly ReviewedWebhook[];
  readonly certificate?: Review;
  readonly assumptions: readonly string[];
}

export interface ReviewedWebhook {
  readonly configuration: string;
  readonly webhook: string;
  readonly type: "mutating" | "validating";
  readonly called: boolean;
  /** What refused the request. */
  readonly refusal?: string;
  readonly error?: string;
}

const NO_BLAME: ReadonlyMap<Problem, DataPath> = new Map();

export function reviewedOf(
  manifest: Manifest,
  outcome: Outcome,
  blame: ReadonlyMap<Problem, DataPath> = NO_BLAME,
): Reviewed {
  const { request, status, certificate } = outcome;
  return {
    manifest,
    subject: requestSubject(request),
    operation: request.operation,
    subresource: request.subresource ?? "",
    user: request.userInfo?.username ?? "",
    allowed: outcome.allowed,
    ...(status && { status }),
    problems: kept(outcome.problems),
    blame,
    warnings: kept(outcome.warnings),
    auditAnnotations: outcome.auditAnnotations,
    policies: kept(outcome.policies.verdicts.policies.filter(hasApplied).map((one) => one.policy.name)),
    mutations: mutationsOf(outcome),
    webhooks: kept(outcome.webhooks.map(webhookOf)),
    ...(certificate && { certificate }),
    assumptions: kept(outcome.assumptions.map(shared)),
  };
}

/** One empty list for all. */
const kept = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? NOTHING : list);
const NOTHING: readonly never[] = [];

/** The same is assumed of one object after the other: their texts are one. */
function shared(text: string): string {
  if (text !== lastText) lastText = text;
  return lastText;
}
let lastText = "";

function webhookOf(selection: Selection): ReviewedWebhook {
  const { configuration, webhook, mutating } = selection.webhook;
  return {
    configuration,
    webhook: webhook.name,
    type: mutating ? "mutating" : "validating",
    called: selection.outcome === "call",
    ...(selection.outcome === "refused" && { refusal: refusalText(selection.refusal) }),
    ...(selection.outcome === "rejected" && { error: selection.status.message ?? "" }),
  };
}

/** Refused by the API server, or by the approver of certificates. */
export function isDenied({ allowed, certificate }: Pick<Reviewed, "allowed" | "certificate">): boolean {
  return !allowed || certificate?.result === "Denied" || certificate?.result === "Error";
}

/** Where to look in the object: for an expression that does not compile, at the character. */
export function problemPlace({ manifest, blame }: Reviewed, problem: Problem): Place | undefined {
  const path = blame.get(problem)?.path ?? problem.path ?? [];
  const place = placeOf(manifest, path, problem.message.startsWith("unknown field") ? "key" : "value");
  const offset = expressionOffset(problem);
  const found = offset === undefined ? undefined : manifest.origin?.positionIn(path, offset);
  return place && found ? { ...place, line: found.line, column: found.column } : place;
}

/** Where in the expression its first error stands. The compiler counts columns in code points, from 1. */
function expressionOffset({ message, value }: Problem): number | undefined {
  const at = /ERROR: <input>:(\d+):(\d+): /.exec(message);
  if (at === null || typeof value !== "string") return undefined;
  const lines = value.split("\n");
  const [line, column] = [Number(at[1]), Number(at[2])];
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  return before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
}
