// The smallest change of an object that turns the result of a clause: one field, with values taken from the clause itself. Both sides
// of a border make a pair of tests.

import { deepEqual, type JsonPath, valueAt } from "@celadon/base";
import type { ExplainedNode } from "@celadon/cel/explain";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { Problem, SimulatedCluster } from "@celadon/simulator";
import { ExpressionText } from "../expression/written.ts";
import { certificateErrors, guiltyField } from "./certificate-fields.ts";
import { candidates, isWord, plain, withValue } from "./changes.ts";
import { type ClauseResult, clauseResults } from "./clauses.ts";
import { type ObjectVerdict, reviewOne } from "./review-all.ts";
import { gravest, type Truth } from "./truths.ts";

/** A change of one value that turns a clause. */
export interface Flip {
  readonly path: JsonPath;
  readonly before: unknown;
  /** Undefined: the field is removed. */
  readonly after: unknown;
  readonly object: KubeObject;
  /** The truth of the clause after the change. */
  readonly truth: Truth;
  /** The verdict after the change. */
  readonly verdict: ObjectVerdict;
}

/** Reviews that one search may take, and fields that it tries. */
const TRIALS = 120;
const PATHS = 16;

/** The candidates of a search: fields of the object, the nearest to the decision first, and constants to put there. */
interface ClauseData {
  readonly paths: readonly JsonPath[];
  readonly words: readonly unknown[];
}

/** Turns the clause at a place of a resource; `first` is a field to try before others. */
export async function smallestFlip(
  simulated: SimulatedCluster,
  verdict: ObjectVerdict,
  resource: KubeObject,
  path: JsonPath,
  first?: JsonPath,
): Promise<Flip | undefined> {
  const isHere = (result: ClauseResult): boolean => deepEqual(result.path, path);
  const results = (await clauseResults(simulated, resource, verdict)).filter(isHere);
  const now = worst(results);
  if (now === undefined) return undefined;
  const wanted: Truth = now === "true" ? "false" : "true";
  // To fail, any of several values may change; to pass, the failing ones have to.
  const own = results.filter(({ truth }) => now === "true" || truth !== "true");
  return search(verdict, dataOf(own, first), wanted, simulated, async (changed) => {
    if (resource.kind === "ValidatingAdmissionPolicy" && path[1] === "validations") {
      return changed.truths.get(nameOf(resource))?.[Number(path[2])] === wanted;
    }
    const after = await clauseResults(simulated, resource, changed);
    return worst(after.filter(isHere)) === wanted;
  });
}

/** Makes a certificate policy approve a request that it denies: by values that it allows, also where no rule failed. */
export async function smallestApproval(
  simulated: SimulatedCluster,
  verdict: ObjectVerdict,
  resource: KubeObject,
): Promise<Flip | undefined> {
  const { object } = verdict.manifest;
  const results = (await clauseResults(simulated, resource, verdict)).filter(({ truth }) => truth !== "true");
  const byRules = dataOf(results);
  const errors = certificateErrors(verdict.certificate, nameOf(resource));
  const guilty = errors.map((error) => guiltyField(object, error, resource)).filter((path) => path !== undefined);
  const words = errors.flatMap(({ path }) => scalars(valueAt(resource, path.steps.slice(0, 3))));
  const data = {
    paths: distinct([...byRules.paths, ...guilty, ...guilty.filter(isElement).map((path) => path.slice(0, -1))]),
    words: [...new Set([...byRules.words, ...words])],
  };
  return search(verdict, data, "true", simulated, async ({ certificate }) => certificate?.result === "Approved");
}

const isElement = (path: JsonPath): boolean => typeof path.at(-1) === "number";

async function search(
  { manifest: { object }, problems, asked }: ObjectVerdict,
  { paths, words }: ClauseData,
  truth: Truth,
  simulated: SimulatedCluster,
  turns: (changed: ObjectVerdict) => Promise<boolean>,
): Promise<Flip | undefined> {
  const known = new Set(problems.map(({ message }) => message));
  let trials = 0;
  for (const path of paths.slice(0, PATHS)) {
    const before = valueAt(object, path);
    for (const after of candidates(before, words)) {
      if (after === before || trials++ >= TRIALS) continue;
      const changed = withValue(object, path, after) as KubeObject | undefined;
      if (changed === undefined) continue;
      const verdict = await reviewOne({ object: changed }, simulated, asked);
      if (verdict.problems.some((problem) => isInvalid(problem) && !known.has(problem.message))) continue;
      if (await turns(verdict)) return { path, before, after, object: changed, truth, verdict };
    }
  }
  return undefined;
}

/** The object would not be one of its kind. */
function isInvalid({ system, level }: Problem): boolean {
  return level === "deny" && (system === "validation" || system === "schema");
}

function worst(results: readonly ClauseResult[]): Truth | undefined {
  return results.reduce<Truth | undefined>((known, { truth }) => gravest(known, truth), undefined);
}

/** Fields that the clauses read, leaves first, and constants that they hold them against. */
function dataOf(results: readonly ClauseResult[], first?: JsonPath): ClauseData {
  const paths: JsonPath[] = [];
  const words = new Set<unknown>();
  for (const { tree, variables, fieldOf } of results) {
    const visit = ({ dataPath, loop, value, children }: ExplainedNode): void => {
      for (const place of [dataPath, loop?.deciding?.dataPath]) {
        const field = place && fieldOf(place);
        if (field !== undefined && field.length > 0) paths.push(field);
      }
      const isOfObject = dataPath !== undefined && (fieldOf(dataPath) !== undefined || dataPath.root === "oldObject");
      const constants = isOfObject ? [] : Array.isArray(value) ? value : [value];
      for (const word of constants) if (isWord(word)) words.add(plain(word));
      children.forEach(visit);
    };
    for (const root of [tree, ...variables.values()]) visit(root);
    for (const word of literals(tree.text)) words.add(word);
  }
  // Leaves before what holds them: a smaller change.
  const leavesFirst = distinct(paths).sort((a, b) => b.length - a.length);
  return { paths: first === undefined ? leavesFirst : distinct([first, ...leavesFirst]), words: [...words] };
}

function distinct(paths: readonly JsonPath[]): JsonPath[] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}

/** Constants as they are written: those of a list, or of a part that was not evaluated. */
function literals(text: string): unknown[] {
  const written = new ExpressionText(text);
  return written.tokens.flatMap((token): (string | number)[] => {
    const word = written.textOf(token);
    if (/^-?\d+(?:\.\d+)?$/.test(word)) return [Number(word)];
    const quoted = /^(["'])([^\\]*)\1$/.exec(word)?.[2];
    return quoted === undefined ? [] : [quoted];
  });
}

function scalars(value: unknown): unknown[] {
  if (isWord(value)) return [value];
  if (typeof value !== "object" || value === null) return [];
  // Rules and their messages are no values.
  return Object.entries(value).flatMap(([name, below]) => (name === "validations" ? [] : scalars(below)));
}
