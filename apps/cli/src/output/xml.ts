// XML 1.0 text. What XML cannot hold at all, control characters and halves of surrogate pairs, is written out as \u001b, so that a
// report can always be read.

/** Children are elements that this made, or one text. Attributes without a value are left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  children: readonly string[] | string = [],
): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const start = `<${name}${given.map(([key, value]) => ` ${key}="${attributeText(value!)}"`).join("")}`;
  if (typeof children === "string")
    return children === "" ? `${start}/>` : `${start}>${contentText(children)}</${name}>`;
  if (children.length === 0) return `${start}/>`;
  // Not set in: texts have lines of their own, which blanks would change.
  return `${start}>\n${children.map((child) => `${child}\n`).join("")}</${name}>`;
}

export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

const NAMED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function contentText(text: string): string {
  return allowed(text)
    .replaceAll(/[&<>]/g, (character) => NAMED[character]!)
    .replaceAll("\r", "&#13;");
}

/** Line breaks and tabs in attributes become blanks when read, unless written by number. */
function attributeText(text: string): string {
  return allowed(text)
    .replaceAll(/[&<>"]/g, (character) => NAMED[character]!)
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/gu;

function allowed(text: string): string {
  return text.replaceAll(FORBIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
