// Strategies that check nothing: for hosts without validation, and for objects of undescribed kinds.

import type { Strategy, Validated } from "./strategy.ts";

const VALID: Validated = { errors: [], isWhole: true };

/** Leaves the object as it is. */
export const AS_WRITTEN: Strategy = {
  createOnUpdate: false,
  unconditionalUpdate: true,
  prepareCreate: (object) => object,
  validateCreate: () => VALID,
  prepareUpdate: (object) => object,
  validateUpdate: () => VALID,
  warnings: () => [],
};

/** The strategy without its validation. */
export function withoutChecks(strategy: Strategy): Strategy {
  const { validateCreate, validateUpdate, warnings } = AS_WRITTEN;
  return { ...strategy, validateCreate, validateUpdate, warnings };
}
