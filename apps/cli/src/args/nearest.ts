// What somebody probably meant: the candidate with the fewest edits, if they are few for the length of the word.

import { editDistance } from "@celadon/base";

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
