// Evaluates one policy on one input: which of its expressions fail in a way that matters. An error that `false &&`
// hides, or in a message that is not shown, does not.

import type { AdmissionRequest } from "@celadon/admission";
import type { EvaluationObserver, ExpressionPlace } from "@celadon/admission/explain";
import type { MatchedTarget } from "@celadon/admission/memory";
import { evaluateMutations } from "@celadon/admission/mutating";
import { type Expression, evaluatePolicy, match, RequestContext } from "@celadon/admission/steps";
import { type CelError, isError, type Recorder, type Value } from "@celadon/cel";
import type { KubeObject } from "@celadon/kube";
import { type Failure, failureOf, overBudget, type Tried } from "./failure.ts";
import type { FuzzedExpression } from "./finding.ts";
import { type FuzzedBinding, type FuzzedPolicy, isMutating } from "./fuzzed-policy.ts";
import type { Input } from "./inputs.ts";

export interface Seen {
  readonly place: ExpressionPlace;
  readonly expression: Expression;
  readonly value: Value | CelError | undefined;
  readonly cost: number;
}

/** The request an input stands for. */
export function requestOf(
  { operation, object, oldObject, request = {} }: Input,
  target: MatchedTarget,
): AdmissionRequest {
  const { kind, resource, subresource, namespaced, name } = target;
  const asked = request as Pick<AdmissionRequest, "name" | "dryRun" | "userInfo">;
  return {
    kind,
    resource,
    ...(subresource !== "" && { subresource }),
    // Names that the server makes up are not known when the request is made.
    ...((operation !== "CREATE" || asked.name !== undefined) && { name }),
    ...(namespaced && { namespace: "default" }),
    operation,
    userInfo: asked.userInfo ?? USER,
    object: (object as KubeObject | undefined) ?? null,
    oldObject: (oldObject as KubeObject | undefined) ?? null,
    options: { apiVersion: "meta.k8s.io/v1", kind: OPTIONS[operation] },
    ...(asked.dryRun !== undefined && { dryRun: asked.dryRun }),
  };
}

const USER = { username: "a", groups: ["system:authenticated"] };
const OPTIONS = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions" };
const NAMESPACE: KubeObject = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "default", labels: { "kubernetes.io/metadata.name": "default" } },
};

/** Undefined if the policy does not apply: a selector or every binding excludes the input. */
export function policyFailures(
  policy: FuzzedPolicy,
  bindings: readonly FuzzedBinding[],
  input: Input,
  request: AdmissionRequest,
  signal: { readonly aborted: boolean } | undefined,
): Tried | undefined {
  const observer = new Watcher();
  const evaluation = evaluate(policy, bindings, input, request, observer, signal);
  if (evaluation === undefined) return undefined;
  const { seen } = observer;
  const locate = (): readonly Located[] => locateInVariable(policy, bindings, input, request);
  const cost = seen.reduce((sum, item) => sum + item.cost, 0);
  return { failures: failures(policy, evaluation, seen, locate), cost };
}

function evaluate(
  policy: FuzzedPolicy,
  bindings: readonly FuzzedBinding[],
  { params, namespaceObject = NAMESPACE, request: asked = {} }: Input,
  request: AdmissionRequest,
  observer: EvaluationObserver,
  signal: { readonly aborted: boolean } | undefined,
): PolicyFailures | undefined {
  const decision = { decision: asked.authorized === false ? "noOpinion" : "allow" } as const;
  const hosts = {
    namespaces: { namespace: () => namespaceObject as KubeObject },
    authorizer: { authorize: () => decision },
  };
  const context = new RequestContext(request, hosts, { observer, ...(signal && { signal }) });
  context.loadNamespace();
  const matched = match({ policy, bindings }, context);
  if (matched.outcome !== "matched" || !matched.bindings.some(({ outcome }) => outcome === "matched")) return undefined;
  const namespace = context.namespaceObject();
  if ("status" in namespace) return undefined;
  const { object = null, oldObject = null } = request;
  const { resource, kind } = matched;
  const given = (params as KubeObject | undefined) ?? null;
  const all = { context, resource, kind, objects: { object, oldObject }, params: given, namespace };
  if (isMutating(policy))
    return request.operation === "DELETE" ? undefined : mutationFailures(evaluateMutations(policy, all));
  const { decisions, refusal } = evaluatePolicy(policy, all);
  return {
    conditionsFailed:
      refusal?.by === "matchConditionError" || decisions.some(({ source }) => source === "matchConditions"),
    overBudget: decisions.find(({ source }) => source === "budget")?.message,
  };
}

/** Failures of the policy as a whole. */
interface PolicyFailures {
  readonly conditionsFailed: boolean;
  readonly overBudget: string | undefined;
}

function mutationFailures({ conditions, mutations }: ReturnType<typeof evaluateMutations>): PolicyFailures {
  const over = mutations.find((mutation) => "error" in mutation && mutation.overBudget);
  return { conditionsFailed: conditions === "error", overBudget: over && "error" in over ? over.error : undefined };
}

class Watcher implements EvaluationObserver {
  readonly seen: Seen[] = [];

  recorder(_place: ExpressionPlace): Recorder | undefined {
    return undefined;
  }
  result(
    place: ExpressionPlace,
    expression: Expression,
    value: Value | CelError | undefined,
    _error: string | undefined,
    cost: number,
  ): void {
    this.seen.push({ place, expression, value, cost });
  }
  discard(): void {}
  begin(): void {}
  restart(): void {}
}

function failures(
  policy: FuzzedPolicy,
  { conditionsFailed, overBudget: message }: PolicyFailures,
  seen: readonly Seen[],
  locate: () => readonly Located[],
): readonly Failure[] {
  const found: Failure[] = [];
  const last = seen.findLast(({ place }) => place.kind !== "variable");
  if (message !== undefined && last !== undefined) found.push(overBudget(described(last), last.cost, message));
  const denied = (index: number): boolean =>
    seen.some(({ place, value }) => place.kind === "validation" && place.index === index && value === false);
  for (const item of seen) {
    const { place, value, expression, cost } = item;
    if (
      !isError(value) ||
      place.kind === "variable" ||
      value.code === "interrupted" ||
      expression.program === undefined
    )
      continue;
    if (place.kind === "matchCondition" && !conditionsFailed) continue;
    if (place.kind === "messageExpression" && !denied(place.index)) continue;
    const inner = variableToBlame(value, seen);
    if (inner === undefined) {
      found.push(failureOf(described(item), expression.program, value, cost));
      continue;
    }
    const { name, index } = inner.place;
    const { program } = policy.variables.expressions[index]!;
    const located = locate().find((other) => other.name === name && other.error.message === inner.error.message);
    if (located !== undefined && program !== undefined)
      found.push(failureOf(described(inner), program, located.error, inner.cost));
  }
  return found;
}

/** The innermost variable an error comes from: its error causes those of its readers. */
function variableToBlame(error: CelError, seen: readonly Seen[]): (Seen & { readonly error: CelError }) | undefined {
  let innermost = error;
  while (innermost.cause !== undefined) innermost = innermost.cause;
  const variable = seen.find(
    ({ place, value }) => place.kind === "variable" && isError(value) && value.cause === innermost,
  );
  return variable && { ...variable, error: innermost };
}

interface Located {
  readonly name: string;
  readonly error: CelError;
}

/** Errors of variables are wrapped on their way out; a second evaluation listens where they arise. */
function locateInVariable(
  policy: FuzzedPolicy,
  bindings: readonly FuzzedBinding[],
  input: Input,
  request: AdmissionRequest,
): readonly Located[] {
  const found: Located[] = [];
  class Listener extends Watcher {
    override recorder(place: ExpressionPlace): Recorder | undefined {
      const { name } = place;
      if (place.kind !== "variable" || name === undefined) return undefined;
      return {
        value: (id, value) => {
          if (isError(value))
            found.push({
              name,
              error: value.at(id),
            });
        },
      };
    }
  }
  evaluate(policy, bindings, input, request, new Listener(), undefined);
  return found;
}

function described({ place, expression }: Seen): FuzzedExpression {
  const { kind, index, name } = place;
  return { kind, index, ...(name !== undefined && { name }), text: expression.text };
}
