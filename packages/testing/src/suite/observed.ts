// The result of a case in the terms of suites: a verdict, and its details.

import { refusalText } from "@celadon/admission";
import {
  appliedOf,
  mutatingApplied,
  mutatingCosts,
  type Outcome,
  type Problem,
  type SimulatedCluster,
  validatingCost,
} from "@celadon/simulator";
import type { Verdict } from "./read/document.ts";
import type { Case } from "./suite.ts";

/** The result of a case, in the terms of suites. */
export interface ObservedAnswers {
  readonly verdict: Verdict;
  /** Something the case is about was evaluated. */
  readonly matched: boolean;
  /** The object could not be read as its kind, so no policy got to see it. */
  readonly isUnread: boolean;
  /** The reasons why the others did not match: rule, selector, condition or permission. */
  readonly refusals: readonly Refusal[];
  /** All failures, without mere warnings of the server. */
  readonly failures: readonly Problem[];
  /** The failure that is returned; without one, the first. */
  readonly failure?: Problem;
  /** A remark on the verdict. */
  readonly note?: string;
  /** The costs of evaluation, by policy and definition. */
  readonly costs: ReadonlyMap<string, number>;
  /** The webhooks that would be called. */
  readonly called: readonly string[];
}

/** Why a policy or webhook was not evaluated for the object. */
export interface Refusal {
  /** The webhook's name, where a webhook was not called. */
  readonly webhook?: string;
  readonly text: string;
}

export function observe(
  about: Case,
  outcome: Outcome,
  simulated: SimulatedCluster,
  ruleCosts: ReadonlyMap<string, number> = new Map(),
): ObservedAnswers {
  const definition = definitionOf(about, outcome, simulated);
  const failures = outcome.problems.filter(({ level }) => level !== "notice");
  const failure = failures.find(({ returned }) => returned) ?? failures[0];
  const matched = isMatched(outcome, definition);
  const refusals = refusalsOf(outcome);
  return {
    ...verdictOf(about, outcome, failures, failure, matched, definition),
    matched,
    isUnread: outcome.endedBy === "decoding",
    refusals,
    failures,
    ...(failure && { failure }),
    costs: new Map([...ruleCosts, ...mutatingCosts(outcome.mutated), ...costsOf(outcome)]),
    called: outcome.webhooks.flatMap((webhook) => (webhook.outcome === "call" ? [webhook.webhook.webhook.name] : [])),
  };
}

/** The definition of the object's kind, if the case is about it. */
function definitionOf({ policies }: Case, { request }: Outcome, simulated: SimulatedCluster): string | undefined {
  const type = simulated.typeOf(request.kind.group, request.kind.kind);
  if (type === undefined || request.operation === "DELETE" || request.operation === "CONNECT") return undefined;
  const name = `${type.plural}.${type.group}`;
  return policies === undefined || policies.includes(name) ? name : undefined;
}

function isMatched(outcome: Outcome, definition: string | undefined): boolean {
  const { policies, mutated, webhooks, certificate } = outcome;
  return (
    definition !== undefined ||
    [...mutatingApplied(mutated).values()].some(({ applied }) => applied) ||
    policies.verdicts.policies.some((policy) => appliedOf(policy).applied) ||
    webhooks.some((webhook) => webhook.outcome !== "refused") ||
    (certificate !== undefined &&
      (certificate.result === "Error" ||
        certificate.policies.some((policy) => policy.outcome === "approves" || policy.outcome === "denies")))
  );
}

const CERTIFICATE_VERDICTS = {
  Approved: "approve",
  Denied: "deny",
  Unprocessed: "unprocessed",
  Error: "error",
} as const;

function verdictOf(
  about: Case,
  outcome: Outcome,
  failures: readonly Problem[],
  failure: Problem | undefined,
  matched: boolean,
  definition: string | undefined,
): { verdict: Verdict; note?: string } {
  const { allowed, status, certificate } = outcome;
  if (!allowed) {
    // A refusal by something else would let a test pass for the wrong reason: a slip in the object, a namespace that is not there.
    if (failure === undefined || !isAbout(about, failure, definition)) {
      return { verdict: "error", note: `denied for a reason outside this test: ${status?.message ?? ""}` };
    }
    return failure.by?.error ? { verdict: "error", note: failure.message } : { verdict: "deny", note: failure.message };
  }
  if (certificate !== undefined) {
    const note = certificate.result === "Error" ? certificate.error : certificate.message;
    return { verdict: CERTIFICATE_VERDICTS[certificate.result], note };
  }
  const of = (level: Problem["level"]): Problem | undefined => failures.find((problem) => problem.level === level);
  const ignored = of("ignored");
  if (ignored !== undefined) return { verdict: "error", note: `ignored by failurePolicy: ${ignored.message}` };
  for (const level of ["warn", "audit"] as const) {
    const found = of(level);
    if (found !== undefined) return { verdict: found.by?.error ? "error" : level, note: found.message };
  }
  return { verdict: matched ? "allow" : "unmatched" };
}

function isAbout({ policies }: Case, { by, system }: Problem, definition: string | undefined): boolean {
  if (by === undefined) return (system === "schema" || system === "validation") && definition !== undefined;
  if (by.kind === "CustomResourceDefinition") return definition !== undefined;
  return policies === undefined || policies.includes(by.name);
}

function refusalsOf({ policies, mutated, webhooks, certificate }: Outcome): Refusal[] {
  const found: Refusal[] = [];
  for (const [name, { refusals }] of mutatingApplied(mutated)) {
    for (const { binding, text } of refusals) {
      found.push({ text: `mutating policy '${name}'${withBinding(binding)}: ${text}` });
    }
  }
  for (const outcome of policies.verdicts.policies) {
    for (const { binding, text } of appliedOf(outcome).refusals) {
      found.push({ text: `policy '${outcome.policy.name}'${withBinding(binding)}: ${text}` });
    }
  }
  for (const webhook of webhooks) {
    if (webhook.outcome !== "refused") continue;
    const { name } = webhook.webhook.webhook;
    found.push({ webhook: name, text: `webhook '${name}': ${refusalText(webhook.refusal)}` });
  }
  if (certificate !== undefined && certificate.result !== "Error") {
    for (const policy of certificate.policies) {
      if (policy.outcome === "not applicable")
        found.push({ text: `certificate policy '${policy.policy}': ${policy.refusal.message}` });
    }
  }
  return found;
}

const withBinding = (name: string | undefined): string => (name === undefined ? "" : ` with binding '${name}'`);

function costsOf({ policies }: Outcome): ReadonlyMap<string, number> {
  return new Map(
    policies.verdicts.policies.flatMap((outcome) =>
      outcome.outcome === "matched" ? [[outcome.policy.name, validatingCost(outcome)]] : [],
    ),
  );
}
