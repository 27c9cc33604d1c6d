// The schema of the chart's values, made from the values themselves: Helm refuses a misspelt value instead of ignoring it.

import { isRecord } from "@celadon/base";
import { readDocuments } from "@celadon/kube/read";

/** Values that a schema says more about than their type. */
const RULES: Readonly<Record<string, object>> = {
  replicas: { type: "integer", minimum: 1 },
  schedule: { type: "string", minLength: 1 },
  extraArgs: { type: "array", items: { type: "string" } },
  cpu: { type: ["string", "integer"] },
  memory: { type: ["string", "integer"] },
};

/** A JSON schema, as text. `values` is the text of values.yaml. */
export function valuesSchema(values: string): string {
  const value = readDocuments(values).documents[0]?.value;
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Values of the chart",
    ...schemaOf("", value),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

function schemaOf(name: string, value: unknown): object {
  const rule = RULES[name];
  if (rule !== undefined) return rule;
  if (Array.isArray(value)) return { type: "array", items: { type: "object" } };
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([key, inner]) => [key, schemaOf(key, inner)] as const);
    // An empty one is filled by the user, as Kubernetes defines it.
    if (entries.length === 0) return { type: "object" };
    // Helm hands charts values that are global to several.
    const global = name === "" ? { global: { type: "object" } } : {};
    return { type: "object", additionalProperties: false, properties: { ...global, ...Object.fromEntries(entries) } };
  }
  return { type: typeof value === "boolean" ? "boolean" : "string" };
}
