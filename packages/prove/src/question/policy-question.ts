// Questions about one validation of a policy.

import {
  BINDING_KINDS,
  type Binding,
  type CompiledPolicy,
  type ValidatingAdmissionPolicyBinding,
} from "@celadon/admission";
import { createSchemas, type Schemas, type Target, targetsOf, type WriteOperation } from "@celadon/admission/memory";
import { apiVersionOf, Invalid, type KubeObject, nameOf, parseGroupVersion } from "@celadon/kube";
import type { World } from "@celadon/simulator";
import { Evaluator } from "../evaluate/evaluate.ts";
import type { Truth } from "../evaluate/evaluation.ts";
import { INFEASIBLE } from "../path/choices.ts";
import type { Path } from "../path/path.ts";
import { PolicyRun } from "../request/policy-run.ts";
import { matches } from "../request/selectors.ts";
import { type ParamsOf, type Situation, type SymbolicRequest, symbolicRequest } from "../request/symbolic-request.ts";
import { kindShape } from "../tree/kind-shape.ts";
import type { Answer, Counterexample, Question } from "./answer.ts";
import { evaluationsOf, isValid, modelOf, review } from "./confirm.ts";
import { DEFAULT_LIMITS, explore, type Limits } from "./explore.ts";

/** Kinds that a policy with wildcards is asked about. */
const MOST_KINDS = 8;
/** Models that may fail to behave before a question is given up. */
const MOST_MODELS = 40;

export interface ProveOptions {
  readonly limits?: Limits;
  /** Milliseconds, for the limit of time. */
  readonly clock?: () => number;
}

/** A policy with all that a question needs to know of the cluster it is in. */
export class PolicyProver {
  readonly #policy: CompiledPolicy;
  readonly #bindings: readonly ValidatingAdmissionPolicyBinding[];
  readonly #world: World;
  readonly #schemas: Schemas;
  readonly #limits: Limits;
  readonly #clock: () => number;
  readonly #readsOperation: boolean;
  readonly #madeBinding: KubeObject | undefined;

  constructor(policy: CompiledPolicy, world: World, { limits = DEFAULT_LIMITS, clock = Date.now }: ProveOptions = {}) {
    this.#policy = policy;
    this.#world = world;
    this.#limits = limits;
    this.#clock = clock;
    const definitions = world.manifests("definition").map(({ object }) => object);
    this.#schemas = createSchemas({ definitions });
    const bound = world
      .manifests("binding")
      .map(({ object }) => object as unknown as Binding)
      .filter((binding): binding is ValidatingAdmissionPolicyBinding => isBindingOf(binding, policy.name));
    this.#readsOperation = readsOperation(policy, bound);
    this.#madeBinding = bound.length === 0 ? madeBinding(policy) : undefined;
    this.#bindings = this.#madeBinding ? [this.#madeBinding as unknown as ValidatingAdmissionPolicyBinding] : bound;
  }

  /** The answer to a question about a validation. */
  async ask(question: Question, index: number): Promise<Answer> {
    const { targets, leftOut, unknown } = targetsOf(this.#policy.policy, this.#schemas, MOST_KINDS);
    if (targets.length === 0) return { is: "unknown", because: unknown.map((name) => `unknown resource ${name}`) };
    const because = new Set<string>();
    const wanted = (result: Truth): boolean =>
      question === "never-errors" ? result === "error" : question === "always" ? result !== true : result === true;
    const end = this.#clock() + this.#limits.time;
    let models = 0;
    for (const target of targets) {
      for (const operation of this.#operationsOf(target)) {
        for (const binding of this.#bindings) {
          const time = end - this.#clock();
          if (time <= 0) because.add("the time for one question ran out");
          else {
            const situation = { target, operation };
            const run = (path: Path) => this.#run(path, situation, binding, index);
            let found: Counterexample | undefined;
            const visit = async (path: Path, { request }: { readonly request: SymbolicRequest }): Promise<boolean> => {
              if (models++ > MOST_MODELS) {
                because.add("too many objects that do not behave as expected");
                return true;
              }
              found = await this.#confirm(path, request, index, wanted);
              if (found === undefined)
                for (const why of path.unfollowed.size > 0 ? path.unfollowed : [UNCONFIRMED]) because.add(why);
              return found !== undefined;
            };
            const search = { run, wanted: ({ result }: { readonly result: Truth }) => wanted(result), visit };
            const exploring = await explore(search, { ...this.#limits, time }, this.#clock);
            if (found !== undefined)
              return { is: "counterexample", counterexample: found, assumptions: this.#assumptions(leftOut) };
            for (const why of exploring.unknown) because.add(why);
          }
        }
      }
    }
    if (because.size > 0) return { is: "unknown", because: [...because] };
    const kinds = targets.map(
      ({ kind, subresource }) => `${apiVersionOf(kind)} ${kind.kind}${subresource && `/${subresource}`}`,
    );
    return { is: "proved", assumptions: [`for ${[...new Set(kinds)].join(", ")}`, ...this.#assumptions(leftOut)] };
  }

  /** What an update shows is what a creation shows, unless something reads the old object or the operation. */
  #operationsOf({ operations }: Target): readonly WriteOperation[] {
    if (!operations.includes("CREATE") || !operations.includes("UPDATE") || this.#readsOperation) return operations;
    return operations.filter((operation) => operation !== "UPDATE");
  }

  #run(
    path: Path,
    situation: Situation,
    binding: ValidatingAdmissionPolicyBinding,
    index: number,
  ): { request: SymbolicRequest; result: Truth } {
    const { policy } = this.#policy;
    const request = symbolicRequest(path, situation, this.#paramsOf(binding));
    if (!matches(path, request, policy.spec.matchConstraints)) throw INFEASIBLE;
    if (!matches(path, request, binding.spec.matchResources)) throw INFEASIBLE;
    const run = new PolicyRun(this.#policy, request, new Evaluator(path));
    if (run.conditions() !== "met") throw INFEASIBLE;
    return { request, result: run.validation(index) };
  }

  #paramsOf(binding: ValidatingAdmissionPolicyBinding): ParamsOf {
    const { paramKind } = this.#policy;
    if (paramKind === undefined || binding.spec.paramRef === undefined) return { is: "none" };
    const { apiVersion = "", kind = "" } = paramKind;
    const given = this.#world
      .manifests()
      .map(({ object }) => object)
      .filter(
        (object) =>
          object.apiVersion === apiVersion && object.kind === kind && nameOf(object) === binding.spec.paramRef?.name,
      );
    const [only] = given;
    if (only !== undefined && given.length === 1) return { is: "given", object: only };
    const gv = parseGroupVersion(apiVersion);
    if (gv instanceof Invalid) return { is: "none" };
    return { is: "any", shape: kindShape({ ...gv, kind }, this.#schemas.schema({ ...gv, kind })) };
  }

  async #confirm(
    path: Path,
    request: SymbolicRequest,
    index: number,
    wanted: (result: Truth) => boolean,
  ): Promise<Counterexample | undefined> {
    const example = modelOf(path, request);
    if (example === undefined) return undefined;
    const binding = this.#madeBinding && withParams(this.#madeBinding, example.params);
    const outcome = await review(this.#world, example, binding);
    if (!isValid(outcome)) return undefined;
    for (const { decisions, refusal } of evaluationsOf(outcome, this.#policy.name)) {
      const decision = decisions.find((item) => item.source === "validation" && item.index === index);
      if (refusal !== undefined || decision === undefined) continue;
      const result: Truth = decision.evaluation === "error" ? "error" : decision.evaluation === "admit";
      if (wanted(result)) return { ...example, ...(decision.message !== "" && { message: decision.message }) };
    }
    return undefined;
  }

  #assumptions(leftOut: number): string[] {
    return [
      ...(this.#madeBinding ? ["no binding is given: bound to everything it matches"] : []),
      ...(leftOut > 0 ? [`${leftOut} more kinds match and were not looked at`] : []),
      ...(this.#policy.paramKind === undefined ? [] : ["the params of the binding, or any of their kind"]),
      "evaluations stay within the cost budget",
    ];
  }
}

/** Whether an old object, or that there is one, can make a difference. */
function readsOperation(policy: CompiledPolicy, bindings: readonly ValidatingAdmissionPolicyBinding[]): boolean {
  const expressions = [...policy.conditions, ...policy.validations, ...policy.variables.expressions];
  if (expressions.some(({ text }) => /\b(?:oldObject|operation|options)\b|\brequest\s*[^.\s]/.test(text))) return true;
  const selectors = [policy.policy.spec.matchConstraints, ...bindings.map(({ spec }) => spec.matchResources)];
  return selectors.some((match) => match?.objectSelector !== undefined && Object.keys(match.objectSelector).length > 0);
}

const UNCONFIRMED = "an object was expected to show it and did not";

function isBindingOf(binding: Binding, policy: string): boolean {
  return binding.kind === BINDING_KINDS.ValidatingAdmissionPolicy && binding.spec.policyName === policy;
}

function madeBinding({ name, paramKind }: CompiledPolicy): KubeObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: `${name}-everywhere` },
    spec: {
      policyName: name,
      validationActions: ["Deny"],
      ...(paramKind && { paramRef: { name: "params", parameterNotFoundAction: "Deny" } }),
    },
  } as KubeObject;
}

/** The binding of a policy without one uses whatever params a model has. */
function withParams(binding: KubeObject, params: KubeObject | undefined): KubeObject {
  if (params === undefined) return binding;
  const { name, namespace } = params.metadata as { readonly name?: string; readonly namespace?: string };
  const spec = binding.spec as Record<string, unknown>;
  return {
    ...binding,
    spec: { ...spec, paramRef: { name, ...(namespace && { namespace }), parameterNotFoundAction: "Deny" } },
  } as KubeObject;
}
