// A failing input made as short as it stays failing: stretches are taken out, long ones first.

import type { Failure, Trial } from "./trial.ts";

export function shrink(trial: Trial, text: string, vars: Readonly<Record<string, unknown>>, until: number): string {
  const first = trial(text, vars);
  if (typeof first === "string") return text;
  let best = text;
  for (let size = text.length >> 1; size >= 1; ) {
    let shorter = false;
    for (let at = 0; at + size <= best.length && Date.now() < until; ) {
      const candidate = best.slice(0, at) + best.slice(at + size);
      const result = trial(candidate, vars);
      if (typeof result !== "string" && sameKind(result, first)) {
        best = candidate;
        shorter = true;
      } else {
        at++;
      }
    }
    if (!shorter || size > best.length >> 1) size >>= 1;
  }
  return best;
}

/** The same stage and the same beginning: shrinking must not wander off to another failure. */
function sameKind(a: Failure, b: Failure): boolean {
  return a.stage === b.stage && a.problem.slice(0, 20) === b.problem.slice(0, 20);
}
