// kubernetes.authz and kubernetes.authzSelectors: asking whether a user may do something.
// Upstream: apiserver pkg/cel/library/authz.go. Usable only where a variable `authorizer` exists.

import { BOOL, type CelError, celError, type Library, method, STRING } from "@celadon/cel";
import {
  add,
  type CostFormula,
  costs,
  exactly,
  fixed,
  LIST_BASE,
  lateSizeOf,
  ownSize,
  type Range,
  STRUCT_BASE,
  scale,
  TRAVERSAL,
} from "@celadon/cel/cost";
import { checkDns1123Label, checkDns1123Subdomain } from "@celadon/kube/names";
import {
  AUTHORIZER,
  type AuthorizerValue,
  DECISION,
  GROUP_CHECK,
  GroupCheck,
  PATH_CHECK,
  PathCheck,
  RESOURCE_CHECK,
  ResourceCheck,
} from "./authorizer.ts";

/** So much that one evaluation can afford two. */
const CHECK_COST = 350_000;

/** `authorizer` and its checks. */
// biome-ignore format: one overload per line
export const authzLibrary: Library = {
  name: "kubernetes.authz", costBy: "function",
  overloads: [
    //     name              overload id                  arguments                     result          cost               implementation
    method("path",           "authorizer_path",           [AUTHORIZER, STRING],         PATH_CHECK,     fixed(1),          path),
    method("group",          "authorizer_group",          [AUTHORIZER, STRING],         GROUP_CHECK,    fixed(1),          (authorizer, group) => new GroupCheck(authorizer, group)),
    method("serviceAccount", "authorizer_serviceaccount", [AUTHORIZER, STRING, STRING], AUTHORIZER,     fixed(1),          serviceAccount),
    method("resource",       "groupcheck_resource",       [GROUP_CHECK, STRING],        RESOURCE_CHECK, fixed(1),          resource),
    method("subresource",    "resourcecheck_subresource", [RESOURCE_CHECK, STRING],     RESOURCE_CHECK, fixed(1),          (check, subresource) => check.with({ subresource })),
    method("namespace",      "resourcecheck_namespace",   [RESOURCE_CHECK, STRING],     RESOURCE_CHECK, fixed(1),          (check, namespace) => check.with({ namespace })),
    method("name",           "resourcecheck_name",        [RESOURCE_CHECK, STRING],     RESOURCE_CHECK, fixed(1),          (check, name) => check.with({ name })),
    method("check",          "pathcheck_check",           [PATH_CHECK, STRING],         DECISION,       fixed(CHECK_COST), (check, verb) => check.check(verb)),
    method("check",          "resourcecheck_check",       [RESOURCE_CHECK, STRING],     DECISION,       fixed(CHECK_COST), (check, verb) => check.check(verb)),
    method("errored",        "decision_errored",          [DECISION],                   BOOL,           fixed(1),          ({ decision }) => decision.error !== undefined),
    method("error",          "decision_error",            [DECISION],                   STRING,         fixed(1),          ({ decision }) => decision.error ?? ""),
    method("allowed",        "decision_allowed",          [DECISION],                   BOOL,           fixed(1),          ({ decision }) => decision.decision === "allow"),
    method("reason",         "decision_reason",           [DECISION],                   STRING,         fixed(1),          ({ decision }) => decision.reason ?? ""),
  ],
};

/** The shortest requirement is two characters long, and each makes a list and a struct. */
const REQUIREMENTS = 0.5;
const REQUIREMENT_COST = LIST_BASE + STRUCT_BASE;

function selectorCost(size: Range): Range {
  return add(add(exactly(LIST_BASE), scale(size, TRAVERSAL)), scale(scale(size, REQUIREMENTS), REQUIREMENT_COST));
}

const selecting: CostFormula = costs({
  text: `${LIST_BASE} + ⌈${TRAVERSAL} · {1}⌉ + ${REQUIREMENT_COST} · ⌈${REQUIREMENTS} · {1}⌉`,
  estimate: (args) => ({ cost: selectorCost(lateSizeOf(args, 1)) }),
  fromArguments: true,
  actual: ([, selector]) => Number(selectorCost(exactly(ownSize(selector))).max),
});

/** Selectors in checks of the authorizer. */
// biome-ignore format: one overload per line
export const authzSelectorsLibrary: Library = {
  name: "kubernetes.authzSelectors", costBy: "function",
  overloads: [
    method("fieldSelector", "authorizer_fieldselector", [RESOURCE_CHECK, STRING], RESOURCE_CHECK, selecting, (check, fieldSelector) => check.with({ fieldSelector })),
    method("labelSelector", "authorizer_labelselector", [RESOURCE_CHECK, STRING], RESOURCE_CHECK, selecting, (check, labelSelector) => check.with({ labelSelector })),
  ],
};

/** A text of Unicode white space alone. JavaScript's `trim` differs from Go's in two characters. */
const BLANK = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;

const invalid = (message: string): CelError => celError("invalid_argument", message);

function path(authorizer: AuthorizerValue, text: string): PathCheck | CelError {
  return BLANK.test(text) ? invalid("path must not be empty") : new PathCheck(authorizer, text);
}

function resource(group: GroupCheck, text: string): ResourceCheck | CelError {
  return BLANK.test(text) ? invalid("resource must not be empty") : new ResourceCheck(group, { resource: text });
}

function serviceAccount(authorizer: AuthorizerValue, namespace: string, name: string): AuthorizerValue | CelError {
  if (checkDns1123Subdomain(name).length > 0) return invalid("Invalid service account name");
  if (checkDns1123Label(namespace).length > 0) return invalid("Invalid service account namespace");
  return authorizer.forServiceAccount(namespace, name);
}
