// A call of `authorizer` as the spec of a SubjectAccessReview. Upstream: apiserver plugin/pkg/authorizer/webhook.

import type { FieldRequirement, Requirement, SelectorOperator } from "@celadon/kube/selectors";
import type { Attributes } from "../library/authorizer.ts";
import type { ReviewedAccess } from "./match-conditions.ts";

type Spec = Readonly<Record<string, unknown>>;

/** The spec for an access check; texts that are empty are left out. */
export function accessReviewSpec(attributes: Attributes): ReviewedAccess & Spec {
  const { user, verb, resourceRequest, path } = attributes;
  return {
    user: user.name ?? "",
    ...(user.uid && { uid: user.uid }),
    ...(user.groups && user.groups.length > 0 && { groups: user.groups }),
    ...(user.extra && Object.keys(user.extra).length > 0 && { extra: user.extra }),
    ...(resourceRequest
      ? { resourceAttributes: resourceAttributes(attributes) }
      : { nonResourceAttributes: { path: path ?? "", verb } }),
  };
}

function resourceAttributes(attributes: Attributes): Spec {
  const { verb, apiGroup, apiVersion, resource, subresource, namespace, name, fieldSelector, labelSelector } =
    attributes;
  return {
    verb,
    ...(namespace && { namespace }),
    ...(apiGroup && { group: apiGroup }),
    ...(apiVersion && { version: apiVersion }),
    ...(resource && { resource }),
    ...(subresource && { subresource }),
    ...(name && { name }),
    ...selection("fieldSelector", fieldSelector?.requirements.map(fieldRequirement)),
    ...selection("labelSelector", labelSelector?.requirements.flatMap(labelRequirement)),
  };
}

/** A selector that did not parse restricts nothing: the answer is then for the wider question. */
function selection(key: string, requirements: readonly Spec[] | undefined): Spec {
  return requirements === undefined || requirements.length === 0 ? {} : { [key]: { requirements } };
}

function fieldRequirement({ field, operator, value }: FieldRequirement): Spec {
  return { key: field, operator: operator === "!=" ? "NotIn" : "In", values: [value] };
}

/** Comparisons with numbers have no form in a review. */
function labelRequirement({ key, operator, values }: Requirement): readonly Spec[] {
  const word = OPERATORS[operator];
  if (word === undefined) return [];
  return [{ key, operator: word, ...(values.length > 0 && { values: [...values] }) }];
}

const OPERATORS: Partial<Readonly<Record<SelectorOperator, string>>> = {
  "=": "In",
  "==": "In",
  in: "In",
  "!=": "NotIn",
  notin: "NotIn",
  exists: "Exists",
  "!": "DoesNotExist",
};
