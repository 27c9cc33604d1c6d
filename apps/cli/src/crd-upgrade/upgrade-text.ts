// An upgrade for people: what the server refuses, what the definitions say otherwise, what rules cost, and the objects that mind.

import type { RuleChange, SchemaChange, SchemaCosts, VersionChange, VersionComparison } from "@celadon/crd";
import { costNumber, shareText } from "../cost/cost-answer.ts";
import { placeText, startOf } from "../outcome/place.ts";
import { groupBy } from "../output/group-by.ts";
import type { Paint } from "../output/paint.ts";
import { unbroken } from "../output/visible.ts";
import { totalsOf } from "./upgrade-answer.ts";
import { type AffectedObject, type DefinitionUpgrade, isBroken } from "./upgrades.ts";

export function upgradeText(upgrades: readonly DefinitionUpgrade[], shown: number, paint: Paint): string {
  const blocks = upgrades.map((one) => `${definitionLines(one, shown, paint).join("\n")}\n\n`);
  const { definitions, refused, objects, broken, held, lossy } = totalsOf(upgrades);
  const parts = [
    `${definitions} ${definitions === 1 ? "definition" : "definitions"}`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    `${objects} ${objects === 1 ? "object" : "objects"}`,
    `${broken} cannot be updated`,
    `${held} held by ratcheting`,
    `${lossy} lose data`,
  ];
  const line = parts.join(", ");
  return `${blocks.join("")}${refused + broken > 0 ? paint.red(line) : paint.green(line)}\n`;
}

function definitionLines(upgrade: DefinitionUpgrade, shown: number, paint: Paint): string[] {
  const { name, change, refused, comparison, affected, objects } = upgrade;
  const lines = [`${paint.bold(unbroken(name))}  ${paint.dim(change === "same" ? "as before" : change)}`];
  for (const text of refused) lines.push(`  ${paint.red("✗")} refused by the server: ${oneLine(text)}`);
  for (const one of comparison.versions) lines.push(`  ${versionText(one, upgrade, paint)}`);
  // Most definitions change all versions alike.
  for (const [text, same] of groupBy(comparison.schemas, (one) => schemaLines(one, paint).join("\n"))) {
    if (text !== "")
      lines.push(`  ${same.length === 1 ? "version" : "versions"} ${same.map(versionName).join(", ")}`, text);
  }
  for (const one of affected.slice(0, shown)) lines.push(...objectLines(one, paint));
  if (affected.length > shown) lines.push(paint.dim(`  … ${affected.length - shown} more objects; --all shows them`));
  if (objects > 0 && affected.length === 0) {
    lines.push(
      `  ${paint.green("✓")} ${objects === 1 ? "the object is" : `all ${objects} objects are`} as valid as before`,
    );
  }
  return lines;
}

const VERSION_WORDS: Readonly<Record<VersionChange["change"], string>> = {
  added: "is new",
  removed: "is removed",
  served: "is served now",
  unserved: "is no longer served",
  deprecated: "is deprecated",
  storage: "is the version that is stored now",
  notStorage: "is no longer stored",
};

function versionText({ name, change }: VersionChange, upgrade: DefinitionUpgrade, paint: Paint): string {
  const grave = change === "removed" || change === "unserved";
  const count = upgrade.objectsByVersion.get(name) ?? 0;
  const facts: string[] = [];
  if (grave && count > 0) facts.push(`${count} ${count === 1 ? "object is" : "objects are"} written in it`);
  if (change === "removed" && upgrade.storedVersions.includes(name)) facts.push("status.storedVersions has it");
  const text = `version ${name} ${VERSION_WORDS[change]}${facts.length > 0 ? `: ${facts.join(", ")}` : ""}`;
  return grave ? `${paint.yellow("!")} ${text}` : `${paint.dim("~")} ${text}`;
}

const versionName = ({ version, with: other }: VersionComparison): string =>
  other === undefined ? version : `${version} (read as ${other})`;

function schemaLines({ changes, rules, costs }: VersionComparison, paint: Paint): string[] {
  return [
    ...changes.map((one) => `    ${changeText(one, paint)}`),
    ...rules.map((one) => `    ${ruleText(one, paint)}`),
    ...costLines(costs).map((line) => `    ${paint.dim("~")} ${line}`),
  ];
}

function changeText({ field, keyword, was, now, effect }: SchemaChange, paint: Paint): string {
  const place = field === "" ? "the object" : field;
  const mark = effect === "tighter" ? paint.yellow("!") : paint.dim("~");
  if (keyword === "property") {
    return now === undefined ? `${paint.yellow("-")} ${place} is gone` : `${paint.dim("+")} ${place} is new`;
  }
  if (keyword === "required") return `${mark} ${place} ${now === true ? "is required" : "is no longer required"}`;
  return `${mark} ${place} ${keyword}: ${valueText(was)} → ${valueText(now)}`;
}

const SHOWN = 60;

function valueText(value: unknown): string {
  if (value === undefined) return "none";
  const text = JSON.stringify(value, (_key, one) => (typeof one === "bigint" ? String(one) : one)) ?? "";
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;

function ruleText({ field, change, was, now, usesOldSelf, heldBy }: RuleChange, paint: Paint): string {
  const text = oneLine((now ?? was)!.rule);
  const place = field === "" ? "the object" : field;
  const head = `${change === "removed" ? paint.dim("-") : paint.yellow(SIGNS[change])} rule of ${place}: ${text}`;
  if (change === "removed") return head;
  if (heldBy !== undefined) return `${head}  ${paint.dim(`held while ${heldBy} is unchanged`)}`;
  return `${head}  ${paint.red(`never held: ${usesOldSelf ? "it compares with oldSelf" : "it is of the whole object"}`)}`;
}

function costLines({ expressions, total, limits }: SchemaCosts): string[] {
  if (expressions.length === 0) return [];
  const amount = (cost: bigint | undefined, limit: number): string =>
    cost === undefined ? "none" : `${costNumber(cost)} (${shareText((Number(cost) / limit) * 100)})`;
  const lines = expressions.map(
    ({ expression, was, now }) =>
      `cost of ${oneLine(expression)}: ${amount(was, limits.expression)} → ${amount(now, limits.expression)}`,
  );
  return [...lines, `cost of all rules: ${amount(total.was, limits.total)} → ${amount(total.now, limits.total)}`];
}

function objectLines(object: AffectedObject, paint: Paint): string[] {
  const { kind, namespace, name, broken, held, lost, versionGone, notServed, apiVersion, manifest } = object;
  const start = startOf(manifest);
  const mark = isBroken(object) ? paint.red("✗") : paint.yellow("!");
  const words = [
    ...(broken.length > 0 ? ["cannot be updated"] : []),
    ...(held.length > 0 ? ["held while unchanged"] : []),
    ...(lost.length > 0 ? ["loses data"] : []),
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

const oneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, " ");
