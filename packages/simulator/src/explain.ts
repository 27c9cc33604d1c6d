// Why a request gets what it gets: the outcome, and behind it every expression that was evaluated with the values of its parts.
// Slower than a review: expressions are interpreted with a recorder. The decisions are the same.

import { type ExplainedExpression, explain } from "@celadon/admission";
import {
  type CertificateRequest,
  type ExplainedRule as ExplainedCertificateRule,
  explainRules as explainCertificateRules,
} from "@celadon/certpolicy";
import { explainRules, type JsonObject, type RuleExplanation } from "@celadon/crd";
import { type Applied, appliedOf } from "./applies.ts";
import { requestedBy } from "./certificates.ts";
import type { Outcome } from "./outcome.ts";
import type { World } from "./world.ts";

export interface ExplainedPolicy extends Applied {
  readonly policy: string;
  /** Why the policy could not be asked. */
  readonly error?: string;
  /** In the order they ran, for one binding and its params after the other. */
  readonly expressions: readonly ExplainedExpression[];
}

export interface OutcomeExplanation {
  readonly outcome: Outcome;
  /** Every policy, also those that do not apply. */
  readonly policies: readonly ExplainedPolicy[];
  /** Rules of the object's definition, when it has one and could be read. */
  readonly rules?: RuleExplanation & { readonly definition: string; readonly version: string };
  /** Rules of certificate policies that were asked about a CertificateRequest. */
  readonly certificateRules: readonly ExplainedCertificateRule[];
}

/** `only` names the policies to look at; all of them without it. */
export async function explainOutcome(
  world: World,
  outcome: Outcome,
  only?: ReadonlySet<string>,
): Promise<OutcomeExplanation> {
  const { request } = outcome;
  const entries = world.policies.entries().filter(({ policy }) => only === undefined || only.has(policy.name));
  const { report, expressions } = await explain(request, entries, world.hosts);
  const policies = report.verdicts.policies.map((one): ExplainedPolicy => {
    const { name } = one.policy;
    return {
      policy: name,
      ...appliedOf(one),
      ...(one.outcome === "error" && { error: one.message }),
      expressions: expressions.filter(({ policy }) => policy === name),
    };
  });
  return { outcome, policies, ...rulesOf(world, outcome), certificateRules: certificateRulesOf(world, outcome) };
}

function certificateRulesOf(world: World, { request, certificate }: Outcome): readonly ExplainedCertificateRule[] {
  if (certificate === undefined || certificate.result === "Error" || !request.object) return [];
  const asked = requestedBy(request.object as unknown as CertificateRequest, request.userInfo ?? {});
  const spoke = new Set(
    certificate.policies.flatMap(({ policy, outcome }) =>
      outcome === "approves" || outcome === "denies" ? [policy] : [],
    ),
  );
  return world.certificatePolicies
    .filter(({ metadata }) => spoke.has(metadata?.name ?? ""))
    .flatMap((policy) => explainCertificateRules(policy, asked, world.reviewer.rules).expressions);
}

function rulesOf(world: World, { request }: Outcome): Pick<OutcomeExplanation, "rules"> {
  const { object, oldObject, kind } = request;
  const type = world.typeOf(kind.group, kind.kind);
  const version = type?.version(kind.version);
  if (type === undefined || version === undefined || !object) return {};
  const explained = explainRules(version, object as JsonObject, (oldObject as JsonObject | null) ?? undefined);
  if (explained.expressions.length + explained.skipped.length === 0) return {};
  return { rules: { ...explained, definition: `${type.plural}.${type.group}`, version: kind.version } };
}
