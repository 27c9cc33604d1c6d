// Labels of nodes that were replaced, and warnings about selectors that still use them.

import { compareStrings } from "@celadon/base";
import type { NodeSelectorTerm } from "../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../api/generated/meta-v1.ts";
import type { FieldPath } from "../../field-path.ts";
import { checkLabelValue } from "../../names.ts";
import { fieldWarning, type Warning } from "../../warning.ts";

const DEPRECATED: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ["failure-domain.beta.kubernetes.io/region", 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ["failure-domain.beta.kubernetes.io/zone", 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ["beta.kubernetes.io/instance-type", 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  ["scheduler.alpha.kubernetes.io/preferAvoidPods", "deprecated since v1.22; use Taints and Tolerations instead"],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** The advice for a replaced label. */
export function deprecatedNodeLabel(key: string | undefined): string | undefined {
  return DEPRECATED.get(key ?? "");
}

/** A map of labels that select nodes. */
export function nodeLabelWarnings(
  selector: Readonly<Record<string, string>> | undefined,
  at: (key: string) => FieldPath,
): Warning[] {
  return Object.keys(selector ?? {})
    .sort(compareStrings)
    .flatMap((key) => {
      const deprecated = deprecatedNodeLabel(key);
      return deprecated === undefined ? [] : [fieldWarning(at(key), deprecated)];
    });
}

export function nodeSelectorTermWarnings(term: NodeSelectorTerm, checkValues: boolean, at: FieldPath): Warning[] {
  return (term.matchExpressions ?? []).flatMap((expression, i) => {
    const place = at.child("matchExpressions").index(i);
    const deprecated = deprecatedNodeLabel(expression.key);
    const warnings =
      deprecated === undefined ? [] : [fieldWarning(place.child("key"), `${expression.key} is ${deprecated}`)];
    if (!checkValues) return warnings;
    const values = (expression.values ?? []).flatMap((value, j) =>
      checkLabelValue(value).map((problem) =>
        fieldWarning(place.child("values").index(j), `${value} is invalid, ${problem}`),
      ),
    );
    return [...warnings, ...values];
  });
}

/** A label selector that selects nodes. */
export function nodeSelectorWarnings(selector: LabelSelector | undefined, at: FieldPath): Warning[] {
  const expressions = (selector?.matchExpressions ?? []).flatMap(({ key }, i) => {
    const deprecated = deprecatedNodeLabel(key);
    const place = at.child("matchExpressions").index(i).child("key");
    return deprecated === undefined ? [] : [fieldWarning(place, `${key} is ${deprecated}`)];
  });
  return [...expressions, ...nodeLabelWarnings(selector?.matchLabels, (key) => at.child("matchLabels").child(key))];
}
