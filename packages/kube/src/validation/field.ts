// A field under validation: its path, and the list its errors go to. Rules read as tables of requirements for each field:
// `at.child("name").mustBe(port.name, checkPortName)`. Errors keep the order in which they were found.

import { semanticEqual } from "@celadon/base";
import { type Emulation, emulationOf } from "../emulation.ts";
import {
  duplicateValue,
  type FieldError,
  forbiddenField,
  internalFieldError,
  invalidValue,
  inWordsOf,
  JsonShown,
  notFoundValue,
  notSupported,
  reportedErrors,
  requiredValue,
  tooLong,
  tooMany,
} from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import { MAX_FIELD_ERRORS } from "../limits.ts";
import type { TextCheck } from "../names.ts";
import { IMMUTABLE, MUST_BE_POSITIVE, MUST_NOT_BE_NEGATIVE } from "./details.ts";

/** Since then most rules that types declare are enforced as declared. */
const DECLARED_SINCE = 37;

/** The findings that all fields of an object share while it is validated. */
interface Findings {
  readonly errors: FieldError[];
  /** Errors of rules that the type declares, which a server reports after all others. */
  readonly declared: FieldError[];
  readonly by: Emulation;
}

/** A value that is being validated, with its path and the errors found so far. */
export class ValidatedField {
  private readonly findings: Findings;
  private readonly above: ValidatedField | undefined;
  private readonly step: string | number;
  private readonly isKey: boolean;
  private made: FieldPath | undefined;

  private constructor(above: ValidatedField | undefined, step: string | number, isKey: boolean, findings: Findings) {
    this.above = above;
    this.step = step;
    this.isKey = isKey;
    this.findings = findings;
  }

  /** The object itself; its children are `metadata`, `spec` and so on. */
  static root(by: Emulation = emulationOf(), errors: FieldError[] = []): ValidatedField {
    return new ValidatedField(undefined, "", false, { errors, declared: [], by });
  }

  /** The errors found so far. */
  get errors(): FieldError[] {
    return this.findings.errors;
  }

  /** The server whose rules are applied. */
  get by(): Emulation {
    return this.findings.by;
  }

  /** Made when needed: most fields have no errors. */
  get path(): FieldPath {
    this.made ??= this.pathBelow(this.above?.path);
    return this.made;
  }

  private pathBelow(above: FieldPath | undefined): FieldPath {
    if (above === undefined) return FieldPath.root;
    if (typeof this.step === "number") return above.index(this.step);
    return this.isKey ? above.key(this.step) : above.child(this.step);
  }

  /** A field, or one further down. */
  child(name: string, second?: string, third?: string, fourth?: string): ValidatedField {
    const field = new ValidatedField(this, name, false, this.findings);
    return second === undefined ? field : field.child(second, third, fourth);
  }

  index(i: number): ValidatedField {
    return new ValidatedField(this, i, false, this.findings);
  }

  key(key: string): ValidatedField {
    return new ValidatedField(this, key, true, this.findings);
  }

  /** The same field for a rule that the type declares since 1.37: its errors come after those of all other rules. */
  get declared(): ValidatedField {
    if (this.by.before(DECLARED_SINCE)) return this;
    return new ValidatedField(this.above, this.step, this.isKey, { ...this.findings, errors: this.findings.declared });
  }

  /** All errors as a server reports them. */
  get found(): readonly FieldError[] {
    const { errors, declared, by } = this.findings;
    if (errors.length + declared.length === 0) return errors;
    return inWordsOf(by, [...reportedErrors(errors, by), ...declared]);
  }

  /** Every item of a list, with its field, until there are errors enough. */
  each<T>(list: readonly T[] | null | undefined, visit: (item: T, at: ValidatedField, i: number) => void): void {
    if (list == null) return;
    const { errors, declared } = this.findings;
    for (let i = 0; i < list.length && errors.length + declared.length < MAX_FIELD_ERRORS; i++) {
      visit(list[i]!, this.index(i), i);
    }
  }

  /** Whether the rule finds nothing wrong. */
  holds(rule: () => void): boolean {
    const before = this.errors.length;
    rule();
    return this.errors.length === before;
  }

  invalid(value: unknown, detail: string): void {
    this.errors.push(invalidValue(this.path, value, detail));
  }

  required(detail = ""): void {
    this.errors.push(requiredValue(this.path, detail));
  }

  forbidden(detail: string): void {
    this.errors.push(forbiddenField(this.path, detail));
  }

  duplicate(value: unknown): void {
    this.errors.push(duplicateValue(this.path, value));
  }

  notFound(value: unknown): void {
    this.errors.push(notFoundValue(this.path, value));
  }

  /** Values of an enumeration have types of their own in Go and print as JSON. */
  unsupported(value: unknown, supported: readonly string[]): void {
    this.errors.push(notSupported(this.path, new JsonShown(value === undefined ? "" : value), supported));
  }

  /** The same for a value that is not the text itself: a whole struct, say. */
  unsupportedAs(shown: unknown, supported: readonly string[]): void {
    this.errors.push(notSupported(this.path, shown, supported));
  }

  /** The same for a value that is a plain text in Go. */
  unsupportedText(value: string, supported: readonly string[]): void {
    this.errors.push(notSupported(this.path, value, supported));
  }

  tooLong(max: number, unit?: "byte" | "character"): void {
    this.errors.push(tooLong(this.path, max, unit, this.by));
  }

  tooMany(actual: number, max: number): void {
    this.errors.push(tooMany(this.path, actual, max));
  }

  internal(message: string): void {
    this.errors.push(internalFieldError(this.path, message));
  }

  /** Reports the complaints of a check of texts, the empty text included. */
  check(value: string | null | undefined, check: TextCheck): void {
    const text = value ?? "";
    for (const problem of check(text, this.by)) this.invalid(text, problem);
  }

  /** A text that may be left out. */
  mayBe(value: string | null | undefined, check: TextCheck): void {
    if (value) this.check(value, check);
  }

  /** A text that is required, and its rule. */
  mustBe(value: string | null | undefined, check: TextCheck): void {
    if (value) this.check(value, check);
    else this.required();
  }

  mustExist(value: unknown, detail = ""): void {
    if (isEmpty(value)) this.required(detail);
  }

  /** The same where the type declares it since 1.37: without the detail. */
  mustBeDeclared(value: unknown, detail = ""): void {
    if (isEmpty(value)) this.declared.required(this.by.since(DECLARED_SINCE) ? "" : detail);
  }

  /** One of an enumeration; the empty text is missing. */
  mustBeOneOf(value: string | null | undefined, supported: readonly string[]): void {
    if (!value) this.required();
    else this.oneOf(value, supported);
  }

  /** One of an enumeration; the empty string is not a value, unless it is listed. */
  oneOf(value: string | null | undefined, supported: readonly string[]): void {
    if (!supported.includes(value ?? "")) this.unsupported(value, supported);
  }

  /** The same for a field that may be absent. */
  mayBeOneOf(value: string | null | undefined, supported: readonly string[]): void {
    if (value != null) this.oneOf(value, supported);
  }

  notNegative(value: number | null | undefined): void {
    if ((value ?? 0) < 0) this.invalid(value, MUST_NOT_BE_NEGATIVE);
  }

  positive(value: number | null | undefined): void {
    if ((value ?? 0) <= 0) this.invalid(value ?? 0, MUST_BE_POSITIVE);
  }

  within(value: number | null | undefined, min: number, max: number): void {
    const n = value ?? 0;
    if (n < min || n > max) this.invalid(n, `must be between ${min} and ${max}, inclusive`);
  }

  /** An update must leave the value as it was. `show` says how the new one is printed. */
  immutable(now: unknown, before: unknown, show: (value: unknown) => unknown = (value) => value): void {
    if (!semanticEqual(now, before)) this.invalid(show(now), IMMUTABLE);
  }

  /** The same where the type declares it since 1.37: the value is not shown. */
  declaredImmutable(now: unknown, before: unknown, show: (value: unknown) => unknown = (value) => value): void {
    if (this.by.before(DECLARED_SINCE)) this.immutable(now, before, show);
    else if (!semanticEqual(now, before)) this.declared.invalid(null, IMMUTABLE);
  }

  toString(): string {
    return this.path.toString();
  }
}

/** Prints a text behind a pointer as JSON. */
export function shownPointer(value: unknown): JsonShown {
  return new JsonShown(value ?? null);
}

/** Go's zero of texts, numbers, lists, maps and pointers. */
export function isEmpty(value: unknown): boolean {
  if (value == null || value === "" || value === 0 || value === false) return true;
  return Array.isArray(value) && value.length === 0;
}
