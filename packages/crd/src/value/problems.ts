// Errors of value validation while they are collected. The same text counts once; problems of unchanged values are removed.

import { type JsonPath, quoteGo } from "@celadon/base";
import { type FieldError, type FieldErrorType, FieldPath, MAX_FIELD_ERRORS } from "@celadon/kube/errors";

interface Entry {
  readonly type: FieldErrorType;
  /**
   * The place of the error, in the validator's own style: dots for everything but indexes. Undefined for the root of the validated value.
   */
  readonly name: string | undefined;
  readonly value: unknown;
  readonly detail: string;
  /** The text that distinguishes errors. */
  readonly text: string;
  readonly steps: JsonPath;
}

/** The entries of an enumeration in the two forms in which messages have them. */
export interface EnumTexts {
  readonly detail: string;
  readonly joined: string;
}

export class ValueProblems {
  /** The path of the walk through the value. */
  readonly at: (string | number)[] = [];
  /** The first ones; later ones are only counted. */
  private entries: Entry[] = [];
  private found = 0;
  private readonly most: number;

  /** `most`: how many problems are kept. */
  constructor(most: number = MAX_FIELD_ERRORS) {
    this.most = most;
  }

  get count(): number {
    return this.found;
  }

  /** Whether further problems are not kept. */
  get isFull(): boolean {
    return this.entries.length >= this.most;
  }

  /** Whether further problems change nothing: none is kept, and there is one already. */
  get isDecided(): boolean {
    return this.found > 0 && this.isFull;
  }

  /** Forgets everything after the first `count`. */
  forget(count: number): void {
    this.found = count;
    if (this.entries.length > count) this.entries.length = count;
  }

  /** Counts a problem, and returns whether it is kept. Texts of others need not be made. */
  next(): boolean {
    this.found += 1;
    return !this.isFull;
  }

  add(type: FieldErrorType, name: string, value: unknown, detail: string, text: string = detail): void {
    if (this.next()) this.entries.push({ type, name, value, detail, text, steps: [...this.at] });
  }

  /** A member that is not there. */
  missing(name: string, key: string): void {
    if (!this.next()) return;
    const text = `${name} in body is required`;
    this.entries.push({ type: "FieldValueRequired", name, value: "", detail: "", text, steps: [...this.at, key] });
  }

  invalid(name: string, value: unknown, detail: string): void {
    this.add("FieldValueInvalid", name, value, detail);
  }

  wrongType(name: string, wanted: string, found: string): void {
    if (this.isFull) this.found += 1;
    else this.add("FieldValueTypeInvalid", name, found, `${name} in body must be of type ${wanted}: ${quoteGo(found)}`);
  }

  /** An error that names its place only in its text. */
  general(detail: string): void {
    if (!this.next()) return;
    this.entries.push({
      type: "FieldValueInvalid",
      name: undefined,
      value: "",
      detail,
      text: detail,
      steps: [...this.at],
    });
  }

  /** A value that an enumeration does not have. Its entries are many times as long as the value: their texts are joined once. */
  notInEnum(name: string, value: unknown, { detail, joined }: EnumTexts): void {
    if (!this.next()) return;
    const text = `${name} in body should be one of ${joined}`;
    this.entries.push({ type: "FieldValueNotSupported", name, value, detail, text, steps: [...this.at] });
  }

  /** Returns the problems as field errors below a path. */
  fieldErrors(prefix: FieldPath): FieldError[] {
    if (this.entries.length === 0) return [];
    const seen = new Set<string>();
    const errors: FieldError[] = [];
    for (const { type, name = "", value, detail, text, steps } of this.entries) {
      if (seen.has(text)) continue;
      seen.add(text);
      errors.push({ type, path: prefix.below(FieldPath.of(steps, name.replace(/^\./, ""))), value, detail });
    }
    return errors;
  }
}
