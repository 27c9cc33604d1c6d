// Durations in configurations: `1m30s`, with the errors of Go's time.ParseDuration.

import { quoteGo } from "@celadon/base";
import { type Duration, isError, parseDuration } from "@celadon/cel";

const UNITS: ReadonlySet<string> = new Set(["ns", "us", "µs", "μs", "ms", "s", "m", "h"]);
const TERM = /(?:\d+\.?\d*|\.\d+)([^\d.]*)/y;

/** The duration, or why the text is none. */
export function goDuration(text: string): Duration | string {
  const duration = parseDuration(text);
  return isError(duration) ? problemOf(text) : duration;
}

function problemOf(text: string): string {
  const quoted = quoteGo(text);
  let at = /^[+-]/.test(text) ? 1 : 0;
  while (at < text.length) {
    TERM.lastIndex = at;
    const found = TERM.exec(text);
    if (found === null) break;
    const [term, unit = ""] = found;
    if (unit === "") return `time: missing unit in duration ${quoted}`;
    if (!UNITS.has(unit)) return `time: unknown unit ${quoteGo(unit)} in duration ${quoted}`;
    at += term.length;
  }
  return `time: invalid duration ${quoted}`;
}
