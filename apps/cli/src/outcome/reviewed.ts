// One object of the inputs and its answer, as `check`, `explain` and `diff` show it. It keeps only the visible parts: whole reports of
// thousands of objects under dozens of policies would be most of the memory.

import { hasApplied, refusalText } from "@celadon/admission";
import type { WebhookSelection } from "@celadon/admission/webhook";
import type { DataPath } from "@celadon/cel/explain";
import type { CertificateReview } from "@celadon/certpolicy";
import type { Status } from "@celadon/kube/status";
import { mutationsOf, type Outcome, type Problem, type ReviewedMutation } from "@celadon/simulator";
import { type Manifest, placeOf } from "@celadon/simulator/manifests";
import type { ShownPlace, Subject } from "../output/answer.ts";
import { requestSubject } from "./names.ts";

export interface ReviewedObject {
  readonly manifest: Manifest;
  readonly subject: Subject;
  readonly operation: string;
  readonly subresource: string;
  readonly user: string;
  readonly allowed: boolean;
  readonly status?: Status;
  readonly problems: readonly Problem[];
  /** The field that decided a failure of a policy, by problem, as far as known. */
  readonly blame: ReadonlyMap<Problem, DataPath>;
  /** The places of the expressions behind findings about mutations. */
  readonly expressions: ReadonlyMap<Problem, ShownPlace>;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Policies that had something to say, by name. */
  readonly policies: readonly string[];
  /** The changes by mutating policies and webhooks, in order. */
  readonly mutations: readonly ReviewedMutation[];
  readonly webhooks: readonly ReviewedWebhook[];
  readonly certificate?: CertificateReview;
  readonly assumptions: readonly string[];
  /** Every reason to deny it is suppressed. */
  readonly isExcused?: boolean;
}

export interface ReviewedWebhook {
  readonly configuration: string;
  readonly webhook: string;
  readonly type: "mutating" | "validating";
  readonly called: boolean;
  /** The part that rejected the request. */
  readonly refusal?: string;
  readonly error?: string;
}

const NO_BLAME: ReadonlyMap<Problem, DataPath> = new Map();
const NO_PLACES: ReadonlyMap<Problem, ShownPlace> = new Map();
const NO_ANNOTATIONS: Readonly<Record<string, string>> = {};

export function reviewedOf(
  manifest: Manifest,
  outcome: Outcome,
  blame: ReadonlyMap<Problem, DataPath> = NO_BLAME,
  expressions: ReadonlyMap<Problem, ShownPlace> = NO_PLACES,
): ReviewedObject {
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
    expressions,
    warnings: kept(outcome.warnings),
    auditAnnotations: Object.keys(outcome.auditAnnotations).length === 0 ? NO_ANNOTATIONS : outcome.auditAnnotations,
    policies: kept(outcome.policies.verdicts.policies.filter(hasApplied).map((policy) => policy.policy.name)),
    mutations: kept(mutationsOf(outcome)),
    webhooks: kept(outcome.webhooks.map(webhookOf)),
    ...(certificate && { certificate }),
    assumptions: shared(outcome.assumptions),
  };
}

/** One empty list for all. */
const kept = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? NOTHING : list);
const NOTHING: readonly never[] = [];

/** The same is assumed of one object after the other: their lists are one. */
function shared(texts: readonly string[]): readonly string[] {
  const isLast = texts.length === lastTexts.length && texts.every((text, i) => text === lastTexts[i]);
  if (!isLast) lastTexts = texts;
  return lastTexts;
}
let lastTexts: readonly string[] = NOTHING;

function webhookOf(selection: WebhookSelection): ReviewedWebhook {
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
export function isDenied({
  allowed,
  certificate,
  isExcused,
}: Pick<ReviewedObject, "allowed" | "certificate" | "isExcused">): boolean {
  if (isExcused === true) return false;
  return !allowed || certificate?.result === "Denied" || certificate?.result === "Error";
}

/** The place in the object to show: for an expression that does not compile, at the character. */
export function problemPlace({ manifest, blame }: ReviewedObject, problem: Problem): ShownPlace | undefined {
  const path = blame.get(problem)?.path ?? problem.path ?? [];
  return expressionPlace(manifest, problem) ?? placeOf(manifest, path, problem.key ? "key" : "value");
}

/** The place of the first mistake in the expression. */
function expressionPlace({ origin }: Manifest, { fieldError }: Problem): ShownPlace | undefined {
  const expression = fieldError?.expression;
  const span = expression?.issues.find((issue) => issue.span)?.span;
  const found = expression && span && origin?.positionIn(expression.steps, expression.offset + Math.max(0, span.at));
  return found && { file: found.file, line: found.line, column: found.column };
}
