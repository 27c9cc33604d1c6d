// Finds the objects that a pod makes its node need: the objects its specification names. Upstream: kubernetes pkg/api/v1/pod/util.go.

import { quoteGo } from "@celadon/base";
import type { Container, Pod, PodSpec, Volume } from "@celadon/kube/api/core-v1";

export const MIRROR_ANNOTATION = "kubernetes.io/config.mirror";

/** A pod that a node made known and did not get from the server: it opens nothing to the node. */
export const isMirror = ({ metadata }: Pod): boolean => metadata?.annotations?.[MIRROR_ANNOTATION] !== undefined;

const containersOf = (spec: PodSpec): readonly Container[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...((spec.ephemeralContainers ?? []) as readonly Container[]),
];

type Named = { readonly name?: string | undefined } | null | undefined;

/** Secrets that volumes of providers name. */
function secretsOfVolume(volume: Volume): readonly Named[] {
  const { azureFile, cephfs, csi, flexVolume, iscsi, rbd, scaleIO, storageos, secret, projected } = volume;
  return [
    { name: secret?.secretName },
    ...(projected?.sources ?? []).map((source) => source.secret as Named),
    { name: azureFile?.secretName },
    ...([cephfs, flexVolume, iscsi, rbd, scaleIO, storageos] as readonly ({ secretRef?: Named } | undefined)[]).map(
      (source) => source?.secretRef,
    ),
    csi?.nodePublishSecretRef as Named,
  ];
}

function isNamed<T extends Named>(t: T): t is T & { readonly name: string } {
  return t?.name !== undefined && t.name !== "";
}

export function secretsOf({ spec = {} }: Pod): readonly string[] {
  const used = [
    ...(spec.imagePullSecrets ?? []),
    ...(spec.volumes ?? []).flatMap(secretsOfVolume),
    ...containersOf(spec).flatMap(({ env, envFrom }) => [
      ...(env ?? []).map(({ valueFrom }) => valueFrom?.secretKeyRef as Named),
      ...(envFrom ?? []).map(({ secretRef }) => secretRef as Named),
    ]),
  ];
  return used.filter(isNamed).map(({ name }) => name);
}

export function configMapsOf({ spec = {} }: Pod): readonly string[] {
  const used = [
    ...(spec.volumes ?? []).flatMap(({ configMap, projected }) => [
      configMap as Named,
      ...(projected?.sources ?? []).map((source) => source.configMap as Named),
    ]),
    ...containersOf(spec).flatMap(({ env, envFrom }) => [
      ...(env ?? []).map(({ valueFrom }) => valueFrom?.configMapKeyRef as Named),
      ...(envFrom ?? []).map(({ configMapRef }) => configMapRef as Named),
    ]),
  ];
  return used.filter(isNamed).map(({ name }) => name);
}

export function claimsOf({ metadata, spec = {} }: Pod): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (ephemeral != null) return [`${metadata?.name ?? ""}-${name ?? ""}`];
    return persistentVolumeClaim?.claimName === undefined ? [] : [persistentVolumeClaim.claimName];
  });
}

export function resourceClaimsOf({ spec = {}, status = {} }: Pod): readonly string[] {
  const made = new Map(
    (status.resourceClaimStatuses ?? []).map((resourceClaimStatus) => [
      resourceClaimStatus.name,
      resourceClaimStatus.resourceClaimName,
    ]),
  );
  const extended = status.extendedResourceClaimStatus?.resourceClaimName;
  const own = (spec.resourceClaims ?? []).map(({ name, resourceClaimName }) => resourceClaimName ?? made.get(name));
  return [...own, extended].filter((name): name is string => name !== undefined && name !== null && name !== "");
}

/**
 * Finds the part of the API that a pod needs, in the words of its refusal; undefined when it needs nothing. Throws an Error for an unknown
 * type of reference.
 */
export function referenceOf(pod: Pod): string | undefined {
  const { spec = {} } = pod;
  if (spec.serviceAccountName) return "serviceaccounts";
  if (secretsOf(pod).length > 0) return "secrets";
  if (configMapsOf(pod).length > 0) return "configmaps";
  if ((spec.resourceClaims ?? []).length > 0) return "resourceclaims";
  for (const volume of spec.volumes ?? []) {
    if (volume.projected == null) {
      const kind = VOLUMES.find(([field]) => volume[field] != null);
      if (kind !== undefined) return kind[1];
      continue;
    }
    for (const source of volume.projected.sources ?? []) {
      const kind = SOURCES.find(([field]) => source[field] != null);
      if (kind !== undefined) return kind[1];
      if (source.downwardAPI == null)
        throw new Error(`unknown source for projected volume ${quoteGo(volume.name ?? "")}`);
    }
  }
  return undefined;
}

const VOLUMES = [
  ["configMap", "configmaps (via configmap volumes)"],
  ["secret", "secrets (via secret volumes)"],
  ["csi", "csidrivers (via CSI volumes)"],
  ["glusterfs", "endpoints (via glusterFS volumes)"],
  ["persistentVolumeClaim", "persistentvolumeclaims"],
  ["ephemeral", "persistentvolumeclaims (via ephemeral volumes)"],
  ["azureFile", "secrets (via azureFile volumes)"],
] as const;

const SOURCES = [
  ["configMap", "configmaps (via projected volumes)"],
  ["secret", "secrets (via projected volumes)"],
  ["serviceAccountToken", "serviceaccounts (via projected volumes)"],
  ["clusterTrustBundle", "clustertrustbundles"],
  ["podCertificate", "podcertificates"],
] as const;
