// Fields of policies, bindings and webhook configurations: their match, their actions, their failure policy.

import { isRecord } from "@celadon/base";
import type { ValueAt } from "@celadon/kube";
import type { Edit } from "./edit.ts";
import { dropped, eachDropped, exchanged, type FieldMutator, oneDropped } from "./field-mutators.ts";

const FAILURE = { Fail: "Ignore", Ignore: "Fail" };
const OPERATORS = { In: "NotIn", NotIn: "In", Exists: "DoesNotExist", DoesNotExist: "Exists" };
const RULE_LISTS = ["operations", "apiGroups", "apiVersions", "resources", "resourceNames"];

const under = (places: readonly string[], ...fields: string[]): string[] =>
  places.flatMap((place) => fields.map((field) => (place === "" ? field : `${place}.${field}`)));

/** `places` hold rules under `rules` and selectors. */
// biome-ignore format: one mutator per entry
const matching = (places: readonly string[], rules: string): readonly FieldMutator[] => [
  { name: "rule-dropped",      about: "a resource rule removed",                at: under(places, `${rules}.*`), of: dropped },
  { name: "rule-narrowed",     about: "an operation, group, version, resource or name removed from a rule", at: under(places, ...RULE_LISTS.map((list) => `${rules}.*.${list}`)), of: oneDropped },
  { name: "exclusion-dropped", about: "an exclude resource rule removed",              at: under(places, "excludeResourceRules.*"), of: dropped },
  { name: "selector-dropped",  about: "a label or requirement removed from a selector",      at: under(places, "namespaceSelector", "objectSelector"), of: requirements },
  { name: "selector-negated",  about: "`In` ↔ `NotIn`, `Exists` ↔ `DoesNotExist`",          at: under(places, "namespaceSelector.matchExpressions.*.operator", "objectSelector.matchExpressions.*.operator"), of: exchanged(OPERATORS) },
];

// biome-ignore format: one mutator per entry
export const POLICY_MUTATORS: readonly FieldMutator[] = [
  { name: "validation-dropped", about: "a validation removed",                             at: ["spec.validations.*"], of: dropped },
  { name: "condition-dropped",  about: "a match condition removed",                        at: ["spec.matchConditions.*"], of: dropped },
  ...matching(["spec.matchConstraints"], "resourceRules"),
  { name: "failure-policy",     about: "failurePolicy: `Fail` ↔ `Ignore`",                  at: ["spec"], of: failurePolicy },
];

// biome-ignore format: one mutator per entry
export const MUTATING_POLICY_MUTATORS: readonly FieldMutator[] = [
  { name: "mutation-dropped",   about: "a mutation removed",                               at: ["spec.mutations"], of: oneDropped },
  { name: "condition-dropped",  about: "a match condition removed",                        at: ["spec.matchConditions.*"], of: dropped },
  ...matching(["spec.matchConstraints"], "resourceRules"),
  { name: "failure-policy",     about: "failurePolicy: `Fail` ↔ `Ignore`",                  at: ["spec"], of: failurePolicy },
];

export const MESSAGE_MUTATORS: readonly FieldMutator[] = [
  {
    name: "message-dropped",
    about: "a messageExpression removed, if tests check messages",
    at: ["spec.validations.*.messageExpression"],
    of: dropped,
  },
];

// biome-ignore format: one mutator per entry
export const BINDING_MUTATORS: readonly FieldMutator[] = [
  { name: "binding-dropped",  about: "a binding removed",                                  at: [""], of: dropped },
  { name: "action-changed",   about: "`Deny` → `Warn`, `Warn` → `Audit`, `Audit` → `Warn`", at: ["spec.validationActions.*"], of: exchanged({ Deny: "Warn", Warn: "Audit", Audit: "Warn" }) },
  { name: "action-dropped",   about: "one of several actions removed",                     at: ["spec.validationActions"], of: oneDropped },
  { name: "params-not-found", about: "parameterNotFoundAction: `Allow` ↔ `Deny`",           at: ["spec.paramRef.parameterNotFoundAction"], of: exchanged({ Allow: "Deny", Deny: "Allow" }) },
  { name: "selector-dropped", about: "a label or requirement removed from a selector",       at: ["spec.paramRef.selector"], of: requirements },
  ...matching(["spec.matchResources"], "resourceRules"),
];

// biome-ignore format: one mutator per entry
export const WEBHOOK_MUTATORS: readonly FieldMutator[] = [
  { name: "condition-dropped", about: "a match condition removed",                         at: ["webhooks.*.matchConditions.*"], of: dropped },
  ...matching(["webhooks.*"], "rules"),
  { name: "failure-policy",    about: "failurePolicy: `Fail` ↔ `Ignore`",                   at: ["webhooks.*"], of: failurePolicy },
];

/** Absent, it is Fail. It matters to expressions only. */
function failurePolicy({ path, value }: ValueAt): readonly Edit[] {
  if (!isRecord(value)) return [];
  const { failurePolicy: now = "Fail", matchConditions, validations, mutations } = value;
  const asks = [matchConditions, validations, mutations].some((list) => Array.isArray(list) && list.length > 0);
  return asks ? exchanged(FAILURE)({ path: [...path, "failurePolicy"], value: now }) : [];
}

/** The selector, if it has one requirement. */
function requirements({ path, value }: ValueAt): readonly Edit[] {
  if (!isRecord(value)) return [];
  const { matchLabels, matchExpressions } = value;
  const labels = isRecord(matchLabels) ? Object.keys(matchLabels).length : 0;
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.length : 0;
  if (labels + expressions === 0) return [];
  if (labels + expressions === 1) return [{ path }];
  return [
    ...eachDropped({ path: [...path, "matchLabels"], value: matchLabels }),
    ...eachDropped({ path: [...path, "matchExpressions"], value: matchExpressions }),
  ];
}
