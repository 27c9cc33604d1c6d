// Texts in messages. Their length is in the hands of the author, so they are quoted piece by piece, and that is counted.

import { quoteGo } from "@celadon/base";
import { walk } from "../size/work.ts";

const PIECE = 16_384;
/** So much longer than reading a character takes writing it, at worst. */
const WEIGHT = 4;

/** strconv.Quote. */
export function quoteText(text: string): string {
  if (text.length <= PIECE) return quotePiece(text);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE;
    // A pair of surrogates stays together.
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
    pieces.push(quotePiece(text.slice(at, next)).slice(1, -1));
    at = next;
  }
  return `"${pieces.join("")}"`;
}

function quotePiece(piece: string): string {
  walk(piece.length * WEIGHT);
  return quoteGo(piece);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
