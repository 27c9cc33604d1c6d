// The smallest change of an object that turns the result of a clause, and tests of both sides: at the field of an object that a resource
// denies or that a match condition reads, and at the clause itself for the sample of hovers.

import { type JsonPath, pushAll, valueAt } from "@celadon/base";
import type { ExplainedNode } from "@celadon/cel/explain";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { Problem } from "@celadon/simulator";
import type { ExpressionAt } from "../cursor/expression-at.ts";
import type { PlacedResource } from "../document/file.ts";
import type { Known } from "../known.ts";
import { touches } from "../text/range.ts";
import { type ClauseResult, clauseKey, clauseResults } from "../verdicts/clauses.ts";
import { clausePath } from "../verdicts/cure.ts";
import { type Flip, smallestApproval, smallestFlip } from "../verdicts/flip.ts";
import type { ObjectVerdict } from "../verdicts/review-all.ts";
import { placedSourcesOf, verdictDiagnostics } from "../verdicts/verdict-diagnostics.ts";
import type { Action } from "./action.ts";
import { expectationOf, isMatched } from "./clause-expectation.ts";
import { changesText, flipChanges, objectEdits } from "./object-edits.ts";
import { filesOf, testAction } from "./test-action.ts";

/** A verdict with the fields that decided. */
interface Blamed {
  readonly verdict: ObjectVerdict;
  readonly blame: ReadonlyMap<Problem, JsonPath>;
}

/** A clause of a resource. */
interface Clause {
  readonly placed: PlacedResource;
  readonly path: JsonPath;
}

/** Actions for problems of an object at a place. */
export async function flipActions(
  workspace: Known,
  placed: PlacedResource,
  { verdict, blame }: Blamed,
  offset: number,
): Promise<readonly Action[]> {
  const places = workspace.placed();
  const speakers = placedSourcesOf(places.values());
  const found: Action[] = [];
  for (const problem of verdict.problems) {
    const speaker = problem.by && speakers.get(`${problem.by.kind} ${problem.by.name}`);
    const path = clausePath(problem);
    if (speaker === undefined || path === undefined) continue;
    const [diagnostic] = verdictDiagnostics({ ...verdict, problems: [problem] }, blame, places, speakers);
    if (diagnostic === undefined || !touches(diagnostic.range, offset)) continue;
    const resource = speaker.resource.object;
    const flip =
      problem.system === "certificate"
        ? await smallestApproval(workspace.simulated, verdict, resource)
        : await smallestFlip(workspace.simulated, verdict, resource, path, blame.get(problem));
    const clause = { placed: speaker, path };
    const actions = [
      ...changeAction(placed, flip, thenAllowed(problem, flip)),
      sideTests(workspace, clause, verdict, flip),
    ];
    pushAll(
      found,
      actions.map((action) => ({ ...action, kind: "quickfix" as const, fixes: [diagnostic] })),
    );
  }
  return found;
}

function thenAllowed({ system }: Problem, flip: Flip | undefined): string {
  if (system === "certificate") return "would be approved";
  const isAllowed = flip?.verdict.problems.every(({ level }) => level !== "deny") === true;
  return isAllowed ? "would be allowed" : "this would pass, others still deny";
}

/** For match conditions that read the field at a place of an object. */
export async function conditionActions(
  workspace: Known,
  placed: PlacedResource,
  verdict: ObjectVerdict,
  offset: number,
): Promise<readonly Action[]> {
  const { simulated } = workspace;
  const found: Action[] = [];
  for (const speaker of workspace.placed().values()) {
    const resource = speaker.resource.object;
    if (!hasConditions(resource)) continue;
    const results = await clauseResults(simulated, resource, verdict);
    const read = results
      .filter(({ path }) => path.at(-3) === "matchConditions")
      .filter((result) => reads(result, placed, offset));
    for (const path of new Map(read.map((result) => [clauseKey(result.path), result.path])).values()) {
      const flip = await smallestFlip(simulated, verdict, resource, path);
      if (flip === undefined) continue;
      found.push(
        ...changeAction(placed, flip, thenMatched(resource, path, verdict, flip)),
        sideTests(workspace, { placed: speaker, path }, verdict, flip),
      );
    }
  }
  return found;
}

function hasConditions(resource: KubeObject): boolean {
  if (valueAt(resource, ["spec", "matchConditions"]) !== undefined) return true;
  const webhooks = valueAt(resource, ["webhooks"]);
  return Array.isArray(webhooks) && webhooks.some((webhook) => valueAt(webhook, ["matchConditions"]) !== undefined);
}

function reads(
  { tree, variables, fieldOf }: ClauseResult,
  { resource, start }: PlacedResource,
  offset: number,
): boolean {
  const visit = ({ dataPath, children }: ExplainedNode): boolean => {
    const field = dataPath && fieldOf(dataPath);
    const range = field && field.length > 0 ? resource.document.rangeOf([...resource.prefix, ...field]) : undefined;
    const isHere =
      range !== undefined && touches(range, offset - start) && typeof valueAt(resource.object, field!) !== "object";
    return isHere || children.some(visit);
  };
  return [tree, ...variables.values()].some(visit);
}

function thenMatched(resource: KubeObject, path: JsonPath, before: ObjectVerdict, flip: Flip): string {
  const [was, is] = [before, flip.verdict].map((verdict) => isMatched(resource, path, verdict));
  const isWebhook = path[0] === "webhooks";
  if (was === is) {
    const name = String(valueAt(resource, [...path.slice(0, -1), "name"]));
    return `match condition '${name}' would be ${flip.truth}`;
  }
  if (isWebhook) {
    const name = String(valueAt(resource, [...path.slice(0, 2), "name"]));
    return is ? `webhook ${name} would be called` : `webhook ${name} would not be called`;
  }
  return is ? `policy ${nameOf(resource)} would match` : `policy ${nameOf(resource)} would not match`;
}

/** For the clause under a cursor and a sample that it was evaluated for. */
export async function clauseActions(
  workspace: Known,
  { object: resource, path }: ExpressionAt,
  samples: readonly ObjectVerdict[],
): Promise<readonly Action[]> {
  const places = workspace.placed();
  const speaker = [...places.values()].find((placed) => placed.resource.object === resource);
  if (speaker === undefined) return [];
  for (const sample of samples) {
    const placed = places.get(sample.manifest);
    const flip = placed && (await smallestFlip(workspace.simulated, sample, resource, path));
    if (placed === undefined || flip === undefined) continue;
    const { object } = sample.manifest;
    const then = `would be ${flip.truth} for ${String(object.kind)} ${nameOf(object)}`;
    const actions = [
      ...changeAction(placed, flip, then),
      sideTests(workspace, { placed: speaker, path }, sample, flip),
    ];
    return actions.map((action) => ({ ...action, kind: "refactor.rewrite" as const }));
  }
  return [];
}

/** A change that no edit can make is shown as part of the tests alone. */
function changeAction(placed: PlacedResource, flip: Flip | undefined, then: string): Action[] {
  const own = flip && objectEdits(placed, flipChanges(flip), flip.object);
  if (flip === undefined || own === undefined) return [];
  const edits = new Map([[placed.uri, own]]);
  return [{ title: `${changesText(flipChanges(flip))}: ${then}`, kind: "refactor.rewrite", edits }];
}

function sideTests(workspace: Known, { placed, path }: Clause, verdict: ObjectVerdict, flip: Flip | undefined): Action {
  const resource = placed.resource.object;
  const expect = (side: ObjectVerdict): unknown => expectationOf(resource, path, side);
  const resources = filesOf(resource, placed.uri, workspace.placed().values());
  return testAction(
    { verdict, resource, policyUri: placed.uri, resources, flip, expect },
    (uri) => workspace.file(uri) !== undefined,
  );
}
