// The schema of one version: keywords, structure, defaults, rules, in the order their errors are reported.

import { pushAll } from "@celadon/base";
import { type FieldError, type FieldPath, forbiddenField, invalidValue, ShownText } from "@celadon/kube/errors";
import { TotalCost } from "../rules/cost.ts";
import { rootScope } from "../rules/rule-scope.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { keywordErrors } from "../schema/keywords.ts";
import { SCHEMA, schemaAsGo } from "../schema/read-schema.ts";
import { conversionProblem, structuralErrors } from "../schema/structural.ts";
import { defaultErrors } from "./default-values.ts";
import type { DefinitionOptions } from "./relaxations.ts";
import type { ValidateDefinitionOptions } from "./validate-definition.ts";

export interface SchemaContext {
  readonly hasStatus: boolean;
  readonly options: DefinitionOptions;
  /** Single rules have no cost limit. */
  readonly anyCost: boolean;
  readonly asked: ValidateDefinitionOptions;
}

/** `path` is the path of the schema's holder. */
export function schemaErrors(schema: JsonSchema, path: FieldPath, context: SchemaContext): FieldError[] {
  const { options, asked } = context;
  const here = path.child("openAPIV3Schema");
  const errors: FieldError[] = [];
  if (context.hasStatus) pushAll(errors, statusRootErrors(schema, path));
  if (schema.nullable)
    errors.push(forbiddenField(path.child("openAPIV3Schema", "nullable"), "nullable cannot be true at the root"));

  let rulesMayCompile = false;
  let conversion: string | undefined;
  if (options.structural) {
    conversion = conversionProblem(schema);
    if (conversion === undefined) {
      const structural = structuralErrors(schema, here);
      const wrong =
        structural.length > 0 ? structural : defaultErrors(schema, here, options.prunedDefaults, asked.kubeVersion);
      pushAll(errors, wrong);
      rulesMayCompile = wrong.length === 0;
    }
  }
  const total = new TotalCost();
  const rules = rulesMayCompile
    ? rootScope(schema, {
        anyCost: context.anyCost,
        total,
        isKnownRule: (rule) => options.knownRules.has(rule),
        isKnownMessage: (expression) => options.knownMessages.has(expression),
        ...(asked.onCost && { onCost: asked.onCost }),
        ...(asked.kubeVersion && { kubeVersion: asked.kubeVersion }),
      })
    : undefined;
  const found = keywordErrors(schema, here, options, rules);
  pushAll(errors, found.schema, found.rules);
  if (errors.length === 0 && conversion !== undefined) errors.push(invalidValue(here, "", conversion));
  if (rules) pushAll(errors, total.errors(here));
  return errors;
}

const ALLOWED_AT_ROOT = [
  "Description",
  "Type",
  "Format",
  "Title",
  "Maximum",
  "ExclusiveMaximum",
  "Minimum",
  "ExclusiveMinimum",
  "MaxLength",
  "MinLength",
  "Pattern",
  "MaxItems",
  "MinItems",
  "UniqueItems",
  "MultipleOf",
  "Required",
  "Items",
  "Properties",
  "ExternalDocs",
  "Example",
  "XPreserveUnknownFields",
  "XValidations",
];

/** With a status subresource the root may only have keywords that stay valid without status. Only the first error is reported. */
function statusRootErrors(schema: JsonSchema, path: FieldPath): FieldError[] {
  for (const { name, go } of SCHEMA.fields.values()) {
    const key = name === "items" && schema.itemsList ? "itemsList" : (name as keyof JsonSchema);
    if (schema[key] === undefined) continue;
    if (go === "Type" && schema.type !== "object") {
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalidValue(path.child("openAPIV3Schema", "type"), schema.type, detail)];
    }
    if (!ALLOWED_AT_ROOT.includes(go)) {
      const allowed = `[${ALLOWED_AT_ROOT.join(" ")}]`;
      const detail = `only ${allowed} fields are allowed at the root of the schema if the status subresource is enabled`;
      return [invalidValue(path.child("openAPIV3Schema"), new ShownText(schemaAsGo(schema)), detail)];
    }
  }
  return [];
}
