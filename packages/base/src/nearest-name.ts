// The known name nearest to one that is not known, for "did you mean": letters left out, added, changed or swapped, or another case.

/** Undefined if no name is near: few edits for the length of the name, or a name that begins with it. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const most = name.length <= 4 ? 1 : name.length <= 8 ? 2 : 3;
  let best: string | undefined;
  let least = most + 1;
  for (const candidate of known) {
    const isStart = name.length >= 2 && candidate.startsWith(name);
    const edits = isStart ? 0.5 : distance(name, candidate, least);
    if (edits < least && edits < candidate.length) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

/** Ignores case; stops early if the lengths alone differ by more. */
function distance(a: string, b: string, most: number): number {
  return Math.abs(a.length - b.length) >= most ? most : editDistance(a.toLowerCase(), b.toLowerCase());
}

/** Insertions, deletions, replacements and swaps of neighbours. */
export function editDistance(a: string, b: string): number {
  // The rows of the usual table, three of them: swapped letters look back two.
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(change, last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, beforeLast[j - 2]! + 1);
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
