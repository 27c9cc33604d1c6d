// Whether rules allow everything that other rules allow, and the missing rights where they do not. Upstream: component-helpers
// auth/rbac/validation, kubernetes pkg/registry/rbac/validation.

import type { PolicyRule } from "@celadon/admission/memory";
import { quoteGo, trimEndOf } from "@celadon/base";

export type Rule = PolicyRule;

/** The wanted rules that the held ones do not cover, in the smallest pieces. */
export function missingRules(held: readonly Rule[], wanted: readonly Rule[]): readonly Rule[] {
  return wanted.flatMap(pieces).filter((piece) => !held.some((rule) => covers(rule, piece)));
}

function pieces(rule: Rule): readonly Rule[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  return verbs.flatMap((verb) => {
    const names = resourceNames.length === 0 ? [undefined] : resourceNames;
    const objects = apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        names.map((name) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          ...(name !== undefined && { resourceNames: [name] }),
        })),
      ),
    );
    return [...objects, ...nonResourceURLs.map((url) => ({ verbs: [verb], nonResourceURLs: [url] }))];
  });
}

function covers(rule: Rule, piece: Rule): boolean {
  const has = (list: readonly string[] | undefined, value: string | undefined): boolean =>
    (list ?? []).includes("*") || (list ?? []).includes(value ?? "");
  if (!has(rule.verbs, piece.verbs?.[0])) return false;
  const [url] = piece.nonResourceURLs ?? [];
  if (url !== undefined) return (rule.nonResourceURLs ?? []).some((own) => urlCovers(own, url));
  const [name] = piece.resourceNames ?? [];
  const names = rule.resourceNames ?? [];
  if (names.length > 0 && (name === undefined || !names.includes(name))) return false;
  return has(rule.apiGroups, piece.apiGroups?.[0]) && resourceCovers(rule.resources ?? [], piece.resources?.[0] ?? "");
}

function urlCovers(own: string, url: string): boolean {
  if (own === "*" || own === url) return true;
  return own.endsWith("*") && url.startsWith(trimEndOf(own, /\*/));
}

function resourceCovers(own: readonly string[], resource: string): boolean {
  if (own.includes("*") || own.includes(resource)) return true;
  const slash = resource.indexOf("/");
  return slash !== -1 && own.includes(`*${resource.slice(slash)}`);
}

/** One line per rule, those about the same object together. */
export function describeRules(rules: readonly Rule[]): string {
  const together = new Map<string, Rule>();
  for (const rule of rules) {
    const { verbs: _, ...what } = rule;
    const key = JSON.stringify(what);
    const known = together.get(key);
    const isUrl = rule.nonResourceURLs !== undefined;
    const merged = known && { ...known, verbs: [...(known.verbs ?? []), ...(rule.verbs ?? [])] };
    together.set(isUrl ? JSON.stringify(rule) : key, isUrl ? rule : (merged ?? rule));
  }
  return [...new Set([...together.values()].map(ruleText))].sort().join("\n");
}

function ruleText(rule: Rule): string {
  const parts: readonly (readonly [string, readonly string[] | undefined])[] = [
    ["APIGroups", rule.apiGroups],
    ["Resources", rule.resources],
    ["NonResourceURLs", rule.nonResourceURLs],
    ["ResourceNames", rule.resourceNames],
    ["Verbs", rule.verbs],
  ];
  const texts = parts.flatMap(([name, list = []]) => (list.length === 0 ? [] : [`${name}:${quotedList(list)}`]));
  return `{${texts.join(", ")}}`;
}

/** Prints the list as Go does. */
export const quotedList = (list: readonly string[]): string => `[${list.map(quoteGo).join(" ")}]`;
