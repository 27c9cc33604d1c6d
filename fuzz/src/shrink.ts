// A failing input made as short as it stays failing: stretches are taken out, long ones first.

import type { Failure, Input, Trial } from "./trial.ts";

export function shrink(trial: Trial, input: Input, until: number): Input {
  const first = trial(input);
  if (typeof first === "string") return input;
  let best = input;
  for (let size = input.text.length >> 1; size >= 1; ) {
    let shorter = false;
    for (let at = 0; at + size <= best.text.length && Date.now() < until; ) {
      const candidate = { ...best, text: best.text.slice(0, at) + best.text.slice(at + size) };
      const result = trial(candidate);
      if (typeof result !== "string" && sameKind(result, first)) {
        best = candidate;
        shorter = true;
      } else {
        at++;
      }
    }
    if (!shorter || size > best.text.length >> 1) size >>= 1;
  }
  return best;
}

/** The same stage and the same beginning: shrinking must not wander off to another failure. */
function sameKind(a: Failure, b: Failure): boolean {
  return a.stage === b.stage && a.problem.slice(0, 20) === b.problem.slice(0, 20);
}
