// Rules for claims of storage; also in templates of claims.

import type {
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  TypedLocalObjectReference,
  TypedObjectReference,
} from "../../../api/generated/core-v1.ts";
import { JSON_SINCE, ShownBy } from "../../../field-error.ts";
import { GO_ADDRESS } from "../../../go-syntax.ts";
import { checkDns1123Label, checkDns1123Subdomain } from "../../../names.ts";
import { templateMetadata } from "../../checks/metadata.ts";
import { positiveQuantity, resourceAmount } from "../../checks/quantities.ts";
import { labelSelector } from "../../checks/selectors.ts";
import type { ValidatedField } from "../../field.ts";

const ACCESS_MODES: readonly string[] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
export const VOLUME_MODES: readonly string[] = ["Block", "Filesystem"];

export function claimTemplate(template: PersistentVolumeClaimTemplate, at: ValidatedField): void {
  templateMetadata(template.metadata, at.child("metadata"));
  claimSpec(template.spec ?? {}, at.child("spec"));
}

/** The modes a volume can be mounted in: known ones, and one that excludes all others. */
export function accessModes(modes: readonly string[] | undefined, at: ValidatedField): void {
  for (const mode of modes ?? []) if (!ACCESS_MODES.includes(mode)) at.unsupported(mode, ACCESS_MODES);
  const known = new Set((modes ?? []).filter((mode) => ACCESS_MODES.includes(mode)));
  if (known.has("ReadWriteOncePod") && known.size > 1) {
    at.forbidden("may not use ReadWriteOncePod with other access modes");
  }
}

/** If the source of an old claim had an API group, the new one may have any. */
export function claimSpec(
  spec: PersistentVolumeClaimSpec,
  at: ValidatedField,
  old: PersistentVolumeClaimSpec = {},
): void {
  const anyGroup = old.dataSource?.apiGroup != null || old.dataSourceRef?.apiGroup != null;
  at.child("accessModes").mustExist(spec.accessModes, "at least 1 access mode is required");
  labelSelector(spec.selector, at.child("selector"));
  accessModes(spec.accessModes, at.child("accessModes"));
  storage(spec, at.child("resources").key("storage"));
  at.child("storageClassName").mayBe(spec.storageClassName, checkDns1123Subdomain);
  at.child("volumeMode").mayBeOneOf(spec.volumeMode, VOLUME_MODES);
  if (spec.dataSource) dataSource(spec.dataSource, anyGroup, at.child("dataSource"));
  if (spec.dataSourceRef) {
    dataSource(spec.dataSourceRef, anyGroup, at.child("dataSourceRef"));
    at.child("dataSourceRef", "namespace").mayBe(spec.dataSourceRef.namespace, checkDns1123Label);
  }
  sourcesAgree(spec.dataSource, spec.dataSourceRef, at);
  at.child("volumeAttributesClassName").mayBe(spec.volumeAttributesClassName, checkDns1123Subdomain);
}

function storage(spec: PersistentVolumeClaimSpec, at: ValidatedField): void {
  const amount = spec.resources?.requests?.storage;
  if (amount === undefined) at.required();
  else if (at.holds(() => positiveQuantity(amount, at))) resourceAmount("storage", amount, at);
}

function dataSource(
  source: TypedLocalObjectReference | TypedObjectReference,
  anyGroup: boolean,
  at: ValidatedField,
): void {
  at.child("name").mustExist(source.name);
  at.child("kind").mustExist(source.kind);
  if (!source.apiGroup && source.kind !== "PersistentVolumeClaim") {
    at.invalid(source.kind ?? "", "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (!anyGroup) at.child("apiGroup").mayBe(source.apiGroup ?? undefined, checkDns1123Subdomain);
}

// The value shown is a path, which has nothing to print as JSON.
const A_PATH = new ShownBy((by) =>
  by.before(JSON_SINCE) ? `field.Path{name:"dataSource", index:"", parent:(*field.Path)(${GO_ADDRESS})}` : "{}",
);

function sourcesAgree(
  source: TypedLocalObjectReference | undefined,
  ref: TypedObjectReference | undefined,
  at: ValidatedField,
): void {
  if (source === undefined || ref === undefined) return;
  if (ref.namespace) at.invalid(A_PATH, "may not be specified when dataSourceRef.namespace is specified");
  else if (
    (source.apiGroup ?? null) !== (ref.apiGroup ?? null) ||
    source.kind !== ref.kind ||
    source.name !== ref.name
  ) {
    at.invalid(A_PATH, "must match dataSourceRef");
  }
}
