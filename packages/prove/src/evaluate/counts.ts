// Sizes of filtered lists.

import { isInt } from "@celadon/cel/values";
import { GaveUp } from "../path/choices.ts";
import type { Symbolic } from "../path/symbolic.ts";
import type { Evaluation } from "./evaluation.ts";
import { atLeast } from "./lists.ts";

/** Compares the size of a filtered list with a constant. */
export function compareCount(
  evaluation: Evaluation,
  count: Extract<Symbolic, { is: "count" }>,
  relation: "<" | "<=" | ">" | ">=",
  limit: Symbolic,
): boolean {
  if (limit.is !== "value" || !isInt(limit.value)) throw new GaveUp("the size of a filtered list");
  const least = Number(limit.value) + (relation === ">" || relation === "<=" ? 1 : 0);
  const enough = atLeast(evaluation, count.parts, least);
  return relation === ">" || relation === ">=" ? enough : !enough;
}
