// Recorded requests that are answered otherwise here, with the reason.

/** By file of recordings: the id of the request, and why it differs. */
export const KNOWN_DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

/** Kinds without rules. */
export const NOT_COVERED: ReadonlySet<string> = new Set([]);
