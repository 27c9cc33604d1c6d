// The verdict of all policies of a set on one path: which of them deny the request, under the bindings that put them in force.

import type { Schemas } from "@celadon/admission/memory";
import type { ValidatingAdmissionPolicyBinding } from "@celadon/admission/policy";
import type { SimulatedCluster } from "@celadon/simulator";
import { Evaluator } from "../evaluate/evaluate.ts";
import type { Path } from "../path/path.ts";
import type { Symbolic } from "../path/symbolic.ts";
import { PolicyRun } from "../request/policy-run.ts";
import { matches } from "../request/selectors.ts";
import { type ParamsOf, type SymbolicRequest, symbolicParams } from "../request/symbolic-request.ts";
import { type BoundPolicy, paramsOf } from "./policies.ts";

/** A policy under one of its bindings, in the cluster that has both. */
export interface Enforced {
  readonly bound: BoundPolicy;
  readonly binding: ValidatingAdmissionPolicyBinding;
  readonly simulated: SimulatedCluster;
  readonly schemas: Schemas;
}

/** The bindings that deny: others only warn or write to the audit log. */
export function enforcedBy(bound: BoundPolicy, simulated: SimulatedCluster, schemas: Schemas): readonly Enforced[] {
  return bound.bindings
    .filter(({ spec: { validationActions = [] } }) => validationActions.includes("Deny"))
    .map((binding) => ({ bound, binding, simulated, schemas }));
}

const known = new WeakMap<Enforced, ParamsOf>();

/** The same on every path. */
function paramsFor(enforced: Enforced): ParamsOf {
  let params = known.get(enforced);
  if (params === undefined) {
    const { bound, binding, simulated, schemas } = enforced;
    known.set(enforced, (params = paramsOf(bound, binding, simulated, schemas)));
  }
  return params;
}

/** Several policies on one path. Params that are open are the same object wherever the same reference names them. */
export class SetRun {
  readonly #path: Path;
  readonly #request: SymbolicRequest;
  readonly #evaluator: Evaluator;
  readonly #mayMiss: boolean;
  readonly #memo = new Map<string, Symbolic>();
  readonly #params = new Map<string, Symbolic>();

  /** With `mayMiss`, params that bindings refer to may not exist. */
  constructor(path: Path, request: SymbolicRequest, mayMiss = false) {
    this.#mayMiss = mayMiss;
    this.#path = path;
    this.#request = request;
    this.#evaluator = new Evaluator(path);
  }

  /** The params that were read and are open. */
  get params(): readonly Symbolic[] {
    return [...this.#params.values()].filter(({ is }) => is === "node");
  }

  denies(enforced: Enforced): boolean {
    const { bound, binding } = enforced;
    const { policy } = bound;
    if (!matches(this.#path, this.#request, policy.policy.spec.matchConstraints)) return false;
    if (!matches(this.#path, this.#request, binding.spec.matchResources)) return false;
    const given = paramsFor(enforced);
    const { parameterNotFoundAction = "", ...reference } = binding.spec.paramRef ?? {};
    const key = JSON.stringify([policy.paramKind, reference, given.is]);
    // Only a difference in what happens then makes it worth a look.
    if (given.is === "any" && this.#mayMiss && !this.#path.decide(`params ${JSON.stringify(reference)} exist`))
      return policy.failurePolicy === "Fail" && parameterNotFoundAction === "Deny";
    let params = given.is === "any" ? this.#params.get(key) : undefined;
    params ??= symbolicParams(this.#path, given, this.#request);
    if (given.is === "any") this.#params.set(key, params);
    return new PolicyRun(policy, this.#request, params, this.#evaluator, this.#memo).denies();
  }
}
