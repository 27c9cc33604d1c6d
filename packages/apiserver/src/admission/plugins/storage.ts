// Volumes and claims in use are not deleted before their users: a finalizer keeps them. Claims grow only where their class allows it.
// Upstream: plugin/pkg/admission/storage/storageobjectinuseprotection, plugin/pkg/admission/storage/persistentvolume/resize.

import type { KubeObject } from "@celadon/kube";
import type { PersistentVolumeClaim } from "@celadon/kube/api/core-v1";
import type { StorageClass } from "@celadon/kube/api/storage-v1";
import type { AdmissionPlugin } from "@celadon/write";
import { readQuantity } from "../../quota/pod-resources.ts";
import { isAbout, type PluginHosts, refusal } from "../plugin-hosts.ts";

/** By resource, what keeps its objects while they are used. */
export const PROTECTION: Readonly<Record<string, string>> = {
  persistentvolumes: "kubernetes.io/pv-protection",
  persistentvolumeclaims: "kubernetes.io/pvc-protection",
  "volumeattributesclasses.storage.k8s.io": "kubernetes.io/vac-protection",
};

export const storageProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  mutate({ operation, resource, subresource = "", object }) {
    if (operation !== "CREATE" || subresource !== "") return undefined;
    const name = resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`;
    const finalizer = PROTECTION[name];
    if (finalizer === undefined || (object ?? null) === null) return undefined;
    const created = object as KubeObject;
    const { finalizers = [] } = (created.metadata ?? {}) as { finalizers?: readonly string[] };
    if (finalizers.includes(finalizer)) return undefined;
    return { ...created, metadata: { ...created.metadata, finalizers: [...finalizers, finalizer] } };
  },
};

const BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

export function claimResize(hosts: PluginHosts): AdmissionPlugin {
  const classOf = ({ metadata, spec }: PersistentVolumeClaim): string =>
    metadata?.annotations?.[BETA_CLASS] ?? spec?.storageClassName ?? "";
  return {
    name: "PersistentVolumeClaimResize",
    validate(request) {
      if (request.operation !== "UPDATE" || !isAbout(request, "", "persistentvolumeclaims")) return;
      const claim = request.object as PersistentVolumeClaim;
      const old = request.oldObject as PersistentVolumeClaim;
      const size = ({ spec }: PersistentVolumeClaim) => readQuantity(spec?.resources?.requests?.storage);
      if (size(claim).compare(size(old)) <= 0) return;
      if (old.status?.phase !== "Bound") {
        throw refusal(request, "Only bound persistent volume claims can be expanded");
      }
      const name = classOf(claim);
      const found = hosts.get("storageclasses.storage.k8s.io", "", name) as StorageClass | undefined;
      if (name !== "" && name === classOf(old) && found?.allowVolumeExpansion === true) return;
      const text =
        "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";
      throw refusal(request, text);
    },
  };
}
