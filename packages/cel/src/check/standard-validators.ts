// The validators that Kubernetes' API server runs, in its order, with the standard conversions as judges of literals. The one
// for format strings comes with the strings library.

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

/** `compiles` tells whether a regular expression is valid; it is an argument so that this brings no regex engine along. */
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
