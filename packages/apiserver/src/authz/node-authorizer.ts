// The rights of a node: those of every kubelet, but for secrets, config maps, volumes, claims and service accounts only those that pods on
// the node name. It has an opinion only when it allows: everything else is up to roles. Upstream: kubernetes
// plugin/pkg/auth/authorizer/node.

import type { Authorizer } from "@celadon/admission";
import { quoteGo } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { PersistentVolume, Pod } from "@celadon/kube/api/core-v1";
import type { Minor } from "@celadon/kube/versions";
import type { Attributes, AuthorizerDecision } from "@celadon/kube-cel";
import { nodeRules } from "./bootstrap-roles.ts";
import { nodeOf } from "./node-identity.ts";
import { claimsOf, configMapsOf, isMirror, resourceClaimsOf, secretsOf } from "./pod-references.ts";
import type { Rule } from "./role-rule.ts";

export interface NodeHosts {
  /** Pods that are bound to a node. */
  podsOn(node: string): Promise<readonly Pod[]>;
  /** A stored object, `persistentvolumes` or `volumeattachments.storage.k8s.io`. */
  find(resource: string, name: string): Promise<KubeObject | undefined>;
  /** All objects of a resource. */
  list(resource: string): Promise<readonly KubeObject[]>;
}

const ALLOW: AuthorizerDecision = { decision: "allow", reason: "" };
const none = (reason = ""): AuthorizerDecision => ({ decision: "noOpinion", reason });
type NodeRequest = Required<Pick<Attributes, "verb" | "apiGroup" | "resource" | "subresource" | "namespace" | "name">> &
  Pick<Attributes, "fieldSelector">;

export class NodeAuthorizer implements Authorizer {
  readonly #hosts: NodeHosts;
  readonly #rules: readonly Rule[];

  constructor(hosts: NodeHosts, minor?: Minor) {
    this.#hosts = hosts;
    this.#rules = nodeRules(minor);
  }

  authorize(attributes: Attributes): AuthorizerDecision | Promise<AuthorizerDecision> {
    const { user, resourceRequest } = attributes;
    const node = nodeOf(user.name, user.groups);
    if (node === undefined) return none();
    if (node === "") return none(`unknown node for user ${quoteGo(user.name)}`);
    const { verb, apiGroup = "", resource = "", subresource = "", namespace = "", name = "" } = attributes;
    const asked: NodeRequest = { ...attributes, verb, apiGroup, resource, subresource, namespace, name };
    const own = resourceRequest ? this.#own[`${apiGroup}/${resource}`] : undefined;
    if (own !== undefined) return own(node, asked);
    return resourceRequest && isInRules(this.#rules, asked) ? ALLOW : none();
  }

  readonly #own: Readonly<
    Record<string, (node: string, asked: NodeRequest) => AuthorizerDecision | Promise<AuthorizerDecision>>
  > = {
    "/secrets": (node, asked) => this.#read(node, asked, () => this.#secret(node, asked)),
    "/configmaps": (node, asked) => this.#read(node, asked, () => this.#named(node, asked, configMapsOf)),
    "/persistentvolumeclaims": (node, asked) => {
      if (asked.subresource !== "status") return this.#get(node, asked, () => this.#named(node, asked, claimsOf));
      if (asked.verb !== "update" && asked.verb !== "patch") return none("can only get/update/patch this type");
      return related(node, asked, () => this.#named(node, asked, claimsOf));
    },
    "/persistentvolumes": (node, asked) =>
      this.#get(node, asked, async () =>
        this.#isVolumeOn(node, await this.#hosts.find("persistentvolumes", asked.name)),
      ),
    "resource.k8s.io/resourceclaims": (node, asked) =>
      this.#get(node, asked, () => this.#named(node, asked, resourceClaimsOf)),
    "storage.k8s.io/volumeattachments": (node, asked) =>
      this.#get(node, asked, () => this.#hasNode(node, "volumeattachments.storage.k8s.io", asked.name)),
    "/serviceaccounts": (node, asked) => this.#serviceAccount(node, asked),
    "coordination.k8s.io/leases": lease,
    "storage.k8s.io/csinodes": csiNode,
    "resource.k8s.io/resourceslices": (node, asked) => this.#slice(node, asked),
    "certificates.k8s.io/podcertificaterequests": (node, asked) => this.#certificateRequest(node, asked),
    "/nodes": nodeObject,
    "/pods": (node, asked) => this.#pod(node, asked),
  };

  #read(
    node: string,
    asked: NodeRequest,
    isRelated: () => Promise<boolean>,
  ): AuthorizerDecision | Promise<AuthorizerDecision> {
    if (!["get", "list", "watch"].includes(asked.verb)) return none("can only read resources of this type");
    if (asked.subresource !== "") return none("cannot read subresource");
    if (asked.namespace === "") return none("can only read namespaced object of this type");
    return related(node, asked, isRelated);
  }

  #get(
    node: string,
    asked: NodeRequest,
    isRelated: () => Promise<boolean>,
  ): AuthorizerDecision | Promise<AuthorizerDecision> {
    if (asked.verb !== "get") return none("can only get individual resources of this type");
    if (asked.subresource !== "") return none("cannot get subresource");
    return related(node, asked, isRelated);
  }

  async #podsIn(node: string, namespace: string): Promise<readonly Pod[]> {
    const pods = await this.#hosts.podsOn(node);
    return pods.filter((pod) => pod.metadata?.namespace === namespace);
  }

  async #named(
    node: string,
    { namespace, name }: NodeRequest,
    namesOf: (pod: Pod) => readonly string[],
  ): Promise<boolean> {
    const pods = await this.#podsIn(node, namespace);
    return pods.some((pod) => !isMirror(pod) && namesOf(pod).includes(name));
  }

  /** Named by a pod, or by a volume that a pod uses. */
  async #secret(node: string, asked: NodeRequest): Promise<boolean> {
    if (await this.#named(node, asked, secretsOf)) return true;
    for (const volume of (await this.#hosts.list("persistentvolumes")) as readonly PersistentVolume[]) {
      if (isSecretOf(volume, asked) && (await this.#isVolumeOn(node, volume as KubeObject))) return true;
    }
    return false;
  }

  async #isVolumeOn(node: string, volume: KubeObject | undefined): Promise<boolean> {
    const { namespace = "", name = "" } = (volume as PersistentVolume | undefined)?.spec?.claimRef ?? {};
    if (name === "") return false;
    const pods = await this.#podsIn(node, namespace);
    return pods.some((pod) => !isMirror(pod) && claimsOf(pod).includes(name));
  }

  async #hasNode(node: string, resource: string, name: string): Promise<boolean> {
    const found = await this.#hosts.find(resource, name);
    return (found?.spec as { nodeName?: string } | undefined)?.nodeName === node;
  }

  #serviceAccount(node: string, asked: NodeRequest): AuthorizerDecision | Promise<AuthorizerDecision> {
    const isUsed = (): Promise<boolean> =>
      this.#named(node, asked, ({ spec }) => (spec?.serviceAccountName ? [spec.serviceAccountName] : []));
    const { verb, subresource, name } = asked;
    if (verb === "get" && subresource === "") return this.#read(node, asked, isUsed);
    if (verb !== "create" || name === "") return none("can only create tokens for individual service accounts");
    if (subresource !== "token") return none("can only create token subresource of serviceaccount");
    return related(node, asked, isUsed);
  }

  #slice(node: string, asked: NodeRequest): AuthorizerDecision | Promise<AuthorizerDecision> {
    const { verb, subresource } = asked;
    if (subresource !== "") return none("cannot authorize ResourceSlice subresources");
    if (verb === "create") return ALLOW;
    if (["get", "update", "patch", "delete"].includes(verb)) {
      return related(node, asked, () => this.#hasNode(node, "resourceslices.resource.k8s.io", asked.name));
    }
    if (["watch", "list", "deletecollection"].includes(verb)) {
      if (selects(asked, "spec.nodeName", node)) return ALLOW;
      return none("can only list/watch/deletecollection resourceslices with nodeName field selector");
    }
    return none(
      "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection",
    );
  }

  /** A node cannot create one: nothing checks yet that a request is for a pod of its own. */
  #certificateRequest(node: string, asked: NodeRequest): AuthorizerDecision | Promise<AuthorizerDecision> {
    const { verb, subresource, namespace, name } = asked;
    if (subresource !== "") return none("nodes may not access the status subresource of PodCertificateRequests");
    const isOwn = async (): Promise<boolean> =>
      (await this.#hosts.list("podcertificaterequests.certificates.k8s.io")).some(
        ({ metadata, spec }) =>
          metadata?.namespace === namespace &&
          metadata.name === name &&
          (spec as { nodeName?: string } | undefined)?.nodeName === node,
      );
    if (verb === "get") return related(node, asked, isOwn);
    if (verb !== "list" && verb !== "watch") return none(`nodes may not ${verb} podcertificaterequests`);
    if (selects(asked, "spec.nodeName", node)) return ALLOW;
    return none("can only list/watch podcertificaterequests with nodeName field selector");
  }

  #pod(node: string, asked: NodeRequest): AuthorizerDecision | Promise<AuthorizerDecision> {
    const { verb, subresource, name } = asked;
    const isOn = async (): Promise<boolean> =>
      (await this.#podsIn(node, asked.namespace)).some((pod) => pod.metadata?.name === name);
    if (subresource === "status") return verb === "update" || verb === "patch" ? ALLOW : none();
    if (subresource === "eviction") return verb === "create" ? ALLOW : none();
    if (subresource !== "") return none();
    if (verb === "get") return this.#get(node, asked, isOn);
    if (verb === "create" || verb === "delete") return ALLOW;
    if (verb !== "list" && verb !== "watch") return none();
    if (selects(asked, "spec.nodeName", node)) return ALLOW;
    if (name !== "") return related(node, asked, isOn);
    return none("can only list/watch pods with spec.nodeName field selector");
  }
}

async function related(
  node: string,
  { name }: NodeRequest,
  isRelated: () => Promise<boolean>,
): Promise<AuthorizerDecision> {
  if (name === "") return none("No Object name found");
  return (await isRelated()) ? ALLOW : none(`no relationship found between node '${node}' and this object`);
}

function selects({ fieldSelector }: NodeRequest, field: string, value: string): boolean {
  return (fieldSelector?.requirements ?? []).some(
    (requirement) => requirement.field === field && requirement.value === value && requirement.operator === "=",
  );
}

const LEASES = "kube-node-lease";

function lease(node: string, { verb, namespace, name }: NodeRequest): AuthorizerDecision {
  if (!["get", "create", "update", "patch", "delete"].includes(verb)) {
    return none("can only get, create, update, patch, or delete a node lease");
  }
  if (namespace !== LEASES) return none(`can only access leases in the ${quoteGo(LEASES)} system namespace`);
  if (verb !== "create" && name !== node) {
    return none("can only access node lease with the same name as the requesting node");
  }
  return ALLOW;
}

function csiNode(node: string, { verb, subresource, name }: NodeRequest): AuthorizerDecision {
  if (subresource !== "") return none("cannot authorize CSINode subresources");
  if (!["get", "create", "update", "patch", "delete"].includes(verb)) {
    return none("can only get, create, update, patch, or delete a CSINode");
  }
  if (verb !== "create" && name !== node) {
    return none("can only access CSINode with the same name as the requesting node");
  }
  return ALLOW;
}

function nodeObject(node: string, { verb, subresource, name }: NodeRequest): AuthorizerDecision {
  const isChange = verb === "update" || verb === "patch";
  if (subresource === "status") return isChange ? ALLOW : none();
  if (subresource !== "") return none();
  if (verb === "create" || isChange) return ALLOW;
  if (!["get", "list", "watch"].includes(verb)) return none();
  if (name === node) return ALLOW;
  const what = name === "" ? "all nodes" : `'${name}'`;
  return none(`node '${node}' cannot read ${what}, only its own Node object`);
}

function isInRules(rules: readonly Rule[], { verb, apiGroup, resource, subresource }: NodeRequest): boolean {
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  return rules.some(
    ({ verbs, apiGroups = [], resources = [] }) =>
      verbs.includes(verb) && apiGroups.includes(apiGroup) && resources.includes(what),
  );
}

/** Whether a volume needs a secret on the node. */
function isSecretOf({ spec }: PersistentVolume, { namespace, name }: NodeRequest): boolean {
  const { csi, azureFile, cephfs, flexVolume, iscsi, rbd, scaleIO, storageos, claimRef } = spec ?? {};
  type Reference = { name?: string | undefined; namespace?: string | undefined } | null | undefined;
  const references: Reference[] = [
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodeExpandSecretRef,
    ...([cephfs, flexVolume, iscsi, rbd, scaleIO, storageos] as ({ secretRef?: Reference } | undefined)[]).map(
      (source) => source?.secretRef,
    ),
    azureFile && { name: azureFile.secretName, namespace: azureFile.secretNamespace ?? undefined },
  ];
  return references.some(
    (reference) => reference?.name === name && (reference.namespace || claimRef?.namespace) === namespace,
  );
}
