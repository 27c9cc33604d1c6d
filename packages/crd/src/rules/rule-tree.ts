// The rules of a whole schema, compiled: nodes without rules at or below them are left out.

import { escapeName } from "@celadon/kube-cel/schema";
import { isEmbedded, type JsonSchema, propertiesOf, rulesOf, valuesOf } from "../schema/json-schema.ts";
import { compileRules, NO_TYPE, type RuleOptions } from "./compile-rules.ts";
import { type Declared, declaredAlone, declaredElement, declaredProperty } from "./declared.ts";
import type { RuleNode } from "./evaluate.ts";

/** Undefined when no rule would ever be evaluated. */
export function compileRuleTree(
  schema: JsonSchema,
  isResource: boolean,
  options: RuleOptions = {},
): RuleNode | undefined {
  return compileNode(schema, isResource, declaredAlone(schema, isResource), options, []);
}

function compileNode(
  schema: JsonSchema,
  isResource: boolean,
  declared: Declared | undefined,
  options: RuleOptions,
  schemaPath: readonly string[],
): RuleNode | undefined {
  if (!hasRules(schema)) return undefined;
  const hasOwn = rulesOf(schema).length > 0;
  const rules = hasOwn && declared ? compileRules(schema, declared, options).rules : [];
  const problem = hasOwn && declared === undefined ? NO_TYPE : undefined;
  const child = (of: JsonSchema, type: Declared | undefined, ...below: string[]): RuleNode | undefined =>
    compileNode(of, isEmbedded(of), type, options, [...schemaPath, ...below]);
  const properties = new Map<string, RuleNode>();
  for (const [name, property] of propertiesOf(schema)) {
    const type = fieldType(declared, name, property);
    const node = type && child(property, type, "properties", name);
    if (node) properties.set(name, node);
  }
  const element = declared && declaredElement(declared);
  const below = valuesOf(schema);
  const values = below && child(below, element, "additionalProperties");
  const items = schema.items && child(schema.items, element, "items");
  if (!hasOwn && properties.size === 0 && values === undefined && items === undefined) return undefined;
  const usesOldSelf = rules.some((rule) => rule.usesOldSelf);
  return { schema, schemaPath, isResource, rules, problem, usesOldSelf, properties, values, items };
}

/** The rules of a property are left out where the object around it has no field for it, unless only its name cannot be written. */
function fieldType(outer: Declared | undefined, name: string, property: JsonSchema): Declared | undefined {
  if (escapeName(name) === undefined) return declaredAlone(property);
  return outer && declaredProperty(outer, name);
}

const known = new WeakMap<JsonSchema, boolean>();

/** Whether this schema or one below it has a rule. */
function hasRules(schema: JsonSchema): boolean {
  let has = known.get(schema);
  if (has === undefined) {
    const children = [...propertiesOf(schema).map(([, property]) => property), schema.items, valuesOf(schema)];
    has = rulesOf(schema).length > 0 || children.some((child) => child !== undefined && hasRules(child));
    known.set(schema, has);
  }
  return has;
}
