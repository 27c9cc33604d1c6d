// Bindings of validating policies that live in a namespace, for tenants: a kind of our own group, which the server defines when its gate is
// on. They are validated as other bindings are, and are in force from the next request on.

import type { PolicyResource } from "@celadon/admission";
import type { ParamKind, ValidatingAdmissionPolicyBinding } from "@celadon/admission/policy";
import {
  type Gates,
  NAMESPACED_BINDINGS,
  OWN_GROUP,
  validateBindingCount,
  validateGatedBinding,
} from "@celadon/admission/proposals";
import {
  ADMISSION_REGISTRATION,
  authorizeParamRef,
  type BindingParamAccess,
  validateBinding,
} from "@celadon/admission/resources";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { FieldError } from "@celadon/kube/errors";
import { invalidObject } from "@celadon/kube/status";
import type { User } from "@celadon/kube-cel";
import type { AdmissionPlugin } from "@celadon/write";
import type { ResourceCache } from "../store/cache.ts";
import { StatusError } from "../wire/status-error.ts";
import type { ValidatingPolicies } from "./validating-policies.ts";

export interface NamespacedBindingHosts extends Omit<BindingParamAccess, "user"> {
  readonly gates: Gates;
  /** Whether objects of a kind are in namespaces. */
  isNamespaced(kind: ParamKind): boolean;
  /** All other bindings. */
  bindings(): readonly KubeObject[];
}

/** Rejects errors that the API server would reject in a binding of its own kind. */
export function namespacedBindingPlugin(hosts: NamespacedBindingHosts): AdmissionPlugin {
  return {
    name: "NamespacedBindings",
    validate: async ({ resource, subresource, operation, object }, { user }) => {
      const isBinding = resource.group === OWN_GROUP && resource.resource === NAMESPACED_BINDINGS.resource;
      if (!isBinding || subresource || !object || (operation !== "CREATE" && operation !== "UPDATE")) return;
      const { username = "", ...rest } = user;
      const errors = await problemsOf(asBinding(object), { ...hosts, user: { name: username, ...rest } as User });
      if (errors.length === 0) return;
      const groupKind = { group: OWN_GROUP, kind: NAMESPACED_BINDINGS.kind };
      throw new StatusError(invalidObject(groupKind, nameOf(object), errors));
    },
  };
}

async function problemsOf(
  binding: ValidatingAdmissionPolicyBinding,
  hosts: NamespacedBindingHosts & BindingParamAccess,
): Promise<readonly FieldError[]> {
  const { namespace = "", ...metadata } = binding.metadata;
  const others = hosts.gates.PolicyLimits ? (hosts.bindings() as unknown as ValidatingAdmissionPolicyBinding[]) : [];
  const errors = [
    ...validateBinding({ ...binding, metadata }),
    ...validateGatedBinding(binding, hosts.gates),
    ...validateBindingCount(binding, others, hosts.gates),
  ];
  if (errors.length > 0) return errors;
  const { paramRef, policyName = "" } = binding.spec;
  const { paramKind } = (await hosts.policy(policyName))?.spec ?? {};
  if (paramRef === undefined || paramKind === undefined || !hosts.isNamespaced(paramKind))
    return authorizeParamRef(binding, hosts);
  // Params are in the binding's namespace. Cluster-scoped objects need a right beyond it.
  return authorizeParamRef({ ...binding, spec: { ...binding.spec, paramRef: { ...paramRef, namespace } } }, hosts);
}

/** Puts the bindings of a cache in force, and follows its changes. */
export function followNamespacedBindings(policies: ValidatingPolicies, cache: ResourceCache): void {
  const kind = NAMESPACED_BINDINGS.as as "ValidatingAdmissionPolicyBinding";
  policies.change({ put: cache.all().map(({ object }) => asBinding(object) as PolicyResource) });
  cache.subscribe(({ type, object: { object } }) => {
    const { namespace = "" } = object.metadata ?? {};
    policies.change(
      type === "DELETED" ? { remove: [{ kind, name: nameOf(object), namespace }] } : { put: [asBinding(object)] },
    );
  });
}

function asBinding(object: KubeObject): ValidatingAdmissionPolicyBinding {
  const binding = { ...object, apiVersion: `${ADMISSION_REGISTRATION}/v1`, kind: NAMESPACED_BINDINGS.as };
  return binding as ValidatingAdmissionPolicyBinding;
}
