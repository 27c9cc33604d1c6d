// Characters the fast YAML reader leaves to the complete reader, which knows where each of them may stand.

// All but tabs, line feeds, and what both YAML versions print as it is. Surrogates are checked in pairs.
const UNUSUAL = /[^\t\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/g;
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/y;

/** The first one from the offset on, or the length of the text. */
export function findUnusual(text: string, from: number): number {
  UNUSUAL.lastIndex = from;
  for (;;) {
    const found = UNUSUAL.exec(text);
    if (found === null) return text.length;
    PAIR.lastIndex = found.index;
    if (!PAIR.test(text)) return found.index;
    UNUSUAL.lastIndex = found.index + 2;
  }
}
