// Fields that failing clauses ask for and an object does not have: read, tested with has(), or looked for with `in`, also in parts that were
// not evaluated because an earlier test had failed.

import { type JsonPath, valueAt } from "@celadon/base";
import type { ExplainedNode } from "@celadon/cel/explain";
import type { ClauseResult } from "./clauses.ts";

/** The deepest of them: what leads to them is made with them. */
export function missingFields(results: readonly ClauseResult[], object: unknown): readonly JsonPath[] {
  const found = new Map<string, JsonPath>();
  for (const { tree, variables, fieldOf } of results) {
    const add = (path: JsonPath | undefined): void => {
      if (path === undefined || path.length === 0 || valueAt(object, path) !== undefined) return;
      // An element that a list does not have cannot be asked for.
      const known = path.findIndex((_, i) => valueAt(object, path.slice(0, i + 1)) === undefined);
      if (path.slice(known).every((step) => typeof step === "string")) found.set(JSON.stringify(path), path);
    };
    const visit = (node: ExplainedNode): void => {
      add(fieldIn(node, fieldOf));
      const key = keyIn(node);
      const holder = key === undefined ? undefined : node.children[1];
      const field = holder && fieldIn(holder, fieldOf);
      if (field !== undefined && key !== undefined) add([...field, key]);
      node.children.forEach(visit);
    };
    for (const root of [tree, ...variables.values()]) visit(root);
  }
  const paths = [...found.values()];
  return paths.filter((path) => !paths.some((other) => other.length > path.length && startsWith(other, path)));
}

const startsWith = (path: JsonPath, start: JsonPath): boolean => start.every((step, i) => step === path[i]);

/** The field that a part reads, also through dyn(), which changes only the type. */
function fieldIn(node: ExplainedNode, fieldOf: ClauseResult["fieldOf"]): JsonPath | undefined {
  const { dataPath, text, start, children } = node;
  if (dataPath !== undefined) return fieldOf(dataPath);
  const [child] = children;
  const inner = child && children.length === 1 ? fieldIn(child, fieldOf) : undefined;
  if (child === undefined || inner === undefined) return undefined;
  const [before, behind] = [text.slice(0, child.start - start), text.slice(child.end - start)];
  if (/^\s*dyn\($/.test(before) && behind === ")") return inner;
  const name = /^\s*(?:has\()?$/.test(before) ? /^\.(\w+)\)?$/.exec(behind)?.[1] : undefined;
  return name === undefined ? undefined : [...inner, name];
}

/** The constant of `'memory' in map`. */
function keyIn({ text, start, children }: ExplainedNode): string | undefined {
  const [key, map] = children;
  if (key === undefined || map === undefined || children.length !== 2) return undefined;
  if (!/^\s*in\s*$/.test(text.slice(key.end - start, map.start - start))) return undefined;
  return /^(["'])([^\\]*)\1$/.exec(key.text)?.[2];
}

/** Values to try for a field, by its name and by the constants of the clause. */
export function* valuesFor(path: JsonPath, words: readonly unknown[]): Generator<unknown> {
  const name = String(path.at(-1));
  if (/^(?:memory|storage|ephemeral-storage)$/.test(name)) yield "128Mi";
  if (name === "cpu") yield "100m";
  yield true;
  for (const word of words) if (word !== name) yield word;
  yield false;
  yield "example";
  yield 1;
  yield {};
}
