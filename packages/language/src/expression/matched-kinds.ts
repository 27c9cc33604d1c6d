// The kinds that rules of a policy or webhook match, as far as schemas and definitions at hand tell.

import type { Schemas } from "@celadon/admission/memory";
import { isRecord, memberOf } from "@celadon/base";
import type { GroupVersionKind } from "@celadon/kube";

/** More kinds than this do not change the result: their common fields are known by then. */
const MOST = 6;

/** Kinds that people write policies about, first. */
const FIRST = ["Pod", "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "ReplicaSet", "Service", "Ingress"];

export function matchedKinds(rules: unknown, schemas: Schemas): readonly GroupVersionKind[] {
  if (!Array.isArray(rules)) return [];
  const found = new Map<string, GroupVersionKind>();
  for (const rule of rules) {
    if (!isRecord(rule)) continue;
    for (const kind of kindsOf(rule, schemas)) found.set(`${kind.group}/${kind.version}/${kind.kind}`, kind);
  }
  const rank = ({ kind }: GroupVersionKind): number => (FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length);
  return [...found.values()].sort((a, b) => rank(a) - rank(b)).slice(0, MOST);
}

function kindsOf(rule: object, schemas: Schemas): GroupVersionKind[] {
  const [groups, versions, resources] = ["apiGroups", "apiVersions", "resources"].map((name) =>
    textsOf(memberOf(rule, name)),
  ) as [string[], string[], string[]];
  const fits = (list: readonly string[], name: string): boolean => list.includes("*") || list.includes(name);
  return schemas
    .served()
    .filter(({ group, version }) => fits(groups, group) && fits(versions, version))
    .flatMap(({ group, version, resource, kind, subresources }) =>
      resources.flatMap((pattern) => {
        const [name = "", subresource] = pattern.split("/", 2);
        if (name !== "*" && name !== resource) return [];
        const itself = { group, version, kind };
        if (subresource === undefined) return [itself];
        if (subresource === "*") return [itself, ...subresources.values()];
        const through = subresources.get(subresource);
        return through === undefined ? [] : [through];
      }),
    );
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
