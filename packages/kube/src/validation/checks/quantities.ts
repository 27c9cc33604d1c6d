// Amounts of resources: rules for a quantity, by the name of its resource.

import { JsonShown } from "../../field-error.ts";
import { QUANTITY } from "../../go-syntax.ts";
import { isInvalid } from "../../invalid.ts";
import { parseQuantity, type Quantity, quantityOf } from "../../quantity/quantity.ts";
import { MUST_BE_INTEGER, MUST_BE_POSITIVE, MUST_NOT_BE_NEGATIVE } from "../details.ts";
import type { ValidatedField } from "../field.ts";
import { isIntegerResource } from "./resource-names.ts";

const ZERO: Quantity = quantityOf(0);

/** The quantity a decoded field holds; zero for none. */
export function quantityAt(text: string | null | undefined): Quantity {
  const parsed = text == null || text === "" ? ZERO : parseQuantity(text);
  return isInvalid(parsed) ? ZERO : parsed;
}

/** Whole units, as an int64. */
export function wholeValue(quantity: Quantity): bigint {
  return quantity.unitsOf(0);
}

/** Whether the quantity is made of whole units; a fraction below a thousandth counts as one. */
export function isWhole(quantity: Quantity): boolean {
  return quantity.unitsOf(-3) % 1000n === 0n;
}

export function notNegativeQuantity(text: string | undefined, at: ValidatedField): void {
  const quantity = quantityAt(text);
  if (quantity.sign() < 0) at.invalid(quantity.toString(), MUST_NOT_BE_NEGATIVE);
}

export function positiveQuantity(text: string | undefined, at: ValidatedField): void {
  const quantity = quantityAt(text);
  if (quantity.sign() <= 0) at.invalid(quantity.toString(), MUST_BE_POSITIVE);
}

/** A resource's amount: not negative, and whole where the resource is counted. */
export function resourceAmount(resource: string, text: string, at: ValidatedField): void {
  const quantity = quantityAt(text);
  if (quantity.sign() < 0) at.invalid(quantity.toString(), MUST_NOT_BE_NEGATIVE);
  if (isIntegerResource(resource) && !isWhole(quantity)) {
    at.invalid(new JsonShown(quantity.toString(), QUANTITY), MUST_BE_INTEGER);
  }
}

/** An amount that must not be negative in whole units. */
export function basicAmount(text: string, at: ValidatedField): void {
  const value = wholeValue(quantityAt(text));
  if (value < 0n) at.invalid(value, "must be a valid resource quantity");
}
