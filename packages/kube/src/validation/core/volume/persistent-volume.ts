// PersistentVolumes.

import { semanticEqual } from "@celadon/base";
import type { PersistentVolume, PersistentVolumeSpec } from "../../../api/generated/core-v1.ts";
import type { Emulation } from "../../../emulation.ts";
import { fieldPath } from "../../../field-path.ts";
import { checkDns1123Subdomain } from "../../../names.ts";
import { fieldWarning, type Warning } from "../../../warning.ts";
import { metadata, metadataUpdate } from "../../checks/metadata.ts";
import { shownPointer, type ValidatedField } from "../../field.ts";
import { withField } from "../../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../../rules.ts";
import { shownAs } from "../../show/internal.ts";
import { internalDiff } from "../../show/unified-diff.ts";
import { nodeSelectorTermWarnings } from "../node-labels.ts";
import { persistentVolumeSpec, SOURCE_FIELDS } from "./persistent-volume-spec.ts";

const MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";

export const persistentVolume: AnyKindRules = kindRules<PersistentVolume>({
  kind: { group: "", kind: "PersistentVolume" },
  resource: "persistentvolumes",
  namespaced: false,
  unconditionalUpdate: true,
  keeps: [STATUS],
  prepareCreate: (object, { now }) => ({
    ...object,
    status: { phase: "Pending", ...(now === undefined ? {} : { lastPhaseTransitionTime: now }) },
  }),
  validate(object, at) {
    volume(object, at);
    mountOptions(object, at);
  },
  validateUpdate(object, old, at) {
    volume(object, at);
    mountOptions(object, at);
    volumeUpdate(object, old, at);
  },
  warnOnCreate: warningsOf,
  warnOnUpdate: (object, _old, by) => warningsOf(object, by),
  subresources: {
    status: {
      keeps: [SPEC],
      prepareUpdate: (object, old, { now }) => withPhaseTime(object, old, now),
      validateUpdate: (object, old, at) => metadataUpdate(object.metadata, old.metadata, at.child("metadata")),
    },
  },
});

function withPhaseTime(object: PersistentVolume, old: PersistentVolume, now: string | undefined): PersistentVolume {
  const [status, before] = [object.status ?? {}, old.status ?? {}];
  const [time, oldTime] = [status.lastPhaseTransitionTime, before.lastPhaseTransitionTime];
  const field = ["status", "lastPhaseTransitionTime"];
  if (status.phase === before.phase) return time === undefined ? withField(object, field, oldTime) : object;
  return time === undefined || time === oldTime ? withField(object, field, now) : object;
}

function volume(object: PersistentVolume, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: false, name: checkDns1123Subdomain }, at.child("metadata"));
  persistentVolumeSpec(object.spec ?? {}, object.metadata?.name ?? "", false, at.child("spec"));
}

/** Sources that know mount options in an annotation. */
const WITH_OPTIONS: readonly (keyof PersistentVolumeSpec)[] = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
];

function mountOptions(object: PersistentVolume, at: ValidatedField): void {
  if (WITH_OPTIONS.some((field) => object.spec?.[field] !== undefined)) return;
  if (object.metadata?.annotations?.[MOUNT_OPTIONS] === undefined) return;
  at.child("metadata", "annotations", MOUNT_OPTIONS).forbidden("may not specify mount options for this volume type");
}

function volumeUpdate(object: PersistentVolume, old: PersistentVolume, at: ValidatedField): void {
  volume(object, at);
  const [spec, before] = [object.spec ?? {}, old.spec ?? {}];
  const [source, oldSource] = [sourceOf(spec, before), sourceOf(before, before)];
  if (!semanticEqual(source, oldSource)) {
    const diff = internalDiff("core.PersistentVolumeSource", oldSource, source, at.by);
    const place = at.child("spec", "persistentvolumesource");
    place.forbidden(`spec.persistentvolumesource is immutable after creation\n${diff}`);
  }
  at.child("volumeMode").immutable(spec.volumeMode, before.volumeMode, shownPointer);
  if (before.nodeAffinity) nodeAffinityUpdate(spec, before, at.child("nodeAffinity"));
  const attributesClass = at.child("spec", "volumeAttributesClassName");
  const isChanged = spec.volumeAttributesClassName !== before.volumeAttributesClassName;
  if (isChanged && !at.by.enables("VolumeAttributesClass")) {
    attributesClass.forbidden("update is forbidden when the VolumeAttributesClass feature gate is disabled");
  }
  if (before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    attributesClass.forbidden("update from non-nil value to nil is forbidden");
  }
}

// A secret for expanding may be added.
function sourceOf(spec: PersistentVolumeSpec, before: PersistentVolumeSpec): Readonly<Record<string, unknown>> {
  const added = before.csi && before.csi.controllerExpandSecretRef === undefined && spec.csi?.controllerExpandSecretRef;
  const compared = added ? withField(spec, ["csi", "controllerExpandSecretRef"], undefined) : spec;
  return Object.fromEntries(
    SOURCE_FIELDS.filter((field) => compared[field] !== undefined).map((field) => [field, compared[field]]),
  );
}

const STABLE_LABELS: Readonly<Record<string, string>> = {
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
};

function nodeAffinityUpdate(spec: PersistentVolumeSpec, before: PersistentVolumeSpec, at: ValidatedField): void {
  const [now, old] = [spec.nodeAffinity, before.nodeAffinity];
  const terms = now?.required?.nodeSelectorTerms;
  // Beta labels may become the stable ones, and any label none at all.
  const relabelled = (old?.required?.nodeSelectorTerms ?? []).map((term, i) => ({
    ...term,
    ...(term.matchExpressions && {
      matchExpressions: term.matchExpressions.map((matchExpression, j) => {
        const { key = "" } = terms?.[i]?.matchExpressions?.[j] ?? matchExpression;
        return (STABLE_LABELS[matchExpression.key ?? ""] ?? "") === key ? { ...matchExpression, key } : matchExpression;
      }),
    }),
  }));
  const allowed = old?.required ? { ...old, required: { ...old.required, nodeSelectorTerms: relabelled } } : old;
  if (semanticEqual(now, allowed)) return;
  const shown = now === undefined ? null : shownAs("core.VolumeNodeAffinity", now);
  at.invalid(shown, "field is immutable, except for updating from beta label to GA");
}

/** Annotations that fields have taken the place of, and the first minor that says so. */
const ANNOTATIONS: readonly (readonly [string, string, number])[] = [
  ["volume.beta.kubernetes.io/storage-class", 'deprecated since v1.8; use "storageClassName" attribute instead', 0],
  [MOUNT_OPTIONS, 'deprecated since v1.31; use "mountOptions" attribute instead', 31],
];
const SOURCES: readonly (readonly [keyof PersistentVolumeSpec, string, string])[] = [
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

function warningsOf(object: PersistentVolume, by: Emulation): Warning[] {
  const spec = object.spec ?? {};
  const at = fieldPath("spec");
  const annotations = ANNOTATIONS.filter(
    ([key, , since]) => by.since(since) && object.metadata?.annotations?.[key] !== undefined,
  ).map(([key, message]) => fieldWarning(fieldPath("metadata", "annotations").key(key), message));
  const recycled =
    spec.persistentVolumeReclaimPolicy === "Recycle"
      ? [
          fieldWarning(
            "spec.persistentVolumeReclaimPolicy",
            "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
          ),
        ]
      : [];
  const terms = (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, i) =>
    nodeSelectorTermWarnings(term, false, at.child("nodeAffinity", "required", "nodeSelectorTerms").index(i)),
  );
  const sources = SOURCES.filter(([field]) => spec[field] !== undefined).map(([field, shown, message]) =>
    fieldWarning(at.child(shown).standingAt(at.child(field).steps), message),
  );
  return [...annotations, ...recycled, ...terms, ...sources];
}
