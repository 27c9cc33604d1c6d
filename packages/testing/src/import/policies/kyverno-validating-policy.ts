// Kyverno's ValidatingPolicy (policies.kyverno.io): a ValidatingAdmissionPolicy with its binding in one, and more functions.

import type { FailurePolicy, MatchResources, ValidationAction } from "@celadon/admission/policy";
import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { fieldsAt, get, hasText, isFields, listAt, textAt, textsAt } from "../foreign.ts";
import {
  bindingOf,
  type ConversionProblem,
  objectName,
  type PolicyConversion,
  type PolicySource,
  policyOf,
} from "./converted.ts";
import { withAutogen } from "./derive.ts";
import { inNamespaceOnly } from "./in-namespace.ts";
import { convertConditions, convertExpressions } from "./kyverno-spec.ts";
import { acceptable } from "./standard.ts";

export function convertValidatingPolicy(object: KubeObject): PolicyConversion {
  const namespace = namespaceOf(object);
  const namespaced = object.kind === "NamespacedValidatingPolicy" || namespace !== "";
  const source: PolicySource = {
    kind: String(object.kind),
    name: nameOf(object),
    ...(namespaced && { namespace: namespace || "default" }),
  };
  const failed = (code: ConversionProblem["code"], message: string, path: readonly string[]): PolicyConversion => ({
    policies: [],
    problems: [{ code, source, message, path: ["spec", ...path] }],
  });
  const spec = fieldsAt(object, "spec");
  const mode = textAt(spec, "evaluation", "mode") ?? "Kubernetes";
  if (mode !== "Kubernetes")
    return failed("not_expressible", `it validates ${mode} documents, not requests`, ["evaluation", "mode"]);
  const constraints = get(spec, "matchConstraints");
  if (!isFields(constraints)) return failed("malformed", "it has no matchConstraints", ["matchConstraints"]);
  const { spec: expressions, notes, problems } = convertExpressions(spec, undefined, "validations");
  if (problems.length > 0) return failed("not_cel", problems[0]!.message, problems[0]!.path.map(String));
  const conditions = convertConditions(listAt(spec, "matchConditions"));
  const { paramKind: _, ...plain } = expressions;
  const match = constraints as MatchResources;
  const policy = policyOf(objectName(source.namespace ?? "", nameOf(object)), {
    failurePolicy: (textAt(spec, "failurePolicy") === "Ignore" ? "Ignore" : "Fail") satisfies FailurePolicy,
    ...plain,
    matchConstraints: source.namespace === undefined ? match : inNamespaceOnly(match, source.namespace),
    ...(conditions.length > 0 && { matchConditions: conditions }),
  });
  const said = textsAt(spec, "validationActions").filter((validationAction): validationAction is ValidationAction =>
    ["Deny", "Warn", "Audit"].includes(validationAction),
  );
  // Deny already tells the client: the API server refuses both.
  const actions =
    said.length === 0 ? (["Deny"] as const) : said.filter((action) => action !== "Warn" || !said.includes("Deny"));
  const bindings = [bindingOf(policy.metadata.name!, actions)];
  const refused = acceptable([policy, ...bindings], source, []);
  if (refused.length > 0) return { policies: [], problems: refused };
  const made = { source, path: [], policy, bindings, params: [], derived: false, notes };
  return withAutogen(made, controllersOf(spec, match));
}

/** All, unless the policy says which; none where Kyverno finds the match too particular. */
function controllersOf(spec: unknown, match: MatchResources): readonly string[] | undefined {
  const { resourceRules = [] } = match;
  const [rule] = resourceRules;
  const plain =
    resourceRules.length === 1 &&
    !hasText(match, "excludeResourceRules") &&
    !hasText(match.objectSelector, "matchLabels") &&
    !hasText(match.objectSelector, "matchExpressions") &&
    !hasText(rule, "resourceNames") &&
    rule?.apiVersions?.length === 1 &&
    rule.apiVersions[0] === "v1";
  if (!plain) return [];
  const said = get(spec, "autogen", "podControllers", "controllers");
  return Array.isArray(said) ? textsAt(spec, "autogen", "podControllers", "controllers") : undefined;
}
