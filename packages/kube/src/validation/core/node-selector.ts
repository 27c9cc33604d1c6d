// Selectors of nodes, which pods, volumes and devices have.

import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from "../../api/generated/core-v1.ts";
import { JsonShown } from "../../field-error.ts";
import { checkDns1123Subdomain, checkLabelValue } from "../../names.ts";
import { labelName } from "../checks/selectors.ts";
import type { ValidatedField } from "../field.ts";

export function nodeSelector(selector: NodeSelector, at: ValidatedField): void {
  const terms = at.child("nodeSelectorTerms");
  if (!selector.nodeSelectorTerms?.length) terms.required("must have at least one node selector term");
  terms.each(selector.nodeSelectorTerms, (term, each) => nodeSelectorTerm(term, each));
}

export function nodeSelectorTerm(term: NodeSelectorTerm, at: ValidatedField, anyValue = false): void {
  at.child("matchExpressions").each(term.matchExpressions, (requirement, each) =>
    nodeLabels(requirement, anyValue, each),
  );
  at.child("matchFields").each(term.matchFields, (requirement, each) => nodeFields(requirement, each));
}

function nodeLabels(requirement: NodeSelectorRequirement, anyValue: boolean, at: ValidatedField): void {
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
  if (!anyValue && at.by.since(33)) place.each(values, (value, each) => each.check(value, checkLabelValue));
}

function nodeFields(requirement: NodeSelectorRequirement, at: ValidatedField): void {
  const values = requirement.values ?? [];
  if (requirement.operator !== "In" && requirement.operator !== "NotIn") badOperator(requirement.operator, at);
  else if (values.length !== 1) {
    at.child("values").required("must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  }
  const key = requirement.key ?? "";
  if (key !== "metadata.name") at.child("key").invalid(key, "not a valid field selector key");
  else at.child("values").each(values, (value, each) => each.check(value, checkDns1123Subdomain));
}

function badOperator(operator: string | undefined, at: ValidatedField): void {
  at.child("operator").invalid(new JsonShown(operator ?? ""), "not a valid selector operator");
}
