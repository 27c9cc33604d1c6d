// Numbers of pods, absolute or as a share.

import { JsonShown } from "../../field-error.ts";
import { INT_OR_STRING } from "../../go-syntax.ts";
import { checkPercent } from "../../names.ts";
import type { ValidatedField } from "../field.ts";

type IntOrPercent = number | string | undefined;

export function intOrPercent(value: IntOrPercent, at: ValidatedField): void {
  if (typeof value !== "string") at.notNegative(value);
  else for (const problem of checkPercent(value)) at.invalid(new JsonShown(value, INT_OR_STRING), problem);
}

export function atMost100Percent(value: IntOrPercent, at: ValidatedField): void {
  if ((percentOf(value) ?? 0) > 100) at.invalid(new JsonShown(value, INT_OR_STRING), "must not be greater than 100%");
}

/** The number, or the number before the percent sign. */
export function amountOf(value: IntOrPercent): number {
  if (typeof value !== "string") return value ?? 0;
  return percentOf(value) ?? (/^[+-]?[0-9]+$/.test(value) ? Number(value) : 0);
}

function percentOf(value: IntOrPercent): number | undefined {
  return typeof value === "string" && checkPercent(value).length === 0 ? Number(value.slice(0, -1)) : undefined;
}
