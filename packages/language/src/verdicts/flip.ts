// The smallest change of an object that turns the result of a clause: one field, with values taken from the clause itself. Both sides
// of a border make a pair of tests.

import { deepEqual, type JsonPath, pushAll, valueAt } from "@celadon/base";
import type { ExplainedNode } from "@celadon/cel/explain";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { Problem, SimulatedCluster } from "@celadon/simulator";
import { ExpressionText } from "../expression/written.ts";
import { fieldText } from "../text/field-text.ts";
import { certificateErrors, guiltyField } from "./certificate-fields.ts";
import { candidates, isWord, plain, withValue } from "./changes.ts";
import { type ClauseResult, clauseResults } from "./clauses.ts";
import { missingFields, valuesFor } from "./missing-fields.ts";
import { type ObjectVerdict, type Pause, reviewOne } from "./review-all.ts";
import { gravest, type Truth } from "./truths.ts";

/** A changed value. */
export interface FieldChange {
  readonly path: JsonPath;
  readonly before: unknown;
  /** Undefined: the field is removed. */
  readonly after: unknown;
}

/** A change of one value that turns a clause; of several, where each of them is missing. */
export interface Flip extends FieldChange {
  /** Further changes that belong to it. */
  readonly also?: readonly FieldChange[];
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
  pause?: Pause,
): Promise<Flip | undefined> {
  const isHere = (result: ClauseResult): boolean => deepEqual(result.path, path);
  const results = (await clauseResults(simulated, resource, verdict)).filter(isHere);
  const now = worst(results);
  if (now === undefined) return undefined;
  const wanted: Truth = now === "true" ? "false" : "true";
  // To fail, any of several values may change; to pass, the failing ones have to.
  const own = results.filter(({ truth }) => now === "true" || truth !== "true");
  const turns = async (changed: ObjectVerdict): Promise<boolean> => {
    if (resource.kind === "ValidatingAdmissionPolicy" && path[1] === "validations") {
      return changed.truths.get(nameOf(resource))?.[Number(path[2])] === wanted;
    }
    const after = await clauseResults(simulated, resource, changed);
    return worst(after.filter(isHere)) === wanted;
  };
  const data = dataOf(own, first);
  if (wanted === "true") {
    const failing = async (changed: ObjectVerdict): Promise<readonly ClauseResult[]> =>
      (await clauseResults(simulated, resource, changed)).filter((result) => isHere(result) && result.truth !== "true");
    const added = await addMissing(verdict, { failing, turns, words: data.words }, simulated, pause);
    if (added !== undefined) return added;
    const one = await search(verdict, data, wanted, simulated, turns, pause);
    return one ?? (await changeEach(verdict, { failing, turns, words: data.words }, simulated, pause));
  }
  return search(verdict, data, wanted, simulated, turns, pause);
}

/** Changes one element of a list after the other, as long as the clause then fails for another element. */
async function changeEach(
  verdict: ObjectVerdict,
  { failing, turns }: Asked,
  simulated: SimulatedCluster,
  pause?: Pause,
): Promise<Flip | undefined> {
  const known = new Set(verdict.problems.map(({ message }) => message));
  const changes: FieldChange[] = [];
  const visited = new Set<string>();
  let current = verdict;
  let trials = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const results = await failing(current);
    const place = decidingPlace(results);
    if (place === undefined || visited.has(fieldText(place))) return undefined;
    visited.add(fieldText(place));
    const { object } = current.manifest;
    const { paths, words } = dataOf(results);
    let next: ObjectVerdict | undefined;
    for (const path of paths.filter((other) => startsWith(other, place)).slice(0, PATHS)) {
      const before = valueAt(object, path);
      for (const after of candidates(before, words)) {
        if (after === undefined || after === before || trials++ >= TRIALS) continue;
        const changed = withValue(object, path, after) as KubeObject | undefined;
        if (changed === undefined) continue;
        await pause?.();
        const tried = await reviewOne({ object: changed }, simulated, verdict.asked);
        if (tried.problems.some((problem) => isInvalid(problem) && !known.has(problem.message))) continue;
        const change: FieldChange = { path, before, after };
        if (await turns(tried)) {
          const [first, ...also] = [...changes, change];
          return { ...first!, ...(also.length > 0 && { also }), object: changed, truth: "true", verdict: tried };
        }
        const other = decidingPlace(await failing(tried));
        if (other === undefined || visited.has(fieldText(other))) continue;
        next = tried;
        changes.push(change);
        break;
      }
      if (next !== undefined) break;
    }
    if (next === undefined) return undefined;
    current = next;
  }
  return undefined;
}

const startsWith = (path: JsonPath, start: JsonPath): boolean => start.every((step, i) => step === path[i]);

/** The element for which the first failing clause failed. */
function decidingPlace(results: readonly ClauseResult[]): JsonPath | undefined {
  for (const { tree, variables, fieldOf } of results) {
    const find = ({ loop, children }: ExplainedNode): JsonPath | undefined => {
      const place = loop?.deciding?.dataPath;
      const own = place && fieldOf(place);
      if (own !== undefined && own.length > 0) return own;
      for (const child of children) {
        const found = find(child);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    for (const root of [tree, ...variables.values()]) {
      const found = find(root);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Rounds of additions: one for each element of a list that lacks the same. */
const ROUNDS = 8;

interface Asked {
  readonly failing: (changed: ObjectVerdict) => Promise<readonly ClauseResult[]>;
  readonly turns: (changed: ObjectVerdict) => Promise<boolean>;
  readonly words: readonly unknown[];
}

/** Adds the fields that a clause asks for: one that adds is preferred to one that removes their holder. */
async function addMissing(
  verdict: ObjectVerdict,
  { failing, turns, words }: Asked,
  simulated: SimulatedCluster,
  pause?: Pause,
): Promise<Flip | undefined> {
  const known = new Set(verdict.problems.map(({ message }) => message));
  const changes: FieldChange[] = [];
  let current = verdict;
  let trials = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { object } = current.manifest;
    const missing = missingFields(await failing(current), object);
    if (missing.length === 0 || missing.length > 4) return undefined;
    let next: ObjectVerdict | undefined;
    // Each alone, then all together.
    for (const paths of missing.length === 1 ? [missing] : [...missing.map((path) => [path]), missing]) {
      for (const values of valuesOf(paths, words)) {
        if (trials++ >= TRIALS) return undefined;
        await pause?.();
        const changed = withValues(object, paths, values);
        if (changed === undefined) continue;
        const tried = await reviewOne({ object: changed }, simulated, verdict.asked);
        if (tried.problems.some((problem) => isInvalid(problem) && !known.has(problem.message))) continue;
        const own = paths.map((path, i): FieldChange => ({ path, before: undefined, after: values[i] }));
        if (await turns(tried)) {
          const [first, ...also] = [...changes, ...own];
          return { ...first!, ...(also.length > 0 && { also }), object: changed, truth: "true", verdict: tried };
        }
        // It goes on where something else is missing now, such as the same field of the next element.
        const left = missingFields(await failing(tried), changed);
        const isOther = left.length > 0 && left.every((path) => !missing.some((old) => deepEqual(old, path)));
        if (next === undefined && isOther && paths.length === missing.length) {
          next = tried;
          pushAll(changes, own);
        }
        if (next !== undefined) break;
      }
      if (next !== undefined) break;
    }
    if (next === undefined) return undefined;
    current = next;
  }
  return undefined;
}

/** Values for several fields: the first of each, then the others of the first field alone. */
function* valuesOf(paths: readonly JsonPath[], words: readonly unknown[]): Generator<readonly unknown[]> {
  const [first, ...rest] = paths.map((path) => [...valuesFor(path, words)]);
  for (const value of first ?? []) yield [value, ...rest.map(([one]) => one)];
}

function withValues(
  object: KubeObject,
  paths: readonly JsonPath[],
  values: readonly unknown[],
): KubeObject | undefined {
  return paths.reduce<KubeObject | undefined>(
    (changed, path, i) => changed && (withValue(changed, path, values[i]) as KubeObject | undefined),
    object,
  );
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
  pause?: Pause,
): Promise<Flip | undefined> {
  const known = new Set(problems.map(({ message }) => message));
  let trials = 0;
  for (const path of paths.slice(0, PATHS)) {
    const before = valueAt(object, path);
    for (const after of candidates(before, words)) {
      if (after === before || trials++ >= TRIALS) continue;
      const changed = withValue(object, path, after) as KubeObject | undefined;
      if (changed === undefined) continue;
      await pause?.();
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
