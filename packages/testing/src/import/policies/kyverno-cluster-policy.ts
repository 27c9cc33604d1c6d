// Kyverno's ClusterPolicy and Policy: each rule with `validate.cel` becomes a policy of its own, because Kyverno evaluates rules
// independently.

import type { FailurePolicy, MatchCondition, ParamRef, ValidationAction } from "@celadon/admission/policy";
import { type JsonPath, pushAll } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { nameOf, namespaceOf } from "@celadon/kube";
import { fieldsAt, get, hasText, isFields, listAt, textAt } from "../foreign.ts";
import {
  bindingOf,
  type ConversionProblem,
  type ConvertedPolicy,
  objectName,
  type PolicyConversion,
  type PolicySource,
  policyOf,
} from "./converted.ts";
import { withAutogen } from "./derive.ts";
import { inNamespaceOnly } from "./in-namespace.ts";
import type { KnownKind } from "./kyverno-kinds.ts";
import { convertMatch } from "./kyverno-match.ts";
import { convertConditions, convertExpressions } from "./kyverno-spec.ts";
import { acceptable } from "./standard.ts";

const AUTOGEN = "pod-policies.kyverno.io/autogen-controllers";

/** Kinds of rules that are not CEL, by the field that makes them one. */
const OTHER_RULES: Readonly<Record<string, string>> = {
  mutate: "it mutates",
  generate: "it generates objects",
  verifyImages: "it verifies images",
};

export function convertClusterPolicy(object: KubeObject, known: readonly KnownKind[]): PolicyConversion {
  const source = sourceOf(object);
  const rules = listAt(object, "spec", "rules");
  const policies: ConvertedPolicy[] = [];
  const problems: ConversionProblem[] = [];
  if (rules.length === 0) {
    problems.push({ code: "malformed", source, message: "the policy has no rules", path: ["spec", "rules"] });
  }
  const controllers = controllersOf(object, rules);
  for (const [i, rule] of rules.entries()) {
    const made = convertRule(object, rule, ["spec", "rules", i], known);
    if (Array.isArray(made)) pushAll(problems, made);
    else {
      const derived = withAutogen(made as ConvertedPolicy, controllers);
      pushAll(policies, derived.policies);
      pushAll(problems, derived.problems);
    }
  }
  return { policies, problems };
}

function sourceOf(object: KubeObject): PolicySource {
  const namespace = namespaceOf(object);
  return { kind: String(object.kind), name: nameOf(object), ...(namespace !== "" && { namespace }) };
}

function convertRule(
  object: KubeObject,
  rule: unknown,
  path: JsonPath,
  known: readonly KnownKind[],
): ConvertedPolicy | readonly ConversionProblem[] {
  const name = textAt(rule, "name") ?? "";
  const source: PolicySource = { ...sourceOf(object), rule: name };
  const problem = (code: ConversionProblem["code"], message: string, at: JsonPath = []): ConversionProblem => ({
    code,
    source,
    message,
    path: [...path, ...at],
  });
  const other = Object.keys(OTHER_RULES).find((key) => hasText(rule, key));
  if (other !== undefined) return [problem("not_cel", OTHER_RULES[other]!, [other])];
  const cel = get(rule, "validate", "cel");
  if (!isFields(cel)) {
    const how = Object.keys(fieldsAt(rule, "validate")).find((key) => !NO_METHOD.has(key)) ?? "something else";
    return [problem("not_cel", `it validates with ${how}, not with CEL`, ["validate"])];
  }
  const problems: ConversionProblem[] = [];
  for (const key of ["context", "preconditions"]) {
    if (hasText(rule, key)) problems.push(problem("not_cel", `${key} is not CEL`, [key]));
  }
  const match = convertMatch(rule, known);
  if ("matchConstraints" in match === false) {
    for (const { message, path: at } of match) problems.push(problem("not_expressible", message, at));
    return problems;
  }
  const { spec, notes, problems: wrong } = convertExpressions(cel, textAt(rule, "validate", "message"));
  pushAll(
    problems,
    wrong.map(({ message, path: at }) => problem("not_cel", message, ["validate", "cel", ...at])),
  );
  if (problems.length > 0) return problems;

  const own = namespaceOf(object);
  const matchConstraints = own === "" ? match.matchConstraints : inNamespaceOnly(match.matchConstraints, own);
  const conditions: MatchCondition[] = [...match.conditions, ...convertConditions(listAt(rule, "celPreconditions"))];
  const made = policyOf(objectName(own, nameOf(object), name), {
    failurePolicy: failurePolicyOf(object),
    ...spec,
    matchConstraints,
    ...(conditions.length > 0 && { matchConditions: conditions }),
  });
  const paramRef = get(cel, "paramRef");
  const binding = bindingOf(made.metadata.name!, actionsOf(object, rule), {
    ...(isFields(paramRef) && { paramRef: { parameterNotFoundAction: "Deny", ...(paramRef as ParamRef) } }),
  });
  const refused = acceptable([made, binding], source, path);
  if (refused.length > 0) return refused;
  return {
    source,
    path,
    policy: made,
    bindings: [binding],
    params: [],
    derived: false,
    notes: [...match.notes, ...notes, ...overrideNotes(object, rule)],
  };
}

/** The fields of `validate` that do not choose a method. */
const NO_METHOD: ReadonlySet<string> = new Set(["message", "failureAction", "allowExistingViolations"]);

function failurePolicyOf(object: KubeObject): FailurePolicy {
  const said =
    textAt(object, "spec", "webhookConfiguration", "failurePolicy") ?? textAt(object, "spec", "failurePolicy");
  return said === "Ignore" ? "Ignore" : "Fail";
}

/** Policies that are not enforced audit and warn, as in the policies that Kyverno itself generates. */
function actionsOf(object: KubeObject, rule: unknown): readonly ValidationAction[] {
  const said =
    textAt(rule, "validate", "failureAction") ?? textAt(object, "spec", "validationFailureAction") ?? "Audit";
  return said.toLowerCase() === "enforce" ? ["Deny"] : ["Audit", "Warn"];
}

function overrideNotes(object: KubeObject, rule: unknown): string[] {
  const overridden =
    hasText(fieldsAt(object, "spec"), "validationFailureActionOverrides") ||
    hasText(fieldsAt(rule, "validate"), "failureActionOverrides");
  return overridden ? ["overridden actions for some namespaces are dropped; add a binding for them"] : [];
}

/** The controllers Kyverno derives rules for: all, unless the annotation or the match of any rule says otherwise. */
function controllersOf(object: KubeObject, rules: readonly unknown[]): readonly string[] | undefined {
  const said = textAt(object, "metadata", "annotations", AUTOGEN);
  if (said === "none") return [];
  const derivable = rules.every((rule) => ["match", "exclude"].every((block) => isDerivable(get(rule, block))));
  if (!derivable) return [];
  return said === undefined || said === "" ? undefined : said.split(",").map((text) => text.trim());
}

function isDerivable(block: unknown): boolean {
  const filters = [block, ...listAt(block, "any"), ...listAt(block, "all")];
  return filters.every((filter) => {
    const resources = fieldsAt(filter, "resources");
    const kinds = listAt(resources, "kinds");
    const mixed = kinds.length > 1 && kinds.includes("Pod");
    return !mixed && !["name", "names", "selector", "annotations"].some((key) => hasText(resources, key));
  });
}
