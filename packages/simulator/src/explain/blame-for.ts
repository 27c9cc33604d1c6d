// Finds the place in the object at which each failed validation or match condition was decided. Its expressions are interpreted once
// more for it: many times what deciding costs.

import { mutateRequest } from "@celadon/admission/chain";
import { ExplainingObserver, explain, type OwnedExpression } from "@celadon/admission/explain";
import type { DataPath } from "@celadon/cel/explain";
import type { Outcome, Problem } from "../outcome/outcome.ts";
import type { SimulatedCluster } from "../simulated/simulated-cluster.ts";
import { webhookConditions } from "../webhook-conditions.ts";
import { blameOf } from "./blame.ts";
import { variableTrees } from "./variable-places.ts";

/** Problems of a request; of an outcome, no more is needed. */
export type BlamedOutcome = Pick<Outcome, "request" | "received" | "problems">;

/** Whether a condition or validation is behind a problem, so that a field may be to blame. */
export function isBlamable({ by }: Problem): boolean {
  return blamedKind(by?.path) !== undefined;
}

/** Finds the place at which each failed validation or match condition was decided. */
export async function blameFor(
  simulated: SimulatedCluster,
  { request, received, problems }: BlamedOutcome,
): Promise<ReadonlyMap<Problem, DataPath>> {
  // On DELETE no object has a wrong field.
  const wanted = request.object ? problems.filter(isBlamable) : [];
  const of = (system: Problem["system"]): readonly Problem[] => wanted.filter((problem) => problem.system === system);
  const policies = of("policy");
  const names = new Set(policies.map(({ by }) => by?.name));
  const entries = simulated.policies.entries().filter(({ policy }) => names.has(policy.name));
  const validating = policies.length === 0 ? [] : (await explain(request, entries, simulated.hosts)).expressions;
  const blame = new Map<Problem, DataPath>();
  blameAmong(policies, validating, blame);
  if (of("mutation").length > 0) {
    blameAmong(of("mutation"), await mutatingExpressions(simulated, { request, received }), blame);
  }
  if (of("webhook").length > 0) {
    blameAmong(of("webhook"), await webhookConditions(simulated, { request, received }), blame);
  }
  return blame;
}

async function mutatingExpressions(
  simulated: SimulatedCluster,
  { request, received }: Pick<Outcome, "request" | "received">,
): Promise<readonly OwnedExpression[]> {
  const observer = new ExplainingObserver();
  await mutateRequest({ ...request, object: received }, simulated, { observer, everyPolicy: true, goOn: true });
  return observer.finished;
}

function blameAmong(
  problems: readonly Problem[],
  expressions: readonly (OwnedExpression & { readonly policy: string })[],
  blame: Map<Problem, DataPath>,
): void {
  for (const problem of problems) {
    const { by } = problem;
    const kind = blamedKind(by?.path);
    const index = by?.path?.findLast((step) => typeof step === "number");
    const own = expressions.filter(
      ({ owner }) =>
        owner.kind === by?.kind &&
        owner.name === by.name &&
        (owner.webhook === undefined || owner.webhook.name === by.binding),
    );
    const at = own.findIndex(
      (expression) => expression.kind === kind && expression.index === index && expression.value !== true,
    );
    const failed = own[at];
    const path = failed && blameOf(failed.tree, variableTrees(own.slice(0, at + 1)));
    if (path !== undefined) blame.set(problem, path);
  }
}

const KINDS = { validations: "validation", matchConditions: "matchCondition" } as const;

function blamedKind(path: readonly (string | number)[] = []): (typeof KINDS)[keyof typeof KINDS] | undefined {
  const list = path[path[0] === "webhooks" ? 2 : 1];
  return list === "validations" || list === "matchConditions" ? KINDS[list] : undefined;
}
