// Definitions of two sets paired by name, each with the effect on its objects.

import type { JsonObject } from "@celadon/base";
import { admitDefinition, type CustomResourceDefinition, readDefinition } from "@celadon/crd";
import { checkUpgrade, compareDefinitions, type DefinitionComparison, type ObjectUpgrade } from "@celadon/crd/upgrade";
import { gvkOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { fieldErrorText } from "@celadon/kube/errors";
import { type Manifest, roleOf } from "@celadon/simulator/manifests";

export interface DefinitionUpgrade {
  readonly name: string;
  readonly change: "added" | "removed" | "changed" | "same";
  /** The new definition, or the old one when there is no new one. */
  readonly manifest: Manifest;
  /** The errors with which a server refuses the new definition. */
  readonly refused: readonly string[];
  /** Versions that objects were ever stored in, if the old CRD lists them. */
  readonly storedVersions: readonly string[];
  readonly comparison: DefinitionComparison;
  /** Objects of this kind in the inputs. */
  readonly objects: number;
  readonly objectsByVersion: ReadonlyMap<string, number>;
  /** The affected objects. */
  readonly affected: readonly AffectedObject[];
}

export interface AffectedObject extends Omit<ObjectUpgrade, "broken" | "held" | "object"> {
  readonly manifest: Manifest;
  readonly kind: string;
  readonly broken: readonly string[];
  readonly held: readonly string[];
  /** The version it is written in is no longer served. */
  readonly notServed: boolean;
}

/** Nobody can update it, or only with changes. */
export function isBroken({ broken, versionGone, notServed }: AffectedObject): boolean {
  return broken.length > 0 || versionGone || notServed;
}

export function upgradesOf(
  old: readonly Manifest[],
  next: readonly Manifest[],
  objects: readonly Manifest[],
): readonly DefinitionUpgrade[] {
  const [before, after] = [definitionsIn(old), definitionsIn(next)];
  const byKind = new Map<string, Manifest[]>();
  for (const manifest of objects) {
    const { group, kind } = gvkOf(manifest.object);
    const key = `${group}/${kind}`;
    const known = byKind.get(key);
    if (known === undefined) byKind.set(key, [manifest]);
    else known.push(manifest);
  }
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.map((name) => upgradeOf(name, before.get(name), after.get(name), byKind));
}

/** By name; of several, the last. */
export function definitionsIn(manifests: readonly Manifest[]): ReadonlyMap<string, Manifest> {
  return new Map(
    manifests
      .filter(({ object }) => roleOf(object) === "definition")
      .map((manifest) => [nameOf(manifest.object), manifest]),
  );
}

const NOTHING: DefinitionComparison = { versions: [], schemas: [] };

function upgradeOf(
  name: string,
  old: Manifest | undefined,
  next: Manifest | undefined,
  byKind: ReadonlyMap<string, readonly Manifest[]>,
): DefinitionUpgrade {
  const manifest = (next ?? old)!;
  const was = old && definitionOf(old.object);
  const now = next && definitionOf(next.object);
  const objects = byKind.get(kindKey(was ?? now)) ?? [];
  const common = {
    name,
    manifest,
    storedVersions: was?.status?.storedVersions ?? [],
    objects: objects.length,
    objectsByVersion: countsOf(objects),
  };
  if (old === undefined || next === undefined) {
    const admitted = next && admitDefinition(next.object, undefined);
    const refused = admitted?.allowed === false ? [admitted.status.message ?? ""] : [];
    const affected = next === undefined ? objects.map((object) => withoutDefinition(object)) : [];
    return { ...common, change: next ? "added" : "removed", refused, comparison: NOTHING, affected };
  }
  const isNamespaced = (was ?? now)?.spec.scope === "Namespaced";
  const stored = objects.map((given) => ({
    given,
    object: isNamespaced ? inSomeNamespace(given.object) : given.object,
  }));
  const report = checkUpgrade(
    old.object as unknown as CustomResourceDefinition,
    next.object as unknown as CustomResourceDefinition,
    stored.map(({ object }) => object as JsonObject),
  );
  const served = new Set(now?.spec.versions?.flatMap((version) => (version.served === true ? [version.name] : [])));
  const found = new Map(report.objects.map((object) => [object.object as unknown, object]));
  const affected = stored.flatMap(({ given, object }): AffectedObject[] => {
    const upgrade = found.get(object);
    const notServed = !served.has(versionOf(object)) && now !== undefined;
    if (upgrade === undefined && !notServed) return [];
    return [affectedOf(upgrade ?? untouched(object), given, notServed)];
  });
  const comparison = was && now ? compareDefinitions(was, now) : NOTHING;
  const refused = report.definition.map(fieldErrorText);
  const changed = comparison.versions.length > 0 || comparison.schemas.some(isChanged);
  return { ...common, change: changed ? "changed" : "same", refused, comparison, affected };
}

/** Manifests may leave the namespace to kubectl, but an existing object has one. */
function inSomeNamespace(object: KubeObject): KubeObject {
  if (namespaceOf(object) !== "") return object;
  return { ...object, metadata: { ...object.metadata, namespace: "default" } };
}

function isChanged({ with: other, changes, rules, costs }: DefinitionComparison["schemas"][number]): boolean {
  return other !== undefined || changes.length + rules.length + costs.expressions.length > 0;
}

function definitionOf(object: KubeObject): CustomResourceDefinition | undefined {
  const read = readDefinition(object);
  return "definition" in read ? read.definition : undefined;
}

function kindKey(definition: CustomResourceDefinition | undefined): string {
  return `${definition?.spec.group ?? ""}/${definition?.spec.names.kind ?? ""}`;
}

const versionOf = (object: KubeObject): string => gvkOf(object).version;

function countsOf(objects: readonly Manifest[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { object } of objects) counts.set(versionOf(object), (counts.get(versionOf(object)) ?? 0) + 1);
  return counts;
}

function affectedOf(upgrade: ObjectUpgrade, manifest: Manifest, notServed: boolean): AffectedObject {
  const { namespace, name, apiVersion, broken, held, lost, versionGone } = upgrade;
  return {
    manifest,
    kind: String(manifest.object.kind ?? ""),
    namespace,
    name,
    apiVersion,
    broken: broken.map(fieldErrorText),
    held: held.map(fieldErrorText),
    lost,
    versionGone,
    notServed,
  };
}

function untouched(object: KubeObject): ObjectUpgrade {
  const { namespace = "", name = "" } = object.metadata ?? {};
  const apiVersion = String(object.apiVersion ?? "");
  return {
    object: object as JsonObject,
    namespace,
    name,
    apiVersion,
    broken: [],
    held: [],
    lost: [],
    versionGone: false,
  };
}

/** Deleting a definition deletes its objects. */
function withoutDefinition(manifest: Manifest): AffectedObject {
  const object = affectedOf(untouched(manifest.object), manifest, true);
  return { ...object, versionGone: true, broken: ["the CRD is removed, and the object with it"] };
}

export interface UpgradeTotals {
  readonly definitions: number;
  readonly refused: number;
  readonly objects: number;
  readonly broken: number;
  readonly held: number;
  readonly lossy: number;
}

export function totalsOf(upgrades: readonly DefinitionUpgrade[]): UpgradeTotals {
  const affected = upgrades.flatMap((upgrade) => upgrade.affected);
  return {
    definitions: upgrades.length,
    refused: upgrades.filter(({ refused }) => refused.length > 0).length,
    objects: upgrades.reduce((sum, { objects }) => sum + objects, 0),
    broken: affected.filter(isBroken).length,
    held: affected.filter((object) => !isBroken(object) && object.held.length > 0).length,
    lossy: affected.filter(({ lost }) => lost.length > 0).length,
  };
}
