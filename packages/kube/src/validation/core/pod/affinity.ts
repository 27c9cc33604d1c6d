// Affinity to nodes and pods, and the selectors of nodes that other kinds use too.

import type {
  Affinity,
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
} from "../../../api/core-v1.ts";
import type { LabelSelector } from "../../../api/meta-v1.ts";
import { JsonShown } from "../../../field-error.ts";
import { checkDns1123Label, checkDns1123Subdomain, checkLabelValue } from "../../../names.ts";
import { labelName, labelSelector } from "../../checks/selectors.ts";
import type { Field } from "../../field.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

export function affinity(given: Affinity | undefined, at: Field): void {
  if (given?.nodeAffinity) nodeAffinity(given.nodeAffinity, at.child("nodeAffinity"));
  if (given?.podAffinity) podAffinity(given.podAffinity, at.child("podAffinity"));
  if (given?.podAntiAffinity) podAffinity(given.podAntiAffinity, at.child("podAntiAffinity"));
}

function nodeAffinity(given: NodeAffinity, at: Field): void {
  if (given[REQUIRED]) nodeSelector(given[REQUIRED], at.child(REQUIRED));
  at.child(PREFERRED).each(given[PREFERRED], (term, each) => {
    weight(term.weight, each.child("weight"));
    // Values that are no labels' are only warned about.
    nodeSelectorTerm(term.preference ?? {}, each.child("preference"), true);
  });
}

function weight(value: number | undefined, at: Field): void {
  const n = value ?? 0;
  if (n <= 0 || n > 100) at.invalid(n, "must be in the range 1-100");
}

export function nodeSelector(selector: NodeSelector, at: Field): void {
  const terms = at.child("nodeSelectorTerms");
  if (!selector.nodeSelectorTerms?.length) terms.required("must have at least one node selector term");
  terms.each(selector.nodeSelectorTerms, (term, each) => nodeSelectorTerm(term, each));
}

export function nodeSelectorTerm(term: NodeSelectorTerm, at: Field, anyValue = false): void {
  at.child("matchExpressions").each(term.matchExpressions, (requirement, each) =>
    nodeLabels(requirement, anyValue, each),
  );
  at.child("matchFields").each(term.matchFields, (requirement, each) => nodeFields(requirement, each));
}

function nodeLabels(requirement: NodeSelectorRequirement, anyValue: boolean, at: Field): void {
  const values = requirement.values ?? [];
  const place = at.child("values");
  switch (requirement.operator) {
    case "In":
    case "NotIn":
      if (values.length === 0) place.required("must be specified when `operator` is 'In' or 'NotIn'");
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) place.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      break;
    case "Gt":
    case "Lt":
      if (values.length !== 1) place.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
      break;
    default:
      badOperator(requirement.operator, at);
  }
  labelName(requirement.key, at.child("key"));
  if (!anyValue) place.each(values, (value, each) => each.check(value, checkLabelValue));
}

function nodeFields(requirement: NodeSelectorRequirement, at: Field): void {
  const values = requirement.values ?? [];
  if (requirement.operator !== "In" && requirement.operator !== "NotIn") badOperator(requirement.operator, at);
  else if (values.length !== 1) {
    at.child("values").required("must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  }
  const key = requirement.key ?? "";
  if (key !== "metadata.name") at.child("key").invalid(key, "not a valid field selector key");
  else at.child("values").each(values, (value, each) => each.check(value, checkDns1123Subdomain));
}

function badOperator(operator: string | undefined, at: Field): void {
  at.child("operator").invalid(new JsonShown(operator ?? ""), "not a valid selector operator");
}

function podAffinity(given: PodAffinity, at: Field): void {
  at.child(REQUIRED).each(given[REQUIRED], (term, each) => podAffinityTerm(term, each));
  at.child(PREFERRED).each(given[PREFERRED], (term, each) => {
    weight(term.weight, each.child("weight"));
    podAffinityTerm(term.podAffinityTerm ?? {}, each.child("podAffinityTerm"));
  });
}

function podAffinityTerm(term: PodAffinityTerm, at: Field): void {
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

/** Keys that a server merges into the selector; by now it has. */
export function labelKeys(given: LabelKeys, at: Field): void {
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

function keysOf(keys: readonly string[], selector: LabelSelector | undefined, at: Field): void {
  if (keys.length === 0) return;
  if (selector === undefined) {
    at.forbidden("must not be specified when labelSelector is not set");
    return;
  }
  at.each(keys, (key, each) => labelName(key, each));
}
