// The rules of matchConstraints and matchResources: which of them are about pods, and the same for workloads.

import { resourceHits } from "../match/rules.ts";
import type { NamedRuleWithOperations } from "../policy.ts";
import type { Note } from "./outcome.ts";
import type { Workloads } from "./workloads.ts";

export interface PodRules {
  /** The rules for pods of workloads. */
  readonly rules: readonly NamedRuleWithOperations[];
  /** Places of rules that match anything but pods and their subresources. */
  readonly beyond: readonly number[];
  readonly notes: readonly Note[];
}

type Path = readonly (string | number)[];

export function podRules(rules: readonly NamedRuleWithOperations[], path: Path): PodRules {
  const kept: NamedRuleWithOperations[] = [];
  const beyond: number[] = [];
  const notes: Note[] = [];
  rules.forEach((rule, i) => {
    const { resources = [] } = rule;
    const others = resources.some((resource) => resource !== "pods" && !resource.startsWith("pods/"));
    if (others || !hits(rule.apiGroups, "")) beyond.push(i);
    const subresources = resources.filter((resource) => resource.startsWith("pods/"));
    if (subresources.length > 0) {
      const message = `workloads have no ${subresources.join(", ")}, so rules for them are dropped`;
      notes.push({ code: "subresources_left_out", message, path: [...path, i, "resources"] });
    }
    if (!hitsPods(rule)) return;
    if (rule.resourceNames !== undefined && rule.resourceNames.length > 0) {
      const message =
        "pods of workloads have generated names, so a rule for pods with given names does not apply to them";
      notes.push({ code: "named_pods_left_out", message, path: [...path, i, "resourceNames"] });
      return;
    }
    kept.push(rule);
  });
  return { rules: kept, beyond, notes };
}

/** A rule about pods for workloads: one for each of their groups. */
export function workloadRules(
  rules: readonly NamedRuleWithOperations[],
  { resources }: Workloads,
): NamedRuleWithOperations[] {
  const groups = [...new Set(resources.map(({ group }) => group))];
  return rules.flatMap(({ operations, scope }) =>
    groups.map((group) => ({
      apiGroups: [group],
      apiVersions: ["v1"],
      ...(operations && { operations }),
      resources: resources.filter((resource) => resource.group === group).map(({ resource }) => resource),
      ...(scope && { scope }),
    })),
  );
}

/** Whether some rule matches the operation. */
export const matchesOperation = (rules: readonly NamedRuleWithOperations[], operation: string): boolean =>
  rules.some((rule) => hits(rule.operations, operation));

function hitsPods({ apiGroups, apiVersions, resources }: NamedRuleWithOperations): boolean {
  return hits(apiGroups, "") && hits(apiVersions, "v1") && resourceHits(resources, "pods", "");
}

const hits = (patterns: readonly string[] | undefined, text: string): boolean =>
  patterns?.some((pattern) => pattern === "*" || pattern === text) ?? false;
