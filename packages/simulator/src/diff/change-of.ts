// The difference between two outcomes of one request. Undefined if nothing differs that users could notice: verdict, failures,
// warnings, annotations, and the policies and webhooks that apply.

import { hasApplied } from "@celadon/admission";
import type { Outcome, Problem } from "../outcome/outcome.ts";

/**
 * `denied`: allowed before, denied now. `allowed`: the other way round. `error`: an expression now fails, or no longer fails.
 * `answer`: denied both times, with another message or for other reasons. `warnings`, `audit`: warnings or audit annotations differ.
 * `webhooks`: other webhooks are called. `matching`: a policy of both sets matches the object in only one of them.
 */
export type ChangeKind = "denied" | "allowed" | "error" | "answer" | "warnings" | "audit" | "webhooks" | "matching";

/** The gravest first. */
export const CHANGE_KINDS: readonly ChangeKind[] = [
  "denied",
  "allowed",
  "error",
  "answer",
  "warnings",
  "audit",
  "webhooks",
  "matching",
];

/** The difference between the answers of two simulated clusters to a request. */
export interface OutcomeChange {
  readonly kind: ChangeKind;
  readonly was: Side;
  readonly now: Side;
  /** Failures that came, went, or say something else now. */
  readonly problems: readonly ProblemChange[];
  readonly warnings: Gone<string>;
  readonly annotations: readonly ValueChange[];
  /** Policies of both sets that match the object in one of them only. */
  readonly policies: Gone<string>;
  /** Webhooks that are called. */
  readonly webhooks: Gone<CalledWebhook>;
}

/** A webhook, by its configuration and its own name. */
export interface CalledWebhook {
  readonly configuration: string;
  readonly name: string;
}

/** One simulated cluster's answer. */
export interface Side {
  /** By the API server and, for a certificate request, by its approver. */
  readonly allowed: boolean;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
}

/** The difference between the problems of an object in two simulated clusters. */
export interface ProblemChange {
  readonly was?: Problem;
  readonly now?: Problem;
}

/** The removed and the added items. */
export interface Gone<T> {
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/** A value by its key, before and after. */
export interface ValueChange {
  readonly key: string;
  readonly was?: string;
  readonly now?: string;
}

/** Whether both simulated clusters have this policy: only then is it a change that it matches in one of them only. */
export type InBoth = (policy: string) => boolean;

/** Compares two answers to a request; undefined when they do not. */
export function changeOf(old: Outcome, next: Outcome, inBoth: InBoth = () => true): OutcomeChange | undefined {
  const was = sideOf(old);
  const now = sideOf(next);
  const problems = problemChanges(old.problems, next.problems);
  const warnings = goneOf(old.warnings, next.warnings);
  const annotations = annotationChanges(old.auditAnnotations, next.auditAnnotations);
  const matching = goneOf(appliedNames(old), appliedNames(next));
  const policies = { removed: matching.removed.filter(inBoth), added: matching.added.filter(inBoth) };
  const webhooks = goneWebhooks(calledBy(old), calledBy(next));
  const kind = kindOf({ was, now, problems, warnings, annotations, policies, webhooks });
  return kind && { kind, was, now, problems, warnings, annotations, policies, webhooks };
}

function kindOf(change: Omit<OutcomeChange, "kind">): ChangeKind | undefined {
  const { was, now, problems, warnings, annotations, policies, webhooks } = change;
  if (was.allowed !== now.allowed) return now.allowed ? "allowed" : "denied";
  if (
    problems.some(
      (problem) => problem.was?.by?.error !== problem.now?.by?.error && (isError(problem.was) || isError(problem.now)),
    )
  )
    return "error";
  if (!now.allowed && (problems.some(denies) || !sameAnswer(was, now))) return "answer";
  if (problems.some(({ was: before, now: after }) => isWarning(before) || isWarning(after)) || isAny(warnings))
    return "warnings";
  if (annotations.length > 0 || problems.length > 0) return "audit";
  if (isAny(webhooks)) return "webhooks";
  return isAny(policies) ? "matching" : undefined;
}

const isError = (problem: Problem | undefined): boolean => problem?.by?.error === true;
const isWarning = (problem: Problem | undefined): boolean => problem?.level === "warn" || problem?.level === "notice";
const denies = ({ was, now }: ProblemChange): boolean => was?.level === "deny" || now?.level === "deny";
const isAny = ({ removed, added }: Gone<unknown>): boolean => removed.length + added.length > 0;
const sameAnswer = (a: Side, b: Side): boolean => a.message === b.message && a.reason === b.reason && a.code === b.code;

/** The compared parts of an answer. */
export function sideOf({ status, certificate, allowed, problems }: Outcome): Side {
  if (status !== undefined) {
    const { message, reason, code } = status;
    return {
      allowed: false,
      ...(message !== undefined && { message }),
      ...(reason !== undefined && { reason }),
      ...(code !== undefined && { code }),
    };
  }
  if (certificate?.result !== "Denied" && certificate?.result !== "Error") return { allowed };
  const said = problems.filter(({ system }) => system === "certificate").map(({ message }) => message);
  return { allowed: false, message: said.join("; "), reason: certificate.result };
}

/** Failures of one expression are one failure, with any text. */
function problemChanges(old: readonly Problem[], next: readonly Problem[]): ProblemChange[] {
  if (old.length + next.length === 0) return [];
  const left = new Map<string, Problem[]>();
  for (const problem of old) {
    const key = placeKey(problem);
    const same = left.get(key);
    if (same === undefined) left.set(key, [problem]);
    else same.push(problem);
  }
  const changes: ProblemChange[] = [];
  const unpaired: Problem[] = [];
  // Equal items are paired first: a list may fail one rule at several elements.
  for (const now of next) {
    const same = left.get(placeKey(now));
    const i = same?.findIndex((was) => textKey(was) === textKey(now)) ?? -1;
    if (i === -1) unpaired.push(now);
    else same!.splice(i, 1);
  }
  for (const now of unpaired) {
    const was = left.get(placeKey(now))?.shift();
    changes.push(was === undefined ? { now } : { was, now });
  }
  for (const was of [...left.values()].flat()) changes.push({ was });
  return changes;
}

function placeKey({ system, by, path }: Problem): string {
  const { kind = "", name = "", binding = "", params = "", path: steps = [] } = by ?? {};
  // Fields tell failures of schemas apart; rules of a policy are distinguished by where they stand.
  return JSON.stringify([system, kind, name, binding, params, steps, steps.length === 0 ? path : undefined]);
}

function textKey({ level, message, reason = "", by, path }: Problem): string {
  return JSON.stringify([level, message, reason, by?.error === true, path]);
}

export function goneOf<T>(old: readonly T[], next: readonly T[]): Gone<T> {
  if (old.length + next.length === 0) return NOTHING_GONE;
  const before = new Set(old);
  const after = new Set(next);
  return { removed: old.filter((t) => !after.has(t)), added: next.filter((t) => !before.has(t)) };
}

const NOTHING_GONE: Gone<never> = { removed: [], added: [] };

function annotationChanges(
  old: Readonly<Record<string, string>>,
  next: Readonly<Record<string, string>>,
): readonly ValueChange[] {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(next)])].sort();
  return keys.flatMap((key): ValueChange[] => {
    const was = Object.hasOwn(old, key) ? old[key] : undefined;
    const now = Object.hasOwn(next, key) ? next[key] : undefined;
    return was === now ? [] : [{ key, ...(was !== undefined && { was }), ...(now !== undefined && { now }) }];
  });
}

function appliedNames({ policies }: Outcome): string[] {
  return policies.verdicts.policies.flatMap((policy) => (hasApplied(policy) ? [policy.policy.name] : []));
}

function calledBy({ webhooks }: Outcome): CalledWebhook[] {
  return webhooks.flatMap(({ outcome, webhook: { configuration, webhook } }) =>
    outcome === "call" ? [{ configuration, name: webhook.name }] : [],
  );
}

function goneWebhooks(old: readonly CalledWebhook[], next: readonly CalledWebhook[]): Gone<CalledWebhook> {
  const missing = (some: readonly CalledWebhook[], others: readonly CalledWebhook[]): CalledWebhook[] =>
    some.filter(
      ({ configuration, name }) =>
        !others.some((other) => other.configuration === configuration && other.name === name),
    );
  return { removed: missing(old, next), added: missing(next, old) };
}
