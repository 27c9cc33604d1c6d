// One input asked of one policy: which of its expressions fail, in a way that matters. An error that `false &&` hides, or one of
// a message that is not shown, is none.

import {
  type AdmissionRequest,
  type CompiledBinding,
  type CompiledPolicy,
  type Evaluation,
  type EvaluationObserver,
  type Expression,
  type ExpressionPlace,
  evaluatePolicy,
  match,
  RequestContext,
} from "@celadon/admission";
import { CelError, isError, type Recorder, type Value } from "@celadon/cel";
import type { KubeObject } from "@celadon/kube";
import { type Failure, failureOf, overBudget, type Tried } from "./failure.ts";
import type { FuzzedExpression } from "./finding.ts";
import type { Input } from "./inputs.ts";
import type { Target } from "./targets.ts";

export interface Seen {
  readonly place: ExpressionPlace;
  readonly expression: Expression;
  readonly value: Value | CelError | undefined;
  readonly cost: number;
}

/** The request an input stands for. */
export function requestOf({ operation, object, oldObject, request = {} }: Input, target: Target): AdmissionRequest {
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

/** Undefined when the policy is not asked: a selector or every binding refuses. */
export function policyFailures(
  policy: CompiledPolicy,
  bindings: readonly CompiledBinding[],
  input: Input,
  request: AdmissionRequest,
  signal: { readonly aborted: boolean } | undefined,
): Tried | undefined {
  const observer = new Watcher();
  const evaluation = evaluate(policy, bindings, input, request, observer, signal);
  if (evaluation === undefined) return undefined;
  const { seen } = observer;
  const locate = (): readonly Located[] => locateInVariable(policy, bindings, input, request);
  const cost = seen.reduce((sum, one) => sum + one.cost, 0);
  return { failures: failures(policy, evaluation, seen, locate), cost };
}

function evaluate(
  policy: CompiledPolicy,
  bindings: readonly CompiledBinding[],
  { params, namespaceObject = NAMESPACE, request: asked = {} }: Input,
  request: AdmissionRequest,
  observer: EvaluationObserver,
  signal: { readonly aborted: boolean } | undefined,
): Evaluation | undefined {
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
  return evaluatePolicy(policy, { context, resource, kind, objects: { object, oldObject }, params: given, namespace });
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
  policy: CompiledPolicy,
  evaluation: Evaluation,
  seen: readonly Seen[],
  locate: () => readonly Located[],
): readonly Failure[] {
  const { decisions, refusal } = evaluation;
  const found: Failure[] = [];
  const group = decisions.find(({ source }) => source === "budget");
  const last = seen.findLast(({ place }) => place.kind !== "variable");
  if (group !== undefined && last !== undefined) found.push(overBudget(described(last), last.cost, group.message));
  const conditionsFailed =
    refusal?.by === "matchConditionError" || decisions.some(({ source }) => source === "matchConditions");
  const denied = (index: number): boolean =>
    seen.some(({ place, value }) => place.kind === "validation" && place.index === index && value === false);
  for (const one of seen) {
    const { place, value, expression, cost } = one;
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
      found.push(failureOf(described(one), expression.program, value, cost));
      continue;
    }
    const place1 = inner.place;
    const located = locate().find(({ name, message }) => name === place1.name && value.message.endsWith(message));
    if (located !== undefined)
      found.push(
        failureOf(described(inner), policy.variables.expressions[place1.index]!.program!, located.error, inner.cost),
      );
  }
  return found;
}

/** The innermost variable an error comes from: the one whose error says least. */
function variableToBlame(error: CelError, seen: readonly Seen[]): Seen | undefined {
  let blamed: Seen | undefined;
  let shortest = Infinity;
  for (const one of seen) {
    const { value, place } = one;
    if (place.kind !== "variable" || !isError(value) || !error.message.endsWith(value.message)) continue;
    if (value.message.length < shortest) {
      blamed = one;
      shortest = value.message.length;
    }
  }
  return blamed;
}

interface Located {
  readonly name: string;
  readonly message: string;
  readonly error: CelError;
}

/** Errors of variables are wrapped on their way out; a second evaluation listens where they arise. */
function locateInVariable(
  policy: CompiledPolicy,
  bindings: readonly CompiledBinding[],
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
              message: value.message,
              error: value.node === 0 ? new CelError(value.code, value.message, id) : value,
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
