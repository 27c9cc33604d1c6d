// The length of text to underline for an issue of an expression.

/** The length of the name, number or text that begins there. */
export function wordLength(expression: string, offset: number): number {
  const rest = expression.slice(offset);
  return /^(?:[A-Za-z_0-9]+|\.[A-Za-z_]\w*|"[^"\n]*"|'[^'\n]*')/.exec(rest)?.[0].length ?? 1;
}
