// The resources of admissionregistration.k8s.io/v1 that policies are made of, as data. Policies and bindings come in two kinds,
// distinguished by `kind`; matching, binding of params, variables and match conditions are written against the part they share, so that
// nothing there assumes a policy only validates.
//
// The shapes are those of the API after defaulting (see resources/). Optional fields may also be absent from objects that were never
// defaulted: readers then use the default the API server would have set.

import type { ObjectMeta } from "@celadon/kube";
import type { LabelSelectorObject } from "@celadon/kube/selectors";

/** The effect of an error: `Fail` denies the request, `Ignore` lets it pass. */
export type FailurePolicy = "Fail" | "Ignore";
/** Whether rules mean only the version they name, or equivalent ones too. */
export type MatchPolicy = "Exact" | "Equivalent";
/** Whether a rule means resources in namespaces, resources outside of them, or both. */
export type RuleScope = "Cluster" | "Namespaced" | "*";
/** An operation that a rule matches; `*` is all of them. */
export type RuleOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT" | "*";
/** The effect of missing params. */
export type ParameterNotFoundAction = "Allow" | "Deny";
/** The effect of a failure. */
export type ValidationAction = "Deny" | "Warn" | "Audit";
/** Reasons a validation may give; the API accepts no others. */
export type ValidationReason = "Forbidden" | "Invalid" | "RequestEntityTooLarge" | "Unauthorized";

/** The kind of a policy's params. */
export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** Groups, versions, resources, operations and names that a policy matches. */
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

/** An expression that decides whether a policy or webhook applies to a request. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** A named expression that the others of a policy may read. */
export interface Variable {
  readonly name: string;
  readonly expression: string;
}

/** An expression that must be true, and the message if it is not. */
export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: ValidationReason;
}

/** A value that a policy adds to the audit event. */
export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

/** The fields that both kinds of policies have. */
export interface PolicySpec {
  readonly failurePolicy?: FailurePolicy;
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly Variable[];
}

/** The match rules and validations of a validating policy. */
export interface ValidatingAdmissionPolicySpec extends PolicySpec {
  readonly validations?: readonly Validation[];
  readonly auditAnnotations?: readonly AuditAnnotation[];
}

/** A finding of type checking in an expression of a policy. */
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** The status that the API server writes: the warnings of type checking. */
export interface ValidatingAdmissionPolicyStatus {
  readonly observedGeneration?: number;
  readonly typeChecking?: { readonly expressionWarnings?: readonly ExpressionWarning[] };
  readonly conditions?: readonly Condition[];
}

/** A condition of a status. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

/** The resource as admissionregistration.k8s.io/v1 has it. */
export interface ValidatingAdmissionPolicy {
  readonly apiVersion: string;
  readonly kind: "ValidatingAdmissionPolicy";
  readonly metadata: ObjectMeta;
  readonly spec: ValidatingAdmissionPolicySpec;
  readonly status?: ValidatingAdmissionPolicyStatus;
}

/** The form of a mutation. */
export type PatchType = "ApplyConfiguration" | "JSONPatch";

/** One mutation: an apply configuration or a JSON patch, as an expression. */
export interface Mutation {
  readonly patchType?: PatchType;
  readonly applyConfiguration?: { readonly expression?: string };
  readonly jsonPatch?: { readonly expression?: string };
}

/** The match rules and mutations of a mutating policy. */
export interface MutatingAdmissionPolicySpec extends PolicySpec {
  readonly mutations?: readonly Mutation[];
  readonly reinvocationPolicy?: "Never" | "IfNeeded";
}

/** The resource as admissionregistration.k8s.io/v1 has it. */
export interface MutatingAdmissionPolicy {
  readonly apiVersion: string;
  readonly kind: "MutatingAdmissionPolicy";
  readonly metadata: ObjectMeta;
  readonly spec: MutatingAdmissionPolicySpec;
}

/** A policy of either kind. */
export type Policy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;
/** The kind of a policy. */
export type PolicyKind = Policy["kind"];

/** The objects that are the params of a binding. */
export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorObject;
  readonly parameterNotFoundAction?: ParameterNotFoundAction;
}

/** The fields that both kinds of bindings have. */
export interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
}

/** The parts of a binding: a policy, its params, the resources, and what happens to failures. */
export interface ValidatingAdmissionPolicyBindingSpec extends BindingSpec {
  readonly validationActions?: readonly ValidationAction[];
}

/** The resource as admissionregistration.k8s.io/v1 has it. */
export interface ValidatingAdmissionPolicyBinding {
  readonly apiVersion: string;
  readonly kind: "ValidatingAdmissionPolicyBinding";
  readonly metadata: ObjectMeta;
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
}

/** The resource as admissionregistration.k8s.io/v1 has it. */
export interface MutatingAdmissionPolicyBinding {
  readonly apiVersion: string;
  readonly kind: "MutatingAdmissionPolicyBinding";
  readonly metadata: ObjectMeta;
  readonly spec: BindingSpec;
}

/** A binding of either kind. */
export type Binding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding;

/** The kind of binding that binds a kind of policy. */
export const BINDING_KINDS: Readonly<Record<PolicyKind, Binding["kind"]>> = {
  ValidatingAdmissionPolicy: "ValidatingAdmissionPolicyBinding",
  MutatingAdmissionPolicy: "MutatingAdmissionPolicyBinding",
};
