// The object and the version that an update was made from: one that names another than the present one comes too late.
// Upstream: apiserver pkg/registry/generic/registry/store.go, pkg/storage/etcd3/store.go.

import { quoteGo } from "@celadon/base";
import type { GroupResource, KubeObject } from "@celadon/kube";
import { fieldErrorText, fieldPath, invalidValue, ShownBy } from "@celadon/kube/errors";
import { conflict, failure, invalidObject } from "@celadon/kube/status";
import { emulationOf, type Minor } from "@celadon/kube/versions";
import type { Draft } from "./draft.ts";
import type { WriteRequest } from "./request.ts";
import { StatusError } from "./status-error.ts";
import type { Strategy } from "./strategy/strategy.ts";

/** An unsigned number, which Go prints in hexadecimal where it prints its own syntax. */
const NO_VERSION = new ShownBy((by) => (by.since(34) ? "0" : "0x0"));

const MODIFIED = "the object has been modified; please apply your changes to the latest version and try again";

/** Throws a StatusError unless the draft was made from the present version. Fills in the version where it names none and need not. */
export function checkVersion(
  { unconditionalUpdate }: Strategy,
  resource: GroupResource & { readonly kind: string; readonly minor?: Minor | undefined },
  name: string,
  { metadata }: Draft,
  current: number,
): void {
  const version = writtenVersion(metadata.resourceVersion ?? "");
  if (version === current) return;
  if (version !== 0) throw new StatusError(conflict(resource, name, MODIFIED));
  if (!unconditionalUpdate) {
    const error = invalidValue("metadata.resourceVersion", NO_VERSION, "must be specified for an update");
    const shown = [{ ...error, by: emulationOf(resource.minor) }];
    throw new StatusError(invalidObject({ group: resource.group, kind: resource.resource }, name, shown));
  }
  metadata.resourceVersion = String(current);
}

/** The version an object was changed from; 0 for none. */
function writtenVersion(text: string): number {
  if (text === "" || /^\d+$/.test(text)) return parseResourceVersion(text);
  throw new StatusError(failure(undefined, `strconv.ParseUint: parsing ${quoteGo(text)}: invalid syntax`));
}

/** A resource version as a revision; 0 for none. */
export function parseResourceVersion(text: string): number {
  if (text === "" || text === "0") return 0;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  const problem =
    /^\d{20,}$/.test(text) && BigInt.asUintN(64, BigInt(text)) !== BigInt(text)
      ? "value out of range"
      : "invalid syntax";
  const detail = `strconv.ParseUint: parsing ${quoteGo(text)}: ${problem}`;
  throw new StatusError(failure(undefined, fieldErrorText(invalidValue(fieldPath("resourceVersion"), text, detail))));
}

/** Throws a StatusError for an update that names another identity than the object's: it is meant for an object that is gone. */
export function checkUid(
  { resource, dryRun }: Pick<WriteRequest, "resource" | "dryRun">,
  wanted: string | undefined,
  { metadata }: KubeObject,
): void {
  const { name = "", namespace = "", uid = "" } = metadata ?? {};
  if (wanted === undefined || wanted === "" || wanted === uid) return;
  // The key of the store, which a dry run does not reach.
  const root = dryRun ? "" : "/registry";
  const place = resource.storage.custom ? [resource.group] : [];
  const key = `${root}/${[...place, resource.resource, ...(namespace === "" ? [] : [namespace]), name].join("/")}`;
  const detail = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: `;
  throw new StatusError(conflict(resource, name, `${detail}${uidMismatch(wanted, uid)}`));
}

/** The text for an identity that is not the object's. */
export function uidMismatch(wanted: string, found: string): string {
  return `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
}
