// Reads the XML that xml.ts writes, strictly: anything else throws.

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

export function parseXml(source: string): XmlElement {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!source.startsWith(head)) throw new Error("no XML declaration");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they may not be there
  if (/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(source))
    throw new Error("a character XML forbids");
  let at = head.length;
  const root = parseElement();
  if (source.slice(at) !== "\n") throw new Error(`text after the root: ${source.slice(at, at + 20)}`);
  return root;

  function parseElement(): XmlElement {
    const start = take(/<([a-z-]+)((?: [a-z]+="[^"<>]*")*)(\/?)>/y);
    const [, name = "", list = "", closed] = start;
    const attributes = Object.fromEntries(
      [...list.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key, unescaped(value!)]),
    );
    const children: XmlElement[] = [];
    let text = "";
    if (closed === "/") return { name, attributes, children, text };
    for (;;) {
      text += unescaped(take(/[^<>]*/y)[0]);
      if (source.startsWith("</", at)) break;
      children.push(parseElement());
    }
    if (take(/<\/([a-z-]+)>/y)[1] !== name) throw new Error(`${name} is not closed`);
    return { name, attributes, children, text: children.length > 0 ? text.trim() : text };
  }

  function take(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match === null) throw new Error(`unexpected: ${source.slice(at, at + 40)}`);
    at = pattern.lastIndex;
    return match;
  }
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|([a-z]+));|&/g, (whole, code?: string, name?: string) => {
    if (code !== undefined) return String.fromCharCode(Number(code));
    const character = NAMED[name ?? ""];
    if (character === undefined) throw new Error(`unknown entity: ${whole}`);
    return character;
  });
}
