// Errors of value validation while they are collected. The same text counts once; what is ratcheted is taken back.

import { type FieldError, type FieldErrorType, quoteGo } from "@celadon/kube";

interface Entry {
  readonly type: FieldErrorType;
  /** Where, in the validator's own style: dots for everything but indexes. Undefined: the root of what is validated. */
  readonly name: string | undefined;
  readonly value: unknown;
  readonly detail: string;
  /** What makes two errors the same. */
  readonly text: string;
}

export class ValueProblems {
  private entries: Entry[] = [];

  get count(): number {
    return this.entries.length;
  }

  /** Forgets everything after the first `count`. */
  forget(count: number): void {
    this.entries.length = count;
  }

  add(type: FieldErrorType, name: string, value: unknown, detail: string, text: string = detail): void {
    this.entries.push({ type, name, value, detail, text });
  }

  invalid(name: string, value: unknown, detail: string): void {
    this.add("FieldValueInvalid", name, value, detail);
  }

  wrongType(name: string, wanted: string, found: string): void {
    this.add("FieldValueTypeInvalid", name, found, `${name} in body must be of type ${wanted}: ${quoteGo(found)}`);
  }

  /** An error that names its place only in its text. */
  general(detail: string): void {
    this.entries.push({ type: "FieldValueInvalid", name: undefined, value: "", detail, text: detail });
  }

  /** As field errors below a path; none means the root of the object. */
  fieldErrors(prefix?: string): FieldError[] {
    if (this.entries.length === 0) return [];
    const seen = new Set<string>();
    const errors: FieldError[] = [];
    for (const { type, name = "", value, detail, text } of this.entries) {
      if (seen.has(text)) continue;
      seen.add(text);
      const place = name.replace(/^\./, "");
      const field = place === "" ? (prefix ?? "<nil>") : prefix === undefined ? place : `${prefix}.${place}`;
      errors.push({ type, field, value, detail });
    }
    return errors;
  }
}
