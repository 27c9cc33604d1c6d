// Which of the known words somebody meant: the nearest by edits, when it is near enough to be a slip.

/** `did you mean "expect"?`, or nothing when no word is near. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const found = nearest(word, known);
  return found === undefined ? undefined : `did you mean ${JSON.stringify(found)}?`;
}

export function nearest(word: string, known: Iterable<string>): string | undefined {
  // Long texts are no slips of known words, and comparing takes time by length.
  if (word.length > 100) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    if (candidate.length > 100 || candidate === word) continue;
    const edits =
      candidate.toLowerCase() === word.toLowerCase() ? 0 : distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < least) {
      best = candidate;
      least = edits;
    }
  }
  return best;
}

// Edits of single characters, with neighbours that changed places counted as one.
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
