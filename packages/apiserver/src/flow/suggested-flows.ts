// Levels of priority and flow schemas that a cluster has by default: nodes, leaders, components, service accounts, and
// everybody else. Upstream: apiserver pkg/apis/flowcontrol/bootstrap/default.go.

import type { KubeObject } from "@celadon/kube";
import { CURRENT, isBefore, type Minor } from "@celadon/kube/versions";
import { EVERYTHING, flowLevel, flowSchema } from "./mandatory-flows.ts";

const user = (name: string): object => ({ kind: "User", user: { name } });
const group = (name: string): object => ({ kind: "Group", group: { name } });
const MANAGER = user("system:kube-controller-manager");
const SCHEDULER = user("system:kube-scheduler");
const SYSTEM_ACCOUNTS = { kind: "ServiceAccount", serviceAccount: { name: "*", namespace: "kube-system" } };
const EVERYBODY = [group("system:unauthenticated"), group("system:authenticated")];

const resources = (apiGroup: string, names: readonly string[], verbs: readonly string[], more: object = {}) => ({
  verbs,
  apiGroups: [apiGroup],
  resources: names,
  namespaces: ["*"],
  ...more,
});
const PROBES = { nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] }] };
const LEADERS = { resourceRules: [resources("coordination.k8s.io", ["leases"], ["get", "create", "update"])] };
const NODES = {
  resourceRules: [
    resources("", ["nodes", "nodes/status"], ["*"], { clusterScope: true }),
    resources("coordination.k8s.io", ["leases"], ["*"]),
  ],
};

// biome-ignore format: one object per line
export function suggestedFlows(minor: Minor = CURRENT): readonly KubeObject[] {
  return [
    ...(isBefore(minor, "1.34") ? endpointFlows() : []),
    //     name              shares  lendable  queues  hand size
    queued("system",             30,       33,     64,         6),
    queued("node-high",          40,       25,     64,         6),
    queued("leader-election",    10,        0,     16,         4),
    queued("workload-high",      40,       50,    128,         6),
    queued("workload-low",      100,       90,    128,         6),
    queued("global-default",     20,       50,    128,         6),
    //         name                            level              precedence  split by       subjects                              rules
    flowSchema("system-nodes",                 "system",          500,        "ByUser",      [group("system:nodes")],              EVERYTHING),
    flowSchema("system-node-high",             "node-high",       400,        "ByUser",      [group("system:nodes")],              NODES),
    flowSchema("probes",                       "exempt",          2,          undefined,     EVERYBODY,                            PROBES),
    flowSchema("system-leader-election",       "leader-election", 100,        "ByUser",      [MANAGER, SCHEDULER, SYSTEM_ACCOUNTS], LEADERS),
    flowSchema("kube-controller-manager",      "workload-high",   800,        "ByNamespace", [MANAGER],                            EVERYTHING),
    flowSchema("kube-scheduler",               "workload-high",   800,        "ByNamespace", [SCHEDULER],                          EVERYTHING),
    flowSchema("kube-system-service-accounts", "workload-high",   900,        "ByNamespace", [SYSTEM_ACCOUNTS],                    EVERYTHING),
    flowSchema("service-accounts",             "workload-low",    9000,       "ByUser",      [group("system:serviceaccounts")],    EVERYTHING),
    flowSchema("global-default",               "global-default",  9900,       "ByUser",      EVERYBODY,                            EVERYTHING),
  ];
}

/** Schemas for leaders that agree through endpoints and config maps. */
function endpointFlows(): readonly KubeObject[] {
  const account = (name: string) => ({ kind: "ServiceAccount", serviceAccount: { name, namespace: "kube-system" } });
  const verbs = ["get", "create", "update"];
  const endpoints = { resourceRules: [resources("", ["endpoints"], verbs)] };
  const locks = { resourceRules: [resources("", ["endpoints", "configmaps"], verbs), ...LEADERS.resourceRules] };
  const owners = [MANAGER, account("endpoint-controller"), account("endpointslicemirroring-controller")];
  return [
    flowSchema("endpoint-controller", "workload-high", 150, "ByUser", owners, endpoints),
    flowSchema("workload-leader-election", "leader-election", 200, "ByUser", [SYSTEM_ACCOUNTS], locks),
  ];
}

function queued(name: string, shares: number, lendable: number, queues: number, handSize: number): KubeObject {
  const limitResponse = { type: "Queue", queuing: { queues, handSize, queueLengthLimit: 50 } };
  const limited = { nominalConcurrencyShares: shares, lendablePercent: lendable, limitResponse };
  return flowLevel(name, { type: "Limited", limited });
}
