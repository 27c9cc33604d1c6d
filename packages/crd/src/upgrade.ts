// Upgrade check: an old definition, a new one, and objects that exist. Objects that can no longer be updated, because even an update that
// changes nothing is refused, and objects that can only be updated as long as their invalid parts stay unchanged.

import { isRecord, type JsonObject, own } from "@celadon/base";
import { gvkOf, nameOf, namespaceOf } from "@celadon/kube";
import { type FieldError, FieldPath, fieldErrorText, invalidValue, OMIT_VALUE } from "@celadon/kube/errors";
import type { CustomResourceDefinition } from "./definition/definition.ts";
import { readDefinition } from "./definition/read-definition.ts";
import { validateDefinitionUpdate } from "./definition/validate-definition.ts";
import { prepareDefinition } from "./prepare.ts";
import { type CompileDefinitionOptions, CustomResourceType } from "./resource.ts";
import { isTooDeep, TOO_DEEP } from "./value/depth.ts";

/** The effect of a new definition on existing objects. */
export interface UpgradeReport {
  /** Why the new definition would not be accepted as an update of the old one. */
  readonly definition: readonly FieldError[];
  /** Objects that are affected. */
  readonly objects: readonly ObjectUpgrade[];
  /** Objects that are not of the definition's group and kind: nothing was checked about them. */
  readonly ignored: readonly IgnoredObject[];
}

/** An object that was ignored, and why. */
export interface IgnoredObject {
  readonly namespace: string;
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** The effect of a new definition on an object. */
export interface ObjectUpgrade {
  /** The object as given. */
  readonly object: JsonObject;
  readonly namespace: string;
  readonly name: string;
  readonly apiVersion: string;
  /** Errors that even an update without a change gets: nobody can update the object until these are mended. */
  readonly broken: readonly FieldError[];
  /** Errors that are overlooked while the value they are about does not change. */
  readonly held: readonly FieldError[];
  /** Fields that the new schema does not know: gone when the object is next read. */
  readonly lost: readonly FieldPath[];
  /** The version the object is stored in is not in the new definition. */
  readonly versionGone: boolean;
}

/** Options for trying an upgrade. */
export interface UpgradeOptions extends CompileDefinitionOptions {
  /** The version to look at objects in; by default each object's own, or the storage version when that is gone. */
  readonly version?: string;
}

/** Both definitions as they are stored, or as a file has them: fields set by the server are filled in. */
export function checkUpgrade(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  objects: Iterable<JsonObject>,
  options: UpgradeOptions = {},
): UpgradeReport {
  const oldRead = readDefinition(old);
  const nextRead = readDefinition(next);
  if (!("definition" in oldRead)) return unreadable(`the old definition: ${oldRead.status.message}`);
  if (!("definition" in nextRead)) return unreadable(nextRead.status.message ?? "");
  // One that no server ever had is taken as just created.
  const stored = oldRead.definition.status ? oldRead.definition : prepareDefinition(oldRead.definition, undefined);
  const before = new CustomResourceType(stored, options);
  const after = new CustomResourceType(nextRead.definition, options);
  const found: ObjectUpgrade[] = [];
  const ignored: IgnoredObject[] = [];
  for (const object of objects) {
    const { group, kind } = isRecord(object) ? gvkOf(object) : { group: "", kind: "" };
    if (group !== before.group || kind !== before.kind) {
      const apiVersion = isRecord(object) ? String(own(object, "apiVersion") ?? "") : "";
      ignored.push({ namespace: namespaceOf(object), name: nameOf(object), apiVersion, kind });
      continue;
    }
    const upgrade = checkObject(object, before, after, options.version);
    if (upgrade.versionGone || upgrade.broken.length + upgrade.held.length + upgrade.lost.length > 0)
      found.push(upgrade);
  }
  const definition = validateDefinitionUpdate(prepareDefinition(nextRead.definition, stored), stored);
  return { definition, objects: found, ignored };
}

/** Without a valid CRD, objects cannot be compared. */
function unreadable(why: string): UpgradeReport {
  return { definition: [invalidValue(FieldPath.root, OMIT_VALUE, why)], objects: [], ignored: [] };
}

function checkObject(
  given: JsonObject,
  before: CustomResourceType,
  after: CustomResourceType,
  wanted: string | undefined,
): ObjectUpgrade {
  const stored =
    String(own(given, "apiVersion") ?? "")
      .split("/")
      .at(-1) ?? "";
  const versionGone = after.version(stored) === undefined;
  const version = after.version(wanted ?? (versionGone ? after.storageVersion : stored));
  const apiVersion = String(own(given, "apiVersion") ?? "");
  const start = { object: given, namespace: namespaceOf(given), name: nameOf(given), apiVersion, versionGone };
  if (version === undefined) return { ...start, broken: [], held: [], lost: [] };
  if (isTooDeep(given)) {
    return { ...start, broken: [invalidValue(FieldPath.root, OMIT_VALUE, TOO_DEEP)], held: [], lost: [] };
  }
  // Fields that the old definition would have pruned are not lost by the new one.
  const kept = before.version(stored)?.read(given) ?? given;
  const converted = after.convert(withMetadata(kept), version.name);
  const decoded = version.decode(converted);
  const lost = "unknown" in decoded ? decoded.unknown : [];
  const object = version.read(converted);
  const broken = version.validateUpdate(object, object).errors;
  const texts = new Set(broken.map(fieldErrorText));
  const all = broken.some(({ code }) => code === "rules_not_checked")
    ? version.validateCreate(object).errors
    : version.validateUnchanged(object);
  const held = all.filter((error) => !texts.has(fieldErrorText(error)));
  return { ...start, broken, held, lost };
}

/** An object from a file has no resource version, and need not. */
function withMetadata(object: JsonObject): JsonObject {
  const metadata = (own(object, "metadata") ?? {}) as JsonObject;
  return { ...object, metadata: { resourceVersion: "0", uid: "0", ...metadata } };
}
