// Requests that are always allowed, so that this program cannot lock its cluster out: the kinds of its set-up, those that control planes
// use for leader election, and nodes acting for themselves. The API server excludes them by match conditions; one that has none (before
// 1.28) sends them and gets an allowing answer.

import type { AdmissionRequest } from "@celadon/admission";
import { OWN_GROUP } from "./policy-objects.ts";

interface Guard {
  readonly name: string;
  /** The guard as a match condition: true for requests that are sent to the webhook. */
  readonly expression: string;
  /** The same about a request that came all the same. */
  isAsked(request: AdmissionRequest): boolean;
}

const CONTROL_PLANE = ["kube-system", "kube-node-lease"];

export const GUARDS: readonly Guard[] = [
  {
    name: "not-its-own-policies",
    expression: `request.resource.group != "${OWN_GROUP}"`,
    isAsked: ({ resource }) => resource.group !== OWN_GROUP,
  },
  {
    name: "not-leases-of-the-control-plane",
    expression: `request.resource.group != "coordination.k8s.io" || request.resource.resource != "leases" || !(request.namespace in ${JSON.stringify(CONTROL_PLANE)})`,
    isAsked: ({ resource, namespace = "" }) =>
      resource.group !== "coordination.k8s.io" ||
      resource.resource !== "leases" ||
      !CONTROL_PLANE.includes(namespace ?? ""),
  },
  {
    name: "not-nodes-about-themselves",
    expression: '!has(request.userInfo.groups) || !("system:nodes" in request.userInfo.groups)',
    isAsked: ({ userInfo }) => !(userInfo?.groups?.includes("system:nodes") ?? false),
  },
];

/** Requests that are allowed under every policy. */
export function isSpared(request: AdmissionRequest, excludedNamespaces: ReadonlySet<string>): boolean {
  const { resource, namespace, name } = request;
  const isNamespace = resource.group === "" && resource.resource === "namespaces";
  const where = isNamespace ? name : namespace;
  return (where && excludedNamespaces.has(where)) || GUARDS.some(({ isAsked }) => !isAsked(request));
}
