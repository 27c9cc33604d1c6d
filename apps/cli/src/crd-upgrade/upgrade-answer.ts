// What `crd upgrade` says, in every format.

import { placeOf } from "@celadon/simulator";
import { EXIT } from "../exit.ts";
import { placeText, startOf } from "../outcome/place.ts";
import type { Answer, Result, Table } from "../output/answer.ts";
import { upgradeJson } from "./upgrade-json.ts";
import { upgradeText } from "./upgrade-text.ts";
import { type AffectedObject, type DefinitionUpgrade, isBroken } from "./upgrades.ts";

export interface UpgradeTotals {
  readonly definitions: number;
  readonly refused: number;
  readonly objects: number;
  readonly broken: number;
  readonly held: number;
  readonly lossy: number;
}

export function totalsOf(upgrades: readonly DefinitionUpgrade[]): UpgradeTotals {
  const affected = upgrades.flatMap((one) => one.affected);
  return {
    definitions: upgrades.length,
    refused: upgrades.filter(({ refused }) => refused.length > 0).length,
    objects: upgrades.reduce((sum, { objects }) => sum + objects, 0),
    broken: affected.filter(isBroken).length,
    held: affected.filter((one) => !isBroken(one) && one.held.length > 0).length,
    lossy: affected.filter(({ lost }) => lost.length > 0).length,
  };
}

export function upgradeAnswer(upgrades: readonly DefinitionUpgrade[], shown: number): Answer {
  const { refused, broken } = totalsOf(upgrades);
  return {
    get results() {
      return upgrades.flatMap(resultsOf);
    },
    get document() {
      return upgradeJson(upgrades);
    },
    text: (paint) => upgradeText(upgrades, shown, paint),
    get table() {
      return tableOf(upgrades);
    },
    exit: refused + broken > 0 ? EXIT.failed : EXIT.ok,
  };
}

function resultsOf({ name, manifest, refused, affected, objects }: DefinitionUpgrade): Result[] {
  const place = placeOf(manifest, ["metadata", "name"]);
  const group = place?.file ?? "";
  const common = { group, system: "rules", policy: name } as const;
  const rows: Result[] = refused.map((message) => ({
    ...common,
    name: `${name} · upgrade/refused`,
    level: "fail",
    rule: "upgrade/refused",
    ruleText: "a definition that a server does not accept in place of the old one",
    message,
    ...(place && { place }),
  }));
  for (const one of affected) rows.push(...objectResults(one, name));
  if (rows.length === 0) {
    const message = objects === 0 ? "" : `${objects} objects as before`;
    rows.push({
      ...common,
      name: `${name} · upgrade`,
      level: "pass",
      rule: "upgrade",
      message,
      ...(place && { place }),
    });
  }
  return rows;
}

function objectResults(one: AffectedObject, definition: string): Result[] {
  const { kind, namespace, name, apiVersion, manifest, broken, held, lost, versionGone, notServed } = one;
  const place = startOf(manifest);
  const title = `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
  const row = (rule: string, level: "fail" | "warn", ruleText: string, message: string): Result => ({
    group: place?.file ?? "",
    name: `${title} · ${rule}`,
    level,
    rule,
    ruleText,
    message,
    ...(place && { place }),
    policy: definition,
    system: "rules",
    subject: { apiVersion, kind, ...(namespace !== "" && { namespace }), name },
  });
  const unserved = versionGone || notServed;
  return [
    ...broken.map((text) => row("upgrade/broken", "fail", "an object that nobody can update any more", text)),
    ...(unserved
      ? [row("upgrade/version", "fail", "an object in a version that is not served", `${apiVersion} is not served`)]
      : []),
    ...held.map((text) => row("upgrade/held", "warn", "an object that is held while its value is unchanged", text)),
    ...lost.map((field) => row("upgrade/lost", "warn", "data that the new schema drops", `${field} is dropped`)),
  ];
}

function tableOf(upgrades: readonly DefinitionUpgrade[]): Table {
  const rows = upgrades.flatMap(({ name, manifest, refused, affected }) => {
    const place = startOf(manifest);
    const own = refused.map((text) => ["refused", name, "", "", text, place ? placeText(place) : ""]);
    const objects = affected.flatMap((one) => {
      const at = startOf(one.manifest);
      const row = (what: string, text: string): string[] => [
        what,
        name,
        one.namespace,
        one.name,
        text,
        at ? placeText(at) : "",
      ];
      const unserved = one.versionGone || one.notServed;
      return [
        ...one.broken.map((text) => row("broken", text)),
        ...(unserved ? [row("version", `${one.apiVersion} is not served`)] : []),
        ...one.held.map((text) => row("held", text)),
        ...one.lost.map((field) => row("lost", String(field))),
      ];
    });
    return [...own, ...objects];
  });
  return { columns: ["WHAT", "DEFINITION", "NAMESPACE", "NAME", "MESSAGE", "PLACE"], rows };
}
