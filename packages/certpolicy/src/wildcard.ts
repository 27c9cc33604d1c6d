// Wildcards: `*` stands for any run of characters, dots and slashes included; everything else for itself.

/** Whether the whole text matches. Takes at most pattern length times text length steps. */
export function matchesWildcard(pattern: string, text: string): boolean {
  const wanted = [...pattern];
  const given = [...text];
  let p = 0;
  let t = 0;
  // Where the last star stands and where its run ends so far: a later star makes all earlier choices final.
  let star = -1;
  let runEnd = 0;
  while (t < given.length) {
    if (wanted[p] === "*") {
      star = p++;
      runEnd = t;
    } else if (p < wanted.length && wanted[p] === given[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++runEnd;
    } else {
      return false;
    }
  }
  while (wanted[p] === "*") p++;
  return p === wanted.length;
}

/** Whether every text matches at least one pattern. */
export function allMatch(patterns: readonly string[], texts: readonly string[]): boolean {
  return texts.every((text) => patterns.some((pattern) => matchesWildcard(pattern, text)));
}
