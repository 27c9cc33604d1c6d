// Folding of lines in plain and quoted scalars.

/** Folds line ends between two words: one is a space, and of several all but the first remain. Separators of Unicode are kept. */
export function foldBreaks(first: string, others: string): string {
  if (first !== "\n") return first + others;
  return others === "" ? " " : others;
}
