// A rule as Go prints the struct, which servers show in errors up to 1.33.

import { quoteGo } from "@celadon/base";
import type { Emulation } from "@celadon/kube/versions";
import type { ValidationRule } from "./json-schema.ts";

/** Since then a rule has `optionalOldSelf`. */
const OPTIONAL_OLD_SELF_SINCE = 29;

/** A pointer that is set shows an address in memory: an invented one. */
const ADDRESS = "0xc000000000";

export function ruleAsGoSyntax(rule: ValidationRule, by: Emulation): string {
  const text = (value: string | undefined): string => quoteGo(value ?? "");
  const pointer = (type: string, value: unknown): string => `(*${type})(${value === undefined ? "nil" : ADDRESS})`;
  const fields = [
    `Rule:${text(rule.rule)}`,
    `Message:${text(rule.message)}`,
    `MessageExpression:${text(rule.messageExpression)}`,
    `Reason:${pointer("apiextensions.FieldValueErrorReason", rule.reason)}`,
    `FieldPath:${text(rule.fieldPath)}`,
  ];
  if (by.since(OPTIONAL_OLD_SELF_SINCE)) fields.push(`OptionalOldSelf:${pointer("bool", rule.optionalOldSelf)}`);
  return `apiextensions.ValidationRule{${fields.join(", ")}}`;
}
