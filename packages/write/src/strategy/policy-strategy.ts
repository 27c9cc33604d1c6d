// Admission policies and their bindings: validation with everything compiled, and that who names params may read them.

import type { Authorizer } from "@celadon/admission";
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@celadon/admission/policy";
import {
  type Gates,
  validateBindingCount,
  validateGatedBinding,
  validateGatedPolicy,
} from "@celadon/admission/proposals";
import {
  authorizeParamKind,
  authorizeParamRef,
  type CheckingOptions,
  type NameOptions,
  nameWarnings,
  type ParamAccess,
  reservedNameErrors,
  validatePolicyResource,
  validatePolicyStatus,
} from "@celadon/admission/resources";
import type { PolicyCompiler } from "@celadon/admission/steps";
import type { GroupVersionKind, KubeObject } from "@celadon/kube";
import { type FieldError, inWordsOf } from "@celadon/kube/errors";
import { emulationOf } from "@celadon/kube/versions";
import type { User } from "@celadon/kube-cel";
import { type Draft, objectOf } from "../draft.ts";
import type { WrittenResource } from "../resource.ts";
import { plainStrategy } from "./plain-strategy.ts";
import type { Strategy, WriteContext } from "./strategy.ts";

/** The server as validation sees it. */
export interface PolicyHosts extends NameOptions {
  /** Keeps compiled expressions, so that nothing is compiled twice. */
  readonly compiler?: PolicyCompiler;
  /** Ideas of the proposals that are on. */
  readonly gates: Gates;
  /** The errors of strict type checking. */
  typeErrors?(policy: ValidatingAdmissionPolicy): Promise<FieldError[]>;
  /** All bindings of validating policies. */
  bindings(): readonly KubeObject[];
  readonly authorizer: Authorizer;
  /** The plural of a kind; undefined when it is not served. */
  resourceOf(kind: GroupVersionKind): string | undefined;
  /** A policy of a kind, by name. */
  policy(kind: string, name: string): KubeObject | undefined;
}

export function policyStrategy(resource: WrittenResource, subresource: string, hosts: PolicyHosts): Strategy {
  const plain = plainStrategy(resource, subresource);
  const isPolicy = !resource.kind.endsWith("Binding");
  const policyKind = isPolicy ? resource.kind : resource.kind.slice(0, -"Binding".length);
  if (subresource === "status") {
    const statusOf = (object: Draft) => (objectOf(object) as unknown as ValidatingAdmissionPolicy).status ?? {};
    return { ...plain, validateUpdate: (object) => ({ errors: validatePolicyStatus(statusOf(object)) }) };
  }
  const problems = async (object: Draft, old: KubeObject | undefined, context: WriteContext): Promise<FieldError[]> => {
    const errors = [
      ...fieldErrors(object, old, checkingOptions(resource, hosts)),
      ...(await gatedErrors(objectOf(object), resource.kind, hosts)),
    ];
    if (old === undefined) errors.push(...reservedNameErrors(object.metadata.name ?? "", hosts));
    if (errors.length > 0) return errors;
    const access = accessOf(context, hosts);
    if (isPolicy) return authorizeParamKind(asPolicy(objectOf(object)), old && asPolicy(old), access);
    const policy = (name: string) => hosts.policy(policyKind, name) as Policy | undefined;
    return authorizeParamRef(asBinding(objectOf(object)), { ...access, policy });
  };
  return {
    ...plain,
    validateCreate: async (object, context) => ({
      errors: worded(resource, await problems(object, undefined, context)),
    }),
    validateUpdate: async (object, old, context) => ({
      errors: worded(resource, await problems(object, old, context)),
    }),
    warnings: (object) =>
      hosts.manifestBasedConfig === true ? [] : nameWarnings(object.metadata.name ?? "", resource.minor),
  };
}

/** The errors that enabled gates add to the rules of the API. */
async function gatedErrors(object: KubeObject, kind: string, hosts: PolicyHosts): Promise<FieldError[]> {
  const { gates } = hosts;
  if (kind === "ValidatingAdmissionPolicy") {
    const policy = object as unknown as ValidatingAdmissionPolicy;
    return [...validateGatedPolicy(policy, gates), ...((await hosts.typeErrors?.(policy)) ?? [])];
  }
  if (kind !== "ValidatingAdmissionPolicyBinding") return [];
  const binding = object as unknown as ValidatingAdmissionPolicyBinding;
  const others = gates.PolicyLimits ? (hosts.bindings() as unknown as ValidatingAdmissionPolicyBinding[]) : [];
  return [...validateGatedBinding(binding, gates), ...validateBindingCount(binding, others, gates)];
}

type Policy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;
type Binding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding;

const asPolicy = (object: KubeObject): Policy => object as unknown as Policy;
const asBinding = (object: KubeObject): Binding => object as unknown as Binding;

/** The server and the compiler that check expressions. */
/** Errors in the words of the emulated server. */
export const worded = ({ minor }: WrittenResource, errors: readonly FieldError[]): FieldError[] => [
  ...inWordsOf(emulationOf(minor), errors),
];

export function checkingOptions({ minor }: WrittenResource, { compiler }: PolicyHosts): CheckingOptions {
  return { ...(minor !== undefined && { kubeVersion: minor }), ...(compiler && { compiler }) };
}

function fieldErrors(object: Draft, before: KubeObject | undefined, server: CheckingOptions): FieldError[] {
  const resource = objectOf(object) as unknown as Policy | Binding;
  return validatePolicyResource(resource, before as typeof resource | undefined, server);
}

function accessOf({ user }: WriteContext, { authorizer, resourceOf }: PolicyHosts): ParamAccess {
  const { username = "", ...rest } = user;
  return { user: { name: username, ...rest } as User, authorizer, resourceOf };
}
