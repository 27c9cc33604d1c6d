// An upgrade for people: the errors of the server, the changes of the definitions, the costs of rules, and the affected objects.

import { joinLines, pushAll } from "@celadon/base";
import type { RuleChange, SchemaChange, SchemaCosts, VersionChange, VersionComparison } from "@celadon/crd/upgrade";
import { startOf } from "../outcome/place.ts";
import { groupBy } from "../output/group-by.ts";
import { costNumber, shareText } from "../output/numbers.ts";
import type { Paint } from "../output/paint.ts";
import { placeText } from "../output/place-text.ts";
import { unbroken } from "../output/visible.ts";
import { breakingChanges } from "./breaking.ts";
import { type AffectedObject, type DefinitionUpgrade, isBroken, totalsOf } from "./upgrades.ts";

export interface UpgradeTextOptions {
  /** Objects shown of each definition. */
  readonly shown: number;
  /** Also costs that do not increase. */
  readonly allCosts: boolean;
  /** Changes that count as failures: those that objects mind, or any that a client may mind. */
  readonly failOn: FailOn;
}

export type FailOn = "objects" | "breaking";

export function upgradeText(upgrades: readonly DefinitionUpgrade[], options: UpgradeTextOptions, paint: Paint): string {
  const blocks = upgrades.map((upgrade) => `${definitionLines(upgrade, options, paint).join("\n")}\n\n`);
  const { definitions, refused, objects, broken, held, lossy } = totalsOf(upgrades);
  const parts = [
    `${definitions} ${definitions === 1 ? "definition" : "definitions"}`,
    ...(refused > 0 ? [`${refused} rejected`] : []),
    `${objects} ${objects === 1 ? "object" : "objects"}`,
    `${broken} cannot be updated`,
    `${held} accepted by ratcheting`,
    `${lossy} lose fields`,
  ];
  const breaking = upgrades.reduce((sum, upgrade) => sum + breakingChanges(upgrade).length, 0);
  if (options.failOn === "breaking") parts.push(`${breaking} breaking ${breaking === 1 ? "change" : "changes"}`);
  const line = parts.join(", ");
  const fails = refused + broken > 0 || (options.failOn === "breaking" && breaking > 0);
  return `${blocks.join("")}${fails ? paint.red(line) : paint.green(line)}\n`;
}

function definitionLines(upgrade: DefinitionUpgrade, { shown, allCosts }: UpgradeTextOptions, paint: Paint): string[] {
  const { name, change, refused, comparison, affected, objects } = upgrade;
  const lines = [`${paint.bold(unbroken(name))}  ${paint.dim(change === "same" ? "as before" : change)}`];
  for (const text of refused) lines.push(`  ${paint.red("✗")} rejected by the server: ${oneLine(text)}`);
  for (const version of comparison.versions) lines.push(`  ${versionText(version, upgrade, paint)}`);
  // Most definitions change all versions alike.
  for (const [text, same] of groupBy(comparison.schemas, (version) =>
    schemaLines(version, allCosts, paint).join("\n"),
  )) {
    if (text !== "")
      lines.push(`  ${same.length === 1 ? "version" : "versions"} ${same.map(versionName).join(", ")}`, text);
  }
  for (const object of affected.slice(0, shown)) pushAll(lines, objectLines(object, paint));
  if (affected.length > shown) lines.push(paint.dim(`  … ${affected.length - shown} more objects; --all shows them`));
  if (objects > 0 && affected.length === 0) {
    lines.push(`  ${paint.green("✓")} ${objects === 1 ? "the object is" : `all ${objects} objects are`} still valid`);
  }
  return lines;
}

const VERSION_WORDS: Readonly<Record<VersionChange["change"], string>> = {
  added: "is new",
  removed: "is removed",
  served: "is now served",
  unserved: "is no longer served",
  deprecated: "is deprecated",
  storage: "is now the storage version",
  notStorage: "is no longer the storage version",
};

function versionText({ name, change }: VersionChange, upgrade: DefinitionUpgrade, paint: Paint): string {
  const grave = change === "removed" || change === "unserved";
  const count = upgrade.objectsByVersion.get(name) ?? 0;
  const facts: string[] = [];
  if (grave && count > 0) facts.push(`${count} ${count === 1 ? "object uses" : "objects use"} it`);
  if (change === "removed" && upgrade.storedVersions.includes(name)) facts.push("status.storedVersions lists it");
  const text = `version ${name} ${VERSION_WORDS[change]}${facts.length > 0 ? `: ${facts.join(", ")}` : ""}`;
  return grave ? `${paint.yellow("!")} ${text}` : `${paint.dim("~")} ${text}`;
}

const versionName = ({ version, with: other }: VersionComparison): string =>
  other === undefined ? version : `${version} (read as ${other})`;

function schemaLines({ changes, rules, costs }: VersionComparison, allCosts: boolean, paint: Paint): string[] {
  return [
    ...changes.map((change) => `    ${changeText(change, paint)}`),
    ...rules.map((rule) => `    ${ruleText(rule, paint)}`),
    ...costLines(costs, allCosts).map((line) => `    ${paint.dim("~")} ${line}`),
  ];
}

function changeText({ field, keyword, was, now, effect }: SchemaChange, paint: Paint): string {
  const place = field === "" ? "the object" : field;
  const mark = effect === "tighter" ? paint.yellow("!") : paint.dim("~");
  if (keyword === "property") {
    return effect === "pruned"
      ? `${paint.yellow("-")} ${place} is removed, so its values are pruned`
      : `${paint.dim("+")} ${place} is new`;
  }
  if (keyword === "required") return `${mark} ${place} ${now === true ? "is required" : "is no longer required"}`;
  return `${mark} ${place} ${keyword}: ${valueText(was)} → ${valueText(now)}`;
}

const SHOWN = 60;

function valueText(value: unknown): string {
  if (value === undefined) return "none";
  const text = JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? String(item) : item)) ?? "";
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;

function ruleText({ field, change, was, now, usesOldSelf, heldBy }: RuleChange, paint: Paint): string {
  const text = oneLine((now ?? was)!.rule);
  const place = field === "" ? "the object" : field;
  const head = `${change === "removed" ? paint.dim("-") : paint.yellow(SIGNS[change])} rule of ${place}: ${text}`;
  if (change === "removed") return head;
  if (heldBy !== undefined) return `${head}  ${paint.dim(`ratcheted while ${heldBy} is unchanged`)}`;
  return `${head}  ${paint.red(`never ratcheted: ${usesOldSelf ? "uses oldSelf" : "applies to the whole object"}`)}`;
}

function costLines({ expressions: changed, total, limits }: SchemaCosts, all: boolean): string[] {
  const expressions = all ? changed : changed.filter(isIncrease);
  if (expressions.length === 0 && !isIncrease(total)) return [];
  const amount = (cost: bigint | undefined, limit: number): string =>
    cost === undefined ? "none" : `${costNumber(cost)} (${shareText((Number(cost) / limit) * 100)})`;
  const lines = expressions.map(
    ({ expression, was, now }) =>
      `cost of ${oneLine(expression)}: ${amount(was, limits.expression)} → ${amount(now, limits.expression)}`,
  );
  if (!all && !isIncrease(total)) return lines;
  return [...lines, `cost of all rules: ${amount(total.was, limits.total)} → ${amount(total.now, limits.total)}`];
}

/** A rule that is gone costs nothing; one that is new costs more than none. */
function isIncrease({
  was = 0n,
  now = 0n,
}: {
  readonly was?: bigint | undefined;
  readonly now?: bigint | undefined;
}): boolean {
  return now > was;
}

function objectLines(object: AffectedObject, paint: Paint): string[] {
  const { kind, namespace, name, broken, held, lost, versionGone, notServed, apiVersion, manifest } = object;
  const start = startOf(manifest);
  const mark = isBroken(object) ? paint.red("✗") : paint.yellow("!");
  const words = [
    ...(broken.length > 0 ? ["cannot be updated"] : []),
    ...(held.length > 0 ? ["ratcheted while unchanged"] : []),
    ...(lost.length > 0 ? ["loses fields"] : []),
    ...(versionGone || notServed ? [`${apiVersion} is not served`] : []),
  ];
  const title = `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
  return [
    `  ${mark} ${title}  ${words.join(", ")}${start ? paint.dim(`  ${placeText(start)}`) : ""}`,
    ...broken.map((text) => `      ${paint.red("✗")} ${oneLine(text)}`),
    ...held.map((text) => `      ${paint.yellow("!")} ${oneLine(text)}`),
    ...lost.map((field) => `      ${paint.yellow("-")} ${field}`),
  ];
}

const oneLine = (text: string): string => joinLines(text.trim());
