// A new webhook configuration as an API server accepts it: decoded, defaulted, validated.

import { type AcceptedResource, gvkOf, nameOf } from "@celadon/kube";
import { badRequest, invalidObject } from "@celadon/kube/status";
import type { CheckingOptions } from "../resources/expression-checks.ts";
import type { WebhookConfiguration } from "./configuration.ts";
import { decodeConfiguration } from "./defaults.ts";
import { configurationWarnings, validateConfiguration } from "./validate.ts";

/** Reads a webhook configuration as the API server does: decodes, sets defaults, validates. */
export function acceptConfiguration(
  object: WebhookConfiguration,
  options: CheckingOptions = {},
): AcceptedResource<WebhookConfiguration> {
  const { configuration: resource, unknownFields, error, errorAt } = decodeConfiguration(object);
  if (error !== undefined) {
    const status = badRequest(error);
    return { status, errors: [], ...(errorAt && { unreadable: errorAt }), unknownFields, warnings: [] };
  }
  const errors = validateConfiguration(resource, undefined, options);
  const found = { resource, errors, unknownFields, warnings: configurationWarnings(resource) };
  return errors.length === 0 ? found : { ...found, status: invalidObject(gvkOf(object), nameOf(object), errors) };
}
