// Rules for mounts of volumes and block devices in containers.

import type { Container, VolumeDevice, VolumeMount } from "../../../../api/generated/core-v1.ts";
import { hasBacksteps, localPath } from "../../../checks/paths.ts";
import type { ValidatedField } from "../../../field.ts";
import type { Volumes } from "../../volume/volumes.ts";

const PROPAGATION: readonly string[] = ["Bidirectional", "HostToContainer", "None"];
const RECURSIVE: readonly string[] = ["Disabled", "Enabled", "IfPossible"];

export function volumeMounts(container: Container, volumes: Volumes, at: ValidatedField): void {
  if (!container.volumeMounts?.length) return;
  const paths = new Set<string>();
  const devices = new Map(
    (container.volumeDevices ?? []).map((device) => [device.name ?? "", device.devicePath ?? ""]),
  );
  const devicePaths = new Set(devices.values());
  at.each(container.volumeMounts, (mount, each) => {
    const [name, path] = [mount.name ?? "", mount.mountPath ?? ""];
    each.child("name").mustExist(name);
    if (!volumes.has(name)) each.child("name").notFound(name);
    each.child("mountPath").mustExist(path);
    if (paths.has(path)) each.child("mountPath").invalid(path, "must be unique");
    paths.add(path);
    if (devices.has(name)) each.child("name").invalid(name, "must not already exist in volumeDevices");
    if (devicePaths.has(path)) {
      each.child("mountPath").invalid(path, "must not already exist as a path in volumeDevices");
    }
    subPaths(mount, at, each);
    propagation(mount, container, at.child("mountPropagation"));
    recursiveReadOnly(mount, at.child("recursiveReadOnly"));
  });
}

// These errors name the list, not the mount.
function subPaths(mount: VolumeMount, list: ValidatedField, at: ValidatedField): void {
  if (mount.subPath) localPath(mount.subPath, list.child("subPath"));
  if (!mount.subPathExpr) return;
  if (mount.subPath) {
    at.child("subPathExpr").invalid(mount.subPathExpr, "subPathExpr and subPath are mutually exclusive");
  }
  localPath(mount.subPathExpr, list.child("subPathExpr"));
}

function propagation(mount: VolumeMount, container: Container, at: ValidatedField): void {
  if (mount.mountPropagation === undefined) return;
  at.oneOf(mount.mountPropagation, PROPAGATION);
  if (mount.mountPropagation === "Bidirectional" && container.securityContext?.privileged !== true) {
    at.forbidden("Bidirectional mount propagation is available only to privileged containers");
  }
}

function recursiveReadOnly(mount: VolumeMount, at: ValidatedField): void {
  const mode = mount.recursiveReadOnly;
  if (mode === undefined || mode === "Disabled") return;
  if (!RECURSIVE.includes(mode)) {
    at.unsupported(mode, ["Disabled", "Enabled", "IfPossible"]);
    return;
  }
  if (!mount.readOnly) at.forbidden("may only be specified when readOnly is true");
  if (mount.mountPropagation !== undefined && mount.mountPropagation !== "None") {
    at.forbidden("may only be specified when mountPropagation is None or not specified");
  }
}

export function volumeDevices(container: Container, volumes: Volumes, at: ValidatedField): void {
  if (!container.volumeDevices?.length) return;
  const paths = new Set<string>();
  const names = new Set<string>();
  const mounts = new Map((container.volumeMounts ?? []).map((mount) => [mount.name ?? "", mount.mountPath ?? ""]));
  const mountPaths = new Set(mounts.values());
  at.each(container.volumeDevices, (device, each) => {
    const [name, path] = [device.name ?? "", device.devicePath ?? ""];
    each.child("name").mustExist(name);
    if (names.has(name)) each.child("name").invalid(name, "must be unique");
    deviceVolume(device, volumes, each.child("name"));
    each.child("devicePath").mustExist(path);
    if (paths.has(path)) each.child("devicePath").invalid(path, "must be unique");
    if (path !== "" && hasBacksteps(path)) {
      each.child("devicePath").invalid(path, "can not contain backsteps ('..')");
    } else paths.add(path);
    if (mounts.has(name)) each.child("name").invalid(name, "must not already exist in volumeMounts");
    if (mountPaths.has(path)) {
      each.child("devicePath").invalid(path, "must not already exist as a path in volumeMounts");
    }
    if (name !== "") names.add(name);
  });
}

function deviceVolume(device: VolumeDevice, volumes: Volumes, at: ValidatedField): void {
  const volume = volumes.get(device.name ?? "");
  if (volume === undefined) at.notFound(device.name ?? "");
  else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
    at.invalid(device.name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
  }
}
