// One attribute of a request against its entry in a policy: absent or present, values, rules. All attributes, whether single
// texts or lists, follow this table; only paths and words differ.

import { pushAll } from "@celadon/base";
import {
  type FieldError,
  type FieldPath,
  Invalid,
  internalFieldError,
  invalidValue,
  requiredValue,
} from "@celadon/kube/errors";
import type {
  AllowedList,
  AllowedString,
  CertificateRequest,
  CertificateRequestPolicy,
  ValidationRule,
} from "../resource.ts";
import type { RuleCache } from "../rules/cache.ts";
import { type CertificateRuleObserver, evaluateObserved } from "../rules/observe.ts";
import { answerOf, type Rule } from "../rules/rule.ts";
import { allMatch, matchesWildcard } from "../wildcard.ts";

/** The context in which rules are evaluated. */
export interface RuleContext {
  readonly policy: CertificateRequestPolicy;
  readonly request: CertificateRequest;
  readonly rules: RuleCache;
  readonly observer: CertificateRuleObserver | undefined;
}

/** An empty text counts as absent. */
export function checkText(
  context: RuleContext,
  text: string,
  entry: AllowedString | null | undefined,
  path: FieldPath,
): FieldError[] {
  if (text === "") return absent(entry, path);
  const value = entry?.value ?? undefined;
  const validations = entry?.validations ?? [];
  if (value === undefined && validations.length === 0) return [invalidValue(path, text, "no allowed value")];
  const errors: FieldError[] = [];
  if (value !== undefined && !matchesWildcard(value, text)) errors.push(invalidValue(path.child("value"), text, value));
  return [...errors, ...runRules(context, validations, text, path.child("validations"))];
}

/** A list is present as soon as it has an element, be it an empty text. */
export function checkList(
  context: RuleContext,
  texts: readonly string[],
  entry: AllowedList | null | undefined,
  path: FieldPath,
): FieldError[] {
  if (texts.length === 0) return absent(entry, path);
  const values = entry?.values ?? undefined;
  const validations = entry?.validations ?? [];
  if (values === undefined && validations.length === 0) return [invalidValue(path, texts, "no allowed values")];
  const errors: FieldError[] = [];
  if (values !== undefined && !allMatch(values, texts)) {
    errors.push(invalidValue(path.child("values"), texts, values.join(", ")));
  }
  for (const text of texts) pushAll(errors, runRules(context, validations, text, path.child("validations")));
  return errors;
}

function absent(
  entry: { readonly required?: boolean | null | undefined } | null | undefined,
  path: FieldPath,
): FieldError[] {
  return entry?.required === true ? [requiredValue(path.child("required"), "true")] : [];
}

/** Every rule is run; one that cannot be compiled or evaluated denies like one that is false. */
function runRules(
  context: RuleContext,
  validations: readonly ValidationRule[],
  text: string,
  path: FieldPath,
): FieldError[] {
  return validations.flatMap(({ rule: source, message }, i) => {
    const rule = context.rules.get(source);
    const holds = rule instanceof Invalid ? rule : runRule(context, rule, validations, i, text, path);
    if (holds instanceof Invalid) return [internalFieldError(path.index(i), holds.message)];
    return holds ? [] : [invalidValue(path.index(i), text, message ?? `failed rule: ${source}`)];
  });
}

function runRule(
  { policy, request, observer }: RuleContext,
  rule: Rule,
  validations: readonly ValidationRule[],
  index: number,
  self: string,
  path: FieldPath,
): boolean | Invalid {
  if (observer === undefined) return rule.holds(self, request);
  const fieldPath = path.index(index).toString();
  return answerOf(evaluateObserved(rule, observer, { policy, request, validations, index, fieldPath, self }));
}
