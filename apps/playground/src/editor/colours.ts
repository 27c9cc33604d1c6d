// Colours of YAML and of the CEL in it, line by line for the visible part: no tree, so that a text of a megabyte costs as much as its
// visible part. The worker's findings are the errors; colours only help to read.

import { type Extension, RangeSetBuilder, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

const MARKS = Object.fromEntries(
  ["key", "string", "number", "word", "comment", "sign", "call", "name", "mark"].map((name) => [
    name,
    Decoration.mark({ class: `c-${name}` }),
  ]),
);

type Add = (from: number, to: number, colour: string) => void;

/** Fields whose text is CEL. */
const CEL_KEYS = /^(?:expression|messageExpression|valueExpression|rule|cel)$/;
const KEY =
  /^(\s*(?:-\s+)*)("(?:[^"\\]|\\.)*"\s*|'(?:[^']|'')*'\s*|[^\s#&*!|>'"%@`{[\]},-][^#:]*|-[^\s:]+\s*):(?=\s|$)/;
const BLOCK = /[|>][+-]?\d?[+-]?\s*(?:#.*)?$/;

/** A line in its colours, and the block scalar that it leaves open. */
interface Coloured {
  readonly ranges: readonly { readonly from: number; readonly to: number; readonly mark: Decoration }[];
  readonly block: Block | undefined;
}

/** The block scalar that a line is in: the indentation of its key, and whether it is CEL. */
interface Block {
  readonly indent: number;
  readonly isCel: boolean;
}

class Colours {
  decorations: DecorationSet;
  readonly #isCel: boolean;
  /** Lines of the last build by block and text: a keystroke colours the line that it changes. */
  #lines: ReadonlyMap<string, Coloured> = new Map();

  constructor(view: EditorView, isCel: boolean) {
    this.#isCel = isCel;
    this.decorations = this.#build(view);
  }

  update({ docChanged, viewportChanged, view }: ViewUpdate): void {
    if (docChanged || viewportChanged) this.decorations = this.#build(view);
  }

  #build(view: EditorView): DecorationSet {
    const builder = new RangeSetBuilder<Decoration>();
    const lines = new Map<string, Coloured>();
    const { doc } = view.state;
    for (const { from, to } of view.visibleRanges) {
      let number = doc.lineAt(from).number;
      const last = doc.lineAt(to).number;
      let block = this.#isCel ? undefined : blockAround(doc, number);
      for (; number <= last; number++) {
        const line = doc.line(number);
        const text = line.length > 5_000 ? line.text.slice(0, 5_000) : line.text;
        const key = `${block?.indent} ${block?.isCel} ${text}`;
        const coloured = this.#lines.get(key) ?? colouredLine(text, block, this.#isCel);
        lines.set(key, coloured);
        for (const range of coloured.ranges) builder.add(line.from + range.from, line.from + range.to, range.mark);
        block = coloured.block;
      }
    }
    this.#lines = lines;
    return builder.finish();
  }
}

function colouredLine(text: string, block: Block | undefined, isCel: boolean): Coloured {
  const ranges: Coloured["ranges"][number][] = [];
  const add: Add = (from, to, colour) => {
    if (to > from) ranges.push({ from, to, mark: MARKS[colour]! });
  };
  if (isCel) colourCel(text, 0, add);
  return { block: isCel ? undefined : colourLine(text, block, add), ranges };
}

const indentOf = (text: string): number => text.length - text.trimStart().length;

/** Looks above for the key of a block scalar; not farther than a screen or two. */
function blockAround(doc: Text, number: number): Block | undefined {
  let indent = Number.POSITIVE_INFINITY;
  for (let at = number; at > Math.max(0, number - 300); at--) {
    const { text } = doc.line(at);
    if (text.trim() === "") continue;
    const own = indentOf(text);
    if (at < number && own < indent) {
      const block = blockOf(text);
      if (block !== undefined) return block;
    }
    indent = Math.min(indent, own);
    if (indent === 0) return undefined;
  }
  return undefined;
}

function blockOf(text: string): Block | undefined {
  const key = KEY.exec(text);
  if (!BLOCK.test(text) || (key === null && !/^\s*-\s+[|>]/.test(text))) return undefined;
  const value = key === null ? "" : text.slice(key[0].length);
  if (key !== null && !/^\s*(?:[&!]\S+\s+)*[|>]/.test(value)) return undefined;
  // A key after a dash is indented like the rest of the item.
  const indent = key === null ? indentOf(text) : key[1]!.length;
  return { indent, isCel: CEL_KEYS.test(key?.[2]?.trimEnd() ?? "") };
}

function colourLine(text: string, block: Block | undefined, add: Add): Block | undefined {
  if (block !== undefined) {
    if (text.trim() === "" || indentOf(text) > block.indent) {
      if (block.isCel) colourCel(text, 0, add);
      else add(indentOf(text), text.length, "string");
      return block;
    }
  }
  if (/^(?:---|\.\.\.)(?:\s|$)/.test(text)) {
    add(0, 3, "mark");
    return undefined;
  }
  const key = KEY.exec(text);
  let at = 0;
  let isCel = false;
  if (key !== null) {
    const [whole, before = ""] = key;
    const name = key[2]!.trimEnd();
    colourSigns(before, 0, add);
    add(before.length, before.length + name.length, "key");
    add(whole.length - 1, whole.length, "sign");
    at = whole.length;
    isCel = CEL_KEYS.test(name);
  } else {
    const dash = /^\s*(?:-\s+)*/.exec(text)?.[0] ?? "";
    colourSigns(dash, 0, add);
    at = dash.length;
  }
  const next = blockOf(text);
  colourValue(text, at, isCel && next === undefined, add);
  return next;
}

function colourSigns(text: string, from: number, add: Add): void {
  for (const { index } of text.matchAll(/-/g)) add(from + index, from + index + 1, "sign");
}

const VALUE =
  /(#.*$)|("(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?)|([{}[\],])|([&*!][\w./!-]+|[|>][+-]?\d?(?=\s*$))|([\w./$-]+(?=\s*:(?:\s|$)))|((?<![\w.-])(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|0x[\da-f]+)(?![\w./:-]))|((?<![\w.-])(?:true|false|null|~)(?![\w.-]))/gy;
const PLAIN = /[^\s#"'{}[\],&*!|>]+|\s+|./y;

function colourValue(text: string, from: number, isCel: boolean, add: Add): void {
  if (isCel) {
    const start = from + indentOf(text.slice(from));
    const quote = text[start];
    if (quote === '"' || quote === "'") {
      add(start, start + 1, "sign");
      const end = text.trimEnd().length;
      const closed = end - 1 > start && text[end - 1] === quote;
      colourCel(text.slice(0, closed ? end - 1 : end), start + 1, add);
      if (closed) add(end - 1, end, "sign");
    } else colourCel(text, start, add);
    return;
  }
  let at = from;
  while (at < text.length) {
    VALUE.lastIndex = at;
    const found = VALUE.exec(text);
    if (found !== null && found[0] !== "") {
      const colour = ["comment", "string", "sign", "mark", "key", "number", "word"][
        found.slice(1).findIndex((item) => item !== undefined)
      ]!;
      if (colour !== "comment" || at === 0 || /\s/.test(text[at - 1]!)) add(at, at + found[0].length, colour);
      at += found[0].length;
      continue;
    }
    PLAIN.lastIndex = at;
    const plain = PLAIN.exec(text)?.[0] ?? text[at]!;
    at += plain.length;
  }
}

const CEL =
  /(\/\/.*$)|([rRbB]{0,2}(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?))|((?<![\w.])(?:0x[\da-fA-F]+u?|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?u?))|((?<![\w.])(?:true|false|null|in)(?!\w))|((?<!\w)[A-Za-z_]\w*(?=\s*\())|((?<![\w.])(?:object|oldObject|request|params|variables|authorizer|namespaceObject|self|oldSelf|cr)(?!\w))|([!<>=&|?:+*/%-]+)/g;
const CEL_COLOURS = ["comment", "string", "number", "word", "call", "name", "sign"];

function colourCel(text: string, from: number, add: Add): void {
  for (const found of text.slice(from).matchAll(CEL)) {
    const colour = CEL_COLOURS[found.slice(1).findIndex((item) => item !== undefined)]!;
    add(from + found.index, from + found.index + found[0].length, colour);
  }
}

/** Colours of manifests, or of one expression. */
export function colours(isCel: boolean): Extension {
  return ViewPlugin.define((view) => new Colours(view, isCel), { decorations: (plugin) => plugin.decorations });
}
