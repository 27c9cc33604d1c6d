// How much of an expression an issue is about, for underlining it.

/** Of the name, number or text that begins there. */
export function wordLength(expression: string, offset: number): number {
  const rest = expression.slice(offset);
  return /^(?:[A-Za-z_0-9]+|\.[A-Za-z_]\w*|"[^"\n]*"|'[^'\n]*')/.exec(rest)?.[0].length ?? 1;
}
