// The two mandatory priority levels, with the schemas that lead to them: administrators, and all users whom no other schema names.
// Upstream: apiserver pkg/apis/flowcontrol/bootstrap/default.go.

import type { KubeObject } from "@celadon/kube";

export const EVERYTHING = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
} as const;

const apiVersion = "flowcontrol.apiserver.k8s.io/v1";
const metadata = (name: string) => ({ name, annotations: { "apf.kubernetes.io/autoupdate-spec": "true" } });

/** A level of priority as an object. */
export function flowLevel(name: string, spec: object): KubeObject {
  return { apiVersion, kind: "PriorityLevelConfiguration", metadata: metadata(name), spec } as KubeObject;
}

/** A flow schema as an object. */
export function flowSchema(
  name: string,
  level: string,
  matchingPrecedence: number,
  distinguisher: "ByUser" | "ByNamespace" | undefined,
  subjects: readonly object[],
  rules: object,
): KubeObject {
  const spec = {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    ...(distinguisher && { distinguisherMethod: { type: distinguisher } }),
    rules: [{ subjects, ...rules }],
  };
  return { apiVersion, kind: "FlowSchema", metadata: metadata(name), spec } as KubeObject;
}

/** The collection in which objects of the group are created. */
export function flowCollection({ kind }: KubeObject): string {
  return `/apis/${apiVersion}/${kind === "FlowSchema" ? "flowschemas" : "prioritylevelconfigurations"}`;
}

export function mandatoryFlows(): readonly KubeObject[] {
  const groups = (...names: readonly string[]) => names.map((name) => ({ kind: "Group", group: { name } }));
  const everybody = groups("system:unauthenticated", "system:authenticated");
  const rejecting = { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: "Reject" } };
  return [
    flowLevel("exempt", { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
    flowLevel("catch-all", { type: "Limited", limited: rejecting }),
    flowSchema("exempt", "exempt", 1, undefined, groups("system:masters"), EVERYTHING),
    flowSchema("catch-all", "catch-all", 10_000, "ByUser", everybody, EVERYTHING),
  ];
}
