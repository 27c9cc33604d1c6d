// Defaults of volumes and volume claims: k8s.io/kubernetes pkg/apis/core/v1, Kubernetes 1.36.

import { imagePullPolicy } from "./image.ts";
import { resourceList, resources } from "./quantities.ts";
import { each, type Fields, isZero, ofObject, ofStruct, type Rule, sequence, whenUnset, zero } from "./rules.ts";

export const fieldRef: Rule = ofStruct({ apiVersion: zero("v1") });

const downwardItems: Rule = each(ofStruct({ fieldRef }));
const mode: Rule = whenUnset(0o644);

export const claimSpec: Rule = ofStruct({ volumeMode: whenUnset("Filesystem"), resources: ofStruct(resources) });

export const claim: Fields = {
  spec: claimSpec,
  status: ofStruct({ phase: zero("Pending"), capacity: resourceList, allocatedResources: resourceList }),
};

/** Sources that volumes of pods and persistent volumes share. */
// biome-ignore format: one source per line
const sharedSources: Fields = {
  hostPath:  ofStruct({ type: whenUnset("") }),
  iscsi:     ofStruct({ iscsiInterface: zero("default") }),
  rbd:       ofStruct({ pool: zero("rbd"), user: zero("admin"), keyring: zero("/etc/ceph/keyring") }),
  azureDisk: ofStruct({ cachingMode: whenUnset("ReadWrite"), fsType: whenUnset("ext4"), readOnly: whenUnset(false), kind: whenUnset("Shared") }),
  scaleIO:   ofStruct({ storageMode: zero("ThinProvisioned"), fsType: zero("xfs") }),
};

/** A persistent volume's spec, wherever it stands. */
export const volumeSpec: Rule = ofStruct({ capacity: resourceList, ...sharedSources });

// biome-ignore format: one source per line
const sources: Fields = {
  ...sharedSources,
  secret:      ofStruct({ defaultMode: mode }),
  configMap:   ofStruct({ defaultMode: mode }),
  downwardAPI: ofStruct({ defaultMode: mode, items: downwardItems }),
  projected:   ofStruct({ defaultMode: mode, sources: each(ofStruct({
                 downwardAPI: ofStruct({ items: downwardItems }),
                 serviceAccountToken: ofStruct({ expirationSeconds: whenUnset(3600) }),
               })) }),
  ephemeral:   ofStruct({ volumeClaimTemplate: ofStruct({ spec: claimSpec }) }),
  image:       ofObject((image) => {
                 if (isZero(image.pullPolicy)) image.pullPolicy = imagePullPolicy(image.reference);
               }),
};

/** A volume without any source is an empty directory. */
export const volume: Rule = sequence(
  ofObject((given) => {
    for (const field in given) if (field !== "name") return;
    given.emptyDir = {};
  }),
  ofStruct(sources),
);
