// Changes with newer versions, for people: by kind of change, the gravest first, and equal changes of several objects once.

import { joinLines } from "@celadon/base";
import { startOf } from "../../outcome/place.ts";
import { groupBy } from "../../output/group-by.ts";
import type { Paint } from "../../output/paint.ts";
import { placeText } from "../../output/place-text.ts";
import { subjectText } from "../../output/subject-text.ts";
import { oneLine } from "../../output/visible.ts";
import { CHANGE_WORDS, DENYING, type VersionChange, type VersionChangeKind, WORSE } from "./change.ts";
import type { ComparedVersions } from "./compare-versions.ts";
import { fieldText } from "./object-changes.ts";

export interface VersionsTextOptions {
  /** Changes shown of each kind. */
  readonly shown: number;
}

export function versionsText(compared: ComparedVersions, { shown }: VersionsTextOptions, paint: Paint): string {
  const { minors, objects, changes } = compared;
  const blocks = [...groupBy(changes, ({ change }) => change)].map(([kind, ofKind]) => {
    const groups = [...groupBy(ofKind, sameKey).values()];
    const notable = groups.filter(([first]) => shown === Number.POSITIVE_INFINITY || first?.isMinor !== true);
    const lines = notable.slice(0, shown).map((group) => groupText(kind, group, paint));
    const more = notable.length - lines.length;
    if (more > 0) lines.push(paint.dim(`  … ${more} more; --all shows them\n`));
    const little = groups.length - notable.length;
    if (little > 0) lines.push(paint.dim(`  ${littleText(kind, little)}; --all shows them\n`));
    return `${paint.bold(CHANGE_WORDS[kind])}\n${lines.join("")}\n`;
  });
  const [first, last] = [minors[0]!, minors.at(-1)!];
  const things = `${objects} ${objects === 1 ? "object" : "objects"}`;
  if (changes.length === 0) return paint.green(`nothing changes for ${things} from Kubernetes ${first} to ${last}\n`);
  const counts = [...groupBy(changes, ({ change }) => change)].map(([kind, of]) => `${of.length} ${kind}`);
  const line = `Kubernetes ${first} to ${last}, ${things}: ${counts.join(", ")}`;
  const isWorse = changes.some(({ change }) => WORSE.has(change));
  return `${blocks.join("")}${isWorse ? paint.red(line) : paint.yellow(line)}\n`;
}

function littleText(kind: VersionChangeKind, count: number): string {
  if (kind === "answer") return `${count} with another text of the API server`;
  return `${count} ${count === 1 ? "stays" : "stay"} below a tenth of the limit`;
}

/** Changes of several objects that differ in nothing else. */
function sameKey({ change, subject, since, until, message, path, was, now }: VersionChange): string {
  const isOwn = DENYING.has(change) || change === "meaning" || change === "costlier" || change === "cheaper";
  const owner = isOwn ? subject : [subject.apiVersion, subject.kind];
  return JSON.stringify([owner, since, until, message, path, was, now]);
}

function groupText(kind: VersionChangeKind, group: readonly VersionChange[], paint: Paint): string {
  const [first] = group as readonly [VersionChange, ...VersionChange[]];
  const { since, until, subject, manifest, message, path } = first;
  const when = paint.dim(until === undefined ? `since ${since}` : `from ${since}, until ${until}`);
  const place = startOf(manifest);
  const others = group.length - 1;
  const who = `${subjectText(subject)}${others === 0 ? "" : ` and ${others} more`}`;
  const where = place === undefined ? "" : paint.dim(`  ${placeText(place)}`);
  const head = `  ${mark(kind, paint)} ${who}  ${when}${where}\n`;
  const said =
    message === "" || (path !== undefined && (kind === "unknown" || kind === "known"))
      ? ""
      : `      ${joinLines(oneLines(message))}\n`;
  return head + said + valueText(first, paint);
}

const oneLines = (text: string): string => text.split("\n").map(oneLine).join("\n");

function valueText({ change, path, was, now, message }: VersionChange, paint: Paint): string {
  if (path === undefined || change === "meaning") return "";
  if (change === "costlier" || change === "cheaper") return `      ${was} → ${now}\n`;
  const field = fieldText(path);
  if (change === "unknown") return `      ${field}\n`;
  if (change === "known") return `      ${field}${message === "" ? "" : `: ${message}`}\n`;
  if (was === undefined) return `      ${paint.green(`+ ${field}: ${shortJson(now)}`)}\n`;
  if (now === undefined) return `      ${paint.red(`- ${field}: ${shortJson(was)}`)}\n`;
  return `      ${field}: ${shortJson(was)} → ${shortJson(now)}\n`;
}

const LONG = 120;

function shortJson(value: unknown): string {
  const text = oneLine(JSON.stringify(value));
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text;
}

function mark(kind: VersionChangeKind, paint: Paint): string {
  if (WORSE.has(kind)) return paint.red("✗");
  if (kind === "allowed" || kind === "accepted") return paint.green("✓");
  return paint.yellow(kind === "deprecated" || kind === "warned" ? "!" : "~");
}
