// Paths that an expression reads more than once (`object.spec.containers` here and there) are read from the data once per
// evaluation, or once per iteration when they begin at a loop variable. Charges are made each time all the same.

import { children } from "../plan/children.ts";
import type { Qualifier, Root, Step } from "../plan/step.ts";

export interface PathMemo {
  readonly count: number;
  /** The variable for the first `length` selects of a path, undefined when it occurs only once. */
  variable(root: Root, path: readonly Qualifier[], length: number): string | undefined;
  /** The variables for paths that begin at a loop variable, to be cleared when it changes. */
  ofSlot(slot: number): readonly string[];
}

export function countPaths(plan: Step): PathMemo {
  const counts = new Map<string, number>();
  const slots = new Map<string, number>();
  visit(plan);
  const names = new Map<string, string>();
  for (const [key, count] of counts) if (count > 1) names.set(key, `p${names.size}`);
  return {
    count: names.size,
    variable: (root, path, length) => names.get(keyOf(root, path, length) ?? ""),
    ofSlot: (slot) => [...names].flatMap(([key, name]) => (slots.get(key) === slot ? [name] : [])),
  };

  function visit(step: Step): void {
    if (step.op === "attr") {
      for (let length = 1; length <= step.path.length; length++) {
        const key = keyOf(step.root, step.path, length);
        if (key === undefined) break;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        if (step.root.kind === "local") slots.set(key, step.root.slot);
      }
    }
    for (const child of children(step)) visit(child);
  }
}

/** What tells one path from another; undefined for paths that are not all fixed text keys from a variable. */
function keyOf(root: Root, path: readonly Qualifier[], length: number): string | undefined {
  const last = path[length - 1] as Qualifier;
  if (last.kind !== "key" || typeof last.key !== "string" || last.optional) return undefined;
  if (last.type.adapter || last.field?.get) return undefined;
  const start = root.kind === "global" ? `g:${root.name}` : root.kind === "local" ? `l:${root.slot}` : undefined;
  if (start === undefined) return undefined;
  const keys: string[] = [start];
  for (const qualifier of path.slice(0, length)) {
    if (qualifier.kind !== "key" || typeof qualifier.key !== "string" || qualifier.optional) return undefined;
    keys.push(qualifier.key);
  }
  return keys.join("\0");
}
