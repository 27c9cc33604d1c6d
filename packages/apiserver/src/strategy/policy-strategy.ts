// Admission policies and their bindings: validation with everything compiled, and that who names params may read them.

import type { Authorizer, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission";
import {
  authorizeParamKind,
  authorizeParamRef,
  nameWarnings,
  type ParamAccess,
  validateBinding,
  validateBindingUpdate,
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
  policy(name: string): KubeObject | undefined;
}

export function policyStrategy(resource: ServedResource, subresource: string, hosts: PolicyHosts): Strategy {
  const plain = plainStrategy(resource, subresource);
  const isPolicy = resource.kind === "ValidatingAdmissionPolicy";
  if (subresource === "status") {
    return { ...plain, validateUpdate: (object) => validatePolicyStatus(asPolicy(objectOf(object)).status ?? {}) };
  }
  const problems = async (object: Draft, old: KubeObject | undefined, context: WriteContext): Promise<FieldError[]> => {
    const errors = isPolicy ? policyErrors(object, old) : bindingErrors(object, old);
    if (errors.length > 0) return errors;
    const access = accessOf(context, hosts);
    if (isPolicy) return authorizeParamKind(asPolicy(objectOf(object)), old && asPolicy(old), access);
    const policy = (name: string) => hosts.policy(name) as unknown as ValidatingAdmissionPolicy | undefined;
    return authorizeParamRef(asBinding(objectOf(object)), { ...access, policy });
  };
  return {
    ...plain,
    validateCreate: (object, context) => problems(object, undefined, context),
    validateUpdate: (object, old, context) => problems(object, old, context),
    warnings: (object) => nameWarnings(object.metadata.name ?? ""),
  };
}

const asPolicy = (object: KubeObject): ValidatingAdmissionPolicy => object as unknown as ValidatingAdmissionPolicy;
const asBinding = (object: KubeObject): ValidatingAdmissionPolicyBinding =>
  object as unknown as ValidatingAdmissionPolicyBinding;

function policyErrors(object: Draft, old: KubeObject | undefined): FieldError[] {
  const policy = asPolicy(objectOf(object));
  return old === undefined ? validatePolicy(policy) : validatePolicyUpdate(policy, asPolicy(old));
}

function bindingErrors(object: Draft, old: KubeObject | undefined): FieldError[] {
  const binding = asBinding(objectOf(object));
  return old === undefined ? validateBinding(binding) : validateBindingUpdate(binding, asBinding(old));
}

function accessOf({ user }: WriteContext, { authorizer, resourceOf }: PolicyHosts): ParamAccess {
  const { username = "", ...rest } = user;
  return { user: { name: username, ...rest } as User, authorizer, resourceOf };
}
