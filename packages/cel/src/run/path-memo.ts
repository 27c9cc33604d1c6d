// Paths that an expression reads more than once (`object.spec.containers` here and there, or `a.name` in a loop inside the loop over `a`)
// are read from the data once per evaluation, or once per iteration when they begin at a loop variable. Charges are made each time all the
// same.

import { children } from "../plan/children.ts";
import type { Qualifier, Root, Step } from "../plan/step.ts";

export interface PathMemo {
  readonly count: number;
  /** The variable for the first `length` selects of a path, undefined when it is read only once. */
  variable(root: Root, path: readonly Qualifier[], length: number): string | undefined;
  /** The variables for paths that begin at a loop variable, to be cleared when it changes. */
  ofSlot(slot: number): readonly string[];
}

/** The variable beside a memo that keeps the size of the text in it. */
export const sizeName = (memo: string): string => `n${memo.slice(1)}`;

export function countPaths(plan: Step): PathMemo {
  const counts = new Map<string, number>();
  const slots = new Map<string, number>();
  const depths = new Map<number, number>();
  const bound = new Map<Step, number>();
  visit(plan, 0);
  const names = new Map<string, string>();
  for (const [key, count] of counts) if (count > 1) names.set(key, `p${names.size}`);
  return {
    count: names.size,
    variable: (root, path, length) => names.get(keyOf(root, path, length) ?? ""),
    ofSlot: (slot) => [...names].flatMap(([key, name]) => (slots.get(key) === slot ? [name] : [])),
  };

  function visit(step: Step, depth: number): void {
    if (step.op === "attr") {
      count(step.root, step.path, depth);
      if (step.root.kind === "lazy" && isKnown(step.root.init)) {
        for (const qualifier of step.path) if (qualifier.kind === "step") visit(qualifier.step, depth);
        return;
      }
    }
    if (!("range" in step)) {
      for (const child of children(step)) visit(child, depth);
      return;
    }
    const [range, ...body] = children(step) as [Step, ...Step[]];
    visit(range, depth);
    depths.set(step.slot, depth + 1);
    if (step.slot2 >= 0) depths.set(step.slot2, depth + 1);
    for (const child of body) visit(child, depth + 1);
  }

  /** Names bound to names bound to names would be walked through at every mention of the last one; twice says "more than once". */
  function isKnown(init: Step): boolean {
    const times = (bound.get(init) ?? 0) + 1;
    bound.set(init, times);
    return times > 2;
  }

  function count(root: Root, path: readonly Qualifier[], depth: number): void {
    const slot = root.kind === "local" ? root.slot : undefined;
    const home = slot === undefined ? 0 : (depths.get(slot) ?? 0);
    for (let length = 1; length <= path.length; length++) {
      const key = keyOf(root, path, length);
      if (key === undefined) return;
      counts.set(key, (counts.get(key) ?? 0) + (depth > home ? 2 : 1));
      if (slot !== undefined) slots.set(key, slot);
    }
  }
}

/** The key of a path; undefined for paths that are not all fixed text keys from a variable. */
function keyOf(root: Root, path: readonly Qualifier[], length: number): string | undefined {
  const start = root.kind === "global" ? `g:${root.name}` : root.kind === "local" ? `l:${root.slot}` : undefined;
  if (start === undefined) return undefined;
  const keys: string[] = [start];
  for (const qualifier of path.slice(0, length)) {
    if (qualifier.kind !== "key" || typeof qualifier.key !== "string" || qualifier.optional) return undefined;
    if ((qualifier.type.adapter && !qualifier.type.adapter.deep) || qualifier.field?.get) return undefined;
    keys.push(qualifier.key);
  }
  return keys.join("\0");
}
