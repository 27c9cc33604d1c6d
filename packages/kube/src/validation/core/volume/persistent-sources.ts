// Sources of persistent volumes, where they differ from those of pods.

import { utf8Length } from "@celadon/base";
import type * as core from "../../../api/generated/core-v1.ts";
import { checkDns1123Label, checkDns1123Subdomain } from "../../../names.ts";
import { noBacksteps } from "../../checks/paths.ts";
import type { ValidatedField } from "../../field.ts";
import * as source from "./sources.ts";

const MAX_LUN = 255;

/** The facts about a volume that its source needs. */
export interface VolumeOfSource {
  readonly name: string;
  readonly hasNodeAffinity: boolean;
  readonly spec: ValidatedField;
}

export function glusterfs(given: core.GlusterfsPersistentVolumeSource, at: ValidatedField): void {
  source.glusterfs(given, at);
  const namespace = given.endpointsNamespace;
  const place = at.child("endpointsNamespace");
  if (namespace === "") place.invalid("", "if the endpointnamespace is set, it must be a valid namespace name");
  else if (namespace !== undefined) place.check(namespace, checkDns1123Label);
}

export function iscsi(given: core.ISCSIPersistentVolumeSource, at: ValidatedField, volume: VolumeOfSource): void {
  const { targetPortal = "", initiatorName } = given;
  const unknown = "must be valid format";
  at.child("targetPortal").mustExist(targetPortal);
  if (initiatorName !== undefined && utf8Length(`${volume.name}:${targetPortal}`) > 64) {
    at.child("targetportal").invalid(targetPortal, source.ISCSI_NAME_TOO_LONG);
  }
  if (given.iqn) source.iscsiName(given.iqn, unknown, at.child("iqn"));
  else at.child("iqn").required();
  at.child("lun").within(given.lun, 0, MAX_LUN);
  if ((given.chapAuthDiscovery || given.chapAuthSession) && !given.secretRef) at.child("secretRef").required();
  if (given.secretRef) at.child("secretRef", "name").mustExist(given.secretRef.name);
  if (initiatorName !== undefined) source.iscsiName(initiatorName, unknown, at.child("initiatorname"));
}

export function cinder(given: core.CinderPersistentVolumeSource, at: ValidatedField): void {
  source.cinder(given, at);
  if (given.secretRef) at.child("secretRef", "namespace").mustExist(given.secretRef.namespace);
}

export function azureFile(given: core.AzureFilePersistentVolumeSource, at: ValidatedField): void {
  at.child("secretName").mustExist(given.secretName);
  at.child("shareName").mustExist(given.shareName);
  if (given.secretNamespace != null) at.child("secretNamespace").mustExist(given.secretNamespace);
}

export function local(given: core.LocalVolumeSource, at: ValidatedField, volume: VolumeOfSource): void {
  if (given.path) noBacksteps(given.path, at.child("path"));
  else at.child("path").required();
  if (!volume.hasNodeAffinity) volume.spec.child("nodeAffinity").required("Local volume requires node affinity");
}

export function storageOs(given: core.StorageOSPersistentVolumeSource, at: ValidatedField): void {
  source.storageOs(given, at);
  if (given.secretRef) at.child("secretRef", "namespace").mustExist(given.secretRef.namespace);
}

const CSI_SECRETS = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
] as const;

export function csi(given: core.CSIPersistentVolumeSource, at: ValidatedField): void {
  source.csiDriverName(given.driver, at.child("driver"));
  at.child("volumeHandle").mustExist(given.volumeHandle);
  for (const field of CSI_SECRETS) {
    const ref = given[field];
    if (ref === undefined) continue;
    at.child(field, "name").mustBe(ref.name, checkDns1123Subdomain);
    at.child(field, "namespace").mustBe(ref.namespace, checkDns1123Label);
  }
}
