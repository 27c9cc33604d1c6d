// Conditions of a status.

import { utf8Length } from "@celadon/base";
import type { Condition } from "../../api/generated/meta-v1.ts";
import { patternProblem } from "../../names.ts";
import type { ValidatedField } from "../field.ts";
import { labelName } from "./selectors.ts";

const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;
const REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonPattern = new RegExp(`^${REASON}$`);

export function conditions(list: readonly Condition[] | undefined, at: ValidatedField): void {
  const types = new Set<string>();
  at.each(list, (condition, each) => {
    const { type = "", reason = "", observedGeneration = 0 } = condition;
    if (types.has(type)) each.child("type").duplicate(type);
    types.add(type);
    labelName(type, each.child("type"));
    each.child("status").oneOf(condition.status, ["False", "True", "Unknown"]);
    if (observedGeneration < 0) {
      each.child("observedGeneration").invalid(observedGeneration, "must be greater than or equal to zero");
    }
    each.child("lastTransitionTime").mustExist(condition.lastTransitionTime);
    each.child("reason").mustBe(reason, checkReason);
    if (utf8Length(reason) > MAX_REASON) each.child("reason").tooLong(MAX_REASON);
    if (utf8Length(condition.message ?? "") > MAX_MESSAGE) each.child("message").tooLong(MAX_MESSAGE);
  });
}

function checkReason(reason: string): string[] {
  if (reasonPattern.test(reason)) return [];
  const words =
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
  return [patternProblem(words, REASON, "my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB")];
}
