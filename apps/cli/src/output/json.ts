// `-o json`: the answer's document. Keys keep the order in which the verb wrote them, so that two runs compare; integers beyond 2^53
// and doubles such as 1.0 are written as they were read.

import { Double } from "@celadon/base";
import type { Answer } from "./answer.ts";
import { visible } from "./visible.ts";

export function render(answer: Answer): string {
  return `${toJson(answer.document)}\n`;
}

/** JSON text of plain data. `undefined` members are left out, as JSON.stringify does. With an indent of 0, on one line. */
export function toJson(value: unknown, indent = 2): string {
  return write(value, indent, indent === 0 ? "" : "\n");
}

function write(value: unknown, indent: number, lineBreak: string): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return stringJson(value);
  const inner = lineBreak + " ".repeat(indent);
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[${inner}${value.map((item) => write(item, indent, inner)).join(`,${inner}`)}${lineBreak}]`;
  }
  if (value instanceof Double) return value.value.toFixed(1);
  const colon = indent === 0 ? ":" : ": ";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${stringJson(key)}${colon}${write(member, indent, inner)}`);
  return members.length === 0 ? "{}" : `{${inner}${members.join(`,${inner}`)}${lineBreak}}`;
}

/** Control and direction characters that JSON lets through are escaped too: the text may be shown on a terminal. */
function stringJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return typeof value === "string" ? visible(text) : text;
}
