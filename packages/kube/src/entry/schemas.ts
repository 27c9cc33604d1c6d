// OpenAPI schemas as Kubernetes writes them, and the definitions that contain them.

export { type CustomResource, type CustomResourceVersion, readCustomResource } from "../schema/custom-resource.ts";
export { type OpenApiSchemas, readOpenApi } from "../schema/openapi.ts";
export { readSchema } from "../schema/read-schema.ts";
export type { Schema, ValidationRule } from "../schema/schema.ts";
