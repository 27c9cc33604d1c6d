// The rules of a whole schema, compiled: nodes without rules at or below them are left out.

import { isEmbedded, type JsonSchema, propertiesOf, rulesOf, valuesOf } from "../schema/json-schema.ts";
import { compileRules, type RuleOptions } from "./compile-rules.ts";
import type { RuleNode } from "./evaluate.ts";

/** Undefined when no rule is anywhere in the schema. */
export function compileRuleTree(
  schema: JsonSchema,
  isResource: boolean,
  options: RuleOptions = {},
  schemaPath: readonly string[] = [],
): RuleNode | undefined {
  if (!hasRules(schema)) return undefined;
  const list = rulesOf(schema);
  const compiled = list.length === 0 ? undefined : compileRules(schema, isResource, options);
  const rules = compiled?.rules ?? [];
  const child = (jsonSchema: JsonSchema | undefined, ...below: string[]): RuleNode | undefined =>
    jsonSchema && compileRuleTree(jsonSchema, isEmbedded(jsonSchema), options, [...schemaPath, ...below]);
  const properties = new Map<string, RuleNode>();
  for (const [name, property] of propertiesOf(schema)) {
    const node = child(property, "properties", name);
    if (node) properties.set(name, node);
  }
  return {
    schema,
    schemaPath,
    isResource,
    rules,
    problem:
      list.length > 0 && compiled === undefined ? "failed to convert to declType for CEL validation rules" : undefined,
    usesOldSelf: rules.some((rule) => rule.usesOldSelf),
    properties,
    values: child(valuesOf(schema), "additionalProperties"),
    items: child(schema.items, "items"),
  };
}

const known = new WeakMap<JsonSchema, boolean>();

/** Whether a rule stands at this schema or below it. */
function hasRules(schema: JsonSchema): boolean {
  let has = known.get(schema);
  if (has === undefined) {
    const children = [...propertiesOf(schema).map(([, property]) => property), schema.items, valuesOf(schema)];
    has = rulesOf(schema).length > 0 || children.some((child) => child !== undefined && hasRules(child));
    known.set(schema, has);
  }
  return has;
}
