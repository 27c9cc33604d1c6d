// The values of an explanation as text beside the policy: of each line of a failing expression, the parts that were read there.

import type { Ghost } from "../editor/ghosts.ts";
import type { Cure, ExplainedLine } from "../model/answer.ts";

/** Parts of a line that are shown, and characters of one. */
const PARTS = 3;
const LONGEST = 60;

export function valueGhosts(lines: readonly ExplainedLine[], text: string): readonly Ghost[] {
  const byLine = new Map<number, string[]>();
  let isFailing = false;
  for (const [i, line] of lines.entries()) {
    if (line.role === "group" || line.role === "expression") isFailing = line.tone === "bad" || line.tone === "warn";
    const [spot] = line.spots;
    const isLeaf = (lines[i + 1]?.level ?? 0) <= line.level;
    if (!isFailing || line.role !== "part" || !isLeaf || spot?.text !== "policy" || !line.value) continue;
    // Constants are their own value, and a part that is true is none that failed.
    if (line.text === line.value || line.value === "true") continue;
    const end = text.indexOf("\n", spot.to);
    const at = end === -1 ? text.length : end;
    const values = byLine.get(at) ?? [];
    byLine.set(at, values);
    const shown = short(`${line.text} = ${line.value}`);
    if (values.length < PARTS && !values.includes(shown)) values.push(shown);
  }
  return [...byLine].map(([at, values]) => ({
    at,
    text: values.join("   "),
    isBlock: false,
    tone: "value",
  }));
}

const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** The changes of a cure in the object: missing fields where they would stand, other values behind those that they replace. */
export function cureGhosts({ changes = [] }: Cure): readonly Ghost[] {
  return changes.map(({ from, to, insert }): Ghost => {
    const isBlock = insert.includes("\n");
    const text = isBlock ? insert.replace(/^\r?\n|\r?\n$/g, "").replaceAll("\r", "") : insert.replace(/^,?\s*/, "");
    const sign = isBlock ? text.replace(/^ /gm, "+").replace(/^(?!\+)/gm, "+") : `${from === to ? "+" : "→"} ${text}`;
    return { at: from, text: sign, isBlock, tone: "add" };
  });
}
