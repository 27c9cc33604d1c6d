// Selectors of access reviews: the readable part counts, and the rest is ignored and reported. Upstream: kubernetes
// pkg/registry/authorization/util/helpers.go.

import { Invalid } from "@celadon/kube/errors";
import {
  type FieldRequirement,
  parseFieldSelector,
  parseLabelSelector,
  type Requirement,
  toLabelSelector,
} from "@celadon/kube/selectors";
import type { Attributes } from "@celadon/kube-cel";

interface GivenRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[] | null;
}

interface GivenSelector {
  readonly rawSelector?: string;
  readonly requirements?: readonly GivenRequirement[] | null;
}

/** Selectors as a review gives them. */
export interface GivenSelectors {
  readonly fieldSelector?: GivenSelector | null;
  readonly labelSelector?: GivenSelector | null;
}

type Selectors = Pick<Attributes, "fieldSelector" | "labelSelector">;

export function selectorsOf({ fieldSelector, labelSelector }: GivenSelectors): Selectors {
  return {
    ...(fieldSelector && { fieldSelector: selection(fieldSelector, rawFields, fieldRequirement) }),
    ...(labelSelector && { labelSelector: selection(labelSelector, rawLabels, labelRequirement) }),
  };
}

/** The ignored selectors, for the status of the review. */
export function selectorProblems(selectors: Selectors): readonly string[] {
  return (["fieldSelector", "labelSelector"] as const).flatMap((name) => {
    const { error, requirements = [] } = selectors[name] ?? {};
    if (error === undefined) return [];
    const ignored = requirements.length > 0 ? "partially ignored" : "ignored";
    return `spec.resourceAttributes.${name} ${ignored} due to parse error`;
  });
}

function selection<R>(
  { rawSelector = "", requirements }: GivenSelector,
  parse: (text: string) => readonly R[] | Invalid,
  read: (given: GivenRequirement) => R | Invalid,
): { readonly requirements: readonly R[]; readonly error?: string } {
  const given = requirements ?? [];
  if (given.length === 0) {
    const parsed = rawSelector === "" ? [] : parse(rawSelector);
    return parsed instanceof Invalid ? { requirements: [], error: parsed.message } : { requirements: parsed };
  }
  const results = given.map(read);
  const error = results.find((result) => result instanceof Invalid);
  return {
    requirements: results.filter((result): result is R => !(result instanceof Invalid)),
    ...(error instanceof Invalid && { error: error.message }),
  };
}

function rawFields(text: string): readonly FieldRequirement[] | Invalid {
  const selector = parseFieldSelector(text);
  return selector instanceof Invalid ? selector : selector.requirements;
}

function rawLabels(text: string): readonly Requirement[] | Invalid {
  const selector = parseLabelSelector(text);
  return selector instanceof Invalid ? selector : selector.requirements;
}

function fieldRequirement({ key = "", operator = "", values }: GivenRequirement): FieldRequirement | Invalid {
  const [value, ...others] = values ?? [];
  if (others.length > 0) return new Invalid("fieldSelectors do not yet support multiple values");
  if (operator !== "In" && operator !== "NotIn") return new Invalid(`fieldSelectors do not support ${operator}`);
  if (value === undefined) return new Invalid("fieldSelectors must have one value");
  return { field: key, operator: operator === "In" ? "=" : "!=", value };
}

function labelRequirement({ key = "", operator = "", values }: GivenRequirement): Requirement | Invalid {
  const selector = toLabelSelector({ matchExpressions: [{ key, operator, values: values ?? [] }] });
  return selector instanceof Invalid ? selector : selector.requirements[0]!;
}
