// The resources of admissionregistration.k8s.io/v1 that policies are made of, as data.
// Policies and bindings come in two kinds, told apart by `kind`; matching, binding of params, variables and match conditions
// are written against the part they share, so that nothing there assumes a policy only validates.
//
// The shapes are those of the API after defaulting (see resources/). Optional fields may also be absent from objects that were
// never defaulted: readers then use the default the API server would have set.

import type { LabelSelectorObject, ObjectMeta } from "@celadon/kube";

export type FailurePolicy = "Fail" | "Ignore";
export type MatchPolicy = "Exact" | "Equivalent";
export type RuleScope = "Cluster" | "Namespaced" | "*";
export type RuleOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT" | "*";
export type ParameterNotFoundAction = "Allow" | "Deny";
export type ValidationAction = "Deny" | "Warn" | "Audit";
/** Reasons a validation may give; the API accepts no others. */
export type ValidationReason = "Forbidden" | "Invalid" | "RequestEntityTooLarge" | "Unauthorized";

export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

export interface NamedRuleWithOperations {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly operations?: readonly RuleOperation[];
  readonly resourceNames?: readonly string[];
  readonly scope?: RuleScope;
}

/** A policy's matchConstraints and a binding's matchResources. */
export interface MatchResources {
  readonly matchPolicy?: MatchPolicy;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  readonly resourceRules?: readonly NamedRuleWithOperations[];
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[];
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

export interface Variable {
  readonly name: string;
  readonly expression: string;
}

export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: ValidationReason;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

/** What both kinds of policies say. */
export interface PolicySpec {
  readonly failurePolicy?: FailurePolicy;
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly Variable[];
}

export interface ValidatingAdmissionPolicySpec extends PolicySpec {
  readonly validations?: readonly Validation[];
  readonly auditAnnotations?: readonly AuditAnnotation[];
}

export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

export interface ValidatingAdmissionPolicyStatus {
  readonly observedGeneration?: number;
  readonly typeChecking?: { readonly expressionWarnings?: readonly ExpressionWarning[] };
  readonly conditions?: readonly Condition[];
}

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

export interface ValidatingAdmissionPolicy {
  readonly apiVersion: string;
  readonly kind: "ValidatingAdmissionPolicy";
  readonly metadata: ObjectMeta;
  readonly spec: ValidatingAdmissionPolicySpec;
  readonly status?: ValidatingAdmissionPolicyStatus;
}

export type PatchType = "ApplyConfiguration" | "JSONPatch";

export interface Mutation {
  readonly patchType?: PatchType;
  readonly applyConfiguration?: { readonly expression?: string };
  readonly jsonPatch?: { readonly expression?: string };
}

export interface MutatingAdmissionPolicySpec extends PolicySpec {
  readonly mutations?: readonly Mutation[];
  readonly reinvocationPolicy?: "Never" | "IfNeeded";
}

export interface MutatingAdmissionPolicy {
  readonly apiVersion: string;
  readonly kind: "MutatingAdmissionPolicy";
  readonly metadata: ObjectMeta;
  readonly spec: MutatingAdmissionPolicySpec;
}

export type Policy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;
export type PolicyKind = Policy["kind"];

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorObject;
  readonly parameterNotFoundAction?: ParameterNotFoundAction;
}

/** What both kinds of bindings say. */
export interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
}

export interface ValidatingAdmissionPolicyBindingSpec extends BindingSpec {
  readonly validationActions?: readonly ValidationAction[];
}

export interface ValidatingAdmissionPolicyBinding {
  readonly apiVersion: string;
  readonly kind: "ValidatingAdmissionPolicyBinding";
  readonly metadata: ObjectMeta;
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
}

export interface MutatingAdmissionPolicyBinding {
  readonly apiVersion: string;
  readonly kind: "MutatingAdmissionPolicyBinding";
  readonly metadata: ObjectMeta;
  readonly spec: BindingSpec;
}

export type Binding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding;

/** The kind of binding that binds a kind of policy. */
export const BINDING_KINDS: Readonly<Record<PolicyKind, Binding["kind"]>> = {
  ValidatingAdmissionPolicy: "ValidatingAdmissionPolicyBinding",
  MutatingAdmissionPolicy: "MutatingAdmissionPolicyBinding",
};
