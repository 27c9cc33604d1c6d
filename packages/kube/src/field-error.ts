// Field errors: the problem of one field, with the messages and the value rendering of apimachinery's field.Error.

import { Double, formatFloatV, formatGoJson, formatNumberV, type JsonPath, quoteGo } from "@celadon/base";
import { type Emulation, emulationOf } from "./emulation.ts";
import { type FieldPath, fieldPath } from "./field-path.ts";
import { goSyntax } from "./go-syntax.ts";
import { moreText } from "./limits.ts";
import { CURRENT } from "./versions.ts";

/** The kinds of field errors; the same words are the reasons of a Status' causes. */
export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTooFew"
  | "FieldValueTypeInvalid"
  | "FieldValueTooShort"
  | "InternalError";

/**
 * An error of a field, as data. Text is made from it where it leaves the program: `fieldErrorText`, causes of a Status, a line in a
 * terminal.
 */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly path: FieldPath;
  readonly value: unknown;
  readonly detail: string;
  /** A code, for programs that need to know more than the type. */
  readonly code?: FieldErrorCode;
  /** The values that would be accepted, where there are only some. */
  readonly supported?: readonly string[];
  /** The rule of a schema that found it. */
  readonly rule?: RuleOrigin;
  /** The expression that is not accepted, and why. */
  readonly expression?: ExpressionOrigin;
  /** The server whose words print it, if not the newest. */
  readonly by?: Emulation;
  /** The detail that servers before 1.34 have instead. */
  readonly olderDetail?: string;
}

/**
 * - `cost_over_limit`: an expression may cost more than the API server accepts, alone or together with others
 * - `rules_not_checked`: no rule was evaluated, because of the errors beside this one
 * - `object_metadata`: of every object's own metadata, which no schema has a say in
 * - `label_value`: the value of a label in a selector, not its key or an operator
 */
export type FieldErrorCode = "cost_over_limit" | "rules_not_checked" | "object_metadata" | "label_value";

/** A rule of a schema (`x-kubernetes-validations`) and its result. */
export interface RuleOrigin {
  /** Steps from the version's schema to the one with the rule: `["properties", "spec", "items"]`. */
  readonly schemaPath: JsonPath;
  /** Position among the rules of that schema. */
  readonly index: number;
  /** The rule's own expression. */
  readonly expression: string;
  /**
   * The rule was not true; it could not be evaluated; it could not be compiled; or the budget of costs did not suffice for it and all
   * that follow.
   */
  readonly outcome: "false" | "error" | "uncompiled" | "budget";
}

/** An expression that does not compile. */
export interface ExpressionOrigin {
  /** Steps to it in the object. */
  readonly steps: JsonPath;
  /** The compiled text. */
  readonly text: string;
  /** The offset of the compiled text in the field's value: white space around some expressions is not compiled. */
  readonly offset: number;
  readonly issues: readonly ExpressionIssue[];
}

/** A problem of an expression: an issue of the engine. */
export interface ExpressionIssue {
  /** Stable, for programs: `undeclared_reference`, `syntax_error`, `wrong_result_type`. */
  readonly code: string;
  readonly message: string;
  /**
   * The subject of the issue: the reference that is not declared, the field that is not there, the function that does not take such, the
   * type that was found.
   */
  readonly name?: string;
  /** Similar field names, for "did you mean". */
  readonly known?: readonly string[];
  /** Kinds of the types a function was applied to, or of a result that is of the wrong type. */
  readonly kinds?: readonly string[];
  /** Offsets in the expression; absent when the problem has no place of its own. */
  readonly span?: { readonly start: number; readonly end: number; readonly at: number };
}

/** Stands for a value that is not shown. */
export const OMIT_VALUE: unique symbol = Symbol("omitted value");

/** A value that Go holds in a type of its own (a named string type, a struct) and therefore prints as JSON. */
export class JsonShown {
  readonly value: unknown;
  /** The name of the type, where an older server prints it: of lists and maps. */
  readonly goType: string | undefined;
  constructor(value: unknown, goType?: string) {
    this.value = value;
    this.goType = goType;
  }
}

/** A value that servers print differently. */
export class ShownBy {
  readonly print: (by: Emulation) => string;
  constructor(print: (by: Emulation) => string) {
    this.print = print;
  }
}

/** A value with a known text, such as a struct in Go's own field order. */
export class ShownText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const TITLES: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTooFew: "Too few",
  FieldValueTypeInvalid: "Invalid value",
  FieldValueTooShort: "Too short",
  InternalError: "Internal error",
};

const WITHOUT_VALUE: ReadonlySet<FieldErrorType> = new Set([
  "FieldValueRequired",
  "FieldValueForbidden",
  "FieldValueTooLong",
  "FieldValueTooShort",
  "InternalError",
]);

/** The error with its path: `spec.replicas: Invalid value: -1: must be positive`. */
export function fieldErrorText(error: FieldError): string {
  return `${error.path}: ${fieldErrorBody(error)}`;
}

/** Declarative validation, since 1.37, looks at the errors of a built-in kind once more, by which repeated ones are reported once. */
export function reportedErrors(errors: readonly FieldError[], by: Emulation): readonly FieldError[] {
  if (errors.length < 2 || by.before(37)) return errors;
  return [...new Map(errors.map((error) => [fieldErrorText(error), error])).values()];
}

/** The error without its path, as a Status' cause shows it. */
export function fieldErrorBody(error: FieldError): string {
  const title = TITLES[error.type];
  const shown =
    WITHOUT_VALUE.has(error.type) || error.value === OMIT_VALUE
      ? title
      : `${title}: ${shownValue(error.value, error.by ?? emulationOf())}`;
  return error.detail === "" ? shown : `${shown}: ${error.detail}`;
}

/** Before that, values are printed as Go's syntax and not as JSON. */
export const JSON_SINCE = 34;

/** Errors as a server prints them: the same where that is the newest. */
export function inWordsOf(by: Emulation, errors: readonly FieldError[]): readonly FieldError[] {
  if (by.minor === CURRENT) return errors;
  return errors.map((error) => {
    const detail = by.before(JSON_SINCE) && error.olderDetail !== undefined ? error.olderDetail : error.detail;
    return { ...error, detail, by };
  });
}

/** The same error with the detail that servers before 1.34 have, which often repeats the field. */
export function oncePut(error: FieldError, olderDetail: string): FieldError {
  return { ...error, olderDetail };
}

function shownValue(value: unknown, by: Emulation): string {
  if (typeof value === "string") return quoteGo(value);
  if (typeof value === "number") return formatNumberV(value);
  if (value instanceof ShownBy) return value.print(by);
  if (by.before(JSON_SINCE)) return goShown(value);
  if (value instanceof JsonShown) return formatGoJson(value.value);
  if (value instanceof ShownText) return value.text;
  return value instanceof Double ? formatFloatV(value.value) : formatGoJson(value);
}

function goShown(value: unknown): string {
  if (value instanceof JsonShown) return goSyntax(value.value, value.goType);
  if (value instanceof ShownText) return value.text;
  return value instanceof Double ? formatFloatV(value.value) : goSyntax(value);
}

/** Several errors as one text: a single one alone, `[a, b]` otherwise; equal texts only once. */
export function fieldErrorsText(errors: readonly FieldError[]): string {
  return errorListText(new Set(errors.map(fieldErrorText)), 0);
}

/** Texts of errors as one, with how many are left out. */
export function errorListText(texts: ReadonlySet<string>, left: number): string {
  const listed = left === 0 ? [...texts] : [...texts, moreText(left, "error")];
  return listed.length === 1 ? listed[0]! : `[${listed.join(", ")}]`;
}

/** A path given as text is names with dots between them. */
function fieldError(type: FieldErrorType, path: FieldPath | string, value: unknown, detail: string): FieldError {
  return { type, path: typeof path === "string" ? fieldPath(...path.split(".")) : path, value, detail };
}

/** The error of a value that is not allowed. */
export function invalidValue(path: FieldPath | string, value: unknown, detail: string): FieldError {
  return fieldError("FieldValueInvalid", path, value, detail);
}

/** The error of a value of the wrong type. */
export function typeInvalid(path: FieldPath | string, value: unknown, detail: string): FieldError {
  return fieldError("FieldValueTypeInvalid", path, value, detail);
}

/** The error of a value that names something that is not there. */
export function notFoundValue(path: FieldPath | string, value: unknown): FieldError {
  return fieldError("FieldValueNotFound", path, value, "");
}

/** The error of a field that is missing. */
export function requiredValue(path: FieldPath | string, detail = ""): FieldError {
  return fieldError("FieldValueRequired", path, "", detail);
}

/** The error of a duplicate value. */
export function duplicateValue(path: FieldPath | string, value: unknown): FieldError {
  return fieldError("FieldValueDuplicate", path, value, "");
}

/** The supported values are listed in the order given; Kubernetes usually sorts them first. */
export function notSupported(path: FieldPath | string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(quoteGo).join(", ")}`;
  return { ...fieldError("FieldValueNotSupported", path, value, detail), supported };
}

/** The error of a field that may not be set. */
export function forbiddenField(path: FieldPath | string, detail: string): FieldError {
  return fieldError("FieldValueForbidden", path, "", detail);
}

/** Since then the words about a text that is too long are the same everywhere. */
const TOO_LONG_SINCE = 32;

/** A limit in bytes; a negative one is not named. */
export function tooLong(
  path: FieldPath | string,
  maxLength: number,
  unit: "byte" | "character" = "byte",
  by?: Emulation,
): FieldError {
  const most = by?.before(TOO_LONG_SINCE) ? "must have at most" : "may not be more than";
  const detail = maxLength < 0 ? "value is too long" : `${most} ${count(maxLength, unit)}`;
  return fieldError("FieldValueTooLong", path, "<value omitted>", detail);
}

/** A negative actual number is not shown, a negative limit is not named. */
export function tooMany(path: FieldPath | string, actual: number, max: number): FieldError {
  const detail = max < 0 ? "has too many items" : `must have at most ${count(max, "item")}`;
  return fieldError("FieldValueTooMany", path, actual < 0 ? OMIT_VALUE : actual, detail);
}

/** The error of a field that could not be checked. */
export function internalFieldError(path: FieldPath | string, message: string): FieldError {
  return fieldError("InternalError", path, "", message);
}

function count(n: number, unit: string): string {
  return `${n} ${unit}${n === 1 ? "" : "s"}`;
}
