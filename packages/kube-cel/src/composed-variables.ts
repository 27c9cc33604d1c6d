// `variables`: named expressions of a policy that later ones may use, each evaluated when it is first read.
// Upstream: apiserver pkg/admission/plugin/cel/composition.go, pkg/cel/lazy/lazy.go.

import { quoteGo } from "@celadon/base";
import { CelError, celError, DYN, listOf, MapValue, mapOf, type Type, type Value } from "@celadon/cel";
import type { StructType } from "@celadon/cel/types";
import { noSuchOverload } from "@celadon/cel/values";
import { declaredType } from "./declared-type.ts";

const NO_FIELDS = declaredType("kubernetes.variables", {});

/**
 * The type of `variables` given the types of the expressions so far; one that did not compile is dyn. Types may be added later: a policy
 * with hundreds of variables that each name the previous one is not copied for each of them.
 */
export function variablesType(types: ReadonlyMap<string, Type | undefined>): StructType {
  return {
    ...NO_FIELDS,
    field: (name) => (types.has(name) ? { name, type: fieldTypeOf(types.get(name)), key: name } : undefined),
    fieldNames: () => [...types.keys()],
  };
}

/** Scalars, lists and maps keep their type; everything else is dyn to the expressions that use it. */
function fieldTypeOf(type: Type | undefined): Type {
  switch (type?.kind) {
    case "any":
    case "bool":
    case "bytes":
    case "double":
    case "duration":
    case "int":
    case "null":
    case "string":
    case "timestamp":
    case "uint":
      return type;
    case "list":
      return listOf(fieldTypeOf(type.params[0]));
    case "map":
      return mapOf(fieldTypeOf(type.params[0]), fieldTypeOf(type.params[1]));
    default:
      return DYN;
  }
}

/** The value of `variables`. The result of an expression, value or error, is kept for the next reader. */
export class ComposedVariables extends MapValue {
  readonly #expressions: ReadonlyMap<string, () => Value | CelError>;
  readonly #values = new Map<string, Value | CelError>();

  constructor(expressions: ReadonlyMap<string, () => Value | CelError>) {
    super();
    this.#expressions = expressions;
  }
  override get size(): number {
    return this.#expressions.size;
  }
  override find(key: Value): Value | CelError | undefined {
    if (typeof key !== "string") return noSuchOverload();
    if (this.#values.has(key)) return this.#values.get(key);
    const expression = this.#expressions.get(key);
    if (expression === undefined) return undefined;
    const value = expression();
    this.#values.set(key, value);
    return value;
  }
  override keys(): Iterable<string> {
    return this.#expressions.keys();
  }
  override equals(other: Value): boolean | CelError {
    return other instanceof ComposedVariables ? this === other : noSuchOverload();
  }
}

/** The error of reading a variable that does not compile. */
export const variableFailsToCompile = (name: string, message: string): CelError =>
  celError("internal", `composited variable ${quoteGo(name)} fails to compile: ${message}`);

/** The error of reading a variable that failed. */
export const variableFailsToEvaluate = (name: string, cause: CelError): CelError =>
  new CelError("internal", `composited variable ${quoteGo(name)} fails to evaluate: ${cause.message}`, 0, cause);
