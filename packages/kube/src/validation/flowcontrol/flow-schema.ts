// FlowSchemas: the priority level of requests, by user and target.

import { semanticEqual } from "@celadon/base";
import type {
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  ServiceAccountSubject,
  Subject,
} from "../../api/generated/flowcontrol-v1.ts";
import { checkDns1123Label, checkDns1123Subdomain } from "../../names.ts";
import { metadata } from "../checks/metadata.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";
import { shownAs } from "../show/internal.ts";
import { statusEndpoint, typesOnce } from "./conditions.ts";

const EXEMPT = "exempt";
const MAX_PRECEDENCE = 10_000;
const DISTINGUISHERS: readonly (string | undefined)[] = ["ByNamespace", "ByUser"];
const ALL = "*";
const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];

export const flowSchema: AnyKindRules = kindRules<FlowSchema>({
  kind: { group: "flowcontrol.apiserver.k8s.io", kind: "FlowSchema" },
  resource: "flowschemas",
  namespaced: false,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  generation: [SPEC],
  validate: (object, at) => wholeSchema(object, at),
  validateUpdate: (object, _old, at) => wholeSchema(object, at),
  subresources: { status: statusEndpoint() },
});

const EVERYTHING: Pick<PolicyRulesWithSubjects, "resourceRules" | "nonResourceRules"> = {
  resourceRules: [{ verbs: [ALL], apiGroups: [ALL], resources: [ALL], namespaces: [ALL], clusterScope: true }],
  nonResourceRules: [{ verbs: [ALL], nonResourceURLs: [ALL] }],
};

/** Schemas that a server cannot be without. */
const MANDATORY: ReadonlyMap<string, FlowSchemaSpec> = new Map<string, FlowSchemaSpec>([
  [
    EXEMPT,
    {
      priorityLevelConfiguration: { name: EXEMPT },
      matchingPrecedence: 1,
      rules: [{ subjects: groups("system:masters"), ...EVERYTHING }],
    },
  ],
  [
    "catch-all",
    {
      priorityLevelConfiguration: { name: "catch-all" },
      matchingPrecedence: MAX_PRECEDENCE,
      distinguisherMethod: { type: "ByUser" },
      rules: [{ subjects: groups("system:unauthenticated", "system:authenticated"), ...EVERYTHING }],
    },
  ],
]);

function groups(...names: readonly string[]): Subject[] {
  return names.map((name) => ({ kind: "Group", group: { name } }));
}

function wholeSchema(object: FlowSchema, at: ValidatedField): void {
  const name = object.metadata?.name ?? "";
  metadata(object.metadata, { namespaced: false, name: checkDns1123Subdomain }, at.child("metadata"));
  schemaSpec(object.spec ?? {}, name, at.child("spec"));
  const fixed = MANDATORY.get(name);
  if (fixed !== undefined && !semanticEqual(object.spec, fixed)) {
    const shown = shownAs("flowcontrol.FlowSchemaSpec", object.spec);
    at.child("spec").invalid(shown, `spec of '${name}' must equal the fixed value`);
  }
  typesOnce(object, at);
}

function schemaSpec(spec: FlowSchemaSpec, name: string, at: ValidatedField): void {
  precedence(spec.matchingPrecedence ?? 0, name, at.child("matchingPrecedence"));
  const method = spec.distinguisherMethod;
  if (method !== undefined && !DISTINGUISHERS.includes(method.type)) {
    const shown = shownAs("flowcontrol.FlowDistinguisherMethod", method);
    at.child("distinguisherMethod", "type").unsupportedAs(shown, ["ByNamespace", "ByUser"]);
  }
  const level = at.child("priorityLevelConfiguration", "name");
  if (spec.priorityLevelConfiguration?.name) level.check(spec.priorityLevelConfiguration.name, checkDns1123Subdomain);
  else level.required("must reference a priority level");
  at.child("rules").each(spec.rules, (rule, each) => rules(rule, each));
}

function precedence(value: number, name: string, at: ValidatedField): void {
  if (value <= 0) at.invalid(value, "must be a positive value");
  if (value > MAX_PRECEDENCE) at.invalid(value, `must not be greater than ${MAX_PRECEDENCE}`);
  if (value === 1 && name !== EXEMPT) {
    at.invalid(value, "only the schema named 'exempt' may have matchingPrecedence 1");
  }
}

function rules(given: PolicyRulesWithSubjects, at: ValidatedField): void {
  at.child("subjects").mustExist(given.subjects, "subjects must contain at least one value");
  at.child("subjects").each(given.subjects, (item, each) => subject(item, each));
  if (!given.resourceRules?.length && !given.nonResourceRules?.length) {
    at.required("at least one of resourceRules and nonResourceRules has to be non-empty");
  }
  at.child("resourceRules").each(given.resourceRules, (rule, each) => resourceRule(rule, each));
  at.child("nonResourceRules").each(given.nonResourceRules, (rule, each) => nonResourceRule(rule, each));
}

/** A subject has only the member of its kind. */
function subject(given: Subject, at: ValidatedField): void {
  const members = [
    ["ServiceAccount", "serviceAccount", serviceAccount],
    ["User", "user", named],
    ["Group", "group", named],
  ] as const;
  const own = members.find(([kind]) => kind === given.kind);
  if (own === undefined) {
    at.child("kind").unsupported(given.kind, ["Group", "ServiceAccount", "User"]);
    return;
  }
  const [kind, member, check] = own;
  if (given[member] === undefined) at.child(member).required(`${member} is required when subject kind is '${kind}'`);
  else check(given[member], at.child(member));
  for (const [otherKind, other] of members) {
    if (other === member || given[other] === undefined) continue;
    at.child(other).forbidden(`${other} is forbidden when subject kind is not '${otherKind}'`);
  }
}

function named(given: { readonly name?: string | undefined }, at: ValidatedField): void {
  at.child("name").mustExist(given.name);
}

function serviceAccount(given: ServiceAccountSubject, at: ValidatedField): void {
  if (given.name !== ALL) at.child("name").mustBe(given.name, checkDns1123Subdomain);
  if (given.namespace) at.child("namespace").check(given.namespace, checkDns1123Label);
  else at.child("namespace").required("must specify namespace for service account");
}

function resourceRule(rule: ResourcePolicyRule, at: ValidatedField): void {
  verbs(rule.verbs ?? [], at.child("verbs"));
  at.child("apiGroups").mustExist(rule.apiGroups, "resource rules must supply at least one api group");
  allOrSome(rule.apiGroups ?? [], "api groups", at.child("apiGroups"));
  at.child("resources").mustExist(rule.resources, "resource rules must supply at least one resource");
  allOrSome(rule.resources ?? [], "resources", at.child("resources"));
  const [places, list] = [at.child("namespaces"), rule.namespaces ?? []];
  if (list.length === 0 && !rule.clusterScope) {
    places.required("resource rules that are not cluster scoped must supply at least one namespace");
  } else if (list.includes(ALL)) allOrSome(list, "namespaces", places);
  else places.each(list, (name, each) => each.check(name, namespaceProblems));
}

function namespaceProblems(name: string): string[] {
  return checkDns1123Label(name).map(
    (problem) => `each member of this list must be '*' or a DNS-1123 label; ${problem}`,
  );
}

function nonResourceRule(rule: NonResourcePolicyRule, at: ValidatedField): void {
  verbs(rule.verbs ?? [], at.child("verbs"));
  const [urls, place] = [rule.nonResourceURLs ?? [], at.child("nonResourceURLs")];
  if (urls.length === 0) place.required("nonResourceURLs must contain at least one value");
  else if (urls.includes(ALL)) allOrSome(urls, "non-resource URLs", place);
  else {
    place.each(urls, (url, each) => {
      const problem = urlProblem(url);
      if (problem !== undefined) each.invalid(url, problem);
    });
  }
}

function verbs(list: readonly string[], at: ValidatedField): void {
  if (list.length === 0) at.required("verbs must contain at least one value");
  else if (list.includes(ALL)) allOrSome(list, "verbs", at);
  else if (!list.every((verb) => VERBS.includes(verb))) at.unsupported(list, VERBS);
}

/** A list with `*` must have nothing else. */
function allOrSome(list: readonly string[], what: string, at: ValidatedField): void {
  if (list.length > 1 && list.includes(ALL)) at.invalid(list, `if '*' is present, must not specify other ${what}`);
}

function urlProblem(path: string): string | undefined {
  if (path === "") return "must not be empty";
  if (path === "/") return undefined;
  if (!path.startsWith("/")) return "must start with slash";
  if (path.includes(" ")) return "must not contain white-space";
  if (path.includes("//")) return "must not contain double slash";
  const stars = path.split(ALL).length - 1;
  const suffix = stars === 1 && path.endsWith("/*");
  return stars === 0 || suffix ? undefined : "wildcard can only do suffix matching";
}
