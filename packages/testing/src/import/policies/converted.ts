// The conversion of another tool's policy: ValidatingAdmissionPolicies with their bindings, and the parts that they cannot express. A rule
// that can be expressed only in part is not converted at all: half of a rule would decide something else.

import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
  ValidationAction,
} from "@celadon/admission/policy";
import type { JsonPath } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";

/** The policy something came from. */
export interface PolicySource {
  /** `ClusterPolicy`, `ValidatingPolicy`, `ConstraintTemplate`. */
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  /** The rule, in policies with rules. */
  readonly rule?: string;
}

/** A converted policy, and its original. */
export interface ConvertedPolicy {
  readonly source: PolicySource;
  /** Steps to its original. */
  readonly path: JsonPath;
  readonly policy: ValidatingAdmissionPolicy;
  readonly bindings: readonly ValidatingAdmissionPolicyBinding[];
  /** Objects the bindings refer to: Gatekeeper's constraints, which are params. */
  readonly params: readonly KubeObject[];
  /** The tool derives it from a policy for pods, and so do we. */
  readonly derived: boolean;
  /** Notes for the reader: parts that were converted differently, or left out because they change no verdict. */
  readonly notes: readonly string[];
}

/** Why something was not converted, for programs. */
export type ProblemCode =
  /** The rule is not CEL: a pattern, a mutation, a generation, Rego. */
  | "not_cel"
  /** CEL with functions or variables that the API server does not have. */
  | "not_standard"
  /** A condition that a ValidatingAdmissionPolicy cannot have. */
  | "not_expressible"
  /** The API server would refuse it for another reason. */
  | "refused"
  /** The document is not of the shape its tool takes. */
  | "malformed"
  /** Another policy is meant to derive it, and cannot. */
  | "not_derived";

/** Why a rule or policy was not converted. */
export interface ConversionProblem {
  readonly code: ProblemCode;
  readonly source: PolicySource;
  readonly message: string;
  /** Steps to the part it is about. */
  readonly path: JsonPath;
  /** The kinds of `not_derived` for which nothing could be derived. */
  readonly kinds?: readonly string[];
}

/** The result of converting policies of another tool. */
export interface PolicyConversion {
  readonly policies: readonly ConvertedPolicy[];
  readonly problems: readonly ConversionProblem[];
}

export const ADMISSION_V1 = "admissionregistration.k8s.io/v1";

/** In the order people write them. */
const FIELDS = [
  "failurePolicy",
  "paramKind",
  "matchConstraints",
  "matchConditions",
  "variables",
  "validations",
  "auditAnnotations",
] as const satisfies readonly (keyof ValidatingAdmissionPolicySpec)[];

export function policyOf(name: string, spec: ValidatingAdmissionPolicySpec): ValidatingAdmissionPolicy {
  const fields = FIELDS.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]] as const]));
  const kind = "ValidatingAdmissionPolicy";
  return { apiVersion: ADMISSION_V1, kind, metadata: { name }, spec: Object.fromEntries(fields) };
}

export function bindingOf(
  policyName: string,
  validationActions: readonly ValidationAction[],
  more: Omit<ValidatingAdmissionPolicyBindingSpec, "policyName" | "validationActions"> = {},
  name = `${policyName}-binding`,
): ValidatingAdmissionPolicyBinding {
  return {
    apiVersion: ADMISSION_V1,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName, validationActions, ...more },
  };
}

/** Names in Kubernetes: lower case, digits, dashes and points, at most 253. */
export function objectName(...parts: readonly string[]): string {
  const text = parts
    .filter((part) => part !== "")
    .join("-")
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "-");
  return (
    text
      .replace(/^[^a-z0-9]+/, "")
      .slice(0, 245)
      .replace(/[^a-z0-9]+$/, "") || "policy"
  );
}

/** The name of another tool's policy in messages. */
export function sourceText({ kind, name, namespace, rule }: PolicySource): string {
  const full = namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;
  return `${kind} ${JSON.stringify(full)}${rule === undefined ? "" : ` rule ${JSON.stringify(rule)}`}`;
}
