// Whether an open request is one that rules, selectors and names of a policy or binding match.

import type { MatchResources, NamedRuleWithOperations } from "@celadon/admission/policy";
import { refusingPart } from "@celadon/admission/steps";
import type { LabelSelectorObject } from "@celadon/kube/selectors";
import { textIn } from "../evaluate/equality.ts";
import type { Path } from "../path/path.ts";
import { KIND, type Node } from "../tree/node.ts";
import { member, type SymbolicRequest } from "./symbolic-request.ts";

export function matches(path: Path, request: SymbolicRequest, match: MatchResources | undefined): boolean {
  if (match === undefined) return true;
  const { object, oldObject, namespace } = request;
  if (namespace !== undefined && !selects(path, namespace, match.namespaceSelector, true)) return false;
  const objects = [object, oldObject].filter((node): node is Node => node !== undefined);
  if (!objects.some((node) => selects(path, node, match.objectSelector, false))) return false;
  const { resourceRules, excludeResourceRules = [] } = match;
  if (excludeResourceRules.some((rule) => ruleMatches(path, request, rule))) return false;
  return (
    resourceRules === undefined ||
    resourceRules.length === 0 ||
    resourceRules.some((rule) => ruleMatches(path, request, rule))
  );
}

function ruleMatches(path: Path, { situation, name }: SymbolicRequest, rule: NamedRuleWithOperations): boolean {
  const { target, operation } = situation;
  const { kind, resource, subresource, namespaced } = target;
  const { resourceNames = [], ...rest } = rule;
  const request = { kind, resource, subresource, name: "a", ...(namespaced && { namespace: "a" }), operation };
  if (refusingPart(rest, request, resource) !== undefined) return false;
  if (resourceNames.length === 0) return true;
  const given = name();
  return given?.is === "text" && textIn(path, given.text, resourceNames);
}

/** A selector without requirements selects everything. */
function selects(path: Path, owner: Node, selector: LabelSelectorObject | undefined, isNamespace: boolean): boolean {
  if (selector === undefined || selector === null) return true;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  for (const [key, value] of Object.entries(matchLabels ?? {}))
    if (!requires(path, owner, key, "In", [value as string], isNamespace)) return false;
  for (const { key, operator, values } of matchExpressions ?? [])
    if (!requires(path, owner, key ?? "", operator ?? "", (values ?? []) as readonly string[], isNamespace))
      return false;
  return true;
}

function requires(
  path: Path,
  owner: Node,
  key: string,
  operator: string,
  values: readonly string[],
  isNamespace: boolean,
): boolean {
  const metadata = member(path, owner, "metadata");
  // The API server labels every namespace with its name.
  const label =
    isNamespace && key === "kubernetes.io/metadata.name"
      ? member(path, metadata, "name")
      : labelOf(path, metadata, key);
  switch (operator) {
    case "In":
      return label !== undefined && textIn(path, path.textOf(label), values);
    case "NotIn":
      return label === undefined || !textIn(path, path.textOf(label), values);
    case "Exists":
      return label !== undefined;
    default:
      return label === undefined;
  }
}

function labelOf(path: Path, metadata: Node, key: string): Node | undefined {
  const labels = path.field(metadata, "labels");
  if (labels === undefined || !path.isPresent(metadata, labels) || !path.isKind(labels, KIND.map)) return undefined;
  const label = path.field(labels, key);
  return label !== undefined && path.isPresent(labels, label) ? label : undefined;
}
