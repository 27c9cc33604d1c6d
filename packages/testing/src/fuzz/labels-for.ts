// Labels that selectors require, so that generated objects are not skipped.

import type { LabelSelectorObject } from "@celadon/kube/selectors";

/** Labels that satisfy the selectors, as far as `In` and `Exists` allow. */
export function labelsFor(selectors: readonly (LabelSelectorObject | undefined)[]): Readonly<Record<string, string>> {
  const labels = new Map<string, string>();
  for (const { matchLabels = {}, matchExpressions = [] } of selectors.flatMap((selector) => selector ?? [])) {
    for (const [key, value] of Object.entries(matchLabels ?? {})) labels.set(key, value);
    for (const { key, operator, values } of matchExpressions ?? []) {
      if (operator === "In" && values?.[0] !== undefined && !labels.has(key)) labels.set(key, values[0]);
      if (operator === "Exists" && !labels.has(key)) labels.set(key, "a");
    }
  }
  return Object.fromEntries(labels);
}
