// XML 1.0 text. Characters that XML cannot hold, control characters and halves of surrogate pairs, are written out as \u001b, so that a
// report can always be read.

import { visible, writtenOut } from "../visible.ts";

/** Children are elements that this made, or one text. Attributes without a value are left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  children: readonly string[] | string = [],
): string {
  const start = startOf(name, attributes);
  if (typeof children === "string")
    return children === "" ? `${start}/>` : `${start}>${contentText(children)}</${name}>`;
  if (children.length === 0) return `${start}/>`;
  // Not set in: texts have lines of their own, which blanks would change.
  return `${start}>\n${children.map((child) => `${child}\n`).join("")}</${name}>`;
}

function startOf(name: string, attributes: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return `<${name}${given.map(([key, value]) => ` ${key}="${attributeText(value!)}"`).join("")}`;
}

/** The same of very many children, in pieces. Each child is one or more pieces, and ends with a line feed, as this does. */
export function* longElement(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  children: Iterable<string>,
): Generator<string> {
  const start = startOf(name, attributes);
  let isEmpty = true;
  for (const child of children) {
    if (isEmpty) yield `${start}>\n`;
    isEmpty = false;
    yield child;
  }
  yield isEmpty ? `${start}/>\n` : `</${name}>\n`;
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

const NAMED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A line break of data is read back as one, but forges no line of the report. */
const byNumber = (character: string): string => `&#${character.charCodeAt(0)};`;

function contentText(text: string): string {
  return allowed(text)
    .replaceAll(/[&<>]/g, (character) => NAMED[character]!)
    .replaceAll(/[\n\r]/g, byNumber);
}

/** Line breaks and tabs in attributes become blanks when read, unless written by number. */
function attributeText(text: string): string {
  return allowed(text)
    .replaceAll(/[&<>"]/g, (character) => NAMED[character]!)
    .replaceAll(/[\t\n\r]/g, byNumber);
}

/** Besides hidden characters, XML forbids these. */
const FORBIDDEN = /[\ufffe\uffff]/g;

/** Line breaks stay: they are written by number. */
function allowed(text: string): string {
  return text.split("\r").map(visible).join("\r").replaceAll(FORBIDDEN, writtenOut);
}
