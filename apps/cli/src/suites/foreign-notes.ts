// Reports the parts of other tools' suites that could not be converted, by reason: a case that is skipped would otherwise go unseen.

import type { Imported } from "@celadon/testing/import";
import { unbroken } from "../output/visible.ts";

export function skippedNotes(suites: readonly Imported[]): string {
  const reasons = new Map<string, { cases: number; suites: Set<string> }>();
  for (const { tool, suite, skipped } of suites) {
    for (const { reason } of skipped) {
      const key = `${tool}: ${reason}`;
      const known = reasons.get(key) ?? { cases: 0, suites: new Set() };
      known.cases++;
      known.suites.add(suite.name);
      reasons.set(key, known);
    }
  }
  return [...reasons]
    .map(([reason, { cases, suites: names }]) => {
      const [first, ...rest] = names;
      const where = rest.length === 0 ? first : `${first} and ${rest.length} more`;
      return `${unbroken(`note: ${cases} ${cases === 1 ? "case" : "cases"} of ${where} not run: ${reason}`)}\n`;
    })
    .join("");
}
