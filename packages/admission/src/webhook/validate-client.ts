// Errors of `clientConfig`: where a webhook is called.

import { type FieldError, type FieldPath, requiredValue } from "@celadon/kube/errors";
import { validateWebhookService, validateWebhookUrl } from "@celadon/kube-cel/url";
import type { ClientConfig } from "./configuration.ts";

export function validateClient({ url, service }: ClientConfig, path: FieldPath): FieldError[] {
  const hasUrl = url !== undefined && url !== null;
  const hasService = service !== undefined && service !== null;
  if (hasUrl === hasService) return [requiredValue(path, "exactly one of url or service is required")];
  return hasUrl ? validateWebhookUrl(url, path.child("url")) : validateWebhookService(service!, path.child("service"));
}
