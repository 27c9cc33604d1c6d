// The reasons for the answer to a request: the outcome, and behind it every evaluated expression with the values of its parts. Slower than
// a review: expressions are interpreted with a recorder. The decisions are the same.

import { mutateRequest } from "@celadon/admission/chain";
import {
  type ExplainedExpression,
  ExplainingObserver,
  explain,
  type OwnedExpression,
} from "@celadon/admission/explain";
import type { JsonObject } from "@celadon/base";
import { type ExplainedCertificateRule, explainRules as explainCertificateRules } from "@celadon/certpolicy";
import { explainRules, type RuleExplanation } from "@celadon/crd/rules";
import { Invalid } from "@celadon/kube/errors";
import type { Outcome } from "../outcome/outcome.ts";
import { certificateRequestFor } from "../review/certificates.ts";
import type { SimulatedCluster } from "../simulated/simulated-cluster.ts";
import { webhookConditions } from "../webhook-conditions.ts";
import { type Applicability, appliedOf } from "./applies.ts";
import { mutatingApplied } from "./mutation-applies.ts";

/** Why a policy answered a request as it did. */
export interface ExplainedPolicy extends Applicability {
  readonly kind: ExplainedPolicyKind;
  readonly policy: string;
  /** Why the policy could not be evaluated. */
  readonly error?: string;
  /** In the order they ran, for one binding and its params after the other. */
  readonly expressions: readonly ExplainedExpression[];
}

/** The kinds of policies that are explained. */
export type ExplainedPolicyKind = "MutatingAdmissionPolicy" | "ValidatingAdmissionPolicy";

/** Why a request was answered as it was. */
export interface OutcomeExplanation {
  readonly outcome: Outcome;
  /** Every policy, including those that do not apply; mutating ones first. */
  readonly policies: readonly ExplainedPolicy[];
  /** Rules of the object's definition, when it has one and could be read. */
  readonly rules?: RuleExplanation & { readonly definition: string; readonly version: string };
  /** Rules of certificate policies that were evaluated for a CertificateRequest. */
  readonly certificateRules: readonly ExplainedCertificateRule[];
  /** Match conditions of webhooks that were evaluated; `owner.webhook` names the webhook. */
  readonly webhookConditions: readonly OwnedExpression[];
}

/** Explains an outcome. `only` names the policies to explain; all by default. */
export async function explainOutcome(
  simulated: SimulatedCluster,
  outcome: Outcome,
  only?: ReadonlySet<string>,
): Promise<OutcomeExplanation> {
  const { request } = outcome;
  const entries = simulated.policies.entries().filter(({ policy }) => only === undefined || only.has(policy.name));
  const { report, expressions } = await explain(request, entries, simulated.hosts);
  const policies = report.verdicts.policies.map((policyOutcome): ExplainedPolicy => {
    const { name } = policyOutcome.policy;
    return {
      kind: "ValidatingAdmissionPolicy",
      policy: name,
      ...appliedOf(policyOutcome),
      ...(policyOutcome.outcome === "error" && { error: policyOutcome.message }),
      expressions: expressions.filter(({ policy }) => policy === name),
    };
  });
  const mutating = await explainMutations(simulated, outcome, only);
  return {
    outcome,
    policies: [...mutating, ...policies],
    ...rulesOf(simulated, outcome),
    certificateRules: certificateRulesOf(simulated, outcome),
    webhookConditions: await conditionsOf(simulated, outcome),
  };
}

async function conditionsOf(simulated: SimulatedCluster, outcome: Outcome): Promise<readonly OwnedExpression[]> {
  const hasConditions = outcome.webhooks.some(({ webhook }) => webhook.rules.conditions.length > 0);
  return hasConditions ? webhookConditions(simulated, outcome) : [];
}

/** Mutating policies are evaluated once more, on the object as it was received. */
async function explainMutations(
  simulated: SimulatedCluster,
  { request, received, mutated }: Outcome,
  only: ReadonlySet<string> | undefined,
): Promise<readonly ExplainedPolicy[]> {
  if (mutated.passes.length === 0) return [];
  const observer = new ExplainingObserver();
  const asked = { ...request, object: received };
  const { passes } = await mutateRequest(asked, simulated, { observer, everyPolicy: true, goOn: true });
  const errors = new Map(
    passes.flatMap(({ policies }) =>
      policies.notInvoked.flatMap((invoked) =>
        "error" in invoked ? [[invoked.policy.name, invoked.error] as const] : [],
      ),
    ),
  );
  return [...mutatingApplied({ passes })].flatMap(([name, applied]): ExplainedPolicy[] => {
    if (only !== undefined && !only.has(name)) return [];
    const error = errors.get(name);
    return [
      {
        kind: "MutatingAdmissionPolicy",
        policy: name,
        ...applied,
        ...(error !== undefined && { error }),
        expressions: observer.finished.filter(
          ({ owner }) => owner.kind === "MutatingAdmissionPolicy" && owner.name === name,
        ),
      },
    ];
  });
}

function certificateRulesOf(
  simulated: SimulatedCluster,
  { request, certificate }: Outcome,
): readonly ExplainedCertificateRule[] {
  if (certificate === undefined || certificate.result === "Error") return [];
  const asked = certificateRequestFor(simulated, request);
  if (asked === undefined || asked instanceof Invalid) return [];
  const spoke = new Set(
    certificate.policies.flatMap(({ policy, outcome }) =>
      outcome === "approves" || outcome === "denies" ? [policy] : [],
    ),
  );
  return simulated.certificatePolicies
    .filter(({ metadata }) => spoke.has(metadata?.name ?? ""))
    .flatMap((policy) => explainCertificateRules(policy, asked, simulated.reviewer.rules).expressions);
}

function rulesOf(simulated: SimulatedCluster, { request }: Outcome): Pick<OutcomeExplanation, "rules"> {
  const { object, oldObject, kind } = request;
  const type = simulated.typeOf(kind.group, kind.kind);
  const version = type?.version(kind.version);
  if (type === undefined || version === undefined || !object) return {};
  const explained = explainRules(version, object as JsonObject, (oldObject as JsonObject | null) ?? undefined);
  if (explained.expressions.length + explained.skipped.length === 0) return {};
  return { rules: { ...explained, definition: `${type.plural}.${type.group}`, version: kind.version } };
}
