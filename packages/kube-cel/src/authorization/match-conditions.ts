// Match conditions of an authorization webhook: expressions over `request`, the spec of a SubjectAccessReview. Upstream: apiserver
// pkg/authorization/cel/compile.go, matcher.go.

import { BOOL, type Env, listOf, mapOf, type Program, STRING } from "@celadon/cel";
import { type FieldError, type FieldPath, internalFieldError, invalidValue } from "@celadon/kube/errors";
import { CURRENT, type Minor } from "@celadon/kube/versions";
import { compileExpression } from "../compile.ts";
import { declaredType, declaredTypes } from "../declared-type.ts";
import { kubeEnv } from "../environment.ts";

const STRINGS = listOf(STRING);

const requirement = declaredType("kubernetes.SelectorRequirement", { key: STRING, operator: STRING, values: STRINGS });
const SELECTOR = { rawSelector: STRING, requirements: listOf(requirement.type) };
const fieldSelector = declaredType("kubernetes.FieldSelectorAttributes", SELECTOR);
const labelSelector = declaredType("kubernetes.LabelSelectorAttributes", SELECTOR);
const resource = declaredType("kubernetes.ResourceAttributes", {
  namespace: STRING,
  verb: STRING,
  group: STRING,
  version: STRING,
  resource: STRING,
  subresource: STRING,
  name: STRING,
  fieldSelector: fieldSelector.type,
  labelSelector: labelSelector.type,
});
const nonResource = declaredType("kubernetes.NonResourceAttributes", { path: STRING, verb: STRING });
const spec = declaredType("kubernetes.SubjectAccessReviewSpec", {
  resourceAttributes: resource.type,
  nonResourceAttributes: nonResource.type,
  user: STRING,
  groups: STRINGS,
  extra: mapOf(STRING, STRINGS),
  uid: STRING,
});

const environments = new Map<Minor, Env>();

/** The environment of match conditions. */
export function authorizationEnvironment(minor: Minor = CURRENT): Env {
  const made = environments.get(minor);
  if (made !== undefined) return made;
  const env = kubeEnv({
    server: minor,
    variables: { request: spec.type },
    provider: declaredTypes([spec, resource, nonResource, fieldSelector, labelSelector, requirement]),
  }) as Env;
  environments.set(minor, env);
  return env;
}

/** A compiled match condition. */
export interface AuthorizationCondition {
  readonly text: string;
  /** Its place among the conditions of the webhook. */
  readonly index: number;
  readonly program: Program;
}

/** The condition, or the error of its field. */
export function compileCondition(
  text: string,
  index: number,
  path: FieldPath,
  minor?: Minor,
): AuthorizationCondition | FieldError {
  const compiled = compileExpression(authorizationEnvironment(minor), text, { returnTypes: [BOOL] });
  if (compiled.ok) return { text, index, program: compiled.program };
  const error =
    compiled.kind === "internal"
      ? internalFieldError(path, compiled.message)
      : invalidValue(path, text, compiled.message);
  return { ...error, expression: { steps: path.steps, text, offset: 0, issues: compiled.issues } };
}

/** The spec of a SubjectAccessReview, as far as conditions see it. */
export interface ReviewedAccess {
  readonly user?: string;
  readonly groups?: readonly string[] | null;
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[] | null>> | null;
  readonly resourceAttributes?: Readonly<Record<string, unknown>> | null;
  readonly nonResourceAttributes?: Readonly<Record<string, unknown>> | null;
}

/** A condition as it was evaluated. */
export interface EvaluatedCondition {
  readonly text: string;
  readonly index: number;
  readonly value?: boolean;
  readonly error?: string;
  readonly cost: number;
}

/** Whether a webhook is called for a review: not if a condition is false; if none is, an error decides. */
export interface ConditionsVerdict {
  readonly matches: boolean;
  readonly error?: string;
  readonly evaluated: readonly EvaluatedCondition[];
}

/** Evaluates the conditions of a webhook up to the first that is false. */
export function matchConditions(
  conditions: readonly AuthorizationCondition[],
  access: ReviewedAccess,
): ConditionsVerdict {
  const variables = { request: requestOf(access) };
  const evaluated: EvaluatedCondition[] = [];
  const errors: string[] = [];
  for (const { text, index, program } of conditions) {
    const { value, error, cost } = program.evaluate(variables);
    evaluated.push({ text, index, cost, ...(error ? { error: error.message } : { value: value === true }) });
    if (error !== undefined) {
      errors.push(`cel evaluation error: expression '${text}' resulted in error: ${error.message}`);
    } else if (value !== true) return { matches: false, evaluated };
  }
  if (errors.length === 0) return { matches: true, evaluated };
  const [only = ""] = errors;
  return { matches: false, error: errors.length === 1 ? only : `[${errors.join(", ")}]`, evaluated };
}

const TEXTS = ["namespace", "verb", "group", "version", "resource", "subresource", "name"] as const;

/** Every text is present, even an empty one; attributes only if the review is about them. */
function requestOf(access: ReviewedAccess): Readonly<Record<string, unknown>> {
  const { user = "", groups, uid = "", extra, resourceAttributes: of, nonResourceAttributes: path } = access;
  return {
    user,
    groups: groups ?? [],
    uid,
    extra: Object.fromEntries(Object.entries(extra ?? {}).map(([key, values]) => [key, values ?? []])),
    ...(of && {
      resourceAttributes: {
        ...Object.fromEntries(TEXTS.map((name) => [name, of[name] ?? ""])),
        ...selection("fieldSelector", of.fieldSelector),
        ...selection("labelSelector", of.labelSelector),
      },
    }),
    ...(path && { nonResourceAttributes: { verb: path.verb ?? "", path: path.path ?? "" } }),
  };
}

/** A raw selector hides requirements; without either there is none. */
function selection(name: string, given: unknown): Readonly<Record<string, unknown>> {
  const { rawSelector, requirements } = Object(given) as Readonly<Record<string, unknown>>;
  if (typeof rawSelector === "string" && rawSelector !== "") return { [name]: { rawSelector } };
  if (!Array.isArray(requirements) || requirements.length === 0) return {};
  const written = requirements.map(({ key = "", operator = "", values }) => ({ key, operator, values: values ?? [] }));
  return { [name]: { requirements: written } };
}
