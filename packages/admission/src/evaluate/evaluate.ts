// One (policy, binding, params): match conditions, validations, messages, audit annotations, each group under its own budget. The result
// says how every validation decided; decide.ts turns it into an answer. Upstream: apiserver
// pkg/admission/plugin/policy/validating/validator.go.

import { utf8Length } from "@celadon/base";
import { isError } from "@celadon/cel";
import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@celadon/kube";
import { MaxEvaluatedMessageExpressionSizeBytes, RuntimeCELCostBudget } from "@celadon/kube-cel";
import type { CompiledPolicy, CompiledRules, CompiledValidation } from "../compile/compile.ts";
import type { Refusal } from "../match/refusal.ts";
import type { FailurePolicy, ValidationReason } from "../policy.ts";
import type { RequestContext, VersionedObjects } from "./context.ts";
import { allHold, type ExpressionPlace, type ExpressionResult, evaluateGroup } from "./expressions.ts";
import { trimSpace } from "./go-text.ts";
import { matchConditions } from "./match-conditions.ts";
import { type Activation, LazyVariables, type VariableObserver } from "./variables.ts";

/** The subject of one evaluation. */
export interface EvaluationInput {
  readonly context: RequestContext;
  /** The resource and kind the policy matched. */
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly objects: VersionedObjects;
  readonly params: KubeObject | null;
  /** The namespace as validations see it and as audit annotations do. */
  readonly namespace: { readonly value: unknown; readonly full: unknown };
}

/** The decision of one validation, or of a group that failed as a whole. */
export interface ValidationDecision {
  readonly action: "admit" | "deny";
  /** Why: the result was true or false, or there was none. */
  readonly evaluation: "admit" | "deny" | "error";
  readonly source: "validation" | "matchConditions" | "budget" | "auditAnnotations";
  /** Position in the list of decisions; the validation's own unless the group failed. */
  readonly index: number;
  /** The match condition that failed. */
  readonly condition?: number;
  readonly message: string;
  readonly reason?: ValidationReason;
  /** The validation's name and HTTP status that gates give. */
  readonly name?: string;
  readonly code?: number;
}

/** An audit annotation and its value. */
export interface AuditAnnotationResult {
  readonly key: string;
  readonly action: "publish" | "exclude" | "error";
  readonly value?: string;
  readonly error?: string;
}

/** The costs of an evaluation's parts. */
export interface Costs {
  readonly matchConditions: number;
  /** Validations and messages share a budget. */
  readonly validations: number;
  readonly auditAnnotations: number;
}

/** The result of a policy for one binding and its params. */
export interface Evaluation {
  /** Set when match conditions passed the policy over: then nothing was decided. */
  readonly refusal: Refusal | undefined;
  readonly decisions: readonly ValidationDecision[];
  readonly auditAnnotations: readonly AuditAnnotationResult[];
  readonly costs: Costs;
}

/** Evaluates a policy that matched, for one binding and its params. */
export function evaluatePolicy(policy: CompiledPolicy, input: EvaluationInput): Evaluation {
  const { context, params, namespace } = input;
  const { observer, evaluateOptions: options } = context;
  let conditionsCost = 0;
  if (policy.conditions.length > 0) {
    const outcome = evaluateConditions(policy, input);
    conditionsCost = outcome.cost;
    const costs = { matchConditions: conditionsCost, validations: 0, auditAnnotations: 0 };
    if (outcome.matched === false) return { refusal: outcome.refusal, decisions: [], auditAnnotations: [], costs };
    if (outcome.matched === "error") {
      return {
        refusal: undefined,
        decisions: [{ ...groupError(policy, "matchConditions", outcome.message), condition: outcome.index }],
        auditAnnotations: [],
        costs,
      };
    }
  }
  const full = activationOf(policy, input);
  const variables = policy.readsVariables ? withVariables(policy, full, input, "validation") : withoutVariables(full);
  const budget = RuntimeCELCostBudget;
  const { owner } = policy;
  const validated = evaluateGroup(policy.validations, full, variables, {
    owner,
    kind: "validation",
    budget,
    options,
    observer,
    known: full === context.sharedActivation && observer === undefined ? context.sharedResults : undefined,
  });
  if (validated.failure !== undefined) {
    const costs = { matchConditions: conditionsCost, validations: budget, auditAnnotations: 0 };
    return {
      refusal: undefined,
      decisions: [groupError(policy, "budget", validated.failure)],
      auditAnnotations: [],
      costs,
    };
  }
  let { remaining } = validated;
  let messages: readonly (ExpressionResult | undefined)[] = NONE;
  let messageFailure: string | undefined;
  if (policy.hasMessageExpressions) {
    const activation: Activation = {
      object: full.object,
      oldObject: full.oldObject,
      request: full.request,
      namespaceObject: namespace.value,
      params,
    };
    const group = evaluateGroup(
      policy.validations.map(({ messageExpression }) => messageExpression),
      activation,
      withVariables(policy, activation, input, "messageExpression"),
      { owner, kind: "messageExpression", budget: remaining, options, observer },
    );
    messages = group.results;
    messageFailure = group.failure;
    remaining = group.failure === undefined ? group.remaining : 0;
  }
  const decisions: ValidationDecision[] = [];
  for (let i = 0; i < policy.validations.length; i++) {
    decisions.push(decisionOf(policy.validations[i]!, i, validated.results[i]!, messages[i], messageFailure));
  }
  const costs = { matchConditions: conditionsCost, validations: budget - remaining, auditAnnotations: 0 };
  if (policy.auditAnnotations.length === 0) return { refusal: undefined, decisions, auditAnnotations: NONE, costs };
  return { refusal: undefined, ...evaluateAnnotations(policy, input, decisions, costs) };
}

const NONE: readonly never[] = [];

/** Whether `evaluatePolicy` evaluates nothing but validations, the same for every binding. */
export function hasOnlyValidations(policy: CompiledPolicy): boolean {
  const { paramKind, conditions, hasMessageExpressions, auditAnnotations } = policy;
  return paramKind === undefined && conditions.length + auditAnnotations.length === 0 && !hasMessageExpressions;
}

/** Whether all validations of such a policy hold. It keeps no decisions, which are most of the cost of evaluating simple policies. */
export function validationsHold(policy: CompiledPolicy, input: EvaluationInput): boolean {
  const { context } = input;
  const activation = activationOf(policy, input);
  const variables = policy.readsVariables
    ? withVariables(policy, activation, input, "validation")
    : withoutVariables(activation);
  return allHold(policy.validations, activation, variables, {
    budget: RuntimeCELCostBudget,
    options: context.evaluateOptions,
    known: activation === context.sharedActivation ? context.sharedResults : undefined,
  });
}

/** The variables that validations read. Policies without variables and params read the same values of a request. */
function activationOf(
  policy: CompiledPolicy,
  { context, resource, kind, objects, params, namespace }: EvaluationInput,
): Activation {
  const request = context.requestValue(resource, kind);
  const isShared = params === null && !policy.readsVariables;
  const shared = isShared ? context.sharedActivation : undefined;
  if (
    shared?.request === request &&
    shared.object === objects.object &&
    shared.oldObject === objects.oldObject &&
    shared.namespaceObject === namespace.value
  ) {
    return shared;
  }
  const { authorizer, requestResource } = context.authorizerValues();
  const activation: Activation = {
    object: objects.object,
    oldObject: objects.oldObject,
    request,
    namespaceObject: namespace.value,
    params,
    authorizer,
    "authorizer.requestResource": requestResource,
    variables: undefined,
  };
  if (isShared) context.share(activation);
  return activation;
}

/** Match conditions see no namespace, and the resource as it was requested. */
export function evaluateConditions(policy: CompiledRules, input: EvaluationInput): ReturnType<typeof matchConditions> {
  const { context, objects, params } = input;
  const { authorizer, requestResource } = context.authorizerValues();
  const activation: Activation = {
    object: objects.object,
    oldObject: objects.oldObject,
    request: context.requestValue(context.request.resource, input.kind),
    namespaceObject: null,
    params,
    authorizer,
    "authorizer.requestResource": requestResource,
    variables: undefined,
  };
  const variables = withVariables(policy, activation, input, "matchCondition");
  return matchConditions(policy, activation, variables, context.evaluateOptions, context.observer);
}

function evaluateAnnotations(
  policy: CompiledPolicy,
  input: EvaluationInput,
  decisions: readonly ValidationDecision[],
  costs: Costs,
): Pick<Evaluation, "decisions" | "auditAnnotations" | "costs"> {
  const { context, objects, params } = input;
  const activation: Activation = {
    object: objects.object,
    oldObject: objects.oldObject,
    request: context.requestValue(input.resource, input.kind),
    namespaceObject: input.namespace.full,
    params,
  };
  const budget = RuntimeCELCostBudget;
  const group = evaluateGroup(
    policy.auditAnnotations,
    activation,
    withVariables(policy, activation, input, "auditAnnotation"),
    {
      owner: policy.owner,
      kind: "auditAnnotation",
      budget,
      options: context.evaluateOptions,
      observer: context.observer,
    },
  );
  if (group.failure !== undefined) {
    // Upstream replaces the decisions of the validations.
    const spent = { ...costs, auditAnnotations: budget };
    return { decisions: [groupError(policy, "auditAnnotations", group.failure)], auditAnnotations: [], costs: spent };
  }
  const auditAnnotations = policy.auditAnnotations.map(({ annotation }, i): AuditAnnotationResult => {
    const { value, error } = group.results[i]!;
    const { key } = annotation;
    if (error !== undefined)
      return policy.failurePolicy === "Ignore" ? { key, action: "exclude" } : { key, action: "error", error };
    const text = typeof value === "string" ? trimSpace(value) : "";
    return text === "" ? { key, action: "exclude" } : { key, action: "publish", value: text };
  });
  return { decisions, auditAnnotations, costs: { ...costs, auditAnnotations: budget - group.remaining } };
}

function decisionOf(
  compiled: CompiledValidation,
  index: number,
  { value, error }: ExpressionResult,
  message: ExpressionResult | undefined,
  messageFailure: string | undefined,
): ValidationDecision {
  const { validation } = compiled;
  if (error !== undefined) return { ...errorDecision(compiled, "validation", index, error), ...gated(compiled) };
  if (messageFailure !== undefined) {
    const text = `failed messageExpression: ${messageFailure}`;
    return { ...errorDecision(compiled, "validation", index, text), ...gated(compiled) };
  }
  if (value === true) return admitted(index);
  return {
    action: "deny",
    evaluation: "deny",
    source: "validation",
    index,
    message:
      messageOf(message) ||
      trimSpace(validation.message ?? "") ||
      `failed expression: ${trimSpace(validation.expression)}`,
    reason: validation.reason ?? "Invalid",
    ...gated(compiled),
  };
}

// Nearly every decision is this one.
const ADMITTED: ValidationDecision[] = [];

function admitted(index: number): ValidationDecision {
  ADMITTED[index] ??= Object.freeze({
    action: "admit",
    evaluation: "admit",
    source: "validation",
    index,
    message: "",
  } as const);
  return ADMITTED[index];
}

function gated({ name, code }: CompiledValidation): Pick<ValidationDecision, "name" | "code"> | undefined {
  if (name === undefined && code === undefined) return undefined;
  return { ...(name !== undefined && { name }), ...(code !== undefined && { code }) };
}

/** The result of a messageExpression, or nothing if it must not be shown. */
function messageOf(result: ExpressionResult | undefined): string {
  if (result === undefined || typeof result.value !== "string") return "";
  const text = trimSpace(result.value);
  if (text.length > MaxEvaluatedMessageExpressionSizeBytes || utf8Length(text) > MaxEvaluatedMessageExpressionSizeBytes)
    return "";
  return text.includes("\n") ? "" : text;
}

function groupError(policy: CompiledPolicy, source: ValidationDecision["source"], message: string): ValidationDecision {
  return errorDecision(policy, source, 0, message);
}

function errorDecision(
  { failurePolicy }: { readonly failurePolicy: FailurePolicy },
  source: ValidationDecision["source"],
  index: number,
  message: string,
): ValidationDecision {
  return { action: failurePolicy === "Ignore" ? "admit" : "deny", evaluation: "error", source, index, message };
}

/** The variables of a policy for one group of expressions; they become part of what those read. */
export function withVariables(
  policy: CompiledRules,
  activation: Activation,
  { context }: EvaluationInput,
  group: NonNullable<ExpressionPlace["readBy"]>,
): LazyVariables {
  if (policy.variables.names.size === 0) return withoutVariables(activation);
  const variables = new LazyVariables(
    policy.variables,
    activation,
    context.evaluateOptions,
    variableObserver(policy, context, group),
  );
  activation.variables = variables;
  return variables;
}

function withoutVariables(activation: Activation): LazyVariables {
  activation.variables = NO_VARIABLES;
  return NO_VARIABLES;
}

const NO_VARIABLES = new LazyVariables({ names: new Map(), expressions: [] }, {}, undefined);

function variableObserver(
  policy: CompiledRules,
  { observer }: RequestContext,
  readBy: NonNullable<ExpressionPlace["readBy"]>,
): VariableObserver | undefined {
  if (observer === undefined) return undefined;
  const { owner } = policy;
  const place = (name: string): ExpressionPlace => ({
    owner,
    kind: "variable",
    index: policy.variables.names.get(name) ?? -1,
    name,
    readBy,
  });
  const expression = (name: string) => policy.variables.expressions[policy.variables.names.get(name) ?? -1]!;
  return {
    discard: () => observer.discard(),
    recorder: (name) => observer.recorder(place(name), expression(name)),
    variable: (name, value, cost) =>
      observer.result(place(name), expression(name), value, isError(value) ? value.message : undefined, cost),
  };
}
