// Defaults of volumes and volume claims: k8s.io/kubernetes pkg/apis/core/v1, Kubernetes 1.36.

import { imagePullPolicy } from "./image.ts";
import { quantity, resourceList } from "./quantities.ts";
import {
  always,
  each,
  type Fields,
  get,
  type Rule,
  sequence,
  unset,
  whole,
  withFields,
  within,
  zero,
} from "./rules.ts";

export const fieldRef: Rule = within({ apiVersion: zero("v1") });

const downwardItems: Rule = each(within({ fieldRef }));
const mode: Rule = unset(0o644);

export const claimResources: Fields = { limits: resourceList, requests: resourceList };

export const claimSpec: Fields = {
  volumeMode: unset("Filesystem"),
  resources: always(claimResources),
};

/** Sources that volumes of pods and persistent volumes share. */
// biome-ignore format: one source per line
export const sharedSources: Fields = {
  hostPath:  within({ type: unset("") }),
  iscsi:     within({ iscsiInterface: zero("default") }),
  rbd:       within({ pool: zero("rbd"), user: zero("admin"), keyring: zero("/etc/ceph/keyring") }),
  azureDisk: within({ cachingMode: unset("ReadWrite"), fsType: unset("ext4"), readOnly: unset(false), kind: unset("Shared") }),
  scaleIO:   within({ storageMode: zero("ThinProvisioned"), fsType: zero("xfs") }),
};

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
  ephemeral:   within({ volumeClaimTemplate: within({ spec: always(claimSpec) }) }),
  emptyDir:    within({ sizeLimit: quantity }),
  image:       whole((image) => withFields(image, { pullPolicy: get(image, "pullPolicy") || imagePullPolicy(get(image, "reference")) })),
};

/** A volume without any source is an empty directory. */
export const volume: Rule = sequence(
  whole((given) => {
    const hasSource = Object.keys(given).some((field) => field !== "name" && get(given, field) !== undefined);
    return hasSource ? given : withFields(given, { emptyDir: {} });
  }),
  within(sources),
);
