// Requests that a policy is about, generated without end: for campaigns that need more than failures of expressions.

import { createSchemas, type MatchedTarget, targetsOf } from "@celadon/admission/memory";
import type { Policy, ValidatingAdmissionPolicyBinding } from "@celadon/admission/policy";
import { type CompiledPolicy, compileBinding } from "@celadon/admission/steps";
import type { KubeObject } from "@celadon/kube";
import { Random, seedFor } from "../generate/random.ts";
import { type Input, inputsOf } from "./inputs.ts";
import { interestsOf } from "./interests.ts";
import { policyRecipe } from "./recipes.ts";

/** A request for one of the kinds that a policy matches. */
export interface PolicyRequest {
  readonly target: MatchedTarget;
  readonly input: Input;
}

/** The surroundings of a policy. */
export interface PolicyRequestOptions {
  readonly bindings: readonly ValidatingAdmissionPolicyBinding[];
  readonly definitions: readonly KubeObject[];
  readonly params: readonly KubeObject[];
  readonly seed: number;
  /** The number of kinds. */
  readonly kinds: number;
}

/** The kinds take turns. */
export function* policyRequests(
  policy: CompiledPolicy,
  { bindings, definitions, params, seed, kinds }: PolicyRequestOptions,
): Generator<PolicyRequest, void> {
  const schemas = createSchemas({ definitions });
  const { targets } = targetsOf(policy.policy as Policy, schemas, kinds);
  const interests = interestsOf(policy, params);
  const compiled = bindings.map((binding) => compileBinding(binding));
  const queues = targets.map((target) => {
    const recipe = policyRecipe(policy, target, interests, schemas, {
      bindings: compiled,
      params,
      serverDefaults: false,
    });
    return { target, inputs: inputsOf(recipe, new Random(seedFor(seed, `${policy.name} ${target.kind.kind}`))) };
  });
  while (queues.length > 0) for (const { target, inputs } of queues) yield { target, input: inputs.next().value };
}
