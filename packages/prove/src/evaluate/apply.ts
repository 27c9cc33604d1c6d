// Calls with constants alone: the engine answers, as its interpreter applies a call.

import type { CelError, Value } from "@celadon/cel";
import { type CallStep, dispatch, fitsAll, invoke, mismatch } from "@celadon/cel/plan";

export function applyTo({ name, overload, candidates, special }: CallStep, values: readonly Value[]): Value | CelError {
  const apply = special ?? overload?.call;
  if (!overload || !apply) return dispatch(name, candidates, values);
  if (fitsAll(overload, values)) return invoke(overload, apply, values);
  return overload.operator ? dispatch(name, candidates, values) : mismatch(name, candidates, values);
}
