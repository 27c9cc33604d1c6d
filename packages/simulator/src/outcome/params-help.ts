// Advice for failures that come from params, in validating and mutating policies alike.

import type { MissingParams } from "@celadon/admission";
import type { ParamKind, Policy } from "@celadon/admission/policy";
import type { JsonPath } from "@celadon/base";
import { missingParamsHelp } from "./missing-params-help.ts";
import type { ProblemSource } from "./outcome.ts";
import { type KindsKnown, paramKindHelp } from "./param-kind-help.ts";

interface FailureOfPolicy {
  readonly source: string;
  readonly binding?: string;
  readonly missingParams?: MissingParams;
}

interface PolicyWithParams {
  readonly policy: Policy;
  readonly paramKind: ParamKind | undefined;
}

/** `expression` is the one that failed; none if the policy or binding failed as a whole. */
export function paramsHelp(
  cluster: KindsKnown,
  { source, binding = "", missingParams: missing }: FailureOfPolicy,
  compiled: PolicyWithParams | undefined,
  expression: JsonPath | undefined,
): string | undefined {
  if (compiled === undefined) return undefined;
  if (missing !== undefined) return missingParamsHelp({ missing, policy: compiled.policy, binding, expression });
  return source === "configuration" ? paramKindHelp(cluster, compiled.paramKind) : undefined;
}

/** The field of its binding from which a failure of the binding as a whole comes. */
export function bindingPath({ source, binding, missingParams }: FailureOfPolicy): Pick<ProblemSource, "bindingPath"> {
  if (source !== "configuration" || binding === undefined) return {};
  return { bindingPath: missingParams === undefined ? ["metadata", "name"] : ["spec", "paramRef"] };
}
