// `-o json`: the answer's document. Keys keep the order in which the verb wrote them, so that two runs compare; integers beyond 2^53
// and doubles such as 1.0 are written as they were read.

import { Double } from "@celadon/base";
import type { CommandReport } from "../answer.ts";
import { LazyList } from "../lazy-list.ts";
import { visible } from "../visible.ts";

export function* render(answer: CommandReport): Generator<string> {
  yield* jsonPieces(answer.document, 2);
  yield "\n";
}

/** JSON text of plain data. `undefined` members are left out, as JSON.stringify does. With an indent of 0, on one line. */
export function toJson(value: unknown, indent = 2): string {
  if (isPlain(value)) return visible(JSON.stringify(value, undefined, indent) ?? "null");
  return write(value, indent, indent === 0 ? "" : "\n");
}

/** The same for a document with lists whose items are made one by one. */
function* jsonPieces(document: Readonly<Record<string, unknown>>, indent: number): Generator<string> {
  if (!Object.values(document).some((member) => member instanceof LazyList)) return yield toJson(document, indent);
  let before = `{\n`;
  for (const [key, member] of Object.entries(document)) {
    if (member === undefined) continue;
    yield `${before}${" ".repeat(indent)}${textJson(key)}: `;
    before = ",\n";
    if (member instanceof LazyList) yield* listPieces(member, indent);
    else yield indented(toJson(member, indent), indent);
  }
  yield "\n}";
}

function* listPieces(list: LazyList<unknown>, indent: number): Generator<string> {
  const inner = " ".repeat(2 * indent);
  let before = "[\n";
  for (const item of list) {
    yield `${before}${inner}${indented(toJson(item, indent), 2 * indent)}`;
    before = ",\n";
  }
  yield before === "[\n" ? "[]" : `\n${" ".repeat(indent)}]`;
}

/** Lines behind the first set in. */
const indented = (text: string, by: number): string => text.replaceAll("\n", `\n${" ".repeat(by)}`);

/** Whether JSON.stringify writes the value as `write` does, and many times as fast. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isPlain(value[i])) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in value) return false;
  for (const key in value) if (!isPlain((value as Readonly<Record<string, unknown>>)[key])) return false;
  return true;
}

function write(value: unknown, indent: number, lineBreak: string): string {
  if (typeof value === "string") return textJson(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (value instanceof Double) return value.value.toFixed(1);
  const inner = lineBreak + " ".repeat(indent);
  let parts = "";
  if (Array.isArray(value)) {
    for (const item of value) parts += `${parts === "" ? inner : `,${inner}`}${write(item, indent, inner)}`;
    return parts === "" ? "[]" : `[${parts}${lineBreak}]`;
  }
  const colon = indent === 0 ? ":" : ": ";
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    parts += `${parts === "" ? inner : `,${inner}`}${textJson(key)}${colon}${write(member, indent, inner)}`;
  }
  return parts === "" ? "{}" : `{${parts}${lineBreak}}`;
}

/** Control and direction characters that JSON lets through are escaped too: the text may be shown on a terminal. */
function textJson(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : visible(JSON.stringify(text));
}

/** Text that needs no escapes in JSON, and has no effect on a terminal or a CI runner. */
const PLAIN = /^[ !$-[\]-~]*$/;
