// Kyverno names kinds (`Pod`, `apps/v1/Deployment`, `Pod/exec`), admission names resources. Built-in kinds are looked up, others
// are guessed as a cluster would most likely call them, unless a definition says it.

import type { NamedRuleWithOperations, RuleOperation } from "@celadon/admission/policy";
import { guessResource } from "@celadon/kube";
import { builtinResources } from "@celadon/kube/builtin";
import { hasWildcard, quoted, wildcardPattern } from "../foreign.ts";

export interface KindSelector {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly subresource: string;
}

/** The known kinds beyond the built-in ones: from definitions, or from the objects of a suite. */
export interface KnownKind {
  readonly group: string;
  readonly kind: string;
  readonly resource: string;
}

const VERSION = /^(?:v\d+(?:(?:alpha|beta)\d+)?|\*)$/;

/** Undefined when it names none. */
export function parseKindSelector(text: string): KindSelector | undefined {
  const slashed = text.trim().split("/");
  const parts = [...slashed.slice(0, -1), ...slashed.at(-1)!.split(".")];
  const [a = "", b = "", c = "", d = ""] = parts;
  const of = (group: string, version: string, kind: string, subresource: string): KindSelector | undefined =>
    kind === "" ? undefined : { group, version, kind, subresource };
  switch (parts.length) {
    case 1:
      return of("*", "*", a, "");
    case 2:
      if (a === "*" && b === "*") return of("*", "*", "*", "*");
      if (a === "*" && b.toLowerCase() === b) return of("*", "*", a, b);
      return VERSION.test(a) ? of("*", a, b, "") : of("*", "*", a, b);
    case 3:
      return VERSION.test(a) ? of("*", a, b, c) : of(a, b, c, "");
    case 4:
      return of(a, b, c, d);
    default:
      return undefined;
  }
}

export interface KindRules {
  readonly rules: readonly NamedRuleWithOperations[];
  /** True where the rules say less than the selectors: wildcards in names of kinds. */
  readonly inexact: boolean;
  /** Kinds with a guessed resource. */
  readonly guessed: readonly string[];
}

export function rulesOfKinds(
  selectors: readonly KindSelector[],
  operations: readonly RuleOperation[],
  known: readonly KnownKind[],
): KindRules {
  const rules = new Map<string, { groups: string[]; versions: string[]; resources: Set<string> }>();
  const guessed: string[] = [];
  let inexact = false;
  const add = (group: string, version: string, resource: string): void => {
    const key = `${group}/${version}`;
    const rule = rules.get(key) ?? { groups: [group], versions: [version], resources: new Set() };
    rule.resources.add(resource);
    rules.set(key, rule);
  };
  for (const { group, version, kind, subresource } of selectors) {
    const tail = subresource === "" ? "" : `/${subresource}`;
    if (hasWildcard(kind) || (hasWildcard(group) && group !== "*") || (hasWildcard(version) && version !== "*")) {
      if (kind !== "*" || (group !== "*" && hasWildcard(group))) inexact = true;
      add(hasWildcard(group) ? "*" : group, hasWildcard(version) ? "*" : version, `*${tail}`);
      continue;
    }
    const found = [...builtinResources(), ...known].filter(
      (builtinResource) => builtinResource.kind === kind && (group === "*" || builtinResource.group === group),
    );
    if (found.length === 0) {
      guessed.push(kind);
      add(group, version, `${guessResource(kind)}${tail}`);
    }
    for (const knownKind of found) add(knownKind.group, version, `${knownKind.resource}${tail}`);
  }
  return {
    rules: [...rules.values()].map(({ groups, versions, resources }) => ({
      apiGroups: groups,
      apiVersions: versions,
      operations,
      resources: [...resources],
    })),
    inexact,
    guessed,
  };
}

/** Whether the request is about one of the kinds, as an expression. */
export function kindsExpression(selectors: readonly KindSelector[]): string {
  const item = ({ group, version, kind, subresource }: KindSelector): string => {
    const terms = [
      equals("request.kind.group", group),
      equals("request.kind.version", version),
      equals("request.kind.kind", kind),
      subresource === "*" ? "" : equals('request.?subResource.orValue("")', subresource),
    ].filter((term) => term !== "");
    return terms.length === 0 ? "true" : terms.join(" && ");
  };
  return selectors.map((selector) => `(${item(selector)})`).join(" || ");
}

/** A text of the request is the pattern; empty when any text is. */
export function equals(value: string, pattern: string): string {
  if (pattern === "*") return "";
  return hasWildcard(pattern)
    ? `${value}.matches(${quoted(wildcardPattern(pattern))})`
    : `${value} == ${quoted(pattern)}`;
}
