// Failures of validating policies as problems: with the policy, binding, params and expression.

import type { AdmissionReport, Failure, PolicySet } from "@celadon/admission";
import { type ExpressionPlace, expressionPath } from "@celadon/admission/explain";
import type { CompiledPolicy } from "@celadon/admission/steps";
import { valueAt } from "@celadon/base";
import type { Problem, ProblemLevel, ProblemSource } from "./outcome.ts";
import type { KindsKnown } from "./param-kind-help.ts";
import { bindingPath, paramsHelp } from "./params-help.ts";
import { statusProblem } from "./problems.ts";

/** A failure of the policy as a whole has no expression. */
const EXPRESSIONS: Readonly<Record<Failure["source"], ExpressionPlace["kind"] | undefined>> = {
  validation: "validation",
  matchConditions: "matchCondition",
  auditAnnotation: "auditAnnotation",
  auditAnnotations: undefined,
  budget: undefined,
  configuration: undefined,
};

/** Policies, and the cluster they are in force in. */
export interface PoliciesIn extends KindsKnown {
  readonly policies: PolicySet;
}

/** The failures of policies for a request, as problems. */
export function policyProblems(cluster: PoliciesIn, { failures, status }: AdmissionReport): Problem[] {
  // The request ended because its namespace is not known.
  if (status !== undefined && !failures.some(({ returned }) => returned)) return [statusProblem(status, "policy")];
  return failures.map((failure): Problem => {
    const { policy, message, reason } = failure;
    const compiled = cluster.policies.policy(policy);
    const by = speakerOf(failure, compiled);
    const help = paramsHelp(cluster, failure, compiled, by.path);
    return {
      system: "policy",
      level: levelOf(failure),
      message,
      reason,
      by,
      returned: failure.returned,
      ...(failure.warning !== undefined && { warning: failure.warning }),
      ...(help !== undefined && { help }),
    };
  });
}

/** One for all requests that an expression of a policy denies. */
const SPEAKERS = new WeakMap<CompiledPolicy, Map<string, ProblemSource>>();

function speakerOf(failure: Failure, compiled: CompiledPolicy | undefined): ProblemSource {
  if (compiled === undefined) return newSpeaker(failure, compiled);
  let known = SPEAKERS.get(compiled);
  if (known === undefined) SPEAKERS.set(compiled, (known = new Map()));
  const { binding, params, source, index, condition, kind, missingParams } = failure;
  const key = `${source} ${condition ?? index} ${kind} ${missingParams?.cause ?? ""}\n${binding ?? ""}\n${params ?? ""}`;
  let speaker = known.get(key);
  if (speaker === undefined) known.set(key, (speaker = newSpeaker(failure, compiled)));
  return speaker;
}

function newSpeaker(failure: Failure, compiled?: CompiledPolicy): ProblemSource {
  const { policy, binding, params, source, index, condition, kind } = failure;
  const expressionKind = EXPRESSIONS[source];
  const path = expressionKind && expressionPath(expressionKind, condition ?? index);
  const expression = path && valueAt(compiled?.policy, path);
  return {
    kind: "ValidatingAdmissionPolicy",
    name: policy,
    ...(binding !== undefined && { binding }),
    ...(params !== undefined && { params }),
    ...(path && { path }),
    ...bindingPath(failure),
    ...(typeof expression === "string" && { expression }),
    error: kind === "error",
  };
}

function levelOf({ enforced, actions }: Failure): ProblemLevel {
  if (!enforced) return "ignored";
  if (actions.includes("Deny")) return "deny";
  return actions.includes("Warn") ? "warn" : "audit";
}
