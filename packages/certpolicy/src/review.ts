// The decision on one request: approved by the first policy that does not deny it, denied when all that apply do, and left
// alone when none applies. Upstream: approver-policy pkg/internal/approver/manager/review.go.

import { compareStrings, quoteGo, thrownText } from "@celadon/base";
import { fieldErrorsText, Invalid } from "@celadon/kube/errors";
import { evaluateAllowed } from "./evaluate/allowed.ts";
import { evaluateConstraints } from "./evaluate/constraints.ts";
import type { CertificateEvaluation } from "./evaluate/result.ts";
import { checkPluginNames, type Plugin } from "./plugin.ts";
import type { CertificateRequest, CertificateRequestPolicy } from "./resource.ts";
import { RuleCache } from "./rules/cache.ts";
import type { CertificateRuleObserver } from "./rules/observe.ts";
import type { SelectionHost } from "./select/host.ts";
import { type SelectionRefusal, selectPolicies } from "./select/select.ts";
import { policyShapeErrors, requestShapeErrors } from "./validate/shape.ts";

/** Decides about requests by a policy: `allowed`, `constraints`, or a plugin. */
export interface Approver {
  readonly name: string;
  evaluate(
    policy: CertificateRequestPolicy,
    request: CertificateRequest,
  ): CertificateEvaluation | Promise<CertificateEvaluation>;
}

/** The result of one policy. */
export type CertificatePolicyOutcome =
  | { readonly policy: string; readonly outcome: "approves" }
  | { readonly policy: string; readonly outcome: "denies"; readonly answers: readonly ApproverAnswer[] }
  /** Selector, permission or readiness: the refusal names it. */
  | { readonly policy: string; readonly outcome: "not applicable"; readonly refusal: SelectionRefusal }
  /** An earlier policy had approved the request already. */
  | { readonly policy: string; readonly outcome: "not evaluated" };

/** The result of one approver. */
export interface ApproverAnswer {
  readonly approver: string;
  readonly evaluation: CertificateEvaluation;
}

/** The result of a request (approved, denied, not processed, or an error), and the result of each policy. */
export type CertificateReview =
  | {
      readonly result: "Approved" | "Denied" | "Unprocessed";
      readonly message: string;
      /** One for each policy, in list order. */
      readonly policies: readonly CertificatePolicyOutcome[];
    }
  /** Neither approved nor denied; the request is reviewed again later. */
  | { readonly result: "Error"; readonly error: string };

/** Plugins, and compiled rules to share. */
export interface ReviewerOptions {
  readonly plugins?: readonly Plugin[];
  readonly rules?: RuleCache;
  /** Told of every rule the built-in approver evaluates. */
  readonly observer?: CertificateRuleObserver;
  /** Replaces the built-in approvers and the plugins'. */
  readonly approvers?: readonly Approver[];
}

/** Reviews requests; keeps nothing but compiled rules. */
export class Reviewer {
  readonly rules: RuleCache;
  readonly #approvers: readonly Approver[];

  constructor(options: ReviewerOptions = {}) {
    const plugins = options.plugins ?? [];
    checkPluginNames(plugins);
    this.rules = options.rules ?? new RuleCache();
    this.#approvers = options.approvers ?? [
      {
        name: "allowed",
        evaluate: (policy, request) => evaluateAllowed(policy, request, this.rules, options.observer),
      },
      { name: "constraints", evaluate: evaluateConstraints },
      ...plugins.filter(isApprover),
    ];
  }

  /** `policies` in the order in which the first to approve is looked for. */
  async review(
    request: CertificateRequest,
    policies: readonly CertificateRequestPolicy[],
    host: SelectionHost,
  ): Promise<CertificateReview> {
    if (policies.length === 0) {
      return { result: "Unprocessed", message: "No CertificateRequestPolicies exist", policies: [] };
    }
    const malformed = malformedText(request, policies);
    if (malformed !== undefined) return { result: "Error", error: malformed };
    const selection = await selectPolicies(policies, request, host);
    if (selection instanceof Invalid) {
      return { result: "Error", error: `failed to perform predicate on policies: ${selection.message}` };
    }
    const outcomes = new Map<CertificateRequestPolicy, CertificatePolicyOutcome>();
    for (const [policy, refusal] of selection.refused) {
      outcomes.set(policy, { policy: nameOf(policy), outcome: "not applicable", refusal });
    }
    const report = (): CertificatePolicyOutcome[] =>
      policies.map((policy) => outcomes.get(policy) ?? { policy: nameOf(policy), outcome: "not evaluated" });
    if (selection.selected.length === 0) {
      const message = "No CertificateRequestPolicies bound or applicable";
      return { result: "Unprocessed", message, policies: report() };
    }

    const denials: { readonly policy: string; readonly message: string }[] = [];
    for (const policy of selection.selected) {
      const answers = await this.#ask(policy, request);
      if (typeof answers === "string") return { result: "Error", error: answers };
      const name = nameOf(policy);
      if (!answers.some(({ evaluation }) => evaluation.result === "Denied")) {
        outcomes.set(policy, { policy: name, outcome: "approves" });
        return {
          result: "Approved",
          message: `Approved by CertificateRequestPolicy: ${quoteGo(name)}`,
          policies: report(),
        };
      }
      outcomes.set(policy, { policy: name, outcome: "denies", answers });
      denials.push({ policy: name, message: messagesOf(answers) });
    }

    const list = denials
      .sort((a, b) => compareStrings(a.policy, b.policy))
      .map(({ policy, message }) => `[${policy}: ${message}]`)
      .join(" ");
    if (selection.unreconciled) {
      const message = `Not all policies are ready for evaluation; refusing to deny pending policy readiness: ${list}`;
      return { result: "Unprocessed", message, policies: report() };
    }
    return { result: "Denied", message: `No policy approved this request: ${list}`, policies: report() };
  }

  /** Every approver's answer; the message of the first that failed. */
  async #ask(policy: CertificateRequestPolicy, request: CertificateRequest): Promise<ApproverAnswer[] | string> {
    const answers: ApproverAnswer[] = [];
    for (const approver of this.#approvers) {
      const evaluation = await evaluate(approver, policy, request);
      if (evaluation.result === "Error") return evaluation.error;
      answers.push({ approver: approver.name, evaluation });
    }
    return answers;
  }
}

const isApprover = (plugin: Plugin): plugin is Plugin & Approver => plugin.evaluate !== undefined;

/** A plugin that throws counts as failed, like one that returns an error. */
async function evaluate(
  approver: Approver,
  policy: CertificateRequestPolicy,
  request: CertificateRequest,
): Promise<CertificateEvaluation> {
  try {
    return await approver.evaluate(policy, request);
  } catch (error) {
    return { result: "Error", error: thrownText(error) };
  }
}

/** Objects that no API server would have stored; nothing is decided by them. */
function malformedText(request: CertificateRequest, policies: readonly CertificateRequestPolicy[]): string | undefined {
  const inRequest = requestShapeErrors(request);
  if (inRequest.length > 0) return `malformed CertificateRequest: ${fieldErrorsText(inRequest)}`;
  for (const policy of policies) {
    const errors = policyShapeErrors(policy);
    if (errors.length > 0)
      return `malformed CertificateRequestPolicy ${quoteGo(nameOf(policy))}: ${fieldErrorsText(errors)}`;
  }
  return undefined;
}

const nameOf = (policy: CertificateRequestPolicy): string => String(policy?.metadata?.name ?? "");

/** Includes the messages of approvers that did not deny. */
function messagesOf(answers: readonly ApproverAnswer[]): string {
  return answers
    .flatMap(({ evaluation }) => ("message" in evaluation && evaluation.message !== "" ? [evaluation.message] : []))
    .join(", ");
}
