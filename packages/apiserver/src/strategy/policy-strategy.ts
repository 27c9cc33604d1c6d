// Admission policies and their bindings: validation with everything compiled, and that who names params may read them.

import type {
  Authorizer,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@celadon/admission";
import {
  authorizeParamKind,
  authorizeParamRef,
  nameWarnings,
  type ParamAccess,
  validateBinding,
  validateBindingUpdate,
  validateMutatingBinding,
  validateMutatingBindingUpdate,
  validateMutatingPolicy,
  validateMutatingPolicyUpdate,
  validatePolicy,
  validatePolicyStatus,
  validatePolicyUpdate,
} from "@celadon/admission/resources";
import type { FieldError, GroupVersionKind, KubeObject } from "@celadon/kube";
import type { User } from "@celadon/kube-cel";
import { type Draft, objectOf } from "../kinds/draft.ts";
import type { ServedResource } from "../kinds/resource.ts";
import { plainStrategy } from "./plain-strategy.ts";
import type { Strategy, WriteContext } from "./strategy.ts";

/** What is asked of the server beside the object. */
export interface PolicyHosts {
  readonly authorizer: Authorizer;
  /** The plural of a kind; undefined when it is not served. */
  resourceOf(kind: GroupVersionKind): string | undefined;
  /** A policy of a kind, by name. */
  policy(kind: string, name: string): KubeObject | undefined;
}

export function policyStrategy(resource: ServedResource, subresource: string, hosts: PolicyHosts): Strategy {
  const plain = plainStrategy(resource, subresource);
  const isPolicy = !resource.kind.endsWith("Binding");
  const policyKind = isPolicy ? resource.kind : resource.kind.slice(0, -"Binding".length);
  if (subresource === "status") {
    const statusOf = (object: Draft) => (objectOf(object) as unknown as ValidatingAdmissionPolicy).status ?? {};
    return { ...plain, validateUpdate: (object) => validatePolicyStatus(statusOf(object)) };
  }
  const problems = async (object: Draft, old: KubeObject | undefined, context: WriteContext): Promise<FieldError[]> => {
    const errors = fieldErrors(object, old);
    if (errors.length > 0) return errors;
    const access = accessOf(context, hosts);
    if (isPolicy) return authorizeParamKind(asPolicy(objectOf(object)), old && asPolicy(old), access);
    const policy = (name: string) => hosts.policy(policyKind, name) as unknown as Policy | undefined;
    return authorizeParamRef(asBinding(objectOf(object)), { ...access, policy });
  };
  return {
    ...plain,
    validateCreate: (object, context) => problems(object, undefined, context),
    validateUpdate: (object, old, context) => problems(object, old, context),
    warnings: (object) => nameWarnings(object.metadata.name ?? ""),
  };
}

type Policy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;
type Binding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding;

const asPolicy = (object: KubeObject): Policy => object as unknown as Policy;
const asBinding = (object: KubeObject): Binding => object as unknown as Binding;

function fieldErrors(object: Draft, before: KubeObject | undefined): FieldError[] {
  const resource = objectOf(object) as unknown as Policy | Binding;
  const old = before as unknown;
  switch (resource.kind) {
    case "ValidatingAdmissionPolicy":
      return old === undefined ? validatePolicy(resource) : validatePolicyUpdate(resource, old as typeof resource);
    case "ValidatingAdmissionPolicyBinding":
      return old === undefined ? validateBinding(resource) : validateBindingUpdate(resource, old as typeof resource);
    case "MutatingAdmissionPolicy":
      return old === undefined
        ? validateMutatingPolicy(resource)
        : validateMutatingPolicyUpdate(resource, old as typeof resource);
    case "MutatingAdmissionPolicyBinding":
      return old === undefined
        ? validateMutatingBinding(resource)
        : validateMutatingBindingUpdate(resource, old as typeof resource);
  }
}

function accessOf({ user }: WriteContext, { authorizer, resourceOf }: PolicyHosts): ParamAccess {
  const { username = "", ...rest } = user;
  return { user: { name: username, ...rest } as User, authorizer, resourceOf };
}
