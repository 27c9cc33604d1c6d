// Rules that came, went or say something else, and what ratcheting can do for objects that do not meet them: a failure is overlooked
// while the value it is about is as it was. Rules that compare with the old value, and rules of the whole object, are never overlooked.

import { deepEqual } from "@celadon/base";
import { compileRules, type RuleOptions } from "../rules/compile-rules.ts";
import { declaredAlone } from "../rules/declared.ts";
import { isEmbedded, type JsonSchema, rulesOf, type ValidationRule } from "../schema/json-schema.ts";
import { allSchemaPairs } from "./schema-pairs.ts";

/** A rule that was added, removed or changed. */
export interface RuleChange {
  /** `spec.ports[*]`; empty for the root. */
  readonly field: string;
  readonly change: "added" | "removed" | "changed";
  readonly was?: ValidationRule;
  readonly now?: ValidationRule;
  /** It compares with the old value. */
  readonly usesOldSelf: boolean;
  /** The field that must stay unchanged for a failure to be overlooked; absent when none is, and for rules that are gone. */
  readonly heldBy?: string;
}

/** Rules are identified by their text; a changed text is one removed rule and one added. */
export function compareRules(
  was: JsonSchema | undefined,
  now: JsonSchema | undefined,
  options: RuleOptions = {},
): readonly RuleChange[] {
  const changes: RuleChange[] = [];
  for (const pair of allSchemaPairs(was, now)) {
    const { field, anchor } = pair;
    const before = [...rulesOf(pair.was ?? {})];
    const after = rulesOf(pair.now ?? {});
    const compiled = after.length === 0 ? [] : compiledRules(pair.now!, field === "", options);
    after.forEach((rule, i) => {
      const usesOldSelf = compiled[i]?.usesOldSelf ?? false;
      const held = usesOldSelf || anchor === undefined ? {} : { heldBy: anchor };
      const at = before.findIndex((validationRule) => validationRule.rule === rule.rule);
      if (at === -1) {
        changes.push({ field, change: "added", now: rule, usesOldSelf, ...held });
        return;
      }
      const [old] = before.splice(at, 1);
      if (!deepEqual(old, rule)) changes.push({ field, change: "changed", was: old!, now: rule, usesOldSelf, ...held });
    });
    for (const rule of before) changes.push({ field, change: "removed", was: rule, usesOldSelf: false });
  }
  return changes;
}

function compiledRules(
  schema: JsonSchema,
  isRoot: boolean,
  options: RuleOptions,
): readonly { readonly usesOldSelf: boolean }[] {
  const declared = declaredAlone(schema, isRoot || isEmbedded(schema));
  return declared ? compileRules(schema, declared, options).rules : [];
}
