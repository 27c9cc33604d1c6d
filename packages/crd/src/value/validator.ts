// Value validation: a schema compiled once into nodes that check values, with the texts, order and oddities of the reference (kube-openapi
// pkg/validation/validate). Nothing is allocated for a correct value except its path.

import { deepEqual, type JsonKind, type JsonObject, jsonKind, quoteGo } from "@celadon/base";
import { isError } from "@celadon/cel";
import { compileRegex } from "@celadon/cel/regex";
import { type FieldError, FieldPath } from "@celadon/kube/errors";
import { type Emulation, emulationOf } from "@celadon/kube/versions";
import { numberOf } from "../json.ts";
import { isIntOrString, type JsonSchema, propertiesOf } from "../schema/json-schema.ts";
import type { Correlation } from "./correlation.ts";
import { enumTexts, matchesEnum } from "./enums.ts";
import { checkJunctors } from "./junctors.ts";
import { checkNumber, isJsonInteger, isUnlimited, type NumberLimits, numberLimits } from "./numbers.ts";
import { type EnumTexts, ValueProblems } from "./problems.ts";
import { knownFormat, type StringFormat, stringFormat } from "./string-formats.ts";

/** Options for validating values by a schema. */
export interface ValidatorOptions {
  /**
   * Take the schema literally: unknown formats count and int-or-string is no type. Defaults are validated like that.
   */
  readonly literal?: boolean;
  /** The server whose formats and words count; the newest by default. */
  readonly by?: Emulation;
}

/** A compiled schema. */
export class ValueValidator {
  private readonly root: ValueNode;

  constructor(schema: JsonSchema, options: ValidatorOptions = {}) {
    this.root = new ValueNode(schema, options.literal === true, options.by ?? emulationOf());
  }

  /** Validates a value; an unchanged one is ratcheted if it has an old value. */
  validate(
    value: unknown,
    options: { readonly prefix?: FieldPath; readonly correlation?: Correlation | undefined } = {},
  ): FieldError[] {
    const problems = new ValueProblems();
    this.root.checkRatcheting(value, "", problems, options.correlation);
    return problems.count === 0 ? [] : problems.fieldErrors(options.prefix ?? FieldPath.root);
  }
}

export class ValueNode {
  readonly types: readonly string[];
  readonly format: string;
  readonly properties: ReadonlyMap<string, ValueNode>;
  readonly values: ValueNode | undefined;
  readonly items: ValueNode | undefined;
  readonly anyOf: readonly ValueNode[];
  readonly oneOf: readonly ValueNode[];
  readonly allOf: readonly ValueNode[];
  readonly not: ValueNode | undefined;
  readonly hasFormatCheck: boolean;
  private readonly schema: JsonSchema;
  private readonly by: Emulation;
  private readonly numbers: NumberLimits | undefined;
  private readonly acceptsFormat: StringFormat | undefined;
  private readonly pattern: ((text: string) => boolean) | undefined;
  private readonly hasJunctors: boolean;
  private readonly closed: boolean;
  /** Whether no value can be wrong here or below. */
  private readonly trivial: boolean;
  /** Made for the first value that is none of them. */
  private enumTexts: EnumTexts | undefined;

  constructor(schema: JsonSchema, literal: boolean, by: Emulation) {
    const child = (jsonSchema: JsonSchema): ValueNode => new ValueNode(jsonSchema, literal, by);
    this.schema = schema;
    this.by = by;
    const { type, format = "" } = schema;
    this.types = isIntOrString(schema) && !literal ? ["integer", "string"] : type === undefined ? [] : [type];
    this.format = literal || knownFormat(this.types.length === 1 ? type : undefined, format, by) ? format : "";
    this.acceptsFormat = this.format === "" ? undefined : stringFormat(this.format);
    this.hasFormatCheck = this.acceptsFormat !== undefined;
    this.pattern = schema.pattern === undefined ? undefined : patternTest(schema.pattern);
    const numbers = numberLimits(schema, this.types, this.format, by);
    this.numbers = isUnlimited(numbers) ? undefined : numbers;
    this.anyOf = (schema.anyOf ?? []).map(child);
    this.oneOf = (schema.oneOf ?? []).map(child);
    this.allOf = (schema.allOf ?? []).map(child);
    this.not = schema.not && child(schema.not);
    this.hasJunctors = this.anyOf.length + this.oneOf.length + this.allOf.length > 0 || this.not !== undefined;
    this.properties = new Map(propertiesOf(schema).map(([name, jsonSchema]) => [name, child(jsonSchema)]));
    const { additionalProperties } = schema;
    this.closed = additionalProperties === false;
    this.values = typeof additionalProperties === "object" ? child(additionalProperties) : undefined;
    this.items = schema.items && child(schema.items);
    this.trivial = this.isTrivial();
  }

  private isTrivial(): boolean {
    const { schema, items, values } = this;
    const own =
      this.types.length > 0 ||
      this.format !== "" ||
      this.hasJunctors ||
      this.closed ||
      this.numbers !== undefined ||
      LIMITS.some((keyword) => schema[keyword] !== undefined);
    if (own || (items && !items.trivial) || (values && !values.trivial)) return false;
    for (const property of this.properties.values()) if (!property.trivial) return false;
    return true;
  }

  /** Checks, and removes problems that the unchanged value had before. */
  checkRatcheting(value: unknown, path: string, problems: ValueProblems, correlation: Correlation | undefined): void {
    if (this.trivial) return;
    const before = problems.count;
    this.check(value, path, problems, correlation);
    if (correlation !== undefined && problems.count > before && correlation.equal()) problems.forget(before);
  }

  check(value: unknown, path: string, problems: ValueProblems, correlation?: Correlation): void {
    if (value === null || value === undefined) {
      if (!this.acceptsNull()) problems.wrongType(path, this.types.join(","), "null");
      this.checkEnum(null, path, problems);
      return;
    }
    const kind = jsonKind(value);
    this.checkType(value, kind, path, problems);
    if (this.hasJunctors) checkJunctors(this, value, path, problems);
    if (kind === "string") this.checkString(value as string, path, problems);
    else if (kind === "integer" || kind === "number") {
      if (this.numbers) checkNumber(value, this.numbers, path, problems);
    } else if (kind === "array") this.checkList(value as readonly unknown[], path, problems, correlation);
    this.checkEnum(value, path, problems);
    if (kind === "object") this.checkObject(value as JsonObject, path, problems, correlation);
  }

  /** Whether a value has nothing wrong with it. */
  accepts(value: unknown): boolean {
    const problems = new ValueProblems(0);
    this.check(value, "", problems);
    return problems.count === 0;
  }

  acceptsNull(): boolean {
    return this.types.length === 0 || this.schema.nullable === true;
  }

  private checkType(value: unknown, kind: JsonKind, path: string, problems: ValueProblems): void {
    const found = this.typeMismatch(value, kind);
    if (found !== undefined) problems.wrongType(path, found.wanted, found.found);
  }

  typeMismatch(value: unknown, kind: JsonKind): { readonly wanted: string; readonly found: string } | undefined {
    const { types, format } = this;
    if (types.length === 0 && format === "") return undefined;
    if (types.length === 1 && types[0] === kind) return undefined;
    const matches =
      types.includes(kind) ||
      (kind === "integer" && types.includes("number")) ||
      (kind === "number" && types.includes("integer") && isJsonInteger(numberOf(value)));
    if (matches) return undefined;
    const textual = kind === "string" || kind === "array";
    const found = GO_FORMATS[kind] ?? "";
    if (format !== "" && !textual && format !== found) return { wanted: format, found };
    if (format !== "" && textual && !types.includes("number") && !types.includes("integer")) return undefined;
    return { wanted: types.join(","), found: kind };
  }

  private checkString(text: string, path: string, problems: ValueProblems): void {
    const { maxLength, minLength, pattern } = this.schema;
    if (maxLength !== undefined && text.length > maxLength && codePoints(text) > maxLength) {
      const limit = tooLong(maxLength, this.by);
      const same = `${path} in body should be at most ${maxLength} chars long`;
      problems.add("FieldValueTooLong", path, text, limit, same);
    } else if (minLength !== undefined && (text.length < minLength || codePoints(text) < minLength)) {
      problems.invalid(path, text, `${path} in body should be at least ${minLength} chars long`);
    } else if (this.pattern && !this.pattern(text)) {
      problems.invalid(path, text, `${path} in body should match '${pattern}'`);
    }
    if (this.acceptsFormat && !this.acceptsFormat(text)) problems.wrongType(path, this.format, text);
  }

  private checkList(
    list: readonly unknown[],
    path: string,
    problems: ValueProblems,
    correlation: Correlation | undefined,
  ): void {
    const { items } = this;
    if (items && !items.trivial) {
      // An item that is ratcheted takes its problems back, and the next one may have some that are kept.
      for (let i = 0; i < list.length && !(problems.isDecided && correlation === undefined); i++) {
        problems.at.push(i);
        items.checkRatcheting(list[i], `${path}[${i}]`, problems, correlation?.index(i));
        problems.at.pop();
      }
    }
    const { minItems, maxItems, uniqueItems } = this.schema;
    if (minItems !== undefined && list.length < minItems) {
      problems.invalid(path, list.length, `${path} in body should have at least ${minItems} items`);
    }
    if (maxItems !== undefined && list.length > maxItems) this.tooMany(list.length, maxItems, "items", path, problems);
    if (uniqueItems && hasDuplicates(list)) problems.invalid(path, "", `${path} in body shouldn't contain duplicates`);
  }

  private tooMany(count: number, max: number, what: string, path: string, problems: ValueProblems): void {
    const limit = max < 0 ? "has too many items" : `must have at most ${max} item${max === 1 ? "" : "s"}`;
    problems.add("FieldValueTooMany", path, count, limit, `${path} in body should have at most ${max} ${what}`);
  }

  private checkObject(
    object: JsonObject,
    path: string,
    problems: ValueProblems,
    correlation: Correlation | undefined,
  ): void {
    const { minProperties, maxProperties, required } = this.schema;
    const keys = Object.keys(object);
    if (minProperties !== undefined && keys.length < minProperties) {
      problems.invalid(path, keys.length, `${path} in body should have at least ${minProperties} properties`);
    }
    if (maxProperties !== undefined && keys.length > maxProperties) {
      this.tooMany(keys.length, maxProperties, "properties", path, problems);
    }
    for (const key of keys) {
      if (problems.isDecided && correlation === undefined) return;
      const property = this.properties.get(key);
      if (property !== undefined) {
        if (property.trivial) continue;
        // The server gives every object its version and kind, so these never count as unchanged.
        const isOwn = path === "" && (key === "kind" || key === "apiVersion");
        const below = isOwn || correlation === undefined ? undefined : correlation.key(key);
        problems.at.push(key);
        property.checkRatcheting(object[key], path === "" ? key : `${path}.${key}`, problems, below);
        problems.at.pop();
      } else if (this.values) {
        problems.at.push(key);
        this.values.checkRatcheting(object[key], `${path}.${key}`, problems, correlation?.key(key));
        problems.at.pop();
      } else if (this.closed) {
        problems.invalid(path, key, `${path}.${key} in body is a forbidden property`);
      }
    }
    if (required) {
      for (const key of required) {
        if (!Object.hasOwn(object, key)) problems.missing(`${path}.${key}`, key);
      }
    }
  }

  private checkEnum(value: unknown, path: string, problems: ValueProblems): void {
    const entries = this.schema.enum;
    if (entries === undefined || matchesEnum(value, entries)) return;
    this.enumTexts ??= textsOfEnum(entries);
    problems.notInEnum(path, value, this.enumTexts);
  }
}

function textsOfEnum(entries: readonly unknown[]): EnumTexts {
  const supported = enumTexts(entries);
  const detail = `supported values: ${supported.map((text) => quoteGo(text)).join(", ")}`;
  return { detail, joined: supported.join(" ") };
}

const GO_FORMATS: Readonly<Partial<Record<JsonKind, string>>> = { integer: "int64", number: "float64" };

const LIMITS = [
  "enum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "maxProperties",
  "minProperties",
  "required",
  "uniqueItems",
] as const satisfies readonly (keyof JsonSchema)[];

function patternTest(pattern: string): (text: string) => boolean {
  const regex = compileRegex(pattern);
  return isError(regex) ? () => false : regex.test;
}

function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--;
      i++;
    }
  }
  return count;
}

function hasDuplicates(list: readonly unknown[]): boolean {
  return list.some((item, i) => list.slice(0, i).some((other) => deepEqual(item, other)));
}

/** Since then the limit of a text is named in bytes. */
const BYTES_SINCE = 32;
/** Since then it is one byte. */
const SINGULAR_SINCE = 34;

function tooLong(max: number, by: Emulation): string {
  if (max < 0) return "value is too long";
  if (by.before(BYTES_SINCE)) return `may not be longer than ${max}`;
  return `may not be more than ${max} byte${max === 1 && by.since(SINGULAR_SINCE) ? "" : "s"}`;
}
