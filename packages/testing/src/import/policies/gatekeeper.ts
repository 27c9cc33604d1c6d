// Gatekeeper's ConstraintTemplates with a CEL source, and their constraints: a policy for each template, a binding for each constraint, the
// constraint itself as params, as Gatekeeper renders them. The match of a constraint goes into its binding; globs, which a binding cannot
// express, into conditions that read them from the constraint.

import type {
  FailurePolicy,
  MatchCondition,
  MatchResources,
  RuleOperation,
  Validation,
  ValidationAction,
  Variable,
} from "@celadon/admission/policy";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import type { LabelSelectorObject } from "@celadon/kube/selectors";
import { fieldsAt, get, hasText, isFields, listAt, textAt, textsAt } from "../foreign.ts";
import {
  bindingOf,
  type ConversionProblem,
  objectName,
  type PolicyConversion,
  type PolicySource,
  policyOf,
} from "./converted.ts";
import { type KindSelector, type KnownKind, rulesOfKinds } from "./kyverno-kinds.ts";
import { acceptable } from "./standard.ts";

/** Whether an object is a Gatekeeper ConstraintTemplate. */
export const isTemplate = (object: KubeObject): boolean =>
  gvkOf(object).group === "templates.gatekeeper.sh" && object.kind === "ConstraintTemplate";

/** Whether an object is a Gatekeeper constraint. */
export const isConstraint = (object: KubeObject): boolean => gvkOf(object).group === "constraints.gatekeeper.sh";

/** The kind of constraints a template defines. */
export const constraintKind = (template: KubeObject): string =>
  textAt(template, "spec", "crd", "spec", "names", "kind") ?? nameOf(template);

/** Gatekeeper's names for the object and its parameters, in templates and constraints. */
const VARIABLES: readonly Variable[] = [
  { name: "anyObject", expression: 'request.operation == "DELETE" && object == null ? oldObject : object' },
  { name: "params", expression: "has(params.spec) && has(params.spec.parameters) ? params.spec.parameters : null" },
];

const NAMESPACE = 'request.?namespace.orValue("")';
const globMatches = (text: string): string => `${text}.matches("^" + string(glob).replace("*", ".*") + "$")`;

/** By the field of `match` that needs it. */
const CONDITIONS: Readonly<Record<string, MatchCondition>> = {
  namespaces: {
    name: "match-namespaces",
    expression: `${NAMESPACE} == "" || !has(params.spec.match) || !has(params.spec.match.namespaces) || params.spec.match.namespaces.exists(glob, ${globMatches(NAMESPACE)})`,
  },
  excludedNamespaces: {
    name: "match-excluded-namespaces",
    expression: `${NAMESPACE} == "" || !has(params.spec.match) || !has(params.spec.match.excludedNamespaces) || !params.spec.match.excludedNamespaces.exists(glob, ${globMatches(NAMESPACE)})`,
  },
  name: {
    name: "match-name",
    expression: `!has(params.spec.match) || !has(params.spec.match.name) || [params.spec.match.name].exists(glob, ${globMatches("string(request.name)")})`,
  },
};

/** Converts a ConstraintTemplate with CEL, and its constraints. */
export function convertTemplate(
  template: KubeObject,
  constraints: readonly KubeObject[],
  known: readonly KnownKind[] = [],
): PolicyConversion {
  const source: PolicySource = { kind: "ConstraintTemplate", name: nameOf(template) };
  const failed = (code: ConversionProblem["code"], message: string): PolicyConversion => ({
    policies: [],
    problems: [{ code, source, message, path: ["spec", "targets"] }],
  });
  const target = listAt(template, "spec", "targets")[0];
  const cel = celSource(target);
  if (cel === undefined) return failed("not_cel", "the template has only Rego, no K8sNativeValidation");
  const conditions = Object.keys(CONDITIONS).filter((field) =>
    constraints.some((constraint) => hasText(fieldsAt(constraint, "spec", "match"), field)),
  );
  const own = [...listAt(cel, "matchConditions"), ...listAt(cel, "matchCondition")] as readonly MatchCondition[];
  const matchConditions = [...own, ...conditions.map((field) => CONDITIONS[field]!)];
  const validations = listAt(cel, "validations") as readonly Validation[];
  const name = objectName("gatekeeper", nameOf(template));
  const said = textsAt(target, "operations").filter((operation): operation is RuleOperation => operation !== "");
  const policy = policyOf(name, {
    failurePolicy: (textAt(cel, "failurePolicy") === "Ignore" ? "Ignore" : "Fail") satisfies FailurePolicy,
    paramKind: { apiVersion: "constraints.gatekeeper.sh/v1beta1", kind: constraintKind(template) },
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ["*"],
          apiVersions: ["*"],
          operations: said.length > 0 ? said : ["CREATE", "UPDATE"],
          resources: ["*"],
        },
      ],
    },
    ...(matchConditions.length > 0 && { matchConditions }),
    variables: [...VARIABLES, ...(listAt(cel, "variables") as readonly Variable[])],
    validations,
  });
  const bindings = constraints.map((constraint) => {
    const matchResources = bindingMatch(get(constraint, "spec", "match"), said, known);
    return bindingOf(
      name,
      actionsOf(constraint),
      {
        paramRef: { name: nameOf(constraint), parameterNotFoundAction: "Deny" },
        ...(matchResources && { matchResources }),
      },
      objectName("gatekeeper", nameOf(constraint)),
    );
  });
  const refused = acceptable([policy, ...bindings], source, ["spec", "targets", 0, "code"]);
  if (refused.length > 0) return { policies: [], problems: refused };
  return {
    policies: [{ source, path: [], policy, bindings, params: constraints, derived: false, notes: [] }],
    problems: [],
  };
}

function celSource(target: unknown): unknown {
  const code = listAt(target, "code").find((value) => textAt(value, "engine") === "K8sNativeValidation");
  const source = get(code, "source");
  return isFields(source) ? source : undefined;
}

function bindingMatch(
  match: unknown,
  said: readonly RuleOperation[],
  known: readonly KnownKind[],
): MatchResources | undefined {
  if (!isFields(match)) return undefined;
  const operations: readonly RuleOperation[] = said.length > 0 ? said : ["CREATE", "UPDATE"];
  const scope = textAt(match, "scope");
  const kinds = listAt(match, "kinds").flatMap((value): KindSelector[] => {
    const groups = hasText(value, "apiGroups") ? textsAt(value, "apiGroups") : ["*"];
    const names = hasText(value, "kinds") ? textsAt(value, "kinds") : ["*"];
    return groups.flatMap((group) => names.map((kind) => ({ group, version: "*", kind, subresource: "" })));
  });
  const any: KindSelector = { group: "*", version: "*", kind: "*", subresource: "" };
  const scoped = scope === "Namespaced" || scope === "Cluster" ? scope : undefined;
  const wanted = kinds.length === 0 && scoped ? [any] : kinds;
  const { rules } = rulesOfKinds(wanted, operations, known);
  const made: MatchResources = {
    ...(rules.length > 0 && { resourceRules: scoped ? rules.map((rule) => ({ ...rule, scope: scoped })) : rules }),
    ...selectorOf("objectSelector", get(match, "labelSelector")),
    ...selectorOf("namespaceSelector", get(match, "namespaceSelector")),
  };
  return Object.keys(made).length === 0 ? undefined : made;
}

function selectorOf(name: "objectSelector" | "namespaceSelector", value: unknown): MatchResources {
  return isFields(value) ? { [name]: value as LabelSelectorObject } : {};
}

const ACTIONS: Readonly<Record<string, ValidationAction>> = { deny: "Deny", warn: "Warn", dryrun: "Audit" };

function actionsOf(constraint: KubeObject): readonly ValidationAction[] {
  const said = textAt(constraint, "spec", "enforcementAction") ?? "deny";
  if (said !== "scoped") return [ACTIONS[said] ?? "Deny"];
  const scoped = listAt(constraint, "spec", "scopedEnforcementActions").filter((scopedEnforcementAction) =>
    listAt(scopedEnforcementAction, "enforcementPoints").some((point) =>
      ["vap.k8s.io", "*"].includes(textAt(point, "name") ?? ""),
    ),
  );
  const actions = scoped.flatMap((value) => ACTIONS[textAt(value, "action") ?? ""] ?? []);
  return actions.length === 0 ? ["Audit"] : [...new Set(actions)];
}
