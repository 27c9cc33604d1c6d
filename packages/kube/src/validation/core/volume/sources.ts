// Sources of volumes, each with its required fields. Sources of persistent volumes that differ are in persistent-sources.ts.

import { compareStrings, utf8Length } from "@celadon/base";
import type * as core from "../../../api/generated/core-v1.ts";
import { checkDns1123Label, checkDns1123Subdomain, checkSubdomainOfAnyCase } from "../../../names.ts";
import { fileMode, localFile, localPath, noBacksteps } from "../../checks/paths.ts";
import { checkSubdomainAnyCase } from "../../checks/texts.ts";
import type { ValidatedField } from "../../field.ts";

const MAX_PARTITION = 255;
const MAX_LUN = 255;
const MAX_DRIVER_NAME = 63;
const MAX_TENANT = 64;
const HOST_PATH_TYPES: readonly string[] = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

export function hostPath(source: core.HostPathVolumeSource, at: ValidatedField): void {
  if (!source.path) {
    at.child("path").required();
    return;
  }
  noBacksteps(source.path, at.child("path"));
  at.child("type").mayBeOneOf(source.type, HOST_PATH_TYPES);
}

export function gitRepo(source: core.GitRepoVolumeSource, at: ValidatedField): void {
  at.child("repository").mustExist(source.repository);
  localPath(source.directory, at.child("directory"));
}

export function gceDisk(source: core.GCEPersistentDiskVolumeSource, at: ValidatedField): void {
  at.child("pdName").mustExist(source.pdName);
  partition(source.partition, at.child("partition"));
}

export function awsDisk(source: core.AWSElasticBlockStoreVolumeSource, at: ValidatedField): void {
  at.child("volumeID").mustExist(source.volumeID);
  partition(source.partition, at.child("partition"));
}

// Zero means the whole disk, though the message starts at one.
function partition(value = 0, at: ValidatedField): void {
  if (value < 0 || value > MAX_PARTITION) at.invalid(value, `must be between 1 and ${MAX_PARTITION}, inclusive`);
}

export function secret(source: core.SecretVolumeSource, at: ValidatedField): void {
  at.child("secretName").mustExist(source.secretName);
  fileMode(source.defaultMode, at.child("defaultMode"));
  at.child("items").each(source.items, (item, each) => keyToPath(item, each));
}

export function configMap(source: core.ConfigMapVolumeSource, at: ValidatedField): void {
  at.child("name").mustExist(source.name);
  fileMode(source.defaultMode, at.child("defaultMode"));
  at.child("items").each(source.items, (item, each) => keyToPath(item, each));
}

export function keyToPath(item: core.KeyToPath, at: ValidatedField): void {
  at.child("key").mustExist(item.key);
  at.child("path").mustExist(item.path);
  localFile(item.path, at.child("path"));
  fileMode(item.mode, at.child("mode"));
}

export function nfs(source: core.NFSVolumeSource, at: ValidatedField): void {
  at.child("server").mustExist(source.server);
  at.child("path").mustExist(source.path);
  if (!source.path?.startsWith("/")) at.child("path").invalid(source.path ?? "", "must be an absolute path");
}

const IQN = /iqn\.[0-9]{4}-[0-9]{2}\.([0-9A-Za-z\-.]+)(:[^,;*&$|\s]+)$/;
const EUI = /^eui.[0-9A-Za-z]{16}$/;
const NAA = /^naa.[0-9A-Za-z]{32}$/;
const ISCSI_FORMATS: readonly (readonly [string, RegExp])[] = [
  ["iqn", IQN],
  ["eui", EUI],
  ["naa", NAA],
];
export const ISCSI_NAME_TOO_LONG =
  "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";

/** The name of an iSCSI target or initiator. */
export function iscsiName(name: string, unknown: string, at: ValidatedField): void {
  const format = ISCSI_FORMATS.find(([start]) => name.startsWith(start));
  if (format === undefined) at.invalid(name, unknown);
  else if (!format[1].test(name)) at.invalid(name, "must be valid format");
}

export function iscsi(source: core.ISCSIVolumeSource, at: ValidatedField): void {
  const unknown = "must be valid format starting with iqn, eui, or naa";
  at.child("targetPortal").mustExist(source.targetPortal);
  if (source.iqn) iscsiName(source.iqn, unknown, at.child("iqn"));
  else at.child("iqn").required();
  at.child("lun").within(source.lun, 0, MAX_LUN);
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef) at.child("secretRef").required();
  if (source.initiatorName !== undefined) iscsiName(source.initiatorName, unknown, at.child("initiatorname"));
}

export function glusterfs(source: core.GlusterfsVolumeSource, at: ValidatedField): void {
  at.child("endpoints").mustExist(source.endpoints);
  at.child("path").mustExist(source.path);
}

export function flocker(source: core.FlockerVolumeSource, at: ValidatedField): void {
  const { datasetName, datasetUUID } = source;
  if (!datasetName && !datasetUUID) at.required("one of datasetName and datasetUUID is required");
  if (datasetName && datasetUUID) {
    at.invalid("resource", "datasetName and datasetUUID can not be specified simultaneously");
  }
  if (datasetName?.includes("/")) at.child("datasetName").invalid(datasetName, "must not contain '/'");
}

export function claim(source: core.PersistentVolumeClaimVolumeSource, at: ValidatedField): void {
  at.child("claimName").mustExist(source.claimName);
}

export function rbd(source: core.RBDVolumeSource | core.RBDPersistentVolumeSource, at: ValidatedField): void {
  at.child("monitors").mustExist(source.monitors);
  at.child("image").mustExist(source.image);
}

export function cinder(source: core.CinderVolumeSource, at: ValidatedField): void {
  at.child("volumeID").mustExist(source.volumeID);
  if (source.secretRef) at.child("secretRef", "name").mustExist(source.secretRef.name);
}

export function cephfs(source: core.CephFSVolumeSource | core.CephFSPersistentVolumeSource, at: ValidatedField): void {
  at.child("monitors").mustExist(source.monitors);
}

export function quobyte(source: core.QuobyteVolumeSource, at: ValidatedField): void {
  const { registry = "", tenant = "" } = source;
  const detail = "must be a host:port pair or multiple pairs separated by commas";
  if (registry === "") at.child("registry").required(detail);
  else if (utf8Length(tenant) > MAX_TENANT) {
    at.child("tenant").required("must be a UUID and may not exceed a length of 64 characters");
  } else {
    for (const pair of registry.split(",")) if (!isHostPort(pair)) at.child("registry").invalid(registry, detail);
  }
  at.child("volume").mustExist(source.volume);
}

function isHostPort(text: string): boolean {
  const colon = text.lastIndexOf(":");
  if (colon < 0) return false;
  if (text.startsWith("[")) {
    const end = text.indexOf("]");
    return end >= 0 && end + 1 === colon && !text.slice(1, end).includes("[") && !/[[\]]/.test(text.slice(end + 1));
  }
  return !text.slice(0, colon).includes(":") && !/[[\]]/.test(text);
}

export function fibreChannel(source: core.FCVolumeSource, at: ValidatedField): void {
  const [names, ids] = [source.targetWWNs ?? [], source.wwids ?? []];
  const place = at.child("targetWWNs");
  if (names.length === 0 && ids.length === 0) {
    place.required("must specify either targetWWNs or wwids, but not both");
  }
  if (names.length > 0 && ids.length > 0) {
    place.invalid(names, "targetWWNs and wwids can not be specified simultaneously");
  }
  if (names.length === 0) return;
  if (source.lun === undefined) at.child("lun").required("lun is required if targetWWNs is specified");
  else at.child("lun").within(source.lun, 0, MAX_LUN);
}

export function flexVolume(source: core.FlexVolumeSource | core.FlexPersistentVolumeSource, at: ValidatedField): void {
  at.child("driver").mustExist(source.driver);
  for (const key of Object.keys(source.options ?? {}).sort(compareStrings)) {
    const domain = `.${key.split("/", 2).length === 2 ? key.slice(0, key.indexOf("/")) : key}`.toLowerCase();
    if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
      at.child("options").key(key).invalid(key, "kubernetes.io and k8s.io namespaces are reserved");
    }
  }
}

export function azureFile(source: core.AzureFileVolumeSource, at: ValidatedField): void {
  at.child("secretName").mustExist(source.secretName);
  at.child("shareName").mustExist(source.shareName);
}

const MANAGED_DISK = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const BLOB_DISK = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

export function azureDisk(source: core.AzureDiskVolumeSource, at: ValidatedField): void {
  const { diskURI = "", kind } = source;
  at.child("diskName").mustExist(source.diskName);
  at.child("diskURI").mustExist(diskURI);
  at.child("cachingMode").mayBeOneOf(source.cachingMode, ["None", "ReadOnly", "ReadWrite"]);
  at.child("kind").mayBeOneOf(kind, ["Dedicated", "Managed", "Shared"]);
  if (kind === undefined) return;
  const [start, form] = kind === "Managed" ? ["/subscriptions/", MANAGED_DISK] : ["https://", BLOB_DISK];
  if (!diskURI.startsWith(start)) at.child("diskURI").unsupportedText(diskURI, [form]);
}

export function vsphere(source: core.VsphereVirtualDiskVolumeSource, at: ValidatedField): void {
  at.child("volumePath").mustExist(source.volumePath);
}

export function photonDisk(source: core.PhotonPersistentDiskVolumeSource, at: ValidatedField): void {
  at.child("pdID").mustExist(source.pdID);
}

export function portworx(source: core.PortworxVolumeSource, at: ValidatedField): void {
  at.child("volumeID").mustExist(source.volumeID);
}

export function scaleIo(
  source: core.ScaleIOVolumeSource | core.ScaleIOPersistentVolumeSource,
  at: ValidatedField,
): void {
  at.child("gateway").mustExist(source.gateway);
  at.child("system").mustExist(source.system);
  at.child("volumeName").mustExist(source.volumeName);
}

export function storageOs(
  source: core.StorageOSVolumeSource | core.StorageOSPersistentVolumeSource,
  at: ValidatedField,
): void {
  at.child("volumeName").mustBe(source.volumeName, checkDns1123Label);
  at.child("volumeNamespace").mayBe(source.volumeNamespace, checkDns1123Label);
  if (source.secretRef) at.child("secretRef", "name").mustExist(source.secretRef.name);
}

export function csi(source: core.CSIVolumeSource, at: ValidatedField): void {
  csiDriverName(source.driver, at.child("driver"));
  const ref = source.nodePublishSecretRef;
  if (ref === undefined) return;
  if (!ref.name) at.child("nodePublishSecretRef", "name").required();
  else at.child("name").check(ref.name, checkDns1123Subdomain);
}

/** The same for a field whose type declares the rule. */
export function declaredDriverName(name: string | undefined, at: ValidatedField): void {
  if (at.by.before(37)) {
    csiDriverName(name, at);
    return;
  }
  const { declared } = at;
  if (!name) declared.required();
  else {
    declared.check(name, checkSubdomainOfAnyCase);
    if (utf8Length(name) > MAX_DRIVER_NAME) declared.tooLong(MAX_DRIVER_NAME, "character");
  }
}

export function csiDriverName(name: string | undefined, at: ValidatedField): void {
  if (!name) {
    at.required();
    // Before 1.35 the empty name was looked at, too.
    if (at.by.since(35)) return;
  } else if (utf8Length(name) > MAX_DRIVER_NAME) at.tooLong(MAX_DRIVER_NAME);
  at.check(name, checkSubdomainAnyCase);
}
