// The CEL part of Kyverno's policies, which has the fields of a ValidatingAdmissionPolicy under other names.

import type {
  AuditAnnotation,
  MatchCondition,
  ParamKind,
  ValidatingAdmissionPolicySpec,
  Validation,
  Variable,
} from "@celadon/admission/policy";
import { type JsonPath, trimEndOf } from "@celadon/base";
import { get, isFields, listAt, textAt } from "../foreign.ts";

export interface ConvertedSpec {
  readonly spec: ValidatingAdmissionPolicySpec;
  readonly notes: readonly string[];
  readonly problems: readonly { readonly message: string; readonly path: JsonPath }[];
}

/** `expressions` of a rule, or `validations` of a policy. Every expression without a message has the message of the rule. */
export function convertExpressions(
  cel: unknown,
  ruleMessage?: string,
  field: "expressions" | "validations" = "expressions",
): ConvertedSpec {
  const problems: { message: string; path: JsonPath }[] = [];
  const notes: string[] = [];
  const validations = listAt(cel, field).map((value, i): Validation => {
    const message =
      textAt(value, "message") ?? (textAt(value, "messageExpression") === undefined ? ruleMessage : undefined);
    const plain = message === undefined ? undefined : oneLine(message);
    if (plain !== message)
      notes.push(`line breaks are removed from the message of ${field}[${i}]; the API server rejects them`);
    if (message?.includes("{{")) notes.push(`the message of ${field}[${i}] keeps its {{ … }}`);
    const expression = textAt(value, "expression") ?? "";
    const opened = expression.indexOf("{{");
    if (opened >= 0 && expression.includes("}}", opened + 2)) {
      problems.push({ message: "{{ … }} is substituted before the expression is CEL", path: [field, i, "expression"] });
    }
    return { ...(value as Validation), expression, ...(plain !== undefined && { message: plain }) };
  });
  const variables = listAt(cel, "variables") as readonly Variable[];
  const auditAnnotations = listAt(cel, "auditAnnotations") as readonly AuditAnnotation[];
  const paramKind = get(cel, "paramKind");
  return {
    spec: {
      ...(isFields(paramKind) && { paramKind: paramKind as ParamKind }),
      ...(variables.length > 0 && { variables }),
      ...(validations.length > 0 && { validations }),
      ...(auditAnnotations.length > 0 && { auditAnnotations }),
    },
    notes,
    problems,
  };
}

const oneLine = (text: string): string =>
  text.trim().replace(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? " " : blanks));

/** Kyverno takes any name for a condition; admission wants a qualified one. */
export function convertConditions(conditions: readonly unknown[]): MatchCondition[] {
  return conditions.map((condition, i) => {
    const written = (textAt(condition, "name") ?? "").replace(/[^A-Za-z0-9/._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
    const name = trimEndOf(written, /[^A-Za-z0-9]/);
    return {
      name: name === "" ? `condition-${i + 1}` : name.slice(0, 63),
      expression: textAt(condition, "expression") ?? "",
    };
  });
}
