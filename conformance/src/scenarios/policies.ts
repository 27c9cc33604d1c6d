// Validating admission policies in the in-memory cluster: its store is the engine's host.

import {
  type AdmissionRequest,
  admit,
  createPolicySet,
  type Hosts,
  type PolicyResource,
  type PolicySet,
} from "@celadon/admission";
import { createRbacAuthorizer } from "@celadon/admission/memory";
import {
  apiVersionOf,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubeObject,
  labelsOf,
  nameOf,
} from "@celadon/kube";
import type { Attributes, Cluster } from "./cluster.ts";
import type { AdmissionAnswer, AdmissionPlugin, Handler, Write } from "./handler.ts";
import type { JsonObject } from "./json.ts";
import { gvkOfKind, gvrOf, type Kind } from "./kinds.ts";
import { presented } from "./write.ts";

const POLICY_KINDS: ReadonlySet<string> = new Set(["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"]);

export interface Policies {
  readonly handler: Handler;
  readonly plugin: AdmissionPlugin;
}

/** A handler that keeps the policy set, and the plugin that asks it. */
export function createPolicies(resources: Omit<Handler, "handles" | "deleted"> = {}): Policies {
  let policies: PolicySet = createPolicySet();
  return {
    handler: {
      ...resources,
      handles: (kind) => kind.group === "admissionregistration.k8s.io" && POLICY_KINDS.has(kind.kind),
      stored: (object, cluster) => {
        policies = policies.with({ put: [object as unknown as PolicyResource] });
        return resources.stored?.(object, cluster);
      },
      deleted: (object) => {
        const { kind } = object as unknown as PolicyResource;
        policies = policies.with({ remove: [{ kind, name: nameOf(object) }] });
      },
    },
    plugin: {
      name: "ValidatingAdmissionPolicy",
      validate: async (write): Promise<AdmissionAnswer> => {
        const { status, warnings, auditAnnotations } = await admit(requestOf(write), policies, hostsOf(write.cluster));
        return { ...(status && { status }), warnings, auditAnnotations };
      },
    },
  };
}

/** A write as an admission request. */
export function requestOf(write: Write): AdmissionRequest {
  const { kind, user, subresource } = write;
  const object = presented(write, write.object);
  const oldObject = presented(write, write.oldObject);
  return {
    kind: subresource === "" ? gvkOfKind(kind) : kind.subresources[subresource]!,
    resource: gvrOf(kind),
    operation: write.operation,
    ...(subresource === "" ? {} : { subresource }),
    name: write.name,
    // Requests for namespaces carry the namespace's own name.
    namespace: kind.group === "" && kind.resource === "namespaces" ? write.name : write.namespace,
    userInfo: user,
    object: (write.operation === "DELETE" ? null : (object ?? null)) as KubeObject | null,
    oldObject: (oldObject ?? null) as KubeObject | null,
    options: (write.options ?? null) as KubeObject | null,
    dryRun: write.dryRun,
  };
}

/** The cluster as the engine's hosts. */
export function hostsOf(cluster: Cluster): Hosts {
  const kindOf = ({ apiVersion = "", kind = "" }: { apiVersion?: string; kind?: string }): Kind | undefined =>
    cluster.kinds.find({ apiVersion, kind });
  return {
    namespaces: {
      namespace: (name) =>
        cluster.get(cluster.kinds.find({ apiVersion: "v1", kind: "Namespace" })!, "", name) as KubeObject | undefined,
    },
    params: {
      scope: (kind) => {
        const known = kindOf(kind);
        return known && (known.namespaced ? "Namespaced" : "Cluster");
      },
      get: (kind, namespace, name) => cluster.get(kindOf(kind)!, namespace, name) as KubeObject | undefined,
      list: (kind, namespace, selector) => {
        const known = kindOf(kind)!;
        const all = cluster.list(known, known.namespaced ? namespace : undefined) as KubeObject[];
        return all.filter((object) => selector.matches(labelsOf(object)));
      },
    },
    authorizer: authorizerOf(cluster),
    resources: {
      equivalents: (resource, subresource) =>
        cluster.kinds.equivalents(resource).filter(serves(subresource)).map(gvrOf),
      kind: (resource: GroupVersionResource, subresource: string) => {
        const kind = cluster.kinds.ofResource(resource);
        return kind && (subresource === "" ? gvkOfKind(kind) : kind.subresources[subresource]);
      },
    },
    converter: {
      convert: (object: KubeObject, to: GroupVersionKind): KubeObject => {
        const kind = cluster.kinds.find({ apiVersion: apiVersionOf(to), kind: to.kind });
        if (kind === undefined) return { ...object, apiVersion: apiVersionOf(to) };
        return cluster.convert(object as unknown as JsonObject, kind) as KubeObject;
      },
    },
  };
}

function serves(subresource: string): (kind: Kind) => boolean {
  return (kind) => subresource === "" || Object.hasOwn(kind.subresources, subresource);
}

const RBAC_KINDS = ["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"];

export function authorizerOf(cluster: Cluster): ReturnType<typeof createRbacAuthorizer> {
  const manifests = RBAC_KINDS.flatMap((kind) => {
    const known = cluster.kinds.find({ apiVersion: "rbac.authorization.k8s.io/v1", kind });
    return known === undefined ? [] : (cluster.list(known) as KubeObject[]);
  });
  return createRbacAuthorizer(manifests);
}

/** For `ClusterOptions.authorize`: RBAC from the roles in the store. */
export async function authorize(asked: Attributes, cluster: Cluster): Promise<boolean> {
  const { user, group, ...rest } = asked;
  const { username, ...info } = user;
  const decision = await authorizerOf(cluster).authorize({
    user: { name: username, ...info },
    resourceRequest: true,
    apiGroup: group,
    apiVersion: "*",
    ...rest,
  });
  return decision.decision === "allow";
}
