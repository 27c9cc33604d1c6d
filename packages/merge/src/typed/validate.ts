// Whether a value has its type: declared fields only, scalars of the right sort, items that can be distinguished.
// Upstream: structured-merge-diff typed/validate.go.

import { goTypeName } from "@celadon/base";
import { Invalid, MAX_FIELD_ERRORS } from "@celadon/kube/errors";
import { elementText, fieldElement, indexElement, type PathElement } from "../fieldpath/path-element.ts";
import { type ListType, type MapType, type MergeType, type Scalar, UNDECLARED } from "../schema/merge-type.ts";
import { ForeignValue, formOf, isMap, type JsonMap, shownSyntax, shownValue } from "../value/value.ts";
import { formIn } from "./forms.ts";
import { itemElement } from "./item-element.ts";
import type { TypeProblem } from "./problem.ts";

/** Options for validating a value. */
export interface ValidateOptions {
  /** Stored objects may have items with the same keys; applied ones may not. */
  readonly allowDuplicates?: boolean;
}

/** Finds the parts of a value that do not fit its type. */
export function validateValue(type: MergeType, value: unknown, options: ValidateOptions = {}): readonly TypeProblem[] {
  const walk = new Walk(options.allowDuplicates === true);
  walk.value(type, value);
  return walk.problems;
}

/** Objects that were found to be of a type. Objects are immutable, so a valid one stays valid. */
const valid = new WeakMap<object, MergeType>();

/** The same of an object that is stored, which may come again and again and have items with the same keys. */
export function validateStored(type: MergeType, object: object): readonly TypeProblem[] {
  if (valid.get(object) === type) return [];
  const problems = validateValue(type, object, { allowDuplicates: true });
  if (problems.length === 0) valid.set(object, type);
  return problems;
}

class Walk {
  readonly problems: TypeProblem[] = [];
  readonly #path: PathElement[] = [];
  readonly #allowDuplicates: boolean;

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  value(type: MergeType, value: unknown): void {
    if (isPlainScalar(type.scalar, value)) return;
    switch (formIn(type, value)) {
      case "map":
        this.#map(type.map!, value);
        break;
      case "scalar":
        this.#scalar(type.scalar!, value);
        break;
      case "list":
        this.#list(type.list!, value);
        break;
      case "none":
        this.#report("schema error: invalid atom: inlined");
    }
  }

  #report(message: string): void {
    if (this.problems.length < MAX_FIELD_ERRORS) this.problems.push({ path: [...this.#path], message });
  }

  #below(element: PathElement, type: MergeType, value: unknown): void {
    this.#path.push(element);
    this.value(type, value);
    this.#path.pop();
  }

  #scalar(type: Scalar, value: unknown): void {
    const problem = scalarProblem(type, value);
    if (problem !== undefined) this.#report(problem);
  }

  #map(type: MapType, value: unknown): void {
    if (value === null) return;
    if (isMap(value)) this.#members(type, value);
    else this.#report(`expected map, got ${shownValue(value)}`);
  }

  #members(type: MapType, map: JsonMap): void {
    for (const key of Object.keys(map)) {
      const declared = type.field(key)?.type ?? type.others;
      if (declared !== undefined && isPlainScalar(declared.scalar, map[key])) continue;
      this.#path.push(fieldElement(key));
      // Like upstream, the rest of the map is not checked.
      if (declared === undefined || declared === UNDECLARED) this.#report("field not declared in schema");
      else this.value(declared, map[key]);
      this.#path.pop();
      if (declared === undefined || declared === UNDECLARED) return;
    }
  }

  #list(type: ListType, value: unknown): void {
    if (value === null) return;
    if (!Array.isArray(value)) this.#report(`expected list, got ${shownValue(value)}`);
    else if (type.associative) this.#items(type, value);
    else {
      for (let i = 0; i < value.length && this.problems.length < MAX_FIELD_ERRORS; i++) {
        if (!isPlainScalar(type.items.scalar, value[i])) this.#below(indexElement(i), type.items, value[i]);
      }
    }
  }

  #items(type: ListType, list: readonly unknown[]): void {
    const seen = new Set<PathElement>();
    for (let i = 0; i < list.length; i++) {
      const item = list[i];
      const element = itemElement(type, item);
      if (element instanceof Invalid) {
        this.#report(`element ${i}: ${element.message}`);
        return;
      }
      if (seen.has(element) && !this.#allowDuplicates) {
        this.#report(`duplicate entries for key ${elementText(element)}`);
      }
      seen.add(element);
      this.#below(element, type.items, item);
    }
  }
}

/** Most values: scalars of the form their type has. */
export function isPlainScalar(scalar: Scalar | undefined, value: unknown): boolean {
  switch (scalar) {
    case undefined:
      return false;
    case "string":
      return typeof value === "string";
    case "numeric":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "untyped":
      return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  }
}

/** Why a value is not this scalar. An absent value and null always are. */
export function scalarProblem(scalar: Scalar, value: unknown, prefix = ""): string | undefined {
  if (value === undefined || value === null) return undefined;
  const form = formOf(value);
  switch (scalar) {
    case "numeric":
      if (form === "integer" || form === "float") return undefined;
      return `${prefix}expected numeric (int or float), got ${value instanceof ForeignValue ? value.goType : goTypeName(value)}`;
    case "string":
      return form === "string" ? undefined : `${prefix}expected string, got ${shownSyntax(value)}`;
    case "boolean":
      return form === "boolean" ? undefined : `${prefix}expected boolean, got ${shownValue(value)}`;
    case "untyped":
      return form === "list" || form === "map" || form === "foreign"
        ? `${prefix}expected any scalar, got ${shownValue(value)}`
        : undefined;
  }
}
