// A function as people see it: its overloads, its purpose, and the cost of a call.

import type { Overload } from "@celadon/cel";
import { signatureOf } from "../expression/functions.ts";
import { FUNCTION_NOTES } from "./function-notes.ts";

const SHOWN = 8;

export function functionText(rows: readonly Overload[]): string {
  const name = rows[0]?.name ?? "";
  const note = FUNCTION_NOTES.get(name);
  const shown = rows.slice(0, SHOWN).map(signatureOf).join("\n");
  const more = rows.length > SHOWN ? `\n… and ${rows.length - SHOWN} more` : "";
  const cost = costText(rows);
  return [`\`\`\`cel\n${shown}${more}\n\`\`\``, note, cost].filter((part) => part !== undefined).join("\n\n");
}

function costText(rows: readonly Overload[]): string | undefined {
  const texts = new Set(rows.flatMap(({ cost }) => cost.text ?? []));
  if (texts.size !== 1) return undefined;
  const [text = ""] = texts;
  const isMember = rows[0]?.member === true;
  const shown = text.replace(/\{(\w+)\}/g, (_, which) => {
    if (which === "result") return "size of the result";
    const index = Number(which);
    if (isMember && index === 0) return "size of the receiver";
    return `size of argument ${isMember ? index : index + 1}`;
  });
  return `Cost: ${shown}`;
}
