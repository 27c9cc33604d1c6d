// A webhook configuration as an API server accepts it: decoded, defaulted, prepared, validated.

import { type AcceptedResource, gvkOf, nameOf } from "@celadon/kube";
import { badRequest, invalidObject } from "@celadon/kube/status";
import type { AcceptOptions } from "../resources/accept.ts";
import type { WebhookConfiguration } from "./configuration.ts";
import { decodeConfiguration } from "./defaults.ts";
import { configurationWarnings, validateConfiguration } from "./validate.ts";

/** Reads a webhook configuration as the API server does: decodes, sets defaults, validates. */
export function acceptConfiguration(
  object: WebhookConfiguration,
  { old, prepare, ...options }: AcceptOptions<WebhookConfiguration> = {},
): AcceptedResource<WebhookConfiguration> {
  const { configuration, unknownFields, error, errorAt } = decodeConfiguration(object);
  if (error !== undefined) {
    const status = badRequest(error);
    return { status, errors: [], ...(errorAt && { unreadable: errorAt }), unknownFields, warnings: [] };
  }
  const resource = prepare?.(configuration) ?? configuration;
  const errors = validateConfiguration(resource, old, options);
  const found = { resource, errors, unknownFields, warnings: configurationWarnings(configuration) };
  return errors.length === 0 ? found : { ...found, status: invalidObject(gvkOf(object), nameOf(object), errors) };
}
