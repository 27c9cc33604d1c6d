// Upgrade check: an old definition, a new one, and objects that exist. Which of them can no longer be updated, because even
// an update that changes nothing is refused, and which only as long as what is wrong with them stays as it is.

import { type FieldError, fieldErrorText, nameOf, namespaceOf } from "@celadon/kube";
import type { CustomResourceDefinition } from "./definition/definition.ts";
import { validateDefinitionUpdate } from "./definition/validate-definition.ts";
import { prepareDefinition } from "./prepare.ts";
import { type CompileOptions, CustomResourceType } from "./resource.ts";
import { type JsonObject, own } from "./value/json.ts";

export interface UpgradeReport {
  /** Why the new definition would not be accepted as an update of the old one. */
  readonly definition: readonly FieldError[];
  /** Objects that are affected. */
  readonly objects: readonly ObjectUpgrade[];
}

export interface ObjectUpgrade {
  readonly namespace: string;
  readonly name: string;
  readonly apiVersion: string;
  /** Errors that even an update without a change gets: nobody can update the object until these are mended. */
  readonly broken: readonly FieldError[];
  /** Errors that are overlooked while the value they are about does not change. */
  readonly held: readonly FieldError[];
  /** Fields that the new schema does not know: gone when the object is next read. */
  readonly lost: readonly string[];
  /** The version the object is stored in is not in the new definition. */
  readonly versionGone: boolean;
}

export interface UpgradeOptions extends CompileOptions {
  /** The version to look at objects in; by default each object's own, or the storage version when that is gone. */
  readonly version?: string;
}

/** Both definitions as they are stored. */
export function checkUpgrade(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  objects: Iterable<JsonObject>,
  options: UpgradeOptions = {},
): UpgradeReport {
  const before = new CustomResourceType(old, options);
  const after = new CustomResourceType(next, options);
  const found: ObjectUpgrade[] = [];
  for (const object of objects) {
    const upgrade = checkObject(object, before, after, options.version);
    if (upgrade.versionGone || upgrade.broken.length + upgrade.held.length + upgrade.lost.length > 0)
      found.push(upgrade);
  }
  return { definition: validateDefinitionUpdate(prepareDefinition(next, old), old), objects: found };
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
  const start = { namespace: namespaceOf(given), name: nameOf(given), apiVersion, versionGone };
  if (version === undefined) return { ...start, broken: [], held: [], lost: [] };
  // What the old definition would have pruned is not lost by the new one.
  const kept = before.version(stored)?.read(given) ?? given;
  const converted = after.convert(withMetadata(kept), version.name);
  const decoded = version.decode(converted);
  const lost = "unknown" in decoded ? decoded.unknown : [];
  const object = version.read(converted);
  const broken = version.validateUpdate(object, object).errors;
  const texts = new Set(broken.map(fieldErrorText));
  const all = broken.some(isRuleNotice) ? version.validateCreate(object).errors : version.validateUnchanged(object);
  const held = all.filter((error) => !texts.has(fieldErrorText(error)));
  return { ...start, broken, held, lost };
}

/** The notice that no rule ran. */
function isRuleNotice({ field, detail }: FieldError): boolean {
  return field === "<nil>" && detail.startsWith("some validation rules were not checked");
}

/** An object from a file has no resource version, and need not. */
function withMetadata(object: JsonObject): JsonObject {
  const metadata = (own(object, "metadata") ?? {}) as JsonObject;
  return { ...object, metadata: { resourceVersion: "0", uid: "0", ...metadata } };
}
