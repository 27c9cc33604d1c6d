// Nodes change only their own objects: their Node, lease and CSINode, the pods bound to them, tokens for those pods. Upstream: kubernetes
// plugin/pkg/admission/noderestriction.

import { type AdmissionRequest, objectName, type UserInfo } from "@celadon/admission";
import { compareStrings, quoteGo, semanticEqual } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@celadon/kube/api/core-v1";
import { notFound } from "@celadon/kube/status";
import type { AdmissionPlugin } from "@celadon/write";
import { userOf } from "../../authz/access.ts";
import { nodeOf } from "../../authz/node-identity.ts";
import { MIRROR_ANNOTATION, referenceOf } from "../../authz/pod-references.ts";
import { StatusError } from "../../wire/status-error.ts";
import { type PluginHosts, refusal } from "../plugin-hosts.ts";

export function nodeRestriction(hosts: PluginHosts): AdmissionPlugin {
  return {
    name: "NodeRestriction",
    mutate(request, { user }) {
      const node = nodeOf(user.username, user.groups);
      if (node === undefined) return undefined;
      if (node === "") throw refusal(request, `could not determine node from user ${quoteGo(user.username ?? "")}`);
      return restrict(hosts, request, node, user).then(() => undefined);
    },
  };
}

async function restrict(hosts: PluginHosts, request: AdmissionRequest, node: string, user: UserInfo): Promise<void> {
  const { resource, subresource = "" } = request;
  switch (`${resource.group}/${resource.resource}`) {
    case "/pods":
      if (subresource === "") return checkPod(hosts, request, node);
      if (subresource === "status") return checkPodStatus(request, node);
      if (subresource === "eviction") return checkEviction(hosts, request, node);
      throw refusal(
        request,
        `unexpected pod subresource ${quoteGo(subresource)}, only 'status' and 'eviction' are allowed`,
      );
    case "/nodes":
      return checkNode(request, node);
    case "/persistentvolumeclaims":
      if (subresource !== "status") throw refusal(request, "may only update PVC status");
      return checkClaimStatus(request, node);
    case "/serviceaccounts":
      if (request.operation === "CREATE" && subresource === "token") return checkToken(hosts, request, node, user);
      return;
    case "coordination.k8s.io/leases":
      return checkLease(request, node);
    case "storage.k8s.io/csinodes":
      if (objectName(request) === node) return;
      throw refusal(request, "can only access CSINode with the same name as the requesting node");
    case "resource.k8s.io/resourceslices":
      return checkSlice(request, node);
  }
}

/** The stored pod. */
async function podNamed(hosts: PluginHosts, { namespace = "" }: AdmissionRequest, name: string): Promise<Pod> {
  await hosts.loaded("pods");
  const pod = hosts.get("pods", namespace, name) as Pod | undefined;
  if (pod === undefined) throw new StatusError(notFound({ group: "", resource: "pods" }, name));
  return pod;
}

async function checkPod(hosts: PluginHosts, request: AdmissionRequest, node: string): Promise<void> {
  const own = quoteGo(node);
  if (request.operation === "CREATE") return checkMirrorPod(hosts, request, node);
  if (request.operation !== "DELETE") {
    const operation = quoteGo(request.operation);
    throw refusal(request, `unexpected operation ${operation}, node ${own} can only create and delete mirror pods`);
  }
  const pod = (request.oldObject as Pod | null) ?? (await podNamed(hosts, request, objectName(request)));
  if (pod.spec?.nodeName !== node) {
    throw refusal(request, `node ${own} can only delete pods with spec.nodeName set to itself`);
  }
}

async function checkMirrorPod(hosts: PluginHosts, request: AdmissionRequest, node: string): Promise<void> {
  const own = quoteGo(node);
  const pod = request.object as Pod;
  const owners = pod.metadata?.ownerReferences ?? [];
  if (pod.metadata?.annotations?.[MIRROR_ANNOTATION] === undefined) {
    const annotation = quoteGo(MIRROR_ANNOTATION);
    throw refusal(request, `pod does not have ${annotation} annotation, node ${own} can only create mirror pods`);
  }
  const only = (text: string): never => {
    throw refusal(request, `node ${own} can only create pods with ${text}`);
  };
  if (pod.spec?.nodeName !== node) only("spec.nodeName set to itself");
  if (owners.length > 1) only("a single owner reference set to itself");
  const [owner] = owners;
  if (owner === undefined || owner.apiVersion !== "v1" || owner.kind !== "Node" || owner.name !== node) {
    return only("an owner reference set to itself");
  }
  if (owner.controller !== true) only("a controller owner reference set to itself");
  if (owner.blockOwnerDeletion === true) {
    throw refusal(request, `node ${own} must not set blockOwnerDeletion on an owner reference`);
  }
  await hosts.loaded("nodes");
  const stored = hosts.get("nodes", "", node);
  if (stored === undefined) throw new StatusError(notFound({ group: "", resource: "nodes" }, node));
  const uid = stored.metadata?.uid;
  if (owner.uid !== uid) throw refusal(request, `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`);
  let reference: string | undefined;
  try {
    reference = referenceOf(pod);
  } catch (error) {
    throw refusal(request, `error checking mirror pod for API references: ${(error as Error).message}`);
  }
  if (reference !== undefined) throw refusal(request, `node ${own} can not create pods that reference ${reference}`);
}

function checkPodStatus(request: AdmissionRequest, node: string): void {
  const own = quoteGo(node);
  if (request.operation !== "UPDATE") throw refusal(request, `unexpected operation ${quoteGo(request.operation)}`);
  const [old, pod] = [request.oldObject as Pod, request.object as Pod];
  if (old.spec?.nodeName !== node) {
    throw refusal(request, `node ${own} can only update pod status for pods with spec.nodeName set to itself`);
  }
  if (!semanticEqual(old.metadata?.labels ?? {}, pod.metadata?.labels ?? {})) {
    throw refusal(request, `node ${own} cannot update labels through pod status`);
  }
  if (!semanticEqual(old.status?.resourceClaimStatuses ?? [], pod.status?.resourceClaimStatuses ?? [])) {
    throw refusal(request, `node ${own} cannot update resource claim statues`);
  }
  const extended = ({ status }: Pod): unknown => status?.extendedResourceClaimStatus ?? null;
  if (!semanticEqual(extended(old), extended(pod))) {
    throw refusal(request, `node ${own} cannot update extended resource claim status`);
  }
}

async function checkEviction(hosts: PluginHosts, request: AdmissionRequest, node: string): Promise<void> {
  if (request.operation !== "CREATE") throw refusal(request, `unexpected operation ${request.operation}`);
  const name = request.name || (request.object?.metadata?.name ?? "");
  if (name === "") throw refusal(request, "could not determine pod from request data");
  const pod = await podNamed(hosts, request, name);
  if (pod.spec?.nodeName !== node) {
    throw refusal(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
  }
}

function checkClaimStatus(request: AdmissionRequest, node: string): void {
  if (request.operation !== "UPDATE") throw refusal(request, `unexpected operation ${quoteGo(request.operation)}`);
  const rest = (claim: PersistentVolumeClaim): unknown => {
    const { resourceVersion: _, managedFields: __, ...metadata } = (claim.metadata ?? {}) as Record<string, unknown>;
    const { capacity, conditions, allocatedResources, allocatedResourceStatuses, ...status } = claim.status ?? {};
    return { metadata, spec: claim.spec, status };
  };
  if (semanticEqual(rest(request.oldObject as PersistentVolumeClaim), rest(request.object as PersistentVolumeClaim)))
    return;
  const fields = "status.quantity and status.conditions";
  throw refusal(request, `node ${quoteGo(node)} is not allowed to update fields other than ${fields}`);
}

function checkNode(request: AdmissionRequest, node: string): void {
  const own = quoteGo(node);
  const name = objectName(request);
  const refuse = (text: string): StatusError => refusal(request, text);
  if (name !== node) throw refuse(`node ${own} is not allowed to modify node ${quoteGo(name)}`);
  const { operation } = request;
  if (operation !== "CREATE" && operation !== "UPDATE") return;
  const now = request.object as Node;
  const before = operation === "UPDATE" ? (request.oldObject as Node) : undefined;
  const forbidden = forbiddenLabels(now.metadata?.labels ?? {}, before?.metadata?.labels ?? {});
  const source = now.spec?.configSource;
  if (before === undefined) {
    if (source != null) throw refuse(`node ${own} is not allowed to create pods with a non-nil configSource`);
    if (forbidden.length > 0) {
      throw refuse(`node ${own} is not allowed to set the following labels: ${forbidden.join(", ")}`);
    }
    return;
  }
  if (source != null && !semanticEqual(source, before.spec?.configSource)) {
    throw refuse(`node ${own} is not allowed to update configSource to a new non-nil configSource`);
  }
  if (!semanticEqual(now.spec?.taints ?? [], before.spec?.taints ?? [])) {
    throw refuse(`node ${own} is not allowed to modify taints`);
  }
  if (!semanticEqual(now.metadata?.ownerReferences ?? [], before.metadata?.ownerReferences ?? [])) {
    throw refuse(`node ${own} is not allowed to modify ownerReferences`);
  }
  if (forbidden.length > 0) throw refuse(`is not allowed to modify labels: ${forbidden.join(", ")}`);
}

/** Labels of Kubernetes that a kubelet sets on its own node. */
const KUBELET_LABELS: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);

type Labels = Readonly<Record<string, string>>;

/** Labels that would steer workloads to the node, among the changed ones. */
function forbiddenLabels(now: Labels, before: Labels): readonly string[] {
  const changed = [...new Set([...Object.keys(now), ...Object.keys(before)])].filter((key) => now[key] !== before[key]);
  const isIn = (namespace: string, domain: string): boolean => namespace === domain || namespace.endsWith(`.${domain}`);
  return changed
    .filter((key) => {
      const slash = key.indexOf("/");
      const namespace = slash === -1 ? "" : key.slice(0, slash);
      if (isIn(namespace, "node-restriction.kubernetes.io")) return true;
      if (!isIn(namespace, "kubernetes.io") && !isIn(namespace, "k8s.io")) return false;
      const isOfKubelet = isIn(namespace, "kubelet.kubernetes.io") || isIn(namespace, "node.kubernetes.io");
      return !KUBELET_LABELS.has(key) && !isOfKubelet;
    })
    .sort(compareStrings);
}

interface TokenRequestSpec {
  readonly audiences?: readonly string[];
  readonly boundObjectRef?: { readonly apiVersion?: string; kind?: string; name?: string; uid?: string } | null;
}

async function checkToken(hosts: PluginHosts, request: AdmissionRequest, node: string, user: UserInfo): Promise<void> {
  const { boundObjectRef: ref, audiences = [] } = (request.object?.spec ?? {}) as TokenRequestSpec;
  if (ref == null || ref.apiVersion !== "v1" || ref.kind !== "Pod" || !ref.name) {
    throw refusal(request, "node requested token not bound to a pod");
  }
  if (!ref.uid) throw refusal(request, "node requested token with a pod binding without a uid");
  const pod = await podNamed(hosts, request, ref.name);
  if (ref.uid !== pod.metadata?.uid) {
    const text = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw refusal(request, text);
  }
  if (pod.spec?.nodeName !== node) {
    throw refusal(request, "node requested token bound to a pod scheduled on a different node");
  }
  if (audiences.length > 1) throw refusal(request, "node may only request 0 or 1 audiences");
  const [audience = ""] = audiences;
  if (await namesAudience(hosts, pod, audience)) return;
  const { decision } = await hosts.authorizer.authorize({
    user: userOf(user),
    verb: "request-serviceaccounts-token-audience",
    resourceRequest: true,
    apiGroup: request.resource.group,
    apiVersion: request.resource.version,
    resource: audience,
    namespace: request.namespace ?? "",
    name: objectName(request),
  });
  if (decision === "allow") return;
  throw refusal(request, `${user.username} is not authorized to request tokens for audience ${quoteGo(audience)}`);
}

/** Whether a volume of the pod needs tokens for an audience, itself or through its driver. */
async function namesAudience(hosts: PluginHosts, pod: Pod, audience: string): Promise<boolean> {
  const stored = async (resource: string, namespace: string, name: string): Promise<KubeObject | undefined> => {
    await hosts.loaded(resource);
    return hosts.get(resource, namespace, name);
  };
  const { name: podName = "", namespace = "" } = pod.metadata ?? {};
  for (const { name, projected, csi, ephemeral, persistentVolumeClaim } of pod.spec?.volumes ?? []) {
    const isProjected = (projected?.sources ?? []).some(
      ({ serviceAccountToken: token }) => token != null && (token.audience ?? "") === audience,
    );
    if (isProjected) return true;
    let driver = csi?.driver;
    const claim = ephemeral != null ? `${podName}-${name}` : persistentVolumeClaim?.claimName;
    if (claim !== undefined) {
      const found = (await stored("persistentvolumeclaims", namespace, claim)) as PersistentVolumeClaim | undefined;
      const volume = found && (await stored("persistentvolumes", "", found.spec?.volumeName ?? ""));
      driver = (volume as PersistentVolume | undefined)?.spec?.csi?.driver;
    }
    if (driver === undefined) continue;
    const spec = (await stored("csidrivers.storage.k8s.io", "", driver))?.spec as
      | { readonly tokenRequests?: readonly { readonly audience?: string }[] }
      | undefined;
    if (spec?.tokenRequests?.some((tokenRequest) => (tokenRequest.audience ?? "") === audience)) return true;
  }
  return false;
}

function checkLease(request: AdmissionRequest, node: string): void {
  if (request.namespace !== "kube-node-lease") {
    throw refusal(request, 'can only access leases in the "kube-node-lease" system namespace');
  }
  if (objectName(request) === node) return;
  throw refusal(request, "can only access node lease with the same name as the requesting node");
}

function checkSlice(request: AdmissionRequest, node: string): void {
  const { operation } = request;
  if (operation !== "CREATE" && operation !== "DELETE") return;
  const slice = operation === "CREATE" ? request.object : request.oldObject;
  if ((slice?.spec as { nodeName?: string } | undefined)?.nodeName === node) return;
  const verb = operation.toLowerCase();
  throw refusal(request, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`);
}
