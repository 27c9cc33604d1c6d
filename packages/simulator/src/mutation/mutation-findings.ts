// Problems of mutations that the API server accepts: a mutation that changes the object again when it runs again, two policies that write
// one field (their order is undefined), and an object that is denied because of a value that a mutation set. The API server runs mutations
// twice and in any order, and does not report these.

import type { AdmissionRequest } from "@celadon/admission";
import { type MutationStep, mutateRequest, mutationSteps } from "@celadon/admission/chain";
import { expressionPath } from "@celadon/admission/explain";
import type { JsonPath } from "@celadon/base";
import { changesBetween, type ObjectChange } from "@celadon/merge";
import type { MutationFindingCode, Outcome, Problem, ProblemSource } from "../outcome/outcome.ts";
import type { ReviewHost } from "../review-host.ts";

/** Problems of mutations. `blame` has the places in the object that decided, as far as they are known. */
export async function mutationFindings(
  cluster: ReviewHost,
  outcome: Outcome,
  blame: ReadonlyMap<Problem, { readonly root: string; readonly path: JsonPath }> = new Map(),
): Promise<readonly Problem[]> {
  const steps = mutationSteps(outcome.mutated).filter((step) => step.outcome === "changed");
  if (steps.length === 0) return [];
  const written = steps.map((step): Written => ({ step, changes: changesBetween(step.before, step.after) }));
  const overwriting = orderProblems(cluster, written);
  const contested = overwriting.map(({ path = [] }) => path);
  return [
    ...overwriting,
    ...(await repeatProblems(cluster, outcome, contested)),
    ...denialProblems(cluster, outcome, written, blame),
  ];
}

interface Written {
  readonly step: MutationStep;
  readonly changes: readonly ObjectChange[];
}

/** Within one pass: a later policy overwrites or removes a field that an earlier one of another name wrote. */
function orderProblems(cluster: ReviewHost, written: readonly Written[]): Problem[] {
  const found = new Map<string, Problem>();
  for (const [i, later] of written.entries()) {
    for (const { op, path } of later.changes) {
      if (op === "add") continue;
      const earlier = written.find(
        ({ step, changes }, j) =>
          j < i &&
          step.round === later.step.round &&
          nameOf(step) !== nameOf(later.step) &&
          changes.some((change) => change.op !== "remove" && overlaps(change.path, path)),
      );
      if (earlier === undefined) continue;
      const key = JSON.stringify([nameOf(earlier.step), nameOf(later.step), path]);
      if (found.has(key)) continue;
      const what = op === "remove" ? "removes" : "overwrites";
      const message = `the mutation ${what} what ${nameOf(earlier.step)} wrote, but the order of mutations is not defined`;
      found.set(key, problemOf(cluster, later.step, "order_dependent", message, path));
    }
  }
  return [...found.values()];
}

/** The mutated object, sent again: a mutation that changes it again does so in every pass. */
async function repeatProblems(
  cluster: ReviewHost,
  outcome: Outcome,
  contested: readonly JsonPath[],
): Promise<Problem[]> {
  const { mutated, request } = outcome;
  if (mutated.status !== undefined || mutated.object === null) return [];
  const again: AdmissionRequest = { ...request, object: mutated.object };
  const { passes } = await mutateRequest(again, cluster);
  const found = new Map<string, Problem>();
  for (const step of mutationSteps({ ...mutated, passes })) {
    if (step.outcome !== "changed" || step.round === 1) continue;
    for (const { path } of changesBetween(step.before, step.after)) {
      const key = JSON.stringify(step.by);
      if (found.has(key) || contested.some((jsonPath) => overlaps(jsonPath, path))) continue;
      const message = "the mutation changes the object again when it runs again, and the API server may run it twice";
      found.set(key, problemOf(cluster, step, "not_idempotent", message, path));
    }
  }
  return [...found.values()];
}

/** Refusals at a place that a mutation wrote. */
function denialProblems(
  cluster: ReviewHost,
  { problems }: Outcome,
  written: readonly Written[],
  blame: ReadonlyMap<Problem, { readonly root: string; readonly path: JsonPath }>,
): Problem[] {
  return problems.flatMap((problem): Problem[] => {
    const at = blame.get(problem);
    const path = at === undefined ? problem.path : at.root === "object" ? at.path : undefined;
    if (problem.level !== "deny" || problem.system === "mutation" || path === undefined || path.length === 0) return [];
    const writer = written.findLast(({ changes }) =>
      changes.some((change) => change.op !== "remove" && overlaps(change.path, path)),
    );
    if (writer === undefined) return [];
    const denier = problem.by === undefined ? "the API server" : `${problem.by.kind} ${problem.by.name}`;
    const message = `${denier} denies the value it wrote`;
    return [problemOf(cluster, writer.step, "denied_after_mutation", message, path)];
  });
}

/** One is the other, or stands inside it. */
function overlaps(a: JsonPath, b: JsonPath): boolean {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return false;
  return true;
}

const nameOf = ({ by }: MutationStep): string =>
  by.kind === "MutatingAdmissionPolicy" ? `mutating policy ${by.name}` : `webhook ${by.webhook}`;

function problemOf(
  cluster: ReviewHost,
  step: MutationStep,
  finding: MutationFindingCode,
  message: string,
  path: JsonPath,
): Problem {
  return {
    system: "mutation",
    level: "notice",
    message,
    path,
    by: speakerOf(cluster, step),
    returned: false,
    finding,
  };
}

function speakerOf(cluster: ReviewHost, { by }: MutationStep): ProblemSource {
  if (by.kind === "MutatingWebhookConfiguration") return { kind: by.kind, name: by.name, binding: by.webhook };
  const mutation = cluster.mutatingPolicies.policy(by.name)?.policy.spec.mutations?.[by.index];
  const isOperations = mutation?.patchType === "JSONPatch";
  const expression = (isOperations ? mutation?.jsonPatch : mutation?.applyConfiguration)?.expression;
  return {
    kind: by.kind,
    name: by.name,
    binding: by.binding,
    ...(by.params !== undefined && { params: by.params }),
    path: expressionPath(isOperations ? "jsonPatch" : "applyConfiguration", by.index),
    ...(expression !== undefined && { expression }),
  };
}
