// VolumeAttachments.

import { utf8Length } from "@celadon/base";
import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentStatus,
  VolumeError,
} from "../../api/generated/storage-v1.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { metadata } from "../checks/metadata.ts";
import { persistentVolumeSpec } from "../core/volume/persistent-volume-spec.ts";
import { csiDriverName, declaredDriverName } from "../core/volume/sources.ts";
import type { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS, STATUS_KEEPS_METADATA } from "../rules.ts";
import { shownAs } from "../show/internal.ts";

const MAX_METADATA = 256 * 1024;
const MAX_ERROR_MESSAGE = 1024;
const MAX_INT32 = 2 ** 31 - 1;

export const volumeAttachment: AnyKindRules = kindRules<VolumeAttachment>({
  kind: { group: "storage.k8s.io", kind: "VolumeAttachment" },
  resource: "volumeattachments",
  namespaced: false,
  unconditionalUpdate: false,
  drops: [STATUS],
  keeps: [STATUS],
  validate: attachment,
  validateUpdate,
  subresources: { status: { keeps: [SPEC, ...STATUS_KEEPS_METADATA], validateUpdate } },
});

function validateUpdate(object: VolumeAttachment, old: VolumeAttachment, at: ValidatedField): void {
  attachment(object, at);
  const show = (value: unknown): unknown => shownAs("storage.VolumeAttachmentSpec", value);
  at.child("spec").declaredImmutable(object.spec, old.spec, show);
}

function attachment(object: VolumeAttachment, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: false, name: checkDns1123Subdomain }, at.child("metadata"));
  const { attacher, source = {}, nodeName } = object.spec ?? {};
  const place = at.child("spec");
  if (at.by.since(36)) declaredDriverName(attacher, place.child("attacher"));
  else place.child("attacher").mustExist(attacher);
  attachmentSource(source, place.child("source"));
  place.child("nodeName").check(nodeName, checkDns1123Subdomain);
  status(object.status ?? {}, at.child("status"));
  if (at.by.before(36)) csiDriverName(attacher, place.child("attacher"));
  const volume = source.persistentVolumeName;
  if (volume !== undefined) at.child("spec.source.persistentVolumeName").check(volume, checkDns1123Subdomain);
}

function attachmentSource(source: VolumeAttachmentSource, at: ValidatedField): void {
  const { inlineVolumeSpec: inline, persistentVolumeName: name } = source;
  const detail = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (inline && name !== undefined) at.forbidden(detail);
  else if (name !== undefined) {
    at.child("persistentVolumeName").mustExist(name, "must specify non empty persistentVolumeName");
  } else if (inline) {
    // Classes of attributes are not checked here.
    const spec = withField(inline, ["volumeAttributesClassName"], undefined);
    persistentVolumeSpec(spec, "", true, at.child("inlineVolumeSpec"));
  } else at.required(detail);
}

function status(given: VolumeAttachmentStatus, at: ValidatedField): void {
  const data = Object.entries(given.attachmentMetadata ?? {});
  const size = data.reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0);
  if (size > MAX_METADATA) at.child("attachmentMetadata").tooLong(MAX_METADATA);
  volumeError(given.attachError, at.child("attachError"));
  volumeError(given.detachError, at.child("detachError"));
}

function volumeError(error: VolumeError | undefined, at: ValidatedField): void {
  // The limit named is another one.
  if (utf8Length(error?.message ?? "") > MAX_ERROR_MESSAGE) at.child("message").tooLong(MAX_METADATA);
  if ((error?.errorCode ?? 0) < 0) at.child("errorCode").within(error!.errorCode, 0, MAX_INT32);
}
