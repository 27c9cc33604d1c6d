// Validation of built-in kinds as the API server does it: `@celadon/kube/validation`. Rules stand beside their kind, one
// directory per group, and are loaded when a kind of the group is met.

import type { GroupKind } from "../gvk.ts";
import type { AnyActionRules, AnyKindRules } from "./rules.ts";

export { isMetadataChecked } from "./checks/metadata.ts";
export { type IpFamily, imaginaryNetwork, type ServiceNetwork, unknownNetwork } from "./core/service/network.ts";
export { deprecationOf } from "./deprecations.ts";
export { ValidatedField } from "./field.ts";
export { prepareCreate, prepareUpdate, readAs, servedAs } from "./prepare.ts";
export {
  type Body,
  type BodyTarget,
  bodyRefusal,
  KIND_AND_VERSION,
  readBody,
  repeatedKeysText,
  unreadableBody,
} from "./read-body.ts";
export type { SelectorCompiler, SelectorProblem } from "./resource/selectors.ts";
export type {
  ActionRules,
  ActionTarget,
  AnyActionRules,
  AnyKindRules,
  EndpointRules,
  FieldNames,
  KindRules,
  Request,
} from "./rules.ts";

interface GroupRules {
  readonly KINDS?: readonly AnyKindRules[];
  readonly ACTIONS?: readonly AnyActionRules[];
}

const GROUPS: ReadonlyMap<string, () => Promise<GroupRules>> = new Map<string, () => Promise<GroupRules>>([
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
  ["apiregistration.k8s.io", () => import("./apiregistration/index.ts")],
  ["authentication.k8s.io", () => import("./authentication/index.ts")],
  ["authorization.k8s.io", () => import("./authorization/index.ts")],
  ["certificates.k8s.io", () => import("./certificates/index.ts")],
  ["resource.k8s.io", () => import("./resource/index.ts")],
  ["events.k8s.io", () => import("./events/index.ts")],
]);

const loaded = new Map<string, Promise<GroupRules>>();

/** A group is loaded once: resolving an import again takes longer than validating most objects. */
function rulesOf(group: string): Promise<GroupRules> | undefined {
  let rules = loaded.get(group);
  if (rules === undefined) {
    rules = GROUPS.get(group)?.();
    if (rules !== undefined) loaded.set(group, rules);
  }
  return rules;
}

/** The rules of a kind; undefined if it is not covered. */
export async function loadKindRules(kind: GroupKind): Promise<AnyKindRules | undefined> {
  const group = await rulesOf(kind.group);
  return group?.KINDS?.find((rules) => rules.kind.kind === kind.kind);
}

/** The rules of a kind that is never stored; undefined if it is not covered. */
export async function loadActionRules(kind: GroupKind): Promise<AnyActionRules | undefined> {
  const group = await rulesOf(kind.group);
  return group?.ACTIONS?.find((rules) => rules.kind.kind === kind.kind);
}
