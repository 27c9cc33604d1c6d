// The findings of one decoding: errors, and what strict decoding reports, each at the path of the value being read. Lists are bounded,
// because a body may have an error in each of a million values.

import { MAX_FIELD_ERRORS } from "../limits.ts";
import { goKind } from "./go-conversion.ts";
import { jsonType, numberText } from "./json-type.ts";
import type { BadValue, DecodeError, PathStep, StrictFinding } from "./problem.ts";
import type { GoField, GoStruct, ValueType } from "./table.ts";

const MAX_STRICT = 100;

/** Collects findings at `path`, which the decoder moves. */
export class DecodeFindings {
  readonly path: PathStep[] = [];
  strict: StrictFinding[] | undefined;
  errors: DecodeError[] | undefined;
  errorCount = 0;
  /** The error that ends decoding, even after other errors. */
  ending: DecodeError | undefined;
  private lastError: DecodeError | undefined;
  private readonly root: GoStruct;
  private readonly merged: boolean;
  private readonly namesEmbedded: boolean;

  constructor(root: GoStruct, merged: boolean, namesEmbedded: boolean) {
    this.root = root;
    this.merged = merged;
    this.namesEmbedded = namesEmbedded;
  }

  /** An error since there were `before` ends decoding. */
  endAfter(before: number): void {
    if (this.errorCount > before) this.ending ??= this.errors?.[before] ?? this.lastError;
  }

  repeatedField(name: string): void {
    this.strict ??= [];
    if (this.strict.length < MAX_STRICT) this.strict.push({ code: "duplicate_field", path: [...this.path, name] });
  }

  unknownField(key: string, type: GoStruct): void {
    this.strict ??= [];
    if (this.strict.length >= MAX_STRICT) return;
    this.strict.push({ code: "unknown_field", path: [...this.path, key], known: [...type.byName.keys()] });
  }

  /** `into` is the kind of Go's type, for types that do not read themselves. */
  wrongType(value: unknown, wanted: string, into?: string, isNumberShown = false): undefined {
    if (this.isFull()) return;
    const found = jsonType(value);
    this.report({
      code: "wrong_type",
      path: [...this.path],
      found: found === "number" && isNumberShown ? `number ${numberText(value)}` : found,
      wanted,
      ...(this.merged && into !== undefined && { conversion: { from: goKind(value), into } }),
      ...fieldNames(this.root, this.path, this.namesEmbedded),
    });
  }

  badValue(code: BadValue["code"], message: string): undefined {
    if (this.isFull()) return;
    this.report({ code, path: [...this.path], message });
  }

  /** Whether another error would be of no use: the list is full, and the one that ends the request is known. */
  private isFull(): boolean {
    if (this.errorCount < MAX_FIELD_ERRORS || this.ending === undefined) return false;
    this.errorCount += 1;
    return true;
  }

  private report(error: DecodeError): void {
    this.errorCount += 1;
    this.lastError = error;
    this.errors ??= [];
    if (this.errors.length < MAX_FIELD_ERRORS) this.errors.push(error);
  }
}

/** The name that Go's decoder gives the field at a path: its struct, and the fields that lead there, embedded structs included. */
function fieldNames(
  root: GoStruct,
  path: readonly PathStep[],
  namesEmbedded: boolean,
): { struct?: string; fields?: readonly string[] } {
  let struct: GoStruct | undefined = root;
  let type: ValueType | undefined;
  let owner: string | undefined;
  const fields: string[] = [];
  for (const step of path) {
    if (type?.code === "list" || type?.code === "map") {
      type = type.of;
    } else {
      const field: GoField | undefined = struct?.byName.get(String(step));
      if (field === undefined) break;
      owner = struct!.goName;
      if (namesEmbedded) fields.push(...field.embedded);
      fields.push(field.name);
      type = field.type.code.startsWith("schemaOr") ? field.type.of : field.type;
    }
    struct = type?.code === "struct" ? type.struct!() : undefined;
  }
  return owner === undefined ? {} : { struct: owner, fields };
}
