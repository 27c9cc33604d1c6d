// PersistentVolumeClaims.

import { compareStrings, semanticEqual } from "@celadon/base";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "../../../api/generated/core-v1.ts";
import { fieldPath } from "../../../field-path.ts";
import { checkDns1123Subdomain, checkQualifiedName } from "../../../names.ts";
import { givenPart } from "../../../types/empty-fields.ts";
import { fieldWarning, type Warning } from "../../../warning.ts";
import { metadata, metadataUpdate } from "../../checks/metadata.ts";
import { basicAmount, quantityAt, resourceAmount } from "../../checks/quantities.ts";
import { isNative } from "../../checks/resource-names.ts";
import { IMMUTABLE } from "../../details.ts";
import { shownPointer, type ValidatedField } from "../../field.ts";
import { withField } from "../../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../../rules.ts";
import { internalDiff } from "../../show/unified-diff.ts";
import { claimSpec } from "./claim.ts";
import { claimWarnings } from "./claim-warnings.ts";

const STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";

export const persistentVolumeClaim: AnyKindRules = kindRules<PersistentVolumeClaim>({
  kind: { group: "", kind: "PersistentVolumeClaim" },
  resource: "persistentvolumeclaims",
  namespaced: true,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  prepareCreate: (object) => ({ ...object, spec: prepared(object.spec ?? {}, undefined) }),
  prepareUpdate: (object, old) => ({ ...object, spec: prepared(object.spec ?? {}, old.spec ?? {}) }),
  validate: (object, at) => claim(object, undefined, at),
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    claim(object, old.spec, at);
    claimUpdate(object, { ...old, spec: withBothSources(old.spec ?? {}) }, at);
  },
  warnOnCreate: warnings,
  warnOnUpdate: warnings,
  subresources: { status: { keeps: [SPEC], validateUpdate: statusUpdate } },
});

/** Older servers knew claims and snapshots as sources only; other ones are dropped where they stand in the old field. */
function prepared(
  given: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec | undefined,
): PersistentVolumeClaimSpec {
  let spec = given;
  if (spec.dataSourceRef?.namespace && old?.dataSourceRef === undefined) {
    spec = withField(spec, ["dataSourceRef"], undefined);
  }
  const hadSource = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  const { kind, apiGroup } = spec.dataSource ?? {};
  const isKnown =
    (kind === "PersistentVolumeClaim" && !apiGroup) ||
    (kind === "VolumeSnapshot" && apiGroup === "snapshot.storage.k8s.io");
  if (!hadSource && spec.dataSourceRef === undefined && !isKnown) spec = withField(spec, ["dataSource"], undefined);
  return withBothSources(spec);
}

/** Both fields say the same where only one was given. */
function withBothSources(spec: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  const { dataSource: source, dataSourceRef: ref } = spec;
  const pick = ({ apiGroup, kind, name }: NonNullable<typeof source>): object => ({
    ...(apiGroup == null ? {} : { apiGroup }),
    kind,
    name,
  });
  if (source !== undefined && ref === undefined) return withField(spec, ["dataSourceRef"], pick(source));
  if (ref !== undefined && source === undefined && !ref.namespace) return withField(spec, ["dataSource"], pick(ref));
  return spec;
}

function claim(object: PersistentVolumeClaim, old: PersistentVolumeClaimSpec | undefined, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  claimSpec(object.spec ?? {}, at.child("spec"), old);
}

function claimUpdate(object: PersistentVolumeClaim, old: PersistentVolumeClaim, at: ValidatedField): void {
  let [spec, before] = [object.spec ?? {}, old.spec ?? {}];
  if (!before.volumeName) before = withField(before, ["volumeName"], spec.volumeName);
  spec = withStorageClassOf(object, old, spec, before, at);
  if (object.status?.phase === "Bound") {
    if (spec.resources && givenPart(spec.resources, "requests", {}) !== null) {
      spec = withField(spec, ["resources", "requests", "storage"], storageOf(old) ?? "0");
    }
    spec = withField(spec, ["volumeAttributesClassName"], before.volumeAttributesClassName);
  }
  if (!semanticEqual(spec, before)) {
    const diff = internalDiff("core.PersistentVolumeClaimSpec", before, spec, at.by);
    const what =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    at.child("spec").forbidden(`${what}\n${diff}`);
  }
  const [size, oldSize] = [quantityAt(storageOf(object)), quantityAt(storageOf(old))];
  const held = quantityAt(old.status?.capacity?.storage);
  if (size.compare(oldSize) < 0 && size.compare(held) <= 0) {
    at.child("spec", "resources", "requests", "storage").forbidden("field can not be less than status.capacity");
  }
  at.child("volumeMode").immutable(object.spec?.volumeMode, old.spec?.volumeMode, shownPointer);
  attributesClass(object, old, at.child("spec", "volumeAttributesClassName"));
}

function storageOf(object: PersistentVolumeClaim): string | undefined {
  return object.spec?.resources?.requests?.storage;
}

/** A class may move from the annotation to the field, or be set where there was none. */
function withStorageClassOf(
  object: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  spec: PersistentVolumeClaimSpec,
  before: PersistentVolumeClaimSpec,
  at: ValidatedField,
): PersistentVolumeClaimSpec {
  const [now, annotated] = [object, old].map((item) => item.metadata?.annotations?.[STORAGE_CLASS]);
  const name = spec.storageClassName;
  const wasUnset = before.storageClassName === undefined;
  if (annotated !== undefined && wasUnset && name === annotated && (now === undefined || now === annotated)) {
    return withField(spec, ["storageClassName"], undefined);
  }
  if ((now ?? "") !== (annotated ?? ""))
    at.child("metadata", "annotations", STORAGE_CLASS).invalid(now ?? "", IMMUTABLE);
  const isFirst = name !== undefined && wasUnset && (annotated === undefined || name === annotated);
  return isFirst ? withField(spec, ["storageClassName"], before.storageClassName) : spec;
}

function attributesClass(object: PersistentVolumeClaim, old: PersistentVolumeClaim, at: ValidatedField): void {
  const name = object.spec?.volumeAttributesClassName;
  if (name === old.spec?.volumeAttributesClassName || old.status?.currentVolumeAttributesClassName === undefined)
    return;
  const detail = "is forbidden when status.currentVolumeAttributesClassName is not nil";
  if (name === undefined) at.forbidden(`update to nil ${detail}`);
  else if (name === "") at.forbidden(`update to empty string ${detail}`);
}

const RESIZE_STATUSES: readonly string[] = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
].sort(compareStrings);

function statusUpdate(object: PersistentVolumeClaim, old: PersistentVolumeClaim, at: ValidatedField): void {
  const status = object.status ?? {};
  const place = at.child("status");
  metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
  at.child("Spec", "accessModes").mustExist(object.spec?.accessModes);
  for (const name of keysOf(status.capacity)) basicAmount(status.capacity![name]!, place.child("capacity").key(name));
  const statuses = place.child("allocatedResourceStatuses");
  for (const name of keysOf(status.allocatedResourceStatuses)) {
    claimResource(name, statuses);
    if (!RESIZE_STATUSES.includes(status.allocatedResourceStatuses![name]!))
      statuses.unsupported(name, RESIZE_STATUSES);
  }
  const allocated = place.child("allocatedResources");
  for (const name of keysOf(status.allocatedResources)) {
    const amount = status.allocatedResources![name]!;
    const spot = allocated.key(name);
    if (!allocated.holds(() => claimResource(name, allocated))) continue;
    if (spot.holds(() => basicAmount(amount, spot))) resourceAmount("storage", amount, spot);
  }
}

function keysOf(map: object | undefined): string[] {
  return Object.keys(map ?? {}).sort(compareStrings);
}

function claimResource(name: string, at: ValidatedField): void {
  const problems = checkQualifiedName(name, at.by);
  for (const problem of problems) at.invalid(name, problem);
  if (problems.length === 0 && isNative(name) && name !== "storage") at.unsupportedText(name, ["storage"]);
}

function warnings(object: PersistentVolumeClaim): Warning[] {
  const claim = claimWarnings(object.spec ?? {}, fieldPath("spec"));
  if (object.metadata?.annotations?.[STORAGE_CLASS] === undefined) return claim;
  const at = fieldPath("metadata", "annotations").key(STORAGE_CLASS);
  return [fieldWarning(at, 'deprecated since v1.8; use "storageClassName" attribute instead'), ...claim];
}
