// Quantities as a server writes them: read and written again, so `0.5` is `500m`, and rounded up to thousandths where
// resources are listed. What cannot be read stays as it is: refusing it is not for defaults.

import { Double } from "@celadon/base";
import { isInvalid } from "../invalid.ts";
import { parseQuantity } from "../quantity/quantity.ts";
import { each, type Rule } from "./rules.ts";

const MILLI = -3;

export const quantity: Rule = (given) => written(given, undefined);

/** A map of resource names to quantities. */
export const resourceList: Rule = each((given) => written(given, MILLI));

function written(given: unknown, exponent: number | undefined): unknown {
  const text = textOf(given);
  const parsed = text === undefined ? undefined : parseQuantity(text);
  if (parsed === undefined || isInvalid(parsed)) return given;
  const value = (exponent === undefined ? parsed : parsed.roundUp(exponent)).toString();
  return value === given ? given : value;
}

function textOf(given: unknown): string | undefined {
  if (typeof given === "string") return given;
  if (typeof given === "number" || typeof given === "bigint") return String(given);
  return given instanceof Double ? String(given.value) : undefined;
}
