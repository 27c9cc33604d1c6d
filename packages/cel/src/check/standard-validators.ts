// The validators that Kubernetes' API server runs, in its order; literals are checked with the standard conversions. The
// validator for format strings comes with the strings library.

import { isInt } from "../value/box.ts";
import { durationFromString, timestampFromInt, timestampFromString } from "../value/convert.ts";
import { isError } from "../value/error.ts";
import type { Value } from "../value/value.ts";
import {
  durationLiterals,
  homogeneousLiterals,
  regexLiterals,
  timestampLiterals,
  type Validator,
} from "./validators.ts";

/**
 * The validators of the standard library. `compiles` returns whether a regular expression is valid; as an argument, it does not add
 * the regex engine to every bundle.
 */
export function standardValidators(compiles: (pattern: string) => boolean): readonly Validator[] {
  return [homogeneousLiterals(), durationLiterals(isDuration), timestampLiterals(isTimestamp), regexLiterals(compiles)];
}

/** `duration(5)` and `duration(null)` have types that fit and never work. */
function isDuration(literal: Value): boolean {
  return typeof literal === "string" && !isError(durationFromString(literal));
}

function isTimestamp(literal: Value): boolean {
  if (typeof literal === "string") {
    return !isError(timestampFromString(literal));
  }
  return isInt(literal) && !isError(timestampFromInt(literal));
}
