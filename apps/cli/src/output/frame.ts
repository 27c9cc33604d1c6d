// A place in the user's file, shown: name, line and column, the line, a caret under it.
//
//   policy.yaml:12:22: undeclared reference to 'objct'
//     11 |   validations:
//     12 |     - expression: objct.spec.replicas < 5
//        |                   ^^^^^
//
// Tabs become blanks and wide characters count double, so that the caret stands where it belongs. Long lines are cut around it.

import { type Paint, paintOf } from "./paint.ts";
import { oneLine, unbroken, visible } from "./visible.ts";
import { widthOf } from "./width.ts";

export interface FrameOptions {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** A line of the file; undefined beyond its end. */
  text(line: number): string | undefined;
  /** The length to underline, in UTF-16 units; at least one column is. */
  readonly length?: number;
  readonly message: string;
  /** Lines to show before it. */
  readonly before?: number;
  readonly paint?: Paint;
  /** For the line itself, the number apart. */
  readonly width?: number;
}

const TAB = "  ";
const WIDTH = 100;

/** Ends with a line feed. Without a text for the line, the first line alone. */
export function frame(options: FrameOptions): string {
  const { file, line, column, message } = options;
  const paint = options.paint ?? paintOf(false);
  const head = `${paint.bold(`${oneLine(file)}:${line}:${column}:`)} ${unbroken(message)}\n`;
  const text = options.text(line);
  if (text === undefined) return head;

  const first = Math.max(1, line - (options.before ?? 1));
  const gutter = String(line).length;
  const numbered = (number: number | string, shown: string): string =>
    `${`  ${paint.dim(`${String(number).padStart(gutter)} |`)} ${shown}`.trimEnd()}\n`;
  const width = options.width ?? WIDTH;
  const { shown, start, length } = cut(text, column, options.length ?? 1, width);
  let out = head;
  for (let number = first; number < line; number++) {
    out += numbered(number, cut(options.text(number) ?? "", 1, 0, width).shown);
  }
  return out + numbered(line, shown) + numbered("", " ".repeat(start) + paint.red("^".repeat(length)));
}

interface Cut {
  readonly shown: string;
  /** Columns before the caret. */
  readonly start: number;
  readonly length: number;
}

/** The part of the line around the column that fits the width. */
function cut(text: string, column: number, length: number, width: number): Cut {
  const line = text.replace(/\r?\n?$/, "");
  const at = Math.min(Math.max(0, column - 1), line.length);
  const before = expand(line.slice(0, at));
  const marked = expand(line.slice(at, at + length));
  const after = expand(line.slice(at + length));
  const start = widthOf(before);
  const whole = before + marked + after;
  const carets = Math.max(1, widthOf(marked));
  if (widthOf(whole) <= width) return { shown: whole, start, length: carets };

  // A third of the width before the caret; the mark is shown as far as it fits.
  const [lead, leadWidth] = tail(before, Math.floor(width / 3));
  const dots = lead === before ? "" : "…";
  const [rest, restWidth] = headOf(marked + after, width - leadWidth - 2);
  const more = rest === marked + after ? "" : "…";
  return {
    shown: dots + lead + rest + more,
    start: dots.length + leadWidth,
    length: Math.max(1, Math.min(carets, restWidth)),
  };
}

const expand = (text: string): string => visible(text.replaceAll("\t", TAB));

function headOf(text: string, width: number): readonly [string, number] {
  let kept = "";
  let used = 0;
  for (const character of text) {
    const next = used + widthOf(character);
    if (next > width) break;
    kept += character;
    used = next;
  }
  return [kept, used];
}

function tail(text: string, width: number): readonly [string, number] {
  const [reversed, used] = headOf([...text].reverse().join(""), width);
  return [[...reversed].reverse().join(""), used];
}
