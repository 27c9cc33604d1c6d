// Admission policies in the in-memory cluster: its store is the engine's host.

import {
  type AdmissionRequest,
  createPolicySet,
  type Hosts,
  type PolicyResource,
  type PolicySet,
} from "@celadon/admission";
import { createRbacAuthorizer } from "@celadon/admission/memory";
import {
  createMutatingPolicySet,
  type MutatingPolicyResource,
  type MutatingPolicySet,
} from "@celadon/admission/mutating";
import { policyResourceKind } from "@celadon/admission/resources";
import {
  apiVersionOf,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubeObject,
  labelsOf,
  nameOf,
} from "@celadon/kube";
import type { Attributes, ScenarioCluster } from "../cluster.ts";
import type { Handler, Write } from "../handler.ts";
import type { JsonObject } from "../json.ts";
import { gvkOfKind, gvrOf, type Kind } from "../kinds.ts";
import { presented } from "../scale.ts";

export interface Policies {
  readonly handler: Handler;
  readonly policies: PolicySet;
  readonly mutatingPolicies: MutatingPolicySet;
}

/** A handler that keeps the sets of policies. */
export function createPolicies(resources: Omit<Handler, "handles" | "deleted"> = {}): Policies {
  let policies: PolicySet = createPolicySet();
  let mutatingPolicies: MutatingPolicySet = createMutatingPolicySet();
  return {
    get policies() {
      return policies;
    },
    get mutatingPolicies() {
      return mutatingPolicies;
    },
    handler: {
      ...resources,
      handles: (kind) => policyResourceKind({ apiVersion: apiVersionOf(kind), kind: kind.kind }) !== undefined,
      stored: (object, cluster) => {
        if (isMutating(object))
          mutatingPolicies = mutatingPolicies.with({ put: [object as unknown as MutatingPolicyResource] });
        else policies = policies.with({ put: [object as unknown as PolicyResource] });
        return resources.stored?.(object, cluster);
      },
      deleted: (object) => {
        const name = nameOf(object);
        if (isMutating(object)) {
          const { kind } = object as unknown as MutatingPolicyResource;
          mutatingPolicies = mutatingPolicies.with({ remove: [{ kind, name }] });
        } else {
          const { kind } = object as unknown as PolicyResource;
          policies = policies.with({ remove: [{ kind, name }] });
        }
      },
    },
  };
}

const isMutating = (object: JsonObject): boolean => String(object.kind).startsWith("Mutating");

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
export function hostsOf(cluster: ScenarioCluster): Hosts {
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

export function authorizerOf(cluster: ScenarioCluster): ReturnType<typeof createRbacAuthorizer> {
  const manifests = RBAC_KINDS.flatMap((kind) => {
    const known = cluster.kinds.find({ apiVersion: "rbac.authorization.k8s.io/v1", kind });
    return known === undefined ? [] : (cluster.list(known) as KubeObject[]);
  });
  return createRbacAuthorizer(manifests);
}

/** For `ClusterOptions.authorize`: RBAC from the roles in the store. */
export async function authorize(asked: Attributes, cluster: ScenarioCluster): Promise<boolean> {
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
