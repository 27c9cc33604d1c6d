// The results of the clauses of a resource for an object, and why: validations and match conditions of policies, match
// conditions of webhooks, rules of CRDs and of certificate policies. All have one shape, so the truth strip and the
// smallest change do not depend on the system.

import { mutateRequest } from "@celadon/admission/chain";
import { type ExplainedExpression, ExplainingObserver, explain, expressionPath } from "@celadon/admission/explain";
import { selectWebhooks } from "@celadon/admission/webhook";
import type { JsonObject, JsonPath } from "@celadon/base";
import type { DataPath, ExplainedNode } from "@celadon/cel/explain";
import { explainRules as explainCertificateRules } from "@celadon/certpolicy";
import { explainRules } from "@celadon/crd/rules";
import { type KubeObject, nameOf } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { certificateRequestFor, type SimulatedCluster } from "@celadon/simulator";
import { rulePath, throughVariables, type VariableTrees, variableTrees } from "@celadon/simulator/explain";
import { requestField } from "./certificate-fields.ts";
import type { ObjectVerdict } from "./review-all.ts";
import type { Truth } from "./truths.ts";

/** An expression of a resource that was evaluated for an object. */
export interface ClauseResult {
  /** Its place in the resource. */
  readonly path: JsonPath;
  readonly truth: Truth;
  readonly tree: ExplainedNode;
  /** Trees of the variables that it reads. */
  readonly variables: VariableTrees;
  /** The field of the object that a part of the tree read; undefined for other data. */
  readonly fieldOf: (path: DataPath) => JsonPath | undefined;
}

/** A place in a resource as a key of maps. */
export const clauseKey = (path: JsonPath): string => path.join("/");

/** The parts of a verdict from which clauses are evaluated. */
export type ReviewedObject = Pick<ObjectVerdict, "request" | "received" | "manifest" | "certificate">;

/** Whether clauses are evaluated for kinds of this resource. */
export function hasClauses({ kind }: KubeObject): boolean {
  return SYSTEMS.has(String(kind));
}

/** Rules and match conditions; validations of policies are known from verdicts. */
export function isDeciding(path: JsonPath): boolean {
  return path.at(-1) === "rule" || path.at(-3) === "matchConditions";
}

/** None if the resource does not concern the object. */
export async function clauseResults(
  simulated: SimulatedCluster,
  resource: KubeObject,
  reviewed: ReviewedObject,
): Promise<readonly ClauseResult[]> {
  return (await SYSTEMS.get(String(resource.kind))?.(simulated, resource, reviewed)) ?? [];
}

type System = (
  simulated: SimulatedCluster,
  resource: KubeObject,
  reviewed: ReviewedObject,
) => readonly ClauseResult[] | Promise<readonly ClauseResult[]>;

const SYSTEMS: ReadonlyMap<string, System> = new Map<string, System>([
  ["ValidatingAdmissionPolicy", validatingClauses],
  ["MutatingAdmissionPolicy", mutatingClauses],
  ["ValidatingWebhookConfiguration", webhookClauses],
  ["MutatingWebhookConfiguration", webhookClauses],
  ["CustomResourceDefinition", definitionClauses],
  ["CertificateRequestPolicy", certificateClauses],
]);

async function validatingClauses(
  simulated: SimulatedCluster,
  resource: KubeObject,
  { request }: ReviewedObject,
): Promise<readonly ClauseResult[]> {
  const entry = simulated.policies.entry(nameOf(resource));
  return entry === undefined ? [] : ofObserved((await explain(request, [entry], simulated.hosts)).expressions);
}

/** Mutations are evaluated one after the other, so all of them are; before them comes the object as it was received. */
async function mutatingClauses(
  simulated: SimulatedCluster,
  resource: KubeObject,
  { request, received }: ReviewedObject,
): Promise<readonly ClauseResult[]> {
  const name = nameOf(resource);
  const asked = { ...request, object: received };
  const candidates = simulated.mutatingPolicies.candidates(asked, simulated.hosts.resources);
  if (!candidates.some(({ policy }) => policy.name === name)) return [];
  const observer = new ExplainingObserver();
  await mutateRequest(asked, simulated, { observer, goOn: true });
  return ofObserved(
    observer.finished.filter(({ owner }) => owner.kind === "MutatingAdmissionPolicy" && owner.name === name),
  );
}

async function webhookClauses(
  simulated: SimulatedCluster,
  resource: KubeObject,
  { request, received }: ReviewedObject,
): Promise<readonly ClauseResult[]> {
  const isMutating = resource.kind === "MutatingWebhookConfiguration";
  const all = isMutating ? simulated.webhooks.mutating : simulated.webhooks.validating;
  const own = all.filter(
    ({ configuration, rules }) => configuration === nameOf(resource) && rules.conditions.length > 0,
  );
  if (own.length === 0) return [];
  const observer = new ExplainingObserver();
  await selectWebhooks(isMutating ? { ...request, object: received } : request, own, simulated.hosts, { observer });
  return ofObserved(observer.finished);
}

type Observed = ExplainedExpression & { readonly owner?: { readonly webhook?: { name: string; index: number } } };

/** The expressions that decide, among all that were evaluated. */
function ofObserved(expressions: readonly Observed[]): readonly ClauseResult[] {
  return expressions.flatMap((expression, i): ClauseResult[] => {
    const { kind, index, owner, value, error, tree } = expression;
    if (kind !== "validation" && kind !== "matchCondition") return [];
    const variables = variableTrees(expressions.slice(0, i + 1));
    const fieldOf = (path: DataPath): JsonPath | undefined => {
      const place = throughVariables(path, variables);
      return place?.root === "object" ? place.path : undefined;
    };
    const path = expressionPath(kind, index, owner?.webhook);
    return [{ path, truth: truthOf(value, error), tree, variables, fieldOf }];
  });
}

/** Rules that compare with an old value are evaluated where there is one; objects of a workspace are created. */
function definitionClauses(
  simulated: SimulatedCluster,
  resource: KubeObject,
  { request }: ReviewedObject,
): readonly ClauseResult[] {
  const { kind, object, oldObject } = request;
  const type = simulated.typeOf(kind.group, kind.kind);
  const version = type?.version(kind.version);
  if (type === undefined || version === undefined || !object) return [];
  if (`${type.plural}.${type.group}` !== nameOf(resource)) return [];
  const at = (type.definition.spec.versions ?? []).findIndex(({ name }) => name === kind.version);
  const old = (oldObject as JsonObject | null) ?? undefined;
  return explainRules(version, object as JsonObject, old).expressions.map((rule): ClauseResult => {
    const { value, error, tree, path: self } = rule;
    const fieldOf = ({ root, path }: DataPath): JsonPath | undefined =>
      root === "self" ? [...self, ...path] : undefined;
    return { path: rulePath(at, rule), truth: truthOf(value, error), tree, variables: new Map(), fieldOf };
  });
}

/** The clauses of policies that were evaluated for the request. */
function certificateClauses(
  simulated: SimulatedCluster,
  resource: KubeObject,
  { request, manifest, certificate }: ReviewedObject,
): readonly ClauseResult[] {
  const name = nameOf(resource);
  const policy = simulated.certificatePolicies.find(({ metadata }) => metadata?.name === name);
  const isAsked =
    certificate !== undefined &&
    certificate.result !== "Error" &&
    certificate.policies.some(({ policy: own, outcome }) => own === name && /^(?:approves|denies)$/.test(outcome));
  const asked = isAsked ? certificateRequestFor(simulated, request) : undefined;
  if (policy === undefined || asked === undefined || asked instanceof Invalid) return [];
  return explainCertificateRules(policy, asked, simulated.reviewer.rules).expressions.map((rule): ClauseResult => {
    const { path, value, error, tree, self } = rule;
    const fieldOf = (place: DataPath): JsonPath | undefined => requestField(manifest.object, place, path, self);
    return { path: [...path, "rule"], truth: truthOf(value, error), tree, variables: new Map(), fieldOf };
  });
}

function truthOf(value: unknown, error: string | undefined): Truth {
  return error !== undefined ? "error" : value === true ? "true" : "false";
}
