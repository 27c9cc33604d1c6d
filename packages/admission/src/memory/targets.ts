// The kinds a policy is about, with their schemas: what to generate. Rules with wildcards stand for very many kinds: a few common ones and
// all custom ones are tried.

import type { GroupVersionKind, GroupVersionResource } from "@celadon/kube";
import { preferredResource } from "@celadon/kube/builtin";
import type { Schema } from "@celadon/kube/schemas";
import { refusingPart } from "../match/rules.ts";
import type { NamedRuleWithOperations, Policy } from "../policy.ts";
import type { AdmissionRequest, Operation } from "../request.ts";
import type { Schemas } from "./schemas.ts";

/** A kind and endpoint that a policy matches, with its schema and the operations that match. */
export interface MatchedTarget {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespaced: boolean;
  readonly schema: Schema;
  /** Status is written through its own endpoint: a create never carries one. */
  readonly hasStatus: boolean;
  readonly operations: readonly WriteOperation[];
  /** The object's name; one that the rules ask for. */
  readonly name: string;
}

/** Operations that write an object. */
export type WriteOperation = Exclude<Operation, "CONNECT">;

const OPERATIONS: readonly WriteOperation[] = ["CREATE", "UPDATE", "DELETE"];

/** The kinds to try first, among many. */
const COMMON = [
  "pods",
  "deployments",
  "services",
  "configmaps",
  "jobs",
  "ingresses",
  "statefulsets",
  "secrets",
  "namespaces",
];

/** The kinds that a policy matches. */
export interface Targets {
  readonly targets: readonly MatchedTarget[];
  /** Kinds that match but are not tried, as there are too many. */
  readonly leftOut: number;
  /** Resources that rules name and nobody knows. */
  readonly unknown: readonly string[];
}

/** Lists the kinds that a policy matches, at most `most` of them, beginning with those that its rules name. */
export function targetsOf({ spec }: Policy, schemas: Schemas, most: number): Targets {
  const rules = spec.matchConstraints?.resourceRules ?? [];
  const found = new Map<string, MatchedTarget>();
  for (const rule of rules) {
    for (const candidate of candidates(rule, schemas)) {
      const key = `${candidate.resource.group}/${candidate.resource.resource}/${candidate.subresource}/${candidate.kind.kind}`;
      const known = found.get(key);
      // The version that a rule names, or the preferred one.
      if (known !== undefined && !isBetter(candidate, known, rule)) continue;
      found.set(
        key,
        known === undefined
          ? candidate
          : {
              ...candidate,
              operations: OPERATIONS.filter(
                (operation) => known.operations.includes(operation) || candidate.operations.includes(operation),
              ),
            },
      );
    }
  }
  const all = [...found.values()].sort((a, b) => rank(a, rules) - rank(b, rules));
  return {
    targets: all.slice(0, most),
    leftOut: Math.max(0, all.length - most),
    unknown: unknownResources(rules, schemas),
  };
}

function candidates(rule: NamedRuleWithOperations, schemas: Schemas): MatchedTarget[] {
  const name = rule.resourceNames?.[0] ?? "a";
  return schemas.served().flatMap((served) => {
    const { group, version, resource, namespaced, subresources } = served;
    const own = { group, version, kind: served.kind };
    const endpoints: [string, GroupVersionKind][] = [["", own], ...subresources];
    return endpoints.flatMap(([subresource, kind]) => {
      const operations = OPERATIONS.filter((operation) => {
        const request: AdmissionRequest = {
          kind,
          resource: { group, version, resource },
          subresource,
          name,
          ...(namespaced && { namespace: "default" }),
          operation,
        };
        return (
          refusingPart(rule, request, request.resource) === undefined && (subresource === "" || operation === "UPDATE")
        );
      });
      const schema = operations.length === 0 ? undefined : schemas.schema(kind);
      if (schema === undefined) return [];
      const hasStatus = subresource === "" && subresources.has("status");
      return [
        { kind, resource: { group, version, resource }, subresource, namespaced, schema, hasStatus, operations, name },
      ];
    });
  });
}

function isBetter(target: MatchedTarget, other: MatchedTarget, { apiVersions = [] }: NamedRuleWithOperations): boolean {
  const { version } = target.resource;
  if (apiVersions.includes(other.resource.version)) return false;
  return apiVersions.includes(version) || preferredResource(target.resource)?.version === version;
}

/** Named resources first, then custom ones, then common ones. */
function rank(
  { resource: { resource, group }, subresource }: MatchedTarget,
  rules: readonly NamedRuleWithOperations[],
): number {
  const named = rules.some(({ resources = [] }) =>
    resources.includes(subresource === "" ? resource : `${resource}/${subresource}`),
  );
  if (named) return 0;
  const common = COMMON.indexOf(resource);
  const custom = preferredResource({ group, resource }) === undefined;
  return (custom ? 1 : common === -1 ? 1000 : 2 + common) + (subresource === "" ? 0 : 2000);
}

function unknownResources(rules: readonly NamedRuleWithOperations[], schemas: Schemas): string[] {
  const served = schemas.served();
  const names = rules.flatMap(({ apiGroups = [], resources = [] }) =>
    resources.flatMap((pattern) => {
      const [name = ""] = pattern.split("/", 1);
      if (
        name === "*" ||
        served.some(
          ({ resource, group }) => resource === name && (apiGroups.includes(group) || apiGroups.includes("*")),
        )
      )
        return [];
      return [`${name}.${apiGroups.join("|")}`];
    }),
  );
  return [...new Set(names)];
}
