// What came of a case, in the words a suite uses: one verdict, and what stands behind it.

import { refusalText } from "@celadon/admission";
import { appliedOf, type Outcome, type Problem, type World } from "@celadon/simulator";
import type { Verdict } from "./document.ts";
import type { Case } from "./suite.ts";

export interface Observed {
  readonly verdict: Verdict;
  /** Something the case is about was evaluated. */
  readonly matched: boolean;
  /** What kept the others from it: rule, selector, condition or permission. */
  readonly refusals: readonly string[];
  /** All failures, without mere warnings of the server. */
  readonly failures: readonly Problem[];
  /** The failure that is returned; without one, the first. */
  readonly failure?: Problem;
  /** What there is to say about the verdict. */
  readonly note?: string;
  /** Of evaluating, by policy and definition. */
  readonly costs: ReadonlyMap<string, number>;
  /** The webhooks that would be called. */
  readonly called: readonly string[];
}

export function observe(
  about: Case,
  outcome: Outcome,
  world: World,
  ruleCosts: ReadonlyMap<string, number> = new Map(),
): Observed {
  const definition = definitionOf(about, outcome, world);
  const failures = outcome.problems.filter(({ level }) => level !== "warning");
  const failure = failures.find(({ returned }) => returned) ?? failures[0];
  const matched = isMatched(outcome, definition);
  const refusals = refusalsOf(outcome);
  return {
    ...verdictOf(about, outcome, failures, failure, matched, definition),
    matched,
    refusals,
    failures,
    ...(failure && { failure }),
    costs: new Map([...ruleCosts, ...costsOf(outcome)]),
    called: outcome.webhooks.flatMap((one) => (one.outcome === "call" ? [one.webhook.webhook.name] : [])),
  };
}

/** The definition of the object's kind, if the case is about it. */
function definitionOf({ policies }: Case, { request }: Outcome, world: World): string | undefined {
  const type = world.typeOf(request.kind.group, request.kind.kind);
  if (type === undefined || request.operation === "DELETE" || request.operation === "CONNECT") return undefined;
  const name = `${type.plural}.${type.group}`;
  return policies === undefined || policies.includes(name) ? name : undefined;
}

function isMatched(outcome: Outcome, definition: string | undefined): boolean {
  const { policies, webhooks, certificate } = outcome;
  return (
    definition !== undefined ||
    policies.verdicts.policies.some((one) => appliedOf(one).applied) ||
    webhooks.some((one) => one.outcome !== "refused") ||
    (certificate !== undefined &&
      (certificate.result === "Error" ||
        certificate.policies.some((one) => one.outcome === "approves" || one.outcome === "denies")))
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
      return { verdict: "error", note: `refused by what the case is not about: ${status?.message ?? ""}` };
    }
    return failure.by?.error ? { verdict: "error", note: failure.message } : { verdict: "deny", note: failure.message };
  }
  if (certificate !== undefined) {
    const note = certificate.result === "Error" ? certificate.error : certificate.message;
    return { verdict: CERTIFICATE_VERDICTS[certificate.result], note };
  }
  const of = (level: Problem["level"]): Problem | undefined => failures.find((one) => one.level === level);
  const ignored = of("ignored");
  if (ignored !== undefined) return { verdict: "error", note: `passed over by failurePolicy: ${ignored.message}` };
  for (const level of ["warn", "audit"] as const) {
    const found = of(level);
    if (found !== undefined) return { verdict: found.by?.error ? "error" : level, note: found.message };
  }
  return { verdict: matched ? "allow" : "unmatched" };
}

function isAbout({ policies }: Case, { by, system }: Problem, definition: string | undefined): boolean {
  if (by === undefined) return system === "schema" && definition !== undefined;
  if (by.kind === "CustomResourceDefinition") return definition !== undefined;
  return policies === undefined || policies.includes(by.name);
}

function refusalsOf({ policies, webhooks, certificate }: Outcome): string[] {
  const texts: string[] = [];
  for (const outcome of policies.verdicts.policies) {
    for (const { binding, text } of appliedOf(outcome).refusals) {
      texts.push(
        `policy '${outcome.policy.name}'${binding === undefined ? "" : ` with binding '${binding}'`}: ${text}`,
      );
    }
  }
  for (const one of webhooks) {
    if (one.outcome === "refused") texts.push(`webhook '${one.webhook.webhook.name}': ${refusalText(one.refusal)}`);
  }
  if (certificate !== undefined && certificate.result !== "Error") {
    for (const one of certificate.policies) {
      if (one.outcome === "not applicable") texts.push(`certificate policy '${one.policy}': ${one.refusal.message}`);
    }
  }
  return texts;
}

function costsOf({ policies }: Outcome): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const outcome of policies.verdicts.policies) {
    if (outcome.outcome !== "matched") continue;
    let cost = 0;
    for (const one of outcome.bindings) {
      if (one.outcome !== "evaluated") continue;
      for (const { costs } of one.evaluations)
        cost += costs.matchConditions + costs.validations + costs.auditAnnotations;
    }
    costs.set(outcome.policy.name, cost);
  }
  return costs;
}
