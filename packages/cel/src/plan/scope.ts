// Local names while planning: loop variables, accumulators and bound names, innermost first.

import type { LazyRoot, LocalRoot } from "./step.ts";

export type LocalName = LocalRoot | LazyRoot;

export interface Scope {
  readonly name: string;
  readonly local: LocalName;
  readonly outer: Scope | undefined;
}

export function lookup(scope: Scope | undefined, name: string): LocalName | undefined {
  for (let s = scope; s !== undefined; s = s.outer) if (s.name === name) return s.local;
  return undefined;
}
