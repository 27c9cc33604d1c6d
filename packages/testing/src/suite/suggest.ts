// A suggestion for a misspelt word.

/** Long texts are no slips of known words, and comparing takes time by length. */
const LONGEST = 100;

/** `did you mean "expect"?`, or nothing when no word is near. */
import { nearestName } from "@celadon/base";
/** `did you mean "expect"?`, or nothing when no word is near. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const found = word.length > LONGEST ? undefined : nearestName(word, known);
  return found === undefined || found === word ? undefined : `did you mean ${JSON.stringify(found)}?`;
}
