// matchConstraints of a policy, matchResources of a binding, and the same of a webhook: compiled once, matched per request.
// Upstream: apiserver pkg/admission/plugin/policy/matching. Selectors come first, but an error of theirs counts only once the
// rules have matched: a broken selector has no effect on requests that the rules do not match.

import { type GroupVersionKind, type GroupVersionResource, gvrText, labelsOf } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { type LabelSelector, toLabelSelector } from "@celadon/kube/selectors";
import { internalError, type Status } from "@celadon/kube/status";
import type { ResourceMapper } from "../hosts.ts";
import type { MatchPolicy, MatchResources, NamedRuleWithOperations } from "../policy.ts";
import { type NamespaceLists, namespaceLists } from "../proposals/fields.ts";
import { type Gates, NO_GATES } from "../proposals/gates.ts";
import type { AdmissionRequest } from "../request.ts";
import { equivalentsOf, kindOf } from "./equivalents.ts";
import { closeness, type Refusal } from "./refusal.ts";
import { type RulePart, refusingPart } from "./rules.ts";

/** Match criteria of a policy or binding, with their selectors read. */
export interface CompiledMatch {
  readonly namespaceSelector: LabelSelector | Invalid;
  readonly objectSelector: LabelSelector | Invalid;
  readonly matchPolicy: MatchPolicy;
  readonly excludeRules: readonly NamedRuleWithOperations[];
  readonly rules: readonly NamedRuleWithOperations[];
  /** Names of namespaces, where a gate allows to list them. */
  readonly lists: NamespaceLists | undefined;
}

export type MatchOutcome =
  /** The resource and kind that objects are converted to and that `request` shows. */
  | { readonly matched: true; readonly resource: GroupVersionResource; readonly kind: GroupVersionKind }
  | { readonly matched: false; readonly refusal: Refusal }
  /** Matching itself failed: a configuration error. */
  /** `status`: what to answer with, where that is more than an internal error with the message. */
  | { readonly matched: "error"; readonly message: string; readonly status?: Status };

/** An error that counts only if everything else matches. */
interface Deferred {
  readonly status: Status;
}

/** The labels of the request's namespace, or why they are not known. */
export type NamespaceLabels = { readonly labels: Readonly<Record<string, string>> } | { readonly status: Status };

export function compileMatch(resources: MatchResources, gates: Gates = NO_GATES): CompiledMatch {
  return {
    namespaceSelector: toLabelSelector(resources.namespaceSelector ?? {}),
    objectSelector: toLabelSelector(resources.objectSelector ?? {}),
    matchPolicy: resources.matchPolicy ?? "Equivalent",
    excludeRules: resources.excludeResourceRules ?? [],
    rules: resources.resourceRules ?? [],
    lists: gates.NamespaceLists ? namespaceLists(resources, gates) : undefined,
  };
}

/** Whether matching reads the labels of the request's namespace. */
export function needsNamespaceLabels(match: CompiledMatch, request: AdmissionRequest): boolean {
  const { namespaceSelector } = match;
  if (!request.namespace && request.resource.resource !== "namespaces") return false;
  return !(namespaceSelector instanceof Invalid) && !namespaceSelector.isEmpty;
}

export function matchResources(
  match: CompiledMatch,
  request: AdmissionRequest,
  namespaceLabels: () => NamespaceLabels,
  mapper: ResourceMapper | undefined,
): MatchOutcome {
  const listed = match.lists && matchLists(match.lists, request);
  if (listed !== undefined) return listed;
  const byNamespace = matchNamespace(match, request, namespaceLabels);
  if (byNamespace !== undefined && "matched" in byNamespace) return byNamespace;
  const byObject = matchObject(match, request);
  if (byObject !== undefined && "matched" in byObject) return byObject;
  if (match.excludeRules.length > 0) {
    const excluded = matchRules(match.excludeRules, match.matchPolicy, request, mapper);
    if (excluded.matched === "error") return excluded;
    if (excluded.matched) return { matched: false, refusal: { by: "excludeResourceRules", index: excluded.index } };
  }
  const { rules } = match;
  const matched =
    rules.length === 0
      ? ({ matched: true, resource: request.resource, kind: request.kind } as const)
      : matchRules(rules, match.matchPolicy, request, mapper);
  if (matched.matched !== true) return matched;
  const error = byNamespace ?? byObject;
  return error === undefined
    ? matched
    : { matched: "error", message: error.status.message ?? "", status: error.status };
}

/**
 * The reason that excludes a refused request, chosen to say most: matching stops at a selector even where no rule matches either. And how
 * close the request came: of the requests that a policy with no match refused, the closest one explains it best.
 */
export function nearMiss(
  match: CompiledMatch | undefined,
  refusal: Refusal,
  request: AdmissionRequest,
  mapper: ResourceMapper | undefined,
): { readonly refusal: Refusal; readonly closeness: number } {
  if (match === undefined || !SELECTORS.has(refusal.by)) return { refusal, closeness: closeness(refusal) };
  const byRules = match.rules.length === 0 ? undefined : matchRules(match.rules, match.matchPolicy, request, mapper);
  if (byRules?.matched === false) return { refusal: byRules.refusal, closeness: closeness(byRules.refusal) };
  const isOnlyMiss = refusal.by === "objectSelector" || matchObject(match, request) === undefined;
  return { refusal, closeness: closeness(refusal) + (isOnlyMiss ? 0.5 : 0) };
}

const SELECTORS: ReadonlySet<Refusal["by"]> = new Set([
  "namespaceSelector",
  "objectSelector",
  "namespaces",
  "excludeNamespaces",
]);

/** A refusal, a deferred error, or undefined when it matches. */
function matchNamespace(
  match: CompiledMatch,
  request: AdmissionRequest,
  namespaceLabels: () => NamespaceLabels,
): MatchOutcome | Deferred | undefined {
  const { namespaceSelector: selector } = match;
  if (!request.namespace && request.resource.resource !== "namespaces") return undefined;
  if (selector instanceof Invalid) return { status: internalError(selector.message) };
  if (selector.isEmpty) return undefined;
  const found = namespaceLabels();
  if ("status" in found) return found;
  if (selector.matches(found.labels)) return undefined;
  const namespace = request.namespace ?? request.name ?? "";
  return { matched: false, refusal: { by: "namespaceSelector", selector: String(selector), namespace } };
}

// An object outside namespaces need not match their lists, as with selectors.
function matchLists(
  { namespaces, excludeNamespaces }: NamespaceLists,
  request: AdmissionRequest,
): MatchOutcome | undefined {
  const { namespace } = request;
  if (!namespace) return undefined;
  if (namespaces && !namespaces.includes(namespace)) {
    return { matched: false, refusal: { by: "namespaces", namespace } };
  }
  if (!excludeNamespaces?.includes(namespace)) return undefined;
  return { matched: false, refusal: { by: "excludeNamespaces", namespace } };
}

function matchObject(
  { objectSelector: selector }: CompiledMatch,
  request: AdmissionRequest,
): MatchOutcome | Deferred | undefined {
  if (selector instanceof Invalid) return { status: internalError(selector.message) };
  if (selector.isEmpty || selects(selector, request.object) || selects(selector, request.oldObject)) return undefined;
  return { matched: false, refusal: { by: "objectSelector", selector: String(selector) } };
}

// An object without metadata, such as PodExecOptions, is never selected: not even by NotIn.
function selects(selector: LabelSelector, object: unknown): boolean {
  if (typeof object !== "object" || object === null || !Object.hasOwn(object, "metadata")) return false;
  return selector.matches(labelsOf(object));
}

type RuleOutcome =
  | {
      readonly matched: true;
      readonly resource: GroupVersionResource;
      readonly kind: GroupVersionKind;
      readonly index: number;
    }
  | Exclude<MatchOutcome, { matched: true }>;

function matchRules(
  rules: readonly NamedRuleWithOperations[],
  matchPolicy: MatchPolicy,
  request: AdmissionRequest,
  mapper: ResourceMapper | undefined,
): RuleOutcome {
  const parts: RulePart[] = [];
  for (let index = 0; index < rules.length; index++) {
    const part = refusingPart(rules[index]!, request, request.resource);
    if (part === undefined) return { matched: true, resource: request.resource, kind: request.kind, index };
    parts.push(part);
  }
  // The operation is the same for every name of the resource, so the mapper is not needed.
  if (matchPolicy === "Equivalent" && mapper !== undefined && parts.some((part) => part !== "operations")) {
    const equivalent = matchEquivalent(rules, request, mapper);
    if (equivalent !== undefined) return equivalent;
  }
  return { matched: false, refusal: { by: "resourceRules", parts } };
}

// Rules in order, and for each the equivalents in order; scope and namespace come from the request.
function matchEquivalent(
  rules: readonly NamedRuleWithOperations[],
  request: AdmissionRequest,
  mapper: ResourceMapper,
): RuleOutcome | undefined {
  const subresource = request.subresource ?? "";
  const equivalents = equivalentsOf(request, mapper).filter((equivalent) => !same(equivalent, request.resource));
  if (equivalents.length === 0) return undefined;
  for (let index = 0; index < rules.length; index++) {
    for (const resource of equivalents) {
      const part = refusingPart(rules[index]!, request, resource);
      if (part !== undefined && part !== "resourceNames") continue;
      // The kind is looked up before names are checked.
      const kind = kindOf(resource, subresource, mapper);
      if (kind === undefined)
        return { matched: "error", message: `unable to convert to ${gvrText(resource)}: unknown kind` };
      if (part === undefined) return { matched: true, resource, kind, index };
    }
  }
  return undefined;
}

function same(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return a.resource === b.resource && a.version === b.version && a.group === b.group;
}
