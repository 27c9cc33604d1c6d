// The report of `crd upgrade`, in every format.

import { pushAll } from "@celadon/base";
import { placeOf } from "@celadon/simulator/manifests";
import { startOf } from "../outcome/place.ts";
import type { CommandReport, ReportRow, Table } from "../output/answer.ts";
import { placeText } from "../output/place-text.ts";
import { EXIT } from "../program/exit.ts";
import { breakingChanges } from "./breaking.ts";
import { upgradeJson } from "./upgrade-json.ts";
import { type UpgradeTextOptions, upgradeText } from "./upgrade-text.ts";
import { type AffectedObject, type DefinitionUpgrade, totalsOf } from "./upgrades.ts";

export function upgradeAnswer(upgrades: readonly DefinitionUpgrade[], options: UpgradeTextOptions): CommandReport {
  const { refused, broken } = totalsOf(upgrades);
  const breaking = options.failOn === "breaking" ? upgrades.flatMap(breakingRows) : [];
  return {
    get results() {
      return [...upgrades.flatMap(resultsOf), ...breaking];
    },
    get document() {
      return upgradeJson(upgrades);
    },
    text: (paint) => upgradeText(upgrades, options, paint),
    get table() {
      return tableOf(upgrades);
    },
    exit: refused + broken + breaking.length > 0 ? EXIT.failed : EXIT.ok,
  };
}

function breakingRows(upgrade: DefinitionUpgrade): ReportRow[] {
  const { name, manifest } = upgrade;
  const place = placeOf(manifest, ["metadata", "name"]);
  return breakingChanges(upgrade).map((message) => ({
    group: place?.file ?? "",
    name: `${name} · upgrade/breaking`,
    level: "fail",
    rule: "upgrade/breaking",
    ruleText: "change of a CRD that some client may mind",
    message,
    ...(place && { place }),
    policy: name,
    system: "rules",
  }));
}

function resultsOf({ name, manifest, refused, affected, objects }: DefinitionUpgrade): ReportRow[] {
  const place = placeOf(manifest, ["metadata", "name"]);
  const group = place?.file ?? "";
  const common = { group, system: "rules", policy: name } as const;
  const rows: ReportRow[] = refused.map((message) => ({
    ...common,
    name: `${name} · upgrade/refused`,
    level: "fail",
    rule: "upgrade/refused",
    ruleText: "CRD update that the API server would reject",
    message,
    ...(place && { place }),
  }));
  for (const object of affected) pushAll(rows, objectResults(object, name));
  if (rows.length === 0) {
    const message = objects === 0 ? "" : `${objects} objects still valid`;
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

function objectResults(object: AffectedObject, definition: string): ReportRow[] {
  const { kind, namespace, name, apiVersion, manifest, broken, held, lost, versionGone, notServed } = object;
  const place = startOf(manifest);
  const title = `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
  const row = (rule: string, level: "fail" | "warn", ruleText: string, message: string): ReportRow => ({
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
    ...broken.map((text) => row("upgrade/broken", "fail", "object that cannot be updated", text)),
    ...(unserved
      ? [row("upgrade/version", "fail", "object in a version that is not served", `${apiVersion} is not served`)]
      : []),
    ...held.map((text) =>
      row("upgrade/held", "warn", "object that ratcheting accepts while the value is unchanged", text),
    ),
    ...lost.map((field) =>
      row("upgrade/lost", "warn", "field that the new schema does not have", `${field} is pruned`),
    ),
  ];
}

function tableOf(upgrades: readonly DefinitionUpgrade[]): Table {
  const rows = upgrades.flatMap(({ name, manifest, refused, affected }) => {
    const place = startOf(manifest);
    const own = refused.map((text) => ["refused", name, "", "", text, place ? placeText(place) : ""]);
    const objects = affected.flatMap((object) => {
      const at = startOf(object.manifest);
      const row = (what: string, text: string): string[] => [
        what,
        name,
        object.namespace,
        object.name,
        text,
        at ? placeText(at) : "",
      ];
      const unserved = object.versionGone || object.notServed;
      return [
        ...object.broken.map((text) => row("broken", text)),
        ...(unserved ? [row("version", `${object.apiVersion} is not served`)] : []),
        ...object.held.map((text) => row("held", text)),
        ...object.lost.map((field) => row("lost", String(field))),
      ];
    });
    return [...own, ...objects];
  });
  return { columns: ["WHAT", "DEFINITION", "NAMESPACE", "NAME", "MESSAGE", "PLACE"], rows };
}
