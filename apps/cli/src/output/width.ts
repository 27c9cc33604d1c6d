// The width of a text on a terminal, and texts made safe to show there.

/** Ranges that terminals draw two columns wide: East Asian scripts and emoji. */
// biome-ignore format: pairs
const WIDE: readonly number[] = [
  0x1100, 0x115f, 0x231a, 0x231b, 0x2329, 0x232a, 0x23e9, 0x23ec, 0x2614, 0x2615, 0x26a1, 0x26a1, 0x2705, 0x2705,
  0x270a, 0x270b, 0x2728, 0x2728, 0x274c, 0x274c, 0x2753, 0x2755, 0x2795, 0x2797, 0x2b50, 0x2b50, 0x2e80, 0x303e,
  0x3041, 0x33ff, 0x3400, 0x4dbf, 0x4e00, 0x9fff, 0xa000, 0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3, 0xf900, 0xfaff,
  0xfe30, 0xfe6f, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x1f18e, 0x1f18e, 0x1f191, 0x1f19a, 0x1f200, 0x1f265, 0x1f300,
  0x1f64f, 0x1f680, 0x1f6ff, 0x1f900, 0x1faff, 0x20000, 0x3fffd,
];
const INVISIBLE = /[\p{Mn}\p{Me}\p{Cf}]/u;
const PLAIN = /^[\u0020-\u007e]*$/;

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x300) return code === 0xad ? 0 : 1;
  if (INVISIBLE.test(character)) return 0;
  for (let i = 0; i < WIDE.length; i += 2) if (code >= WIDE[i]! && code <= WIDE[i + 1]!) return 2;
  return 1;
}

/** Blanks after the text up to the width. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** The beginning of the text that fits, with … when something was cut. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += characterWidth(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
