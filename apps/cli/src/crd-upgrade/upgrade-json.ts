// The report as the JSON that machines get. Documented in docs/reference/output.md: fields are added, never changed.

import { isRecord } from "@celadon/base";
import { FieldPath } from "@celadon/kube/errors";
import { startOf } from "../outcome/place.ts";
import { type AffectedObject, type DefinitionUpgrade, isBroken, totalsOf } from "./upgrades.ts";

export function upgradeJson(upgrades: readonly DefinitionUpgrade[]): Readonly<Record<string, unknown>> {
  return {
    apiVersion: "celadon.dev/v1",
    kind: "UpgradeReport",
    summary: totalsOf(upgrades),
    definitions: upgrades.map(definitionJson),
  };
}

function definitionJson(upgrade: DefinitionUpgrade): Record<string, unknown> {
  const { name, change, manifest, refused, storedVersions, comparison, objects, objectsByVersion, affected } = upgrade;
  return {
    ...placeJson(manifest),
    name,
    change,
    refused,
    storedVersions,
    versions: comparison.versions,
    schemas: comparison.schemas.map(withPathTexts),
    objects,
    objectsByVersion: Object.fromEntries(objectsByVersion),
    affected: affected.map((object) => withPathTexts(objectJson(object))),
  };
}

function objectJson(object: AffectedObject): Record<string, unknown> {
  const { manifest, kind, namespace, name, apiVersion, ...rest } = object;
  return {
    ...placeJson(manifest),
    object: { apiVersion, kind, ...(namespace !== "" && { namespace }), name },
    updatable: !isBroken(object),
    ...rest,
  };
}

/** Paths of fields as they are written. */
function withPathTexts(value: unknown): unknown {
  if (value instanceof FieldPath) return value.toString();
  if (Array.isArray(value)) return value.map(withPathTexts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withPathTexts(member)]));
}

function placeJson(manifest: DefinitionUpgrade["manifest"]): Record<string, unknown> {
  const place = startOf(manifest);
  return place === undefined ? {} : { file: place.file, line: place.line };
}
