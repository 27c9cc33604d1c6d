// Affinity to nodes and pods.

import type { Affinity, NodeAffinity, PodAffinity, PodAffinityTerm } from "../../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../../api/generated/meta-v1.ts";
import { checkDns1123Label } from "../../../names.ts";
import { labelName, labelSelector } from "../../checks/selectors.ts";
import type { ValidatedField } from "../../field.ts";
import { nodeSelector, nodeSelectorTerm } from "../node-selector.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

export function affinity(given: Affinity | undefined, at: ValidatedField): void {
  if (given?.nodeAffinity) nodeAffinity(given.nodeAffinity, at.child("nodeAffinity"));
  if (given?.podAffinity) podAffinity(given.podAffinity, at.child("podAffinity"));
  if (given?.podAntiAffinity) podAffinity(given.podAntiAffinity, at.child("podAntiAffinity"));
}

function nodeAffinity(given: NodeAffinity, at: ValidatedField): void {
  if (given[REQUIRED]) nodeSelector(given[REQUIRED], at.child(REQUIRED));
  at.child(PREFERRED).each(given[PREFERRED], (term, each) => {
    weight(term.weight, each.child("weight"));
    // Values that are no labels' are only warned about.
    nodeSelectorTerm(term.preference ?? {}, each.child("preference"), true);
  });
}

function weight(value: number | undefined, at: ValidatedField): void {
  const n = value ?? 0;
  if (n <= 0 || n > 100) at.invalid(n, "must be in the range 1-100");
}

function podAffinity(given: PodAffinity, at: ValidatedField): void {
  at.child(REQUIRED).each(given[REQUIRED], (term, each) => podAffinityTerm(term, each));
  at.child(PREFERRED).each(given[PREFERRED], (term, each) => {
    weight(term.weight, each.child("weight"));
    podAffinityTerm(term.podAffinityTerm ?? {}, each.child("podAffinityTerm"));
  });
}

function podAffinityTerm(term: PodAffinityTerm, at: ValidatedField): void {
  labelSelector(term.labelSelector, at.child("labelSelector"));
  labelSelector(term.namespaceSelector, at.child("namespaceSelector"));
  for (const name of term.namespaces ?? []) at.child("namespace").check(name, checkDns1123Label);
  labelKeys(term, at);
  if (!term.topologyKey) at.child("topologyKey").required("can not be empty");
  labelName(term.topologyKey, at.child("topologyKey"));
}

interface LabelKeys {
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[] | undefined;
  readonly labelSelector?: LabelSelector | undefined;
}

/** Keys of a constraint: before 1.34 they are not merged into its selector, which must not have them. */
export function spreadLabelKeys(given: LabelKeys, at: ValidatedField): void {
  if (at.by.since(34)) {
    labelKeys(given, at);
    return;
  }
  const { matchLabelKeys = [], labelSelector: selector } = given;
  const place = at.child("matchLabelKeys");
  keysOf(matchLabelKeys, selector, place, (key, each) => {
    const isSelected =
      Object.hasOwn(selector?.matchLabels ?? {}, key) ||
      selector?.matchExpressions?.some((expression) => expression.key === key);
    if (isSelected) each.invalid(key, "exists in both matchLabelKeys and labelSelector");
  });
}

/** Keys that a server merges into the selector; by now it has. */
export function labelKeys(given: LabelKeys, at: ValidatedField): void {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector: selector } = given;
  keysOf(matchLabelKeys, selector, at.child("matchLabelKeys"));
  keysOf(mismatchLabelKeys, selector, at.child("mismatchLabelKeys"));
  if (selector !== undefined) {
    // One expression of the key was merged in. A second one was there before.
    const seen = new Set(Object.keys(selector.matchLabels ?? {}));
    for (const { key = "" } of selector.matchExpressions ?? []) {
      const i = matchLabelKeys.lastIndexOf(key);
      if (i >= 0 && seen.has(key)) at.index(i).invalid(key, "exists in both matchLabelKeys and labelSelector");
      seen.add(key);
    }
  }
  at.child("matchLabelKeys").each(matchLabelKeys, (key, each) => {
    if (mismatchLabelKeys.includes(key)) each.invalid(key, "exists in both matchLabelKeys and mismatchLabelKeys");
  });
}

function keysOf(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  at: ValidatedField,
  also?: (key: string, at: ValidatedField) => void,
): void {
  if (keys.length === 0) return;
  if (selector === undefined) {
    at.forbidden("must not be specified when labelSelector is not set");
    return;
  }
  at.each(keys, (key, each) => {
    labelName(key, each);
    also?.(key, each);
  });
}
