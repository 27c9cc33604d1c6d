// Questions about one validation of a policy.

import type { Schemas } from "@celadon/admission/memory";
import type { ValidatingAdmissionPolicyBinding } from "@celadon/admission/policy";
import type { CompiledPolicy } from "@celadon/admission/steps";
import type { SimulatedCluster } from "@celadon/simulator";
import { Evaluator } from "../evaluate/evaluate.ts";
import type { Truth } from "../evaluate/evaluation.ts";
import { INFEASIBLE } from "../path/choices.ts";
import type { Path } from "../path/path.ts";
import type { Symbolic } from "../path/symbolic.ts";
import { PolicyRun } from "../request/policy-run.ts";
import { matches } from "../request/selectors.ts";
import {
  type ParamsOf,
  type Situation,
  type SymbolicRequest,
  symbolicParams,
  symbolicRequest,
} from "../request/symbolic-request.ts";
import type { Counterexample, ProofAnswer, Question } from "./answer.ts";
import { evaluationsOf, isValid, modelOf, review } from "./confirm.ts";
import { type BoundPolicy, bound, paramsOf, schemasOf, scopeOf, withParams } from "./policies.ts";
import { type ProveOptions, type Reached, searchAll } from "./search-all.ts";
import type { Assumption } from "./statement.ts";

/** A path of one policy under one binding. */
interface OnePolicy extends Reached {
  readonly params: Symbolic;
  readonly result: Truth;
}

/** Answers questions about a policy, in the cluster it is part of. */
export class PolicyProver {
  readonly #bound: BoundPolicy;
  readonly #simulated: SimulatedCluster;
  readonly #schemas: Schemas;
  readonly #options: ProveOptions;
  readonly #params = new Map<ValidatingAdmissionPolicyBinding, ParamsOf>();

  constructor(policy: CompiledPolicy, simulated: SimulatedCluster, options: ProveOptions = {}) {
    this.#simulated = simulated;
    this.#schemas = schemasOf(simulated);
    this.#bound = bound(policy, simulated);
    this.#options = options;
  }

  /** The answer to a question about a validation. */
  ask(question: Question, index: number): Promise<ProofAnswer> {
    const wanted = (result: Truth): boolean =>
      question === "never-errors" ? result === "error" : question === "always" ? result !== true : result === true;
    return this.#search(
      (run) => {
        if (question !== "never-errors") return run.validation(index);
        run.requireFailure(index);
        return "error";
      },
      wanted,
      (path, reached) => this.#confirm(path, reached, index, wanted),
    );
  }

  /** Whether some request passes all validations. */
  contradicts(): Promise<ProofAnswer> {
    const { policy } = this.#bound;
    const all = policy.validations.map((_, index) => index);
    const wanted = (result: Truth): boolean => result === true;
    return this.#search(
      (run) => all.every((index) => run.validation(index) === true),
      wanted,
      (path, reached) => this.#confirmAll(path, reached, () => true),
    );
  }

  /** Whether a validation denies nothing that the others allow. */
  isImplied(index: number): Promise<ProofAnswer> {
    const others = this.#bound.policy.validations.map((_, other) => other).filter((other) => other !== index);
    return this.#search(
      (run) => {
        if (run.validation(index) === true) return true;
        return !others.every((other) => run.validation(other) === true);
      },
      (result) => result !== true,
      (path, reached) => this.#confirmAll(path, reached, (decision) => decision !== index),
    );
  }

  /** Whether a validation has the same result without one of its operands, for every request. Without an example of the opposite. */
  isIdle(index: number, operand: number): Promise<ProofAnswer> {
    return this.#search(
      (run) => {
        const [whole, rest] = run.withoutOperand(index, operand) ?? [true, false];
        return whole === rest;
      },
      (result) => result !== true,
      async () => undefined,
      true,
    );
  }

  #search(
    evaluate: (run: PolicyRun) => Truth,
    wanted: (result: Truth) => boolean,
    confirm: (path: Path, reached: OnePolicy) => Promise<Counterexample | undefined>,
    onlyProofs = false,
  ): Promise<ProofAnswer> {
    const { bindings } = this.#bound;
    const scope = scopeOf(this.#bound, this.#schemas);
    return searchAll<OnePolicy>({
      simulated: this.#simulated,
      scope,
      runs: (situation, reached) =>
        bindings.map((binding) => (path, assumption) => {
          const { run, request, params } = this.#start(path, situation, binding, assumption);
          reached();
          return { request, params, result: evaluate(run) };
        }),
      wanted: ({ result }) => wanted(result),
      confirm,
      onlyProofs,
      assumptions: this.#assumptions(),
      options: this.#options,
    });
  }

  #start(
    path: Path,
    situation: Situation,
    binding: ValidatingAdmissionPolicyBinding,
    assumption: Assumption | undefined,
  ): { run: PolicyRun; request: SymbolicRequest; params: Symbolic } {
    const { policy } = this.#bound;
    const request = symbolicRequest(path, situation);
    if (!matches(path, request, policy.policy.spec.matchConstraints)) throw INFEASIBLE;
    if (!matches(path, request, binding.spec.matchResources)) throw INFEASIBLE;
    if (assumption?.holds(path, request) === false) throw INFEASIBLE;
    const params = symbolicParams(path, this.#paramsOf(binding), request);
    const run = new PolicyRun(policy, request, params, new Evaluator(path));
    if (run.conditions() !== "met") throw INFEASIBLE;
    return { run, request, params };
  }

  /** The same on every path. */
  #paramsOf(binding: ValidatingAdmissionPolicyBinding): ParamsOf {
    let params = this.#params.get(binding);
    if (params === undefined)
      this.#params.set(binding, (params = paramsOf(this.#bound, binding, this.#simulated, this.#schemas)));
    return params;
  }

  async #confirm(
    path: Path,
    { request, params }: OnePolicy,
    index: number,
    wanted: (result: Truth) => boolean,
  ): Promise<Counterexample | undefined> {
    return this.#replay(path, request, params, (decisions) => {
      const decision = decisions.find((item) => item.source === "validation" && item.index === index);
      if (decision === undefined) return undefined;
      const result: Truth = decision.evaluation === "error" ? "error" : decision.evaluation === "admit";
      return wanted(result) ? decision.message : undefined;
    });
  }

  /** Confirms that some of the validations hold, and the others do not. */
  #confirmAll(
    path: Path,
    { request, params }: OnePolicy,
    holds: (index: number) => boolean,
  ): Promise<Counterexample | undefined> {
    return this.#replay(path, request, params, (decisions) => {
      const validations = decisions.filter(({ source }) => source === "validation");
      const fits = validations.every((item) => (item.evaluation === "admit") === holds(item.index));
      return fits ? (validations.find(({ evaluation }) => evaluation !== "admit")?.message ?? "") : undefined;
    });
  }

  async #replay(
    path: Path,
    request: SymbolicRequest,
    params: Symbolic,
    messageOf: (decisions: ReturnType<typeof evaluationsOf>[number]["decisions"]) => string | undefined,
  ): Promise<Counterexample | undefined> {
    const { policy, made } = this.#bound;
    const example = modelOf(path, request, params);
    if (example === undefined) return undefined;
    const outcome = await review(this.#simulated, example, made && withParams(made, example.params));
    if (isValid(outcome)) {
      for (const { decisions, refusal } of evaluationsOf(outcome, policy.name)) {
        const message = refusal === undefined ? messageOf(decisions) : undefined;
        if (message !== undefined) return { ...example, ...(message !== "" && { message }) };
      }
    }
    this.#options.onUnconfirmed?.(example, outcome);
    return undefined;
  }

  #assumptions(): string[] {
    const { made, policy } = this.#bound;
    return [
      ...(made ? ["no binding is in the inputs: bound to everything that the policy matches"] : []),
      ...(policy.paramKind === undefined ? [] : ["params are those of the inputs, or any of their kind"]),
      "every evaluation stays within its cost budget",
    ];
  }
}
