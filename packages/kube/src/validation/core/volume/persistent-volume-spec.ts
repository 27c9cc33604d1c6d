// The spec of a PersistentVolume, or of one inside a VolumeAttachment.

import { compareStrings } from "@celadon/base";
import type { PersistentVolumeSpec } from "../../../api/generated/core-v1.ts";
import { JsonShown } from "../../../field-error.ts";
import { QUANTITIES } from "../../../go-syntax.ts";
import { checkDns1123Subdomain } from "../../../names.ts";
import { givenPart } from "../../../types/empty-fields.ts";
import { basicAmount, positiveQuantity } from "../../checks/quantities.ts";
import { isEmpty, type ValidatedField } from "../../field.ts";
import { nodeSelector } from "../node-selector.ts";
import { accessModes, VOLUME_MODES } from "./claim.ts";
import * as persistent from "./persistent-sources.ts";
import * as source from "./sources.ts";

type SourceRule = (source: never, at: ValidatedField, volume: persistent.VolumeOfSource) => void;

/** The sources, as in volumes.ts: the field, its name when another source came first, its name in its own errors, its rule. */
// biome-ignore format: one source per line
const SOURCES: readonly (readonly [field: keyof PersistentVolumeSpec, extra: string, own: string, rule: SourceRule])[] = [
  ["hostPath",             "hostPath",             "hostPath",             source.hostPath],
  ["gcePersistentDisk",    "gcePersistentDisk",    "persistentDisk",       source.gceDisk],
  ["awsElasticBlockStore", "awsElasticBlockStore", "awsElasticBlockStore", source.awsDisk],
  ["glusterfs",            "glusterfs",            "glusterfs",            persistent.glusterfs],
  ["flocker",              "flocker",              "flocker",              source.flocker],
  ["nfs",                  "nfs",                  "nfs",                  source.nfs],
  ["rbd",                  "rbd",                  "rbd",                  source.rbd],
  ["quobyte",              "quobyte",              "quobyte",              source.quobyte],
  ["cephfs",               "cephFS",               "cephfs",               source.cephfs],
  ["iscsi",                "iscsi",                "iscsi",                persistent.iscsi],
  ["cinder",               "cinder",               "cinder",               persistent.cinder],
  ["fc",                   "fc",                   "fc",                   source.fibreChannel],
  ["flexVolume",           "",                     "flexVolume",           source.flexVolume],
  ["azureFile",            "azureFile",            "azureFile",            persistent.azureFile],
  ["vsphereVolume",        "vsphereVolume",        "vsphereVolume",        source.vsphere],
  ["photonPersistentDisk", "photonPersistentDisk", "photonPersistentDisk", source.photonDisk],
  ["portworxVolume",       "portworxVolume",       "portworxVolume",       source.portworx],
  ["azureDisk",            "azureDisk",            "azureDisk",            source.azureDisk],
  ["scaleIO",              "scaleIO",              "scaleIO",              source.scaleIo],
  ["local",                "local",                "local",                persistent.local],
  ["storageos",            "storageos",            "storageos",            persistent.storageOs],
  ["csi",                  "csi",                  "csi",                  persistent.csi],
];

/** Fields of a spec that say where its data is. */
export const SOURCE_FIELDS: readonly (keyof PersistentVolumeSpec)[] = SOURCES.map(([field]) => field);

const INLINE = "in the context of inline volumes";

export function persistentVolumeSpec(
  spec: PersistentVolumeSpec,
  name: string,
  isInline: boolean,
  at: ValidatedField,
): void {
  if (isInline) onlyInline(spec, at);
  at.child("accessModes").mustExist(spec.accessModes);
  accessModes(spec.accessModes, at.child("accessModes"));
  if (!isInline) capacity(spec, at.child("capacity"));
  reclaimPolicy(spec, isInline, at.child("persistentVolumeReclaimPolicy"));
  const affinity = at.child("nodeAffinity");
  if (spec.nodeAffinity && isInline) affinity.forbidden(`may not be specified ${INLINE}`);
  else if (spec.nodeAffinity?.required) nodeSelector(spec.nodeAffinity.required, affinity.child("required"));
  else if (spec.nodeAffinity) affinity.child("required").required("must specify required node constraints");
  sources(spec, { name, hasNodeAffinity: spec.nodeAffinity !== undefined && !isInline, spec: at }, at);
  const path = spec.hostPath?.path;
  if (path !== undefined && isRoot(path) && spec.persistentVolumeReclaimPolicy === "Recycle") {
    at.child("persistentVolumeReclaimPolicy").forbidden("may not be 'recycle' for a hostPath mount of '/'");
  }
  if (spec.storageClassName && isInline) at.child("storageClassName").forbidden(`may not be specified ${INLINE}`);
  else at.child("storageClassName").mayBe(spec.storageClassName, checkDns1123Subdomain);
  volumeMode(spec.volumeMode, isInline, at.child("volumeMode"));
  attributesClass(spec, at);
}

function onlyInline(spec: PersistentVolumeSpec, at: ValidatedField): void {
  if (spec.claimRef) at.child("claimRef").forbidden(`may not be specified ${INLINE}`);
  if (!isEmpty(Object.keys(spec.capacity ?? {}))) at.child("capacity").forbidden(`may not be specified ${INLINE}`);
  if (!spec.csi) at.child("csi").required(`has to be specified ${INLINE}`);
}

function capacity(spec: PersistentVolumeSpec, at: ValidatedField): void {
  const amounts = spec.capacity ?? {};
  const names = Object.keys(amounts).sort(compareStrings);
  if (names.length === 0) at.required();
  if (names.length !== 1 || names[0] !== "storage")
    at.unsupportedAs(new JsonShown(givenPart(spec, "capacity", {}), QUANTITIES), ["storage"]);
  for (const name of names) {
    basicAmount(amounts[name]!, at.key(name));
    positiveQuantity(amounts[name], at.key(name));
  }
}

function reclaimPolicy(spec: PersistentVolumeSpec, isInline: boolean, at: ValidatedField): void {
  const policy = spec.persistentVolumeReclaimPolicy;
  if (!policy) return;
  if (!isInline) at.oneOf(policy, ["Delete", "Recycle", "Retain"]);
  else if (policy !== "Retain") at.forbidden(`may only be Retain ${INLINE}`);
}

function sources(spec: PersistentVolumeSpec, volume: persistent.VolumeOfSource, at: ValidatedField): void {
  let found = false;
  for (const [field, extra, own, rule] of SOURCES) {
    const given = spec[field];
    if (given === undefined) continue;
    if (found && extra !== "") at.child(extra).forbidden("may not specify more than 1 volume type");
    else rule(given as never, at.child(own), volume);
    found = true;
  }
  if (!found) at.required("must specify a volume type");
}

/** `/`, in any notation. */
function isRoot(path: string): boolean {
  if (!path.startsWith("/")) return false;
  let depth = 0;
  for (const part of path.split("/")) {
    if (part === "..") depth = Math.max(0, depth - 1);
    else if (part !== "" && part !== ".") depth++;
  }
  return depth === 0;
}

function volumeMode(mode: string | undefined, isInline: boolean, at: ValidatedField): void {
  if (!isInline) at.mayBeOneOf(mode, VOLUME_MODES);
  else if (mode !== undefined && mode !== "Filesystem") {
    at.forbidden(`may not specify volumeMode other than Filesystem ${INLINE}`);
  }
}

function attributesClass(spec: PersistentVolumeSpec, at: ValidatedField): void {
  const name = spec.volumeAttributesClassName;
  // Without the feature 1.30 keeps the name and does not look at it; newer servers drop it.
  if (name === undefined || at.by.before(31)) return;
  const place = at.child("volumeAttributesClassName");
  if (name === "") place.required("an empty string is disallowed");
  else place.check(name, checkDns1123Subdomain);
  if (!spec.csi) at.child("csi").required("has to be specified when using volumeAttributesClassName");
}
