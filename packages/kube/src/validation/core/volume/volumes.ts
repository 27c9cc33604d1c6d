// The volumes of a pod.

import { quoteGo, utf8Length } from "@celadon/base";
import type { Volume } from "../../../api/generated/core-v1.ts";
import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { checkDns1123Label, checkDns1123Subdomain } from "../../../names.ts";
import { quantityAt } from "../../checks/quantities.ts";
import type { ValidatedField } from "../../field.ts";
import { claimTemplate } from "./claim.ts";
import { downwardApi, projected } from "./projected.ts";
import * as source from "./sources.ts";

/** The volumes of a pod that are valid, by name. */
export type Volumes = ReadonlyMap<string, Volume>;

/** A pod itself, or the template of one: a few rules hold for pods alone. */
export type PodOrTemplate = "pod" | "template";

interface VolumeContext {
  readonly volume: Volume;
  /** The path of the volume. */
  readonly at: ValidatedField;
  readonly pod: ObjectMeta | undefined;
  readonly what: PodOrTemplate;
}

/**
 * A row per source in the order in which they are checked: the field, the name used when another source was there before, the name
 * used in errors of the source itself, its rule.
 */
// biome-ignore format: one source per line
const SOURCES: readonly (readonly [field: keyof Volume, extra: string, own: string, rule: (source: never, at: ValidatedField, context: VolumeContext) => void])[] = [
  ["hostPath",             "hostPath",             "hostPath",             source.hostPath],
  ["gitRepo",              "gitRepo",              "gitRepo",              source.gitRepo],
  ["gcePersistentDisk",    "gcePersistentDisk",    "persistentDisk",       source.gceDisk],
  ["awsElasticBlockStore", "awsElasticBlockStore", "awsElasticBlockStore", source.awsDisk],
  ["secret",               "secret",               "secret",               source.secret],
  ["nfs",                  "nfs",                  "nfs",                  source.nfs],
  ["iscsi",                "iscsi",                "iscsi",                source.iscsi],
  ["glusterfs",            "glusterfs",            "glusterfs",            source.glusterfs],
  ["flocker",              "flocker",              "flocker",              source.flocker],
  ["persistentVolumeClaim","persistentVolumeClaim","persistentVolumeClaim",source.claim],
  ["rbd",                  "rbd",                  "rbd",                  source.rbd],
  ["cinder",               "cinder",               "cinder",               source.cinder],
  ["cephfs",               "cephFS",               "cephfs",               source.cephfs],
  ["quobyte",              "quobyte",              "quobyte",              source.quobyte],
  ["downwardAPI",          "downwarAPI",           "downwardAPI",          downwardApi],
  ["fc",                   "fc",                   "fc",                   source.fibreChannel],
  ["flexVolume",           "flexVolume",           "flexVolume",           source.flexVolume],
  ["configMap",            "configMap",            "configMap",            source.configMap],
  ["azureFile",            "azureFile",            "azureFile",            source.azureFile],
  ["vsphereVolume",        "vsphereVolume",        "vsphereVolume",        source.vsphere],
  ["photonPersistentDisk", "photonPersistentDisk", "photonPersistentDisk", source.photonDisk],
  ["portworxVolume",       "portworxVolume",       "portworxVolume",       source.portworx],
  ["azureDisk",            "azureDisk",            "azureDisk",            source.azureDisk],
  ["storageos",            "storageos",            "storageos",            source.storageOs],
  ["projected",            "projected",            "projected",            projected],
  ["scaleIO",              "scaleIO",              "scaleIO",              source.scaleIo],
  ["csi",                  "csi",                  "csi",                  source.csi],
  ["ephemeral",            "ephemeral",            "ephemeral",            ephemeral],
  ["image",                "image",                "image",                image],
];

/** Reports errors, and returns the volumes that can be mounted. */
export function volumes(
  list: readonly Volume[] | undefined,
  pod: ObjectMeta | undefined,
  what: PodOrTemplate,
  at: ValidatedField,
): Volumes {
  const valid = new Map<string, Volume>();
  const created = new Set(
    pod?.name
      ? (list ?? []).filter((volume) => volume.ephemeral).map((volume) => `${pod.name}-${volume.name ?? ""}`)
      : [],
  );
  at.each(list, (volume, each) => {
    const name = volume.name ?? "";
    const isValid = each.holds(() => {
      volumeSource({ volume, at: each, pod, what });
      each.child("name").mustBe(name, checkDns1123Label);
      if (valid.has(name)) each.child("name").duplicate(name);
    });
    if (isValid) valid.set(name, volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && created.has(claim)) {
      const detail = "must not reference a PVC that gets created for an ephemeral volume";
      each.child("persistentVolumeClaim", "claimName").invalid(claim, detail);
    }
  });
  return valid;
}

function volumeSource(context: VolumeContext): void {
  const { volume, at } = context;
  let found = volume.emptyDir !== undefined;
  if (volume.emptyDir?.sizeLimit !== undefined && quantityAt(volume.emptyDir.sizeLimit).sign() < 0) {
    at.child("emptyDir", "sizeLimit").forbidden("SizeLimit field must be a valid resource quantity");
  }
  for (const [field, extra, own, rule] of SOURCES) {
    const given = volume[field];
    if (given === undefined) continue;
    if (found) at.child(extra).forbidden("may not specify more than 1 volume type");
    else rule(given as never, at.child(own), context);
    found = true;
    if (field === "iscsi") iscsiName(volume, at);
  }
  if (!found) at.required("must specify a volume type");
}

function iscsiName(volume: Volume, at: ValidatedField): void {
  const { initiatorName, targetPortal = "" } = volume.iscsi ?? {};
  if (initiatorName === undefined || utf8Length(`${volume.name ?? ""}:${targetPortal}`) <= 64) return;
  at.child("name").invalid(volume.name ?? "", source.ISCSI_NAME_TOO_LONG);
}

function ephemeral(given: NonNullable<Volume["ephemeral"]>, at: ValidatedField, context: VolumeContext): void {
  if (given.volumeClaimTemplate === undefined) at.child("volumeClaimTemplate").required();
  else claimTemplate(given.volumeClaimTemplate, at.child("volumeClaimTemplate"));
  const [pod, name] = [context.pod?.name, context.volume.name];
  if (!pod || !name) return;
  const claim = `${pod}-${name}`;
  for (const problem of checkDns1123Subdomain(claim)) {
    context.at.child("name").invalid(name, `PVC name ${quoteGo(claim)}: ${problem}`);
  }
}

function image(given: NonNullable<Volume["image"]>, at: ValidatedField, context: VolumeContext): void {
  if (context.what === "pod") at.child("reference").mustExist(given.reference);
  at.child("pullPolicy").mustBeOneOf(given.pullPolicy, ["Always", "IfNotPresent", "Never"]);
}
