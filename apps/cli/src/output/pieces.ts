// Text that may be too long to be one string: in pieces, each made when the previous one is written. A piece is of whole lines.

export type Text = string | Iterable<string>;

/** A text of one piece, too: a string by itself would be taken apart into characters. */
export function piecesOf(text: Text): Iterable<string> {
  return typeof text === "string" ? [text] : text;
}

/** The whole text. */
export function wholeText(text: Text): string {
  return typeof text === "string" ? text : [...text].join("");
}

const AT_ONCE = 256 * 1024;

/** The same text in fewer, larger pieces: each is handed to the system on its own. */
export function* gathered(text: Text): Generator<string> {
  let pieces: string[] = [];
  let size = 0;
  for (const piece of piecesOf(text)) {
    pieces.push(piece);
    size += piece.length;
    if (size < AT_ONCE) continue;
    yield pieces.join("");
    pieces = [];
    size = 0;
  }
  if (size > 0) yield pieces.join("");
}
