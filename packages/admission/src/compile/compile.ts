// Policies compiled: every expression once, with the environment its field has. An expression that does not compile is kept as the error of
// its evaluation, because a stored policy is enforced by its failurePolicy even then.

import { ANY, BOOL, NULL, type Program, STRING, type Type } from "@celadon/cel";
import { nameOf, type ObjectMeta } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import type { CompiledMatch } from "../match/match-resources.ts";
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
} from "../policy.ts";
import { bindingNamespace, validationFields } from "../proposals/fields.ts";
import { type Gates, NO_GATES } from "../proposals/gates.ts";
import type { Declared, VariableTypes } from "./environments.ts";
import { PolicyCompiler } from "./policy-compiler.ts";

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
  /** The name that gates give. */
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
  /** The webhook of a configuration. */
  readonly webhook?: { readonly name: string; readonly index: number };
}

/** The compiled parts of every kind of policy. */
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

/** A validating policy with its expressions compiled. */
export interface CompiledPolicy extends CompiledRules {
  readonly policy: ValidatingAdmissionPolicy;
  readonly validations: readonly CompiledValidation[];
  /** Whether a validation may read a variable: where none does, none has to be made ready. */
  readonly readsVariables: boolean;
  readonly hasMessageExpressions: boolean;
  readonly auditAnnotations: readonly CompiledAuditAnnotation[];
}

/** A binding with its selectors and rules compiled. */
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
  compiler: PolicyCompiler = new PolicyCompiler(),
): CompiledPolicy {
  const { rules, types, declared } = compileRules(policy, compiler, gates, kubeVersion);
  const { validations = [], auditAnnotations = [] } = policy.spec;
  const unauthorized = { ...declared, authorizer: false };
  const compiled = validations.map((validation): CompiledValidation => {
    const { expression, messageExpression = "" } = validation;
    return {
      ...compileText(compiler, expression, declared, types, CONDITION_TYPES),
      validation,
      failurePolicy: rules.failurePolicy,
      ...validationFields(validation, gates),
      messageExpression:
        messageExpression === ""
          ? undefined
          : compileText(compiler, messageExpression, unauthorized, types, MESSAGE_TYPES),
    };
  });
  return {
    ...rules,
    policy,
    validations: compiled,
    readsVariables: rules.variables.names.size > 0 && compiled.some(({ text }) => text.includes("variables")),
    hasMessageExpressions: compiled.some(({ messageExpression }) => messageExpression !== undefined),
    auditAnnotations: auditAnnotations.map((annotation) => ({
      ...compileText(compiler, annotation.valueExpression, declared, types, ANNOTATION_TYPES),
      annotation,
    })),
  };
}

/** The part that all kinds of policies share, with the environment for compiling the rest. */
export function compileRules(
  policy: Policy,
  compiler: PolicyCompiler,
  gates: Gates = NO_GATES,
  kubeVersion?: Minor,
): { rules: CompiledRules; types: VariableTypes; declared: Declared } {
  const spec: PolicySpec = policy.spec;
  const declared: Declared = { params: spec.paramKind !== undefined, authorizer: true, variables: true, kubeVersion };
  const { variables, types } = compileVariables(spec, compiler, declared);
  const conditions = (spec.matchConditions ?? []).map(({ name, expression }) => ({
    ...compileText(compiler, expression, declared, types, CONDITION_TYPES),
    name,
  }));
  const rules: CompiledRules = {
    name: nameOf(policy),
    owner: ownerOf(policy),
    failurePolicy: spec.failurePolicy ?? "Fail",
    paramKind: spec.paramKind,
    match: spec.matchConstraints && compiler.match(spec.matchConstraints, gates),
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
  compiler: PolicyCompiler,
  declared: Declared,
): { variables: CompiledVariables; types: VariableTypes } {
  const types = new Map<string, Type | undefined>();
  const names = new Map<string, number>();
  const expressions: CompiledCondition[] = [];
  for (const { name, expression } of spec.variables ?? []) {
    const compiled = compileText(compiler, expression, declared, types, ANY_TYPE);
    names.set(name, expressions.length);
    expressions.push({ ...compiled, name });
    types.set(name, compiled.program?.type);
  }
  return { variables: { names, expressions }, types };
}

/** An expression of a policy, in the environment its field has. */
export function compileText(
  compiler: PolicyCompiler,
  text: string,
  declared: Declared,
  types: VariableTypes,
  returnTypes: readonly Type[],
): Expression {
  const compiled = compiler.expression(declared, types, text, returnTypes);
  return compiled.ok
    ? { text, program: compiled.program, error: "" }
    : { text, program: undefined, error: compiled.message };
}

/** Compiles a binding. */
export function compileBinding<B extends Binding>(
  binding: B,
  gates: Gates = NO_GATES,
  compiler: PolicyCompiler = new PolicyCompiler(),
): CompiledBinding<B> {
  const spec: BindingSpec = binding.spec;
  return {
    binding,
    name: nameOf(binding),
    paramRef: spec.paramRef,
    match: spec.matchResources && compiler.match(spec.matchResources, gates),
    namespace: bindingNamespace(binding, gates),
  };
}
