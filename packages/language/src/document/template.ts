// Templates of Helm and their like: instructions are masked with text of the same length, so that the YAML around them is read and
// every offset stays. Text that touches a mask is unknown, and is not reported.

import type { Range } from "../text/range.ts";

export interface Masked {
  readonly text: string;
  readonly masks: readonly Range[];
}

const INSTRUCTION = /\{\{[\s\S]*?\}\}/g;

/** A line that holds nothing but instructions: `{{- if .Values.x }}`. */
const CONTROL_LINE = /^[ \t]*(?:\{\{(?:(?!\}\})[^\n])*\}\}[ \t]*)+$/gm;

export function maskTemplate(text: string): Masked {
  if (!text.includes("{{")) return { text, masks: [] };
  const masks = [...text.matchAll(INSTRUCTION)].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
  if (masks.length === 0) return { text, masks };
  const masked = text
    .replace(CONTROL_LINE, (line) => line.replace(/[^\r\n]/g, " ").replace(/ $/, "#"))
    .replace(INSTRUCTION, (found) => found.replace(/[^\r\n]/g, "x"));
  return { text: masked, masks };
}

export function touchesMask(masks: readonly Range[], { start, end }: Range): boolean {
  return masks.some((mask) => mask.start < Math.max(end, start + 1) && start < mask.end);
}
