// Rules of roles as text, with the minors that have them.

import { holdsAt, type Minor, type MinorRange } from "@celadon/kube/versions";

/** `verbs groups resources [names]`, or `verbs paths`. */
export type RuleText = string;

/** A rule that every minor has, or some. */
export type RuleRow = RuleText | ({ readonly rule: RuleText } & MinorRange);

export interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** The rules that a minor has. */
export function rulesAt(rows: readonly RuleRow[], minor: Minor): readonly Rule[] {
  return rows.flatMap((row) => {
    if (typeof row === "string") return [ruleOf(row)];
    return holdsAt(row, minor) ? [ruleOf(row.rule)] : [];
  });
}

function ruleOf(text: RuleText): Rule {
  const [verbs = [], second = [], resources, resourceNames] = text.split(" ").map((part) => part.split(","));
  if (resources === undefined) return { nonResourceURLs: second, verbs };
  const apiGroups = second.map((name) => (name === "core" ? "" : name));
  return { apiGroups, resources, ...(resourceNames && { resourceNames }), verbs };
}
