// Defaults of volumes and volume claims: k8s.io/kubernetes pkg/apis/core/v1, Kubernetes 1.36.

import { imagePullPolicy } from "./image.ts";
import { resourceList, resources } from "./quantities.ts";
import { each, type Fields, isZero, type Rule, sequence, unset, whole, within, zero } from "./rules.ts";

export const fieldRef: Rule = within({ apiVersion: zero("v1") });

const downwardItems: Rule = each(within({ fieldRef }));
const mode: Rule = unset(0o644);

export const claimSpec: Rule = within({ volumeMode: unset("Filesystem"), resources: within(resources) });

export const claim: Fields = {
  spec: claimSpec,
  status: within({ phase: zero("Pending"), capacity: resourceList, allocatedResources: resourceList }),
};

/** Sources that volumes of pods and persistent volumes share. */
// biome-ignore format: one source per line
const sharedSources: Fields = {
  hostPath:  within({ type: unset("") }),
  iscsi:     within({ iscsiInterface: zero("default") }),
  rbd:       within({ pool: zero("rbd"), user: zero("admin"), keyring: zero("/etc/ceph/keyring") }),
  azureDisk: within({ cachingMode: unset("ReadWrite"), fsType: unset("ext4"), readOnly: unset(false), kind: unset("Shared") }),
  scaleIO:   within({ storageMode: zero("ThinProvisioned"), fsType: zero("xfs") }),
};

/** A persistent volume's spec, wherever it stands. */
export const volumeSpec: Rule = within({ capacity: resourceList, ...sharedSources });

// biome-ignore format: one source per line
const sources: Fields = {
  ...sharedSources,
  secret:      within({ defaultMode: mode }),
  configMap:   within({ defaultMode: mode }),
  downwardAPI: within({ defaultMode: mode, items: downwardItems }),
  projected:   within({ defaultMode: mode, sources: each(within({
                 downwardAPI: within({ items: downwardItems }),
                 serviceAccountToken: within({ expirationSeconds: unset(3600) }),
               })) }),
  ephemeral:   within({ volumeClaimTemplate: within({ spec: claimSpec }) }),
  image:       whole((image) => {
                 if (isZero(image.pullPolicy)) image.pullPolicy = imagePullPolicy(image.reference);
               }),
};

/** A volume without any source is an empty directory. */
export const volume: Rule = sequence(
  whole((given) => {
    for (const field in given) if (field !== "name") return;
    given.emptyDir = {};
  }),
  within(sources),
);
