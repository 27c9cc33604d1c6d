// The type of a node in expressions. Inside a typed node, a node has the type that the outer one declares for it: a hidden field has no
// type, even if its own schema describes it. Upstream: validator in apiextensions-apiserver pkg/apiserver/schema/cel/validation.go.

import { declareType, escapeName, withResourceMeta } from "@celadon/kube-cel/schema";
import { isEmbedded, isIntOrString, type JsonSchema, propertyOf, valuesOf } from "../schema/json-schema.ts";
import { SELF_TYPE } from "./environment.ts";

/** The schema whose declared type a node has: its own, except for the metadata of resources. */
export interface Declared {
  readonly schema: JsonSchema;
  readonly resource: boolean;
}

/** A schema by itself; undefined when expressions cannot see such data. */
export function declaredAlone(schema: JsonSchema, resource: boolean = isEmbedded(schema)): Declared | undefined {
  return declareType(schema, SELF_TYPE, { resource }) === undefined ? undefined : { schema, resource };
}

/** A property as the object around it declares it; undefined when that has no such field. */
export function declaredProperty(outer: Declared, name: string): Declared | undefined {
  const schema = (outer.resource ? withResourceMeta(outer.schema) : outer.schema) as JsonSchema;
  if (isIntOrString(schema) || schema.type !== "object" || valuesOf(schema) || escapeName(name) === undefined)
    return undefined;
  const property = propertyOf(schema, name);
  return property && declaredAlone(property);
}

/** The elements of a list, or the values of a map; undefined when the outer type has neither. */
export function declaredElement({ schema }: Declared): Declared | undefined {
  if (isIntOrString(schema)) return undefined;
  const element = schema.type === "array" ? schema.items : schema.type === "object" ? valuesOf(schema) : undefined;
  return element && declaredAlone(element);
}
