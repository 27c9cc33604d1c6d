// Namespace selectors that match no namespace of the inputs. A value that no namespace has for a label that others do have is probably
// misspelt; that no namespace has the label at all may be because the inputs lack some.

import { type JsonPath, nearestName, valueAt } from "@celadon/base";
import { nameOf } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { type LabelSelectorObject, toLabelSelector } from "@celadon/kube/selectors";
import type { SimulatedCluster } from "@celadon/simulator";
import { type LintProblem, problem } from "../problem.ts";
import type { AcceptedManifest } from "./accepted-manifests.ts";

const SELECTORS: readonly JsonPath[] = [
  ["spec", "matchConstraints", "namespaceSelector"],
  ["spec", "matchResources", "namespaceSelector"],
];

/** The label that the API server sets. */
const NAME = "kubernetes.io/metadata.name";

const SHOWN_VALUES = 5;

export function unmatchedSelectorProblems(
  accepted: readonly AcceptedManifest[],
  simulated: SimulatedCluster,
): LintProblem[] {
  const labels = simulated.manifests("namespace").map(({ object }) => labelsOf(object));
  if (labels.length === 0) return [];
  return accepted.flatMap(([manifest, { role, status }]) => {
    if (status !== undefined || !(role.endsWith("olicy") || role.endsWith("inding"))) return [];
    return SELECTORS.flatMap((path) => {
      const written = valueAt(manifest.object, path);
      const selector = written === undefined ? undefined : toLabelSelector(written as LabelSelectorObject);
      if (selector === undefined || selector instanceof Invalid || selector.isEmpty) return [];
      if (labels.some((set) => selector.matches(set))) return [];
      const message = `no namespace in the inputs matches the selector ${selector}`;
      const wrong = selector.requirements.find(({ key, values }) => {
        const known = valuesOf(key, labels);
        return values.length > 0 && known.length > 0 && !values.some((value) => known.includes(value));
      });
      const guess = wrong && nearestName(wrong.values[0]!, valuesOf(wrong.key, labels));
      // Selectors by name are for namespaces that the inputs often lack.
      if (selector.requirements.some(({ key }) => key === NAME) && guess === undefined) return [];
      if (wrong === undefined) {
        const help = "add the namespaces to the inputs, or correct the selector";
        return [problem("unmatched_selector", manifest, path, message, { level: "note", key: true, help })];
      }
      const shown = valuesOf(wrong.key, labels).slice(0, SHOWN_VALUES).join(", ");
      const help =
        guess === undefined ? `namespaces in the inputs have ${wrong.key}: ${shown}` : `did you mean "${guess}"?`;
      return [problem("unmatched_selector", manifest, path, message, { key: true, help })];
    });
  });
}

function labelsOf(object: Parameters<typeof nameOf>[0]): Readonly<Record<string, string>> {
  const own = valueAt(object, ["metadata", "labels"]);
  return {
    ...(typeof own === "object" && own !== null ? (own as Record<string, string>) : {}),
    [NAME]: nameOf(object),
  };
}

const valuesOf = (key: string, labels: readonly Readonly<Record<string, string>>[]): string[] => [
  ...new Set(labels.flatMap((set) => (Object.hasOwn(set, key) ? [set[key]!] : []))),
];
