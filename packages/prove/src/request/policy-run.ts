// A policy over an open request: match, conditions, variables and validations, as the API server evaluates them.

import type { CompiledPolicy, Expression } from "@celadon/admission/steps";
import type { Program } from "@celadon/cel";
import type { Step } from "@celadon/cel/plan";
import type { Evaluator } from "../evaluate/evaluate.ts";
import { type Frame, keyOfSymbolic, type Truth, truth } from "../evaluate/evaluation.ts";
import { requireFailure } from "../evaluate/failure.ts";
import type { Path } from "../path/path.ts";
import { boolOf, ERROR, type Symbolic } from "../path/symbolic.ts";
import type { SymbolicRequest } from "./symbolic-request.ts";

/** An operand of the outermost `&&` or `||` of an expression. */
export interface Operand {
  readonly step: Step;
  /** The value with which one operand decides for all. */
  readonly decides: boolean;
  readonly text: string;
  /** It only tests whether something exists: a guard does no harm where the server sets a default. */
  readonly isGuard: boolean;
}

/** None where the outermost operator is another. */
export function operandsOf({ program, text }: Expression): readonly Operand[] {
  const root = program?.plan.step;
  if (program === undefined || root === undefined || (root.op !== "and" && root.op !== "or")) return [];
  const { op } = root;
  const flat = (step: Step): readonly Step[] => (step.op === op ? [...flat(step.left), ...flat(step.right)] : [step]);
  return flat(root).map((step) => {
    const span = program.ast.spans.get(step.id);
    const own = span === undefined ? text : text.slice(span.start, span.end);
    return { step, decides: op === "or", text: own, isGuard: isGuard(step) };
  });
}

function isGuard(step: Step): boolean {
  switch (step.op) {
    case "attr":
      return step.test;
    case "call":
      return step.name === "!_" && step.args.every(isGuard);
    case "eq":
    case "ne":
      return isNull(step.left) !== isNull(step.right);
    default:
      return false;
  }
}

function isNull(step: Step): boolean {
  return step.op === "const" && step.value === null;
}

const paramsKeys = new WeakMap<object, string>();
const variablesKeys = new WeakMap<CompiledPolicy, string>();

/** Params of the inputs are read once, not for every path. */
function keyOfParams(params: Symbolic): string {
  if (params.is !== "value" || typeof params.value !== "object" || params.value === null) return keyOfSymbolic(params);
  let key = paramsKeys.get(params.value);
  if (key === undefined) paramsKeys.set(params.value, (key = keyOfSymbolic(params)));
  return key;
}

function variablesKey(policy: CompiledPolicy): string {
  let key = variablesKeys.get(policy);
  if (key === undefined) variablesKeys.set(policy, (key = JSON.stringify(policy.policy.spec.variables ?? [])));
  return key;
}

const wholeTexts = new WeakMap<CompiledPolicy, Map<string, string>>();

/** An expression with the texts of all variables that it reads, and the params it may read: the same for expressions that say the same. */
function wholeText(policy: CompiledPolicy, text: string, params: string): string {
  let known = wholeTexts.get(policy);
  if (known === undefined) wholeTexts.set(policy, (known = new Map()));
  let whole = known.get(text);
  if (whole === undefined) {
    const read = new Set<string>();
    collectVariables(policy, text, read);
    const texts = [...read].sort().map((name) => [name, variableText(policy, name)]);
    known.set(text, (whole = JSON.stringify([text, texts])));
  }
  return /\bparams\b/.test(whole) ? `${whole} ${params}` : whole;
}

function collectVariables(policy: CompiledPolicy, text: string, read: Set<string>): void {
  // Read in any other way than by a plain name, it may be every variable.
  const isPlain = !/\bvariables\b(?!\s*\.\s*\??\s*[A-Za-z_])/.test(text);
  const names = isPlain
    ? [...text.matchAll(/\bvariables\s*\.\s*\??\s*([A-Za-z_]\w*)/g)].map(([, name]) => name as string)
    : [...policy.variables.names.keys()];
  for (const name of names) {
    if (read.has(name)) continue;
    read.add(name);
    collectVariables(policy, variableText(policy, name), read);
  }
}

function variableText({ variables }: CompiledPolicy, name: string): string {
  const index = variables.names.get(name);
  return (index === undefined ? undefined : variables.expressions[index]?.text) ?? "";
}

export type Conditions = "met" | "unmet" | "error";

/** One policy on one path. Variables are evaluated when they are first read, once. */
export class PolicyRun {
  readonly #policy: CompiledPolicy;
  readonly #request: SymbolicRequest;
  readonly #params: Symbolic;
  readonly #evaluator: Evaluator;
  readonly #variables = new Map<string, Symbolic>();
  readonly #scope: Symbolic;
  readonly #owner: string;
  readonly #paramsKey: string;
  readonly #memo: Map<string, Symbolic>;

  /** With a common `memo`, what two policies have in common is evaluated once. */
  constructor(
    policy: CompiledPolicy,
    request: SymbolicRequest,
    params: Symbolic,
    evaluator: Evaluator,
    memo: Map<string, Symbolic> = new Map(),
  ) {
    this.#memo = memo;
    this.#policy = policy;
    this.#request = request;
    this.#params = params;
    this.#evaluator = evaluator;
    this.#scope = { is: "scope", read: (name) => this.#variable(name) };
    this.#paramsKey = keyOfParams(params);
    this.#owner = `${variablesKey(policy)} ${this.#paramsKey}`;
  }

  get path(): Path {
    return this.#evaluator.path;
  }

  /** One that is false decides before any error. */
  conditions(): Conditions {
    let failed = false;
    for (const condition of this.#policy.conditions) {
      const result = this.truth(condition);
      if (result === false) return "unmet";
      if (result === "error") failed = true;
    }
    return failed ? "error" : "met";
  }

  validation(index: number): Truth {
    const validation = this.#policy.validations[index];
    return validation === undefined ? "error" : this.truth(validation);
  }

  /**
   * The truth of a validation, and its truth without one of the operands of its outermost `&&` or `||`; undefined for a validation that has
   * no such operand.
   */
  withoutOperand(index: number, operand: number): readonly [whole: Truth, rest: Truth] | undefined {
    const validation = this.#policy.validations[index];
    const operands = validation === undefined ? [] : operandsOf(validation);
    const [first] = operands;
    if (validation?.program === undefined || first === undefined || operands[operand] === undefined) return undefined;
    const frame = this.#frame(validation.program, validation.text);
    const truths = operands.map(({ step }) => truth(this.#evaluator, this.#evaluator.run(step, frame)));
    const all = (items: readonly Truth[]): Truth =>
      items.includes(first.decides) ? first.decides : items.includes("error") ? "error" : !first.decides;
    return [all(truths), all(truths.filter((_, i) => i !== operand))];
  }

  /** Ends every path on which a validation does not fail. */
  requireFailure(index: number): void {
    const validation = this.#policy.validations[index];
    if (validation?.program === undefined) return;
    requireFailure(this.#evaluator, validation.program.plan.step, this.#frame(validation.program, validation.text));
  }

  /** Whether the policy denies a request that it matches; an error does so if its failure policy is Fail. */
  denies(): boolean {
    const failing = this.#policy.failurePolicy === "Fail";
    const conditions = this.conditions();
    if (conditions !== "met") return conditions === "error" && failing;
    return (
      this.#policy.validations.some((validation) => {
        const result = this.truth(validation);
        return result === "error" ? validation.failurePolicy === "Fail" : !result;
      }) ||
      (failing && this.#policy.auditAnnotations.some((annotation) => this.#run(annotation).is === "error"))
    );
  }

  truth(expression: Expression): Truth {
    return truth(this.#evaluator, this.#remembered(expression, "truth"));
  }

  #remembered(expression: Expression, as: "truth" | "value"): Symbolic {
    const key = `${as} ${wholeText(this.#policy, expression.text, this.#paramsKey)}`;
    const known = this.#memo.get(key);
    if (known !== undefined) return known;
    let value = this.#run(expression);
    // A truth is decided once, so that it is the same in both policies.
    if (as === "truth") {
      const result = truth(this.#evaluator, value);
      value = result === "error" ? ERROR : boolOf(result);
    }
    this.#memo.set(key, value);
    return value;
  }

  #run({ program, text }: Expression): Symbolic {
    if (program === undefined) return ERROR;
    return this.#evaluator.run(program.plan.step, this.#frame(program, text));
  }

  #frame({ plan, ast }: Program, text: string): Frame {
    return {
      locals: new Array(plan.slots),
      variables: (name) => {
        if (name === "variables") return this.#scope;
        return name === "params" ? this.#params : this.#request.variable(name);
      },
      typed: false,
      owner: this.#owner,
      textOf: (id) => {
        const span = ast.spans.get(id);
        return span === undefined ? text : text.slice(span.start, span.end) || text;
      },
    };
  }

  #variable(name: string): Symbolic | undefined {
    const known = this.#variables.get(name);
    if (known !== undefined) return known;
    const index = this.#policy.variables.names.get(name);
    const expression = index === undefined ? undefined : this.#policy.variables.expressions[index];
    if (expression === undefined) return undefined;
    // A variable that reads itself fails.
    this.#variables.set(name, ERROR);
    const value = this.#remembered(expression, "value");
    this.#variables.set(name, value);
    return value;
  }
}
