// Policies compiled: every expression once, with the environment its field has. What does not compile is kept as the error it
// answers at evaluation, because a stored policy is enforced by its failurePolicy even then.

import { ANY, BOOL, NULL, type Program, STRING, type Type } from "@celadon/cel";
import { nameOf, type ObjectMeta } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import type { Declared, VariableTypes } from "./environments.ts";
import { type CompiledMatch, compileMatch } from "./match/match-resources.ts";
import type {
  AuditAnnotation,
  Binding,
  BindingSpec,
  FailurePolicy,
  ParamKind,
  ParamRef,
  Policy,
  PolicySpec,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Validation,
} from "./policy.ts";
import { bindingNamespace, validationFields } from "./proposals/fields.ts";
import { type Gates, NO_GATES } from "./proposals/gates.ts";
import { compileShared } from "./shared-expressions.ts";

/** An expression ready to be evaluated, or the reason it is not. */
export interface Expression {
  readonly text: string;
  readonly program: Program | undefined;
  /** `compilation failed: …` or `must evaluate to …`; empty when there is a program. */
  readonly error: string;
}

export interface CompiledCondition extends Expression {
  readonly name: string;
}

/** The last definition of a name counts, as upstream. */
export interface CompiledVariables {
  readonly names: ReadonlyMap<string, number>;
  readonly expressions: readonly CompiledCondition[];
}

export interface CompiledValidation extends Expression {
  readonly validation: Validation;
  readonly messageExpression: Expression | undefined;
  /** The policy's, unless a gate gives the validation one of its own. */
  readonly failurePolicy: FailurePolicy;
  /** Of gates. */
  readonly name?: string;
  readonly code?: number;
}

export interface CompiledAuditAnnotation extends Expression {
  readonly annotation: AuditAnnotation;
}

/** The resource that expressions were written in. */
export interface ExpressionOwner {
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  /** Of a webhook configuration: which of its webhooks. */
  readonly webhook?: { readonly name: string; readonly index: number };
}

/** What every kind of policy is compiled to. */
export interface CompiledRules {
  readonly name: string;
  readonly owner: ExpressionOwner;
  readonly failurePolicy: FailurePolicy;
  readonly paramKind: ParamKind | undefined;
  /** Undefined for a policy without matchConstraints, which the API does not accept. */
  readonly match: CompiledMatch | undefined;
  readonly conditions: readonly CompiledCondition[];
  readonly variables: CompiledVariables;
}

export interface CompiledPolicy extends CompiledRules {
  readonly policy: ValidatingAdmissionPolicy;
  readonly validations: readonly CompiledValidation[];
  readonly hasMessageExpressions: boolean;
  readonly auditAnnotations: readonly CompiledAuditAnnotation[];
}

export interface CompiledBinding<B extends Binding = ValidatingAdmissionPolicyBinding> {
  readonly binding: B;
  readonly name: string;
  readonly paramRef: ParamRef | undefined;
  /** Undefined: no constraint beyond the policy's. */
  readonly match: CompiledMatch | undefined;
  /** The namespace it is confined to, where a gate allows that. */
  readonly namespace: string | undefined;
}

const CONDITION_TYPES = [BOOL];
const MESSAGE_TYPES = [STRING];
const ANNOTATION_TYPES = [STRING, NULL];
const ANY_TYPE = [ANY];

/** For evaluation: with all that a server knows, whether new expressions may use it or not. */
export function compilePolicy(
  policy: ValidatingAdmissionPolicy,
  gates: Gates = NO_GATES,
  kubeVersion?: Minor,
): CompiledPolicy {
  const { rules, types, declared } = compileRules(policy, gates, kubeVersion);
  const { validations = [], auditAnnotations = [] } = policy.spec;
  const unauthorized = { ...declared, authorizer: false };
  const compiled = validations.map((validation): CompiledValidation => {
    const { expression, messageExpression = "" } = validation;
    return {
      ...compileText(expression, declared, types, CONDITION_TYPES),
      validation,
      failurePolicy: rules.failurePolicy,
      ...validationFields(validation, gates),
      messageExpression:
        messageExpression === "" ? undefined : compileText(messageExpression, unauthorized, types, MESSAGE_TYPES),
    };
  });
  return {
    ...rules,
    policy,
    validations: compiled,
    hasMessageExpressions: compiled.some(({ messageExpression }) => messageExpression !== undefined),
    auditAnnotations: auditAnnotations.map((annotation) => ({
      ...compileText(annotation.valueExpression, declared, types, ANNOTATION_TYPES),
      annotation,
    })),
  };
}

/** The part all kinds of policies share, and what the rest of a policy is compiled with. */
export function compileRules(
  policy: Policy,
  gates: Gates = NO_GATES,
  kubeVersion?: Minor,
): { rules: CompiledRules; types: VariableTypes; declared: Declared } {
  const spec: PolicySpec = policy.spec;
  const declared: Declared = { params: spec.paramKind !== undefined, authorizer: true, variables: true, kubeVersion };
  const { variables, types } = compileVariables(spec, declared);
  const conditions = (spec.matchConditions ?? []).map(({ name, expression }) => ({
    ...compileText(expression, declared, types, CONDITION_TYPES),
    name,
  }));
  const rules: CompiledRules = {
    name: nameOf(policy),
    owner: ownerOf(policy),
    failurePolicy: spec.failurePolicy ?? "Fail",
    paramKind: spec.paramKind,
    match: spec.matchConstraints && compileMatch(spec.matchConstraints, gates),
    conditions,
    variables,
  };
  return { rules, types, declared };
}

export function ownerOf(resource: { readonly kind: string; readonly metadata?: ObjectMeta }): ExpressionOwner {
  const uid = resource.metadata?.uid;
  return { kind: resource.kind, name: nameOf(resource), ...(typeof uid === "string" && { uid }) };
}

// Each variable sees those before it.
function compileVariables(
  spec: PolicySpec,
  declared: Declared,
): { variables: CompiledVariables; types: VariableTypes } {
  const types = new Map<string, Type | undefined>();
  const names = new Map<string, number>();
  const expressions: CompiledCondition[] = [];
  for (const { name, expression } of spec.variables ?? []) {
    const compiled = compileText(expression, declared, types, ANY_TYPE);
    names.set(name, expressions.length);
    expressions.push({ ...compiled, name });
    types.set(name, compiled.program?.type);
  }
  return { variables: { names, expressions }, types };
}

/** An expression of a policy, in the environment its field has. */
export function compileText(
  text: string,
  declared: Declared,
  types: VariableTypes,
  returnTypes: readonly Type[],
): Expression {
  const compiled = compileShared(declared, types, text, returnTypes);
  return compiled.ok
    ? { text, program: compiled.program, error: "" }
    : { text, program: undefined, error: compiled.message };
}

export function compileBinding<B extends Binding>(binding: B, gates: Gates = NO_GATES): CompiledBinding<B> {
  const spec: BindingSpec = binding.spec;
  return {
    binding,
    name: nameOf(binding),
    paramRef: spec.paramRef,
    match: spec.matchResources && compileMatch(spec.matchResources, gates),
    namespace: bindingNamespace(binding, gates),
  };
}
