// Warnings as the API server sends them: each text once, nothing a header cannot hold, and not too much.
// Upstream: apiserver pkg/endpoints/filters/warning.go, apimachinery pkg/util/net.

/** Characters of all warnings together, and of each once that is too much. */
const TOTAL = 4096;
const EACH = 256;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/u;

/** Warnings as they go into the header: each once, shortened where they are too much together. */
export function headerTexts(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return texts;
  const ordered = new Set<string>();
  let sent: string[] = [];
  let used = 0;
  let shortening = false;
  const send = (text: string): void => {
    if (CONTROL.test(text)) return;
    sent.push(text);
    used += length(text);
  };
  for (const text of texts) {
    if (text === "" || ordered.has(text)) continue;
    if (shortening && used >= TOTAL) break;
    ordered.add(text);
    if (shortening) send(shortened(text));
    else if (CONTROL.test(text)) continue;
    else if (used + length(text) <= TOTAL) send(text);
    else {
      // Too much: the warnings so far once more, shortened. A text that was not fit to send may be now.
      shortening = true;
      sent = [];
      used = 0;
      for (const item of ordered) send(shortened(item));
    }
  }
  return sent;
}

function shortened(text: string): string {
  return length(text) > EACH ? [...text].slice(0, EACH).join("") : text;
}

function length(text: string): number {
  return SURROGATE.test(text) ? [...text].length : text.length;
}

const SURROGATE = /[\ud800-\udfff]/;

/** One value of a Warning header. */
export function warningHeader(text: string): string {
  return `299 - "${text.replace(/["\\]/g, "\\$&")}"`;
}
