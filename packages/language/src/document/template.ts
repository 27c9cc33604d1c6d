// Templates of Helm and their like: instructions are masked with text of the same length, so that the YAML around them is read and
// every offset stays. Text that touches a mask is unknown, and is not reported.

import type { TextRange } from "../text/range.ts";

export interface Masked {
  readonly text: string;
  readonly masks: readonly TextRange[];
}

/** A line that holds nothing but instructions: `{{- if .Values.x }}`. */
const CONTROL_LINE = /^[ \t]*(?:\{\{(?:(?!\}\})[^\n])*\}\}[ \t]*)+$/gm;

export function maskTemplate(text: string): Masked {
  if (!text.includes("{{")) return { text, masks: [] };
  const masks = instructionsIn(text);
  if (masks.length === 0) return { text, masks };
  const lines = text.replace(CONTROL_LINE, (line) => line.replace(/[^\r\n]/g, " ").replace(/ $/, "#"));
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of instructionsIn(lines)) {
    parts.push(lines.slice(from, start), lines.slice(start, end).replace(/[^\r\n]/g, "x"));
    from = end;
  }
  return { text: parts.join("") + lines.slice(from), masks };
}

/** Finds the ranges of instructions; one that is not closed is none. */
function instructionsIn(text: string): TextRange[] {
  const found: TextRange[] = [];
  for (let start = text.indexOf("{{"); start >= 0; ) {
    const close = text.indexOf("}}", start + 2);
    if (close < 0) break;
    found.push({ start, end: close + 2 });
    start = text.indexOf("{{", close + 2);
  }
  return found;
}

export function touchesMask(masks: readonly TextRange[], { start, end }: TextRange): boolean {
  return masks.some((mask) => mask.start < Math.max(end, start + 1) && start < mask.end);
}
