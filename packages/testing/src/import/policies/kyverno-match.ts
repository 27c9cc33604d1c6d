// Translates the matched and excluded resources of a Kyverno rule to match constraints where they can express them, and to match conditions
// where not. Filters of `any` are alternatives, those of `all` hold together; matches of `exclude` are left out again.

import type { MatchCondition, MatchResources, NamedRuleWithOperations, RuleOperation } from "@celadon/admission/policy";
import { type JsonPath, pushAll } from "@celadon/base";
import type { LabelSelectorObject } from "@celadon/kube/selectors";
import {
  fieldsAt,
  get,
  hasText,
  hasWildcard,
  isFields,
  labelsAt,
  listAt,
  quoted,
  textAt,
  textsAt,
} from "../foreign.ts";
import {
  equals,
  type KindSelector,
  type KnownKind,
  kindsExpression,
  parseKindSelector,
  rulesOfKinds,
} from "./kyverno-kinds.ts";

export interface KyvernoMatch {
  readonly matchConstraints: MatchResources;
  readonly conditions: readonly MatchCondition[];
  readonly notes: readonly string[];
}

export interface MatchProblem {
  readonly message: string;
  readonly path: JsonPath;
}

/** One entry of `any` or `all`, or a match block in the old form. */
interface Filter {
  readonly kinds: readonly KindSelector[];
  readonly operations: readonly RuleOperation[];
  readonly names: readonly string[];
  readonly namespaces: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly selector: LabelSelectorObject | undefined;
  readonly namespaceSelector: LabelSelectorObject | undefined;
  readonly subjects: readonly unknown[];
}

/** The operations that Kyverno's webhook gets for a rule that names none and is about new objects. */
const OPERATIONS: readonly RuleOperation[] = ["CREATE", "UPDATE"];

export function convertMatch(rule: unknown, known: readonly KnownKind[]): KyvernoMatch | readonly MatchProblem[] {
  const problems: MatchProblem[] = [];
  const match = filtersOf(get(rule, "match"), ["match"], problems);
  const exclude = filtersOf(get(rule, "exclude"), ["exclude"], problems);
  if (match.filters.length === 0) problems.push({ message: "the rule matches nothing", path: ["match"] });
  if (problems.length > 0) return problems;

  const notes: string[] = [];
  const conditions: MatchCondition[] = [];
  const inverted = invertedSelector(exclude.filters);
  const excluded = inverted === undefined ? exclude.filters : [];
  const rules: NamedRuleWithOperations[] = [];
  let inexact = match.filters.length > 1 && match.all;
  for (const filter of match.all ? match.filters.slice(0, 1) : match.filters) {
    const operations = filter.operations.length > 0 ? filter.operations : OPERATIONS;
    const made = rulesOfKinds(filter.kinds, operations, known);
    pushAll(rules, made.rules);
    inexact ||= made.inexact;
    for (const kind of made.guessed)
      notes.push(`the resource of kind ${kind} is guessed; its CustomResourceDefinition is missing`);
  }
  const [only] = match.filters;
  const simple = match.filters.length === 1 && !inexact;
  if (
    (!simple && match.filters.some((filter) => filter.namespaceSelector)) ||
    excluded.some((filter) => filter.namespaceSelector)
  ) {
    const block = excluded.some((filter) => filter.namespaceSelector) ? "exclude" : "match";
    return [
      {
        message: "a namespaceSelector together with other filters: conditions cannot read namespace labels",
        path: [block],
      },
    ];
  }
  const namespaceSelector = both(simple ? only!.namespaceSelector : undefined, inverted);
  const matchConstraints: MatchResources = {
    resourceRules: mergeRules(rules),
    ...(simple && only!.selector && !wildSelector(only!.selector) && { objectSelector: only!.selector }),
    ...(namespaceSelector && { namespaceSelector }),
  };
  if (simple) {
    const rest = expressionsOf({
      ...only!,
      kinds: [],
      operations: [],
      selector: matchConstraints.objectSelector ? undefined : only!.selector,
      namespaceSelector: undefined,
    });
    pushAll(
      conditions,
      rest.map((expression, i) => ({ name: conditionName("match", i), expression })),
    );
  } else if (
    inexact ||
    match.filters.some((filter) => expressionsOf({ ...filter, kinds: [], operations: [] }).length > 0)
  ) {
    const each = match.filters.map((filter) => conjunction(expressionsOf(filter)));
    conditions.push({ name: conditionName("match", 0), expression: each.join(match.all ? " && " : " || ") });
  }
  if (excluded.length > 0) {
    const each = excluded.map((filter) => conjunction(expressionsOf(filter)));
    const expression = `!(${each.join(exclude.all ? " && " : " || ")})`;
    conditions.push({ name: "kyverno-exclude", expression });
  }
  return { matchConstraints, conditions, notes };
}

const conditionName = (what: string, i: number): string => `kyverno-${what}${i === 0 ? "" : `-${i + 1}`}`;

/** Rules of the same operations, groups and versions are one. */
function mergeRules(rules: readonly NamedRuleWithOperations[]): readonly NamedRuleWithOperations[] {
  const merged = new Map<string, NamedRuleWithOperations>();
  for (const rule of rules) {
    const key = JSON.stringify([rule.apiGroups, rule.apiVersions, rule.operations]);
    const before = merged.get(key);
    const resources = [...new Set([...(before?.resources ?? []), ...(rule.resources ?? [])])];
    merged.set(key, { ...rule, resources });
  }
  return [...merged.values()];
}

function filtersOf(
  block: unknown,
  path: JsonPath,
  problems: MatchProblem[],
): { readonly filters: readonly Filter[]; readonly all: boolean } {
  if (!isFields(block)) return { filters: [], all: false };
  for (const key of ["any", "all"] as const) {
    if (!hasText(block, key)) continue;
    const filters = listAt(block, key).map((value, i) => filterOf(value, [...path, key, i], problems));
    return { filters, all: key === "all" };
  }
  return hasText(block, "resources") || hasText(block, "subjects")
    ? { filters: [filterOf(block, path, problems)], all: false }
    : { filters: [], all: false };
}

function filterOf(filter: unknown, path: JsonPath, problems: MatchProblem[]): Filter {
  for (const key of ["roles", "clusterRoles"]) {
    if (hasText(filter, key)) {
      problems.push({ message: `${key} need RBAC lookups, which expressions cannot do`, path: [...path, key] });
    }
  }
  const resources = fieldsAt(filter, "resources");
  const kinds: KindSelector[] = [];
  for (const [i, text] of textsAt(resources, "kinds").entries()) {
    const kind = parseKindSelector(text);
    if (kind === undefined) {
      problems.push({ message: `${JSON.stringify(text)} is not a kind`, path: [...path, "resources", "kinds", i] });
    } else kinds.push(kind);
  }
  if (kinds.length === 0 && path[0] === "match") {
    problems.push({ message: "no kinds are named, so the rule matches everything", path });
  }
  const name = textAt(resources, "name");
  return {
    kinds,
    operations: textsAt(resources, "operations").filter(isOperation),
    names: [...(name === undefined ? [] : [name]), ...textsAt(resources, "names")],
    namespaces: textsAt(resources, "namespaces"),
    annotations: labelsAt(resources, "annotations"),
    selector: selectorOf(get(resources, "selector")),
    namespaceSelector: selectorOf(get(resources, "namespaceSelector")),
    subjects: listAt(filter, "subjects"),
  };
}

const isOperation = (text: string): text is RuleOperation => ["CREATE", "UPDATE", "DELETE", "CONNECT"].includes(text);

function selectorOf(value: unknown): LabelSelectorObject | undefined {
  return isFields(value) && (hasText(value, "matchLabels") || hasText(value, "matchExpressions"))
    ? (value as LabelSelectorObject)
    : undefined;
}

const OPPOSITES: Readonly<Record<string, "In" | "NotIn" | "Exists" | "DoesNotExist">> = {
  In: "NotIn",
  NotIn: "In",
  Exists: "DoesNotExist",
  DoesNotExist: "Exists",
};

/** To exclude namespaces by one requirement is to select by its opposite. */
function invertedSelector(filters: readonly Filter[]): LabelSelectorObject | undefined {
  const [only] = filters;
  if (filters.length !== 1 || only?.namespaceSelector === undefined) return undefined;
  if (only.kinds.length > 0 || expressionsOf(only).length > 0) return undefined;
  const labels = Object.entries(labelsAt(only.namespaceSelector, "matchLabels"));
  const requirements = [
    ...labels.map(([key, value]) => ({ key, operator: "In", values: [value] })),
    ...listAt(only.namespaceSelector, "matchExpressions"),
  ];
  const [requirement] = requirements;
  const operator = OPPOSITES[textAt(requirement, "operator") ?? ""];
  if (requirements.length !== 1 || operator === undefined) return undefined;
  const values = textsAt(requirement, "values");
  return {
    matchExpressions: [{ key: textAt(requirement, "key") ?? "", operator, ...(values.length > 0 && { values }) }],
  };
}

function both(a: LabelSelectorObject | undefined, b: LabelSelectorObject | undefined): LabelSelectorObject | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { ...a, matchExpressions: [...(a.matchExpressions ?? []), ...(b.matchExpressions ?? [])] };
}

function wildSelector(selector: LabelSelectorObject): boolean {
  return Object.entries(labelsAt(selector, "matchLabels")).some(
    ([key, value]) => hasWildcard(key) || hasWildcard(value),
  );
}

/** The object the request is about, also when it is deleted. */
const SUBJECT = '(request.operation == "DELETE" ? oldObject : object)';

/** All of it has to hold. */
function expressionsOf(filter: Filter): string[] {
  const { kinds, operations, names, namespaces, annotations, selector, subjects } = filter;
  const terms: string[] = [];
  const anyOf = (each: readonly string[]): void => {
    if (each.length > 0 && !each.includes("")) terms.push(each.length === 1 ? each[0]! : `(${each.join(" || ")})`);
  };
  if (kinds.length > 0) terms.push(`(${kindsExpression(kinds)})`);
  if (operations.length > 0) terms.push(`request.operation in [${operations.map(quoted).join(", ")}]`);
  const name = `${SUBJECT}.metadata.?name.orValue(${SUBJECT}.metadata.?generateName.orValue(""))`;
  anyOf(names.map((text) => equals(name, text)));
  anyOf(namespaces.map((namespace) => equals('request.?namespace.orValue("")', namespace)));
  const annotationMap = `${SUBJECT}.metadata.?annotations.orValue({})`;
  for (const [key, value] of Object.entries(annotations)) terms.push(entryExpression(annotationMap, key, value));
  if (selector) pushAll(terms, selectorExpressions(selector, `${SUBJECT}.metadata.?labels.orValue({})`));
  anyOf(subjects.map(subjectExpression));
  return terms;
}

const conjunction = (terms: readonly string[]): string =>
  terms.length === 0 ? "true" : terms.length === 1 ? terms[0]! : `(${terms.join(" && ")})`;

function entryExpression(map: string, key: string, value: string): string {
  if (!hasWildcard(key) && !hasWildcard(value)) return `${map}[?${quoted(key)}] == optional.of(${quoted(value)})`;
  const terms = [equals("k", key), equals(`${map}[k]`, value)].filter((term) => term !== "");
  return `${map}.exists(k, ${terms.length === 0 ? "true" : terms.join(" && ")})`;
}

function selectorExpressions(selector: LabelSelectorObject, labels: string): string[] {
  const terms = Object.entries(labelsAt(selector, "matchLabels")).map(([key, value]) =>
    entryExpression(labels, key, value),
  );
  for (const matchExpression of listAt(selector, "matchExpressions")) {
    const key = quoted(textAt(matchExpression, "key") ?? "");
    const values = `[${textsAt(matchExpression, "values").map(quoted).join(", ")}]`;
    const label = `${labels}[?${key}]`;
    const operator = textAt(matchExpression, "operator");
    if (operator === "Exists") terms.push(`${label}.hasValue()`);
    else if (operator === "DoesNotExist") terms.push(`!${label}.hasValue()`);
    else if (operator === "In") terms.push(`(${label}.hasValue() && ${label}.value() in ${values})`);
    else terms.push(`!(${label}.hasValue() && ${label}.value() in ${values})`);
  }
  return terms;
}

function subjectExpression(subject: unknown): string {
  const name = textAt(subject, "name") ?? "";
  switch (textAt(subject, "kind")) {
    case "Group":
      return name === "*" ? "" : `request.userInfo.?groups.orValue([]).exists(g, ${equals("g", name)})`;
    case "ServiceAccount": {
      const full = `system:serviceaccount:${textAt(subject, "namespace") ?? "*"}:${name}`;
      return equals('request.userInfo.?username.orValue("")', full);
    }
    default:
      return equals('request.userInfo.?username.orValue("")', name);
  }
}
