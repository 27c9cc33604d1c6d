// Validation of built-in kinds as the API server does it: `@celadon/kube/validation`. Rules stand beside their kind, one
// directory per group, and are loaded when a kind of the group is met.

import type { GroupKind } from "../gvk.ts";
import type { AnyKindRules } from "./rules.ts";

export { type IpFamily, imaginaryNetwork, type ServiceNetwork } from "./core/service/network.ts";
export { Field } from "./field.ts";
export { type Body, type BodyTarget, readBody } from "./read-body.ts";
export { createObject, type Outcome, prepareCreate, prepareUpdate, updateObject } from "./requests.ts";
export type { AnyKindRules, EndpointRules, FieldNames, KindRules, Request } from "./rules.ts";

interface GroupRules {
  readonly KINDS: readonly AnyKindRules[];
}

const GROUPS: ReadonlyMap<string, () => Promise<GroupRules>> = new Map([
  ["", () => import("./core/index.ts")],
  ["apps", () => import("./apps/index.ts")],
  ["autoscaling", () => import("./autoscaling/index.ts")],
  ["batch", () => import("./batch/index.ts")],
  ["networking.k8s.io", () => import("./networking/index.ts")],
  ["policy", () => import("./policy/index.ts")],
  ["rbac.authorization.k8s.io", () => import("./rbac/index.ts")],
  ["storage.k8s.io", () => import("./storage/index.ts")],
  ["node.k8s.io", () => import("./node/index.ts")],
  ["scheduling.k8s.io", () => import("./scheduling/index.ts")],
  ["coordination.k8s.io", () => import("./coordination/index.ts")],
  ["discovery.k8s.io", () => import("./discovery/index.ts")],
  ["flowcontrol.apiserver.k8s.io", () => import("./flowcontrol/index.ts")],
  ["certificates.k8s.io", () => import("./certificates/index.ts")],
  ["events.k8s.io", () => import("./events/index.ts")],
]);

/** The rules of a kind; undefined if it is not covered. */
export async function loadKindRules(kind: GroupKind): Promise<AnyKindRules | undefined> {
  const group = await GROUPS.get(kind.group)?.();
  return group?.KINDS.find((rules) => rules.kind.kind === kind.kind);
}
