// CSIDrivers, CSINodes and CSIStorageCapacities.

import { semanticEqual, utf8Length } from "@celadon/base";
import type {
  CSIDriver,
  CSIDriverSpec,
  CSINode,
  CSINodeDriver,
  CSIStorageCapacity,
} from "../../api/generated/storage-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { JsonShown } from "../../field-error.ts";
import { fieldPath } from "../../field-path.ts";
import { checkDns1123Subdomain, checkQualifiedName } from "../../names.ts";
import { givenPart } from "../../types/empty-fields.ts";
import type { Warning } from "../../warning.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { notNegativeQuantity } from "../checks/quantities.ts";
import { labelSelector } from "../checks/selectors.ts";
import { nodeSelectorWarnings } from "../core/node-labels.ts";
import { csiDriverName } from "../core/volume/sources.ts";
import { shownSelector } from "../core/workload.ts";
import { IMMUTABLE } from "../details.ts";
import type { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC } from "../rules.ts";
import { shownAs } from "../show/internal.ts";

const MAX_NODE_ID = 256;
const MIN_UPDATE_PERIOD = 10;
const TEN_MINUTES = 600;

export const csiDriver: AnyKindRules = kindRules<CSIDriver>({
  kind: { group: "storage.k8s.io", kind: "CSIDriver" },
  resource: "csidrivers",
  namespaced: false,
  unconditionalUpdate: false,
  prepareCreate: withoutDisabled,
  prepareUpdate(object, old) {
    const prepared = withoutDisabled(object);
    // A new driver has no generation; changes count from there.
    if (semanticEqual(prepared.spec, old.spec)) return prepared;
    return withField(prepared, ["metadata", "generation"], (old.metadata?.generation ?? 0) + 1);
  },
  validate(object, at) {
    metadata(object.metadata, { namespaced: false, name: checkDns1123Subdomain }, at.child("metadata"));
    driverSpec(object.spec ?? {}, at.child("spec"));
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    driverSpec(object.spec ?? {}, at.child("spec"));
    at.child("spec", "attachedRequired").immutable(object.spec?.attachRequired, old.spec?.attachRequired);
    const modes = at.child("spec", "volumeLifecycleModes");
    const spec = object.spec ?? {};
    const shown = (): unknown =>
      new JsonShown(givenPart(spec, "volumeLifecycleModes", []), "[]storage.VolumeLifecycleMode");
    modes.immutable(spec.volumeLifecycleModes, old.spec?.volumeLifecycleModes, shown);
  },
  warnOnCreate: tokenWarnings,
  warnOnUpdate: (object, old, by) =>
    semanticEqual(object.spec?.tokenRequests, old.spec?.tokenRequests) ? [] : tokenWarnings(object, by),
});

function withoutDisabled(object: CSIDriver): CSIDriver {
  return withField(object, [...SPEC, "preventPodSchedulingIfMissing"], undefined);
}

function driverSpec(spec: CSIDriverSpec, at: ValidatedField): void {
  if (spec.attachRequired === undefined) at.child("attachedRequired").required();
  if (spec.podInfoOnMount === undefined) at.child("podInfoOnMount").required();
  if (spec.storageCapacity === undefined) at.child("storageCapacity").required();
  at.child("fsGroupPolicy").mayBeOneOf(spec.fsGroupPolicy, ["File", "None", "ReadWriteOnceWithFSType"]);
  tokenRequests(spec, at.child("tokenRequests"));
  for (const mode of spec.volumeLifecycleModes ?? []) {
    at.child("volumeLifecycleModes").oneOf(mode, ["Persistent", "Ephemeral"]);
  }
  if (spec.seLinuxMount === undefined) at.child("seLinuxMount").required();
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < MIN_UPDATE_PERIOD) {
    const detail = `must be greater than or equal to ${MIN_UPDATE_PERIOD} seconds`;
    at.child("nodeAllocatableUpdatePeriodSeconds").invalid(period, detail);
  }
  const inSecrets = spec.serviceAccountTokenInSecrets;
  if (inSecrets !== undefined && !spec.tokenRequests?.length) {
    const detail = "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
    at.child("serviceAccountTokenInSecrets").invalid(inSecrets, detail);
  }
}

function tokenRequests(spec: CSIDriverSpec, at: ValidatedField): void {
  const audiences = new Set<string>();
  at.each(spec.tokenRequests, ({ audience = "", expirationSeconds: seconds }, each) => {
    if (audiences.has(audience)) {
      each.child("audience").duplicate(audience);
      return;
    }
    audiences.add(audience);
    if (seconds === undefined) return;
    const place = each.child("expirationSeconds");
    if (seconds < TEN_MINUTES) place.invalid(seconds, "may not specify a duration less than 10 minutes");
    if (seconds > 2 ** 32) place.invalid(seconds, "may not specify a duration larger than 2^32 seconds");
  });
}

function tokenWarnings(object: CSIDriver, by: Emulation): Warning[] {
  if (!by.enables("CSIServiceAccountTokenSecrets")) return [];
  const { tokenRequests: requests, serviceAccountTokenInSecrets: inSecrets } = object.spec ?? {};
  return requests?.length && inSecrets === undefined ? [TOKENS_IN_SECRETS] : [];
}

const TOKENS_IN_SECRETS: Warning = {
  text: "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes",
  path: fieldPath("spec", "serviceAccountTokenInSecrets"),
};

export const csiNode: AnyKindRules = kindRules<CSINode>({
  kind: { group: "storage.k8s.io", kind: "CSINode" },
  resource: "csinodes",
  namespaced: false,
  unconditionalUpdate: false,
  validate: wholeNode,
  validateUpdate(object, old, at) {
    wholeNode(object, at);
    // Counts of volumes may change since 1.35.
    const isFixed = !at.by.enables("MutableCSINodeAllocatableCount");
    const without = ({ allocatable, ...driver }: CSINodeDriver): CSINodeDriver =>
      isFixed && allocatable !== undefined ? { ...driver, allocatable } : driver;
    for (const before of old.spec?.drivers ?? []) {
      for (const now of (object.spec?.drivers ?? []).filter((driver) => driver.name === before.name)) {
        const show = (value: unknown): unknown => shownAs("storage.CSINodeDriver", value);
        const place = at.by.since(33) ? at.child("spec", "drivers") : at.child("CSINodeDriver");
        place.immutable(without(now), without(before), show);
      }
    }
  },
});

function wholeNode(object: CSINode, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: false, name: checkDns1123Subdomain }, at.child("metadata"));
  const names = new Set<string>();
  at.child("spec", "drivers").each(object.spec?.drivers ?? undefined, (driver, each) => {
    const { name = "", nodeID = "" } = driver;
    csiDriverName(name, each.child("name"));
    each.child("nodeID").mustExist(nodeID);
    if (utf8Length(nodeID) > MAX_NODE_ID) {
      each.child("nodeID").invalid(nodeID, `must be ${MAX_NODE_ID} characters or less`);
    }
    each.child("allocatable", "count").notNegative(driver.allocatable?.count);
    if (names.has(name)) each.child("name").duplicate(name);
    names.add(name);
    topologyKeys(driver.topologyKeys ?? [], each);
  });
}

// Errors name the driver, not the key.
function topologyKeys(keys: readonly string[], at: ValidatedField): void {
  keys.forEach((key, i) => {
    at.mustExist(key);
    if (keys.indexOf(key) < i) at.duplicate(key);
    at.check(key, checkQualifiedName);
  });
}

export const csiStorageCapacity: AnyKindRules = kindRules<CSIStorageCapacity>({
  kind: { group: "storage.k8s.io", kind: "CSIStorageCapacity" },
  resource: "csistoragecapacities",
  namespaced: true,
  unconditionalUpdate: false,
  validate: capacity,
  validateUpdate(object, old, at) {
    capacity(object, at);
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    at.child("nodeTopology").immutable(object.nodeTopology, old.nodeTopology, shownSelector);
    if ((object.storageClassName ?? "") !== (old.storageClassName ?? "")) {
      at.child("storageClassName").invalid(object.storageClassName ?? "", IMMUTABLE);
    }
  },
  warnOnCreate: (object) => nodeSelectorWarnings(object.nodeTopology, fieldPath("nodeTopology")),
  warnOnUpdate: (object) => nodeSelectorWarnings(object.nodeTopology, fieldPath("nodeTopology")),
});

function capacity(object: CSIStorageCapacity, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  labelSelector(object.nodeTopology, at.child("nodeTopology"));
  at.child("storageClassName").check(object.storageClassName, checkDns1123Subdomain);
  if (object.capacity !== undefined) notNegativeQuantity(object.capacity, at.child("capacity"));
}
