// Characters that no YAML text may hold: control characters, and halves of surrogate pairs.

const SUSPECT = /[^\t\n\r -~\u0085\u00a0-\ud7ff\ue000-\ufffd]/g;
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/y;

/** The offset of the first one, or -1. */
export function findForbidden(text: string): number {
  SUSPECT.lastIndex = 0;
  for (;;) {
    const found = SUSPECT.exec(text);
    if (found === null) return -1;
    PAIR.lastIndex = found.index;
    if (!PAIR.test(text)) return found.index;
    SUSPECT.lastIndex = found.index + 2;
  }
}
