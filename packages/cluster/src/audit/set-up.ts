// Reads the policies, bindings, params, definitions, namespaces, roles and webhooks of a cluster, once. Only `list` is needed; unreadable
// resources are named, and the rest is used.

import type { Gates } from "@celadon/admission/proposals";
import { confinedBinding } from "@celadon/admission/proposals";
import { pushAll } from "@celadon/base";
import { type Api, type DiscoveredResource, withoutManagedFields } from "@celadon/client";
import { type KubeObject, labelsOf, nameOf } from "@celadon/kube";
import { MANAGED_BY } from "../webhook/configuration.ts";
import { readPolicyObject } from "../webhook/policy-objects.ts";
import { listWhole, type Unread } from "./list-all.ts";
import { POLICY_GROUP_KINDS } from "./policy-sources.ts";

/** Policies of a cluster, and their params. */
export interface ClusterSetUp {
  /** The objects in written form; policies of our own group in the words of the built-in kinds. */
  readonly objects: readonly KubeObject[];
  readonly unread: readonly Unread[];
  /** Policies that are not enforced, and why. */
  readonly rejected: readonly { readonly object: KubeObject; readonly why: string }[];
}

/** The parts of a cluster to read. */
export interface ReadSetUpOptions {
  readonly gates?: Gates;
  /** Policies and bindings too, not only their params. On unless false. */
  readonly policies?: boolean;
  /** Mutating policies and webhooks too. On unless false. */
  readonly mutation?: boolean;
  /** Policies from elsewhere, whose params are needed. */
  readonly given?: readonly KubeObject[];
  readonly signal?: AbortSignal;
}

const ALWAYS: readonly (readonly [group: string, resource: string])[] = [
  ["", "namespaces"],
  ["apiextensions.k8s.io", "customresourcedefinitions"],
  ["rbac.authorization.k8s.io", "clusterroles"],
  ["rbac.authorization.k8s.io", "clusterrolebindings"],
  ["rbac.authorization.k8s.io", "roles"],
  ["rbac.authorization.k8s.io", "rolebindings"],
];

const WEBHOOKS: typeof ALWAYS = [
  ["admissionregistration.k8s.io", "validatingwebhookconfigurations"],
  ["admissionregistration.k8s.io", "mutatingwebhookconfigurations"],
];

/** Reads the policies of a cluster, and their params. */
export async function fetchSetUp(
  api: Api,
  served: readonly DiscoveredResource[],
  options: ReadSetUpOptions = {},
): Promise<ClusterSetUp> {
  const { gates = {}, policies = true, mutation = true, given = [], signal } = options;
  const unread: Unread[] = [];
  const listed = async (resource: DiscoveredResource): Promise<readonly KubeObject[]> => {
    const found = await listWhole(api, resource, signal && { signal });
    if (found.unread) unread.push(found.unread);
    return found.objects.map(withoutManagedFields);
  };
  const named = (group: string, resource: string): readonly DiscoveredResource[] => {
    const all = served.filter(
      (servedResource) => servedResource.group === group && servedResource.resource === resource,
    );
    const best = all.find(({ version }) => version === "v1") ?? all[0];
    return best === undefined ? [] : [best];
  };
  const objects: KubeObject[] = [];
  for (const [group, resource] of policies && mutation ? [...ALWAYS, ...WEBHOOKS] : ALWAYS)
    for (const kind of named(group, resource))
      pushAll(
        objects,
        (await listed(kind)).filter((object) => !isOurs(object)),
      );
  const rejected: { object: KubeObject; why: string }[] = [];
  const read: KubeObject[] = [];
  for (const { group, resource, as } of policies ? POLICY_GROUP_KINDS : []) {
    if (!mutation && as.startsWith("Mutating")) continue;
    for (const kind of named(group, resource)) {
      for (const object of await listed(kind)) {
        const { resource, rejected: why } = readPolicyObject(object, as, { ...gates, NamespacedBindings: true });
        if (why !== undefined) rejected.push({ object, why });
        else read.push(confinedBinding({ ...object, ...resource } as KubeObject));
      }
    }
  }
  pushAll(objects, read);
  for (const { apiVersion, kind } of paramKinds([...read, ...given])) {
    const resource = served.find(
      (servedResource) => servedResource.kind === kind && groupVersionOf(servedResource) === apiVersion,
    );
    // Objects that were read already need not be requested again.
    if (resource === undefined || objects.some((object) => object.apiVersion === apiVersion && object.kind === kind))
      continue;
    pushAll(objects, await listed(resource));
  }
  return { objects, unread, rejected };
}

/** The webhook is called for the policies, which are read themselves. */
function isOurs(object: KubeObject): boolean {
  return labelsOf(object)["app.kubernetes.io/managed-by"] === MANAGED_BY;
}

const groupVersionOf = ({ group, version }: DiscoveredResource): string =>
  group === "" ? version : `${group}/${version}`;

/** The kinds of params of policies that have a binding. */
function paramKinds(objects: readonly KubeObject[]): readonly { apiVersion: string; kind: string }[] {
  const bound = new Set(
    objects.map(({ spec }) => (spec as { readonly policyName?: string } | undefined)?.policyName ?? ""),
  );
  const kinds = objects.flatMap((object) => {
    const { paramKind } = (object.spec ?? {}) as { paramKind?: { apiVersion?: string; kind?: string } };
    const { apiVersion = "", kind = "" } = paramKind ?? {};
    return kind !== "" && bound.has(nameOf(object)) ? [{ apiVersion, kind }] : [];
  });
  return [...new Map(kinds.map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind])).values()];
}
