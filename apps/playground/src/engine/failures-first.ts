// The order in which an explanation is read: what failed comes first, and what holds beside it is one closed line.

import type { ExplainedLine } from "../model/answer.ts";

/** A line and those that belong to it. */
type Block = readonly ExplainedLine[];

/** Fewer that hold are shown as they are. */
const FOLDED = 2;

export function failuresFirst(lines: readonly ExplainedLine[]): readonly ExplainedLine[] {
  return blocksOf(lines, 1).flatMap(([group, ...rest]) => [group!, ...orderedGroup(rest)]);
}

function orderedGroup(lines: readonly ExplainedLine[]): readonly ExplainedLine[] {
  const blocks = blocksOf(lines, 2);
  const isGood = ([line]: Block): boolean => line!.role === "expression" && line!.tone === "good";
  const good = blocks.filter(isGood);
  if (good.length === blocks.length) return lines;
  const others = blocks.filter((block) => !isGood(block));
  const hasFailed = others.some(([line]) => line!.tone === "bad" || line!.tone === "warn");
  if (!hasFailed) return lines;
  return [...others.flat(), ...(good.length < FOLDED ? good.flat() : folded(good))];
}

function folded(good: readonly Block[]): readonly ExplainedLine[] {
  const title: ExplainedLine = {
    level: 2,
    role: "aside",
    tone: "good",
    text: `${good.length} expressions hold`,
    spots: [],
    closed: true,
  };
  return [title, ...good.flat().map((line) => ({ ...line, level: line.level + 1 }))];
}

/** Lines of a level, each with the deeper ones below it. The message of a validation stays with that. */
function blocksOf(lines: readonly ExplainedLine[], level: number): readonly Block[] {
  const blocks: ExplainedLine[][] = [];
  for (const line of lines) {
    const isMessage = level > 1 && line.role === "expression" && line.tone === "none";
    const last = blocks.at(-1);
    if (last === undefined || (line.level <= level && !isMessage)) blocks.push([line]);
    else last.push(line);
  }
  return blocks;
}
