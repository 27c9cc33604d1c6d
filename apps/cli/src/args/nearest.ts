// What somebody probably meant: the candidate with the fewest edits, if they are few for the length of the word.

export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const allowed = word.length <= 4 ? 1 : word.length <= 8 ? 2 : 3;
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of candidates) {
    const edits =
      name.startsWith(word) && word.length >= 2 ? 0.5 : editDistance(word.toLowerCase(), name.toLowerCase());
    if (edits <= allowed && edits < name.length && (best === undefined || edits < best.edits)) best = { name, edits };
  }
  return best?.name;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    [before, previous] = [previous, row];
  }
  return previous[b.length]!;
}
