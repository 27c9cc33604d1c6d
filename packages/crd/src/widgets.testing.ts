// A definition to try schemas in: widgets.example.com, one version.

import type { JsonObject } from "@celadon/base";
import { type FieldError, fieldErrorText } from "@celadon/kube/errors";
import { admitDefinition } from "./admit.ts";
import type { CustomResourceDefinition } from "./definition/definition.ts";
import { type CompileDefinitionOptions, CustomResourceType, type ResourceVersion } from "./resource.ts";

export interface WidgetOptions {
  readonly subresources?: JsonObject;
  readonly versions?: readonly JsonObject[];
  readonly spec?: JsonObject;
}

export function widgetDefinition(schema: unknown, { subresources, versions, spec }: WidgetOptions = {}): JsonObject {
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    ...(subresources && { subresources }),
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: versions ?? [version],
      ...spec,
    },
  };
}

/** A schema with the given `spec`. */
export function specSchema(spec: unknown): JsonObject {
  return { type: "object", properties: { spec } };
}

/** A schema whose `spec` is an object with these properties. */
export function withProperties(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return specSchema({ type: "object", properties, ...more });
}

/** The problems of a definition: causes with their paths, the path of the schema left out. */
export function definitionProblems(definition: JsonObject, old?: CustomResourceDefinition): string[] {
  const answer = admitDefinition(definition, old);
  if (answer.allowed) return [];
  const { causes = [] } = answer.status.details ?? {};
  if (causes.length === 0) return [answer.status.message ?? ""];
  return causes.map(({ field, message }) => `${field}: ${message}`.replace("spec.validation.openAPIV3Schema", "$"));
}

export function accepted(definition: JsonObject, old?: CustomResourceDefinition): CustomResourceDefinition {
  const answer = admitDefinition(definition, old);
  if (!answer.allowed) throw new Error(answer.status.message);
  return answer.object;
}

export function widgets(schema: unknown, options: WidgetOptions & CompileDefinitionOptions = {}): ResourceVersion {
  return new CustomResourceType(accepted(widgetDefinition(schema, options)), options).version("v1")!;
}

/** An object as a client would send it. */
export function widget(fields: JsonObject, name = "w"): JsonObject {
  return {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name, namespace: "default", resourceVersion: "1", uid: "u" },
    ...fields,
  };
}

export function texts(errors: readonly FieldError[]): string[] {
  return errors.map(fieldErrorText);
}
