// `kubeVersion` of a suite: one minor, several, or a range. Resources are accepted and evaluated as an API server of that minor does.

import { CURRENT, compareMinors, FIRST, type Minor, minorsBetween, toMinor } from "@celadon/kube-cel";

/** The minors that a text names, oldest first; undefined when it names one that is not known. */
export function knownMinors(text: string): readonly Minor[] | undefined {
  const minors = new Set<Minor>();
  for (const part of text.split(",")) {
    const ends = part.split("..").map((end) => knownMinor(end.trim()));
    const [first, last] = [ends[0], ends.at(-1)];
    if (first === undefined || last === undefined || ends.length > 2 || compareMinors(first, last) > 0)
      return undefined;
    for (const minor of minorsBetween(first, last)) minors.add(minor);
  }
  return [...minors].sort(compareMinors);
}

/** The minor, or undefined when the text names none that is known. */
function knownMinor(text: string): Minor | undefined {
  const minor = /^v?1\.\d{1,3}(?:\.\d+)?$/.test(text) ? toMinor(text) : undefined;
  if (minor === undefined || compareMinors(minor, FIRST) < 0 || compareMinors(minor, CURRENT) > 0) return undefined;
  return minor;
}
