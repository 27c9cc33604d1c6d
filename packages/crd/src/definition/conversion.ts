// Conversion between versions: none, or a webhook with its client configuration.

import { pushAll } from "@celadon/base";
import { type FieldPath, forbiddenField, invalidValue, notSupported, requiredValue } from "@celadon/kube/errors";
import { checkDns1035Label } from "@celadon/kube/names";
import { validateWebhookService, validateWebhookUrl } from "@celadon/kube-cel/url";
import type { Conversion, Problems, WebhookClientConfig } from "./definition.ts";

const STRATEGIES = ["None", "Webhook"] as const;
const DEFAULT_PORT = 443;
const REVIEW_VERSIONS: readonly string[] = ["v1", "v1beta1"];

export function conversionErrors(conversion: Conversion, recognized: boolean, path: FieldPath): Problems {
  const { strategy = "", webhook } = conversion;
  const errors: Problems = [];
  const here = path.child("strategy");
  if (strategy === "") errors.push(requiredValue(here));
  else if (!(STRATEGIES as readonly string[]).includes(strategy)) errors.push(notSupported(here, strategy, STRATEGIES));
  const config = path.child("webhookClientConfig");
  const reviews = path.child("conversionReviewVersions");
  if (strategy === "Webhook") {
    pushAll(errors, clientConfigErrors(webhook?.clientConfig, config));
    pushAll(errors, reviewVersionErrors(webhook?.conversionReviewVersions ?? [], recognized, reviews));
    return errors;
  }
  const detail = "should not be set when strategy is not set to Webhook";
  if (webhook?.clientConfig) errors.push(forbiddenField(config, detail));
  if (webhook?.conversionReviewVersions?.length) errors.push(forbiddenField(reviews, detail));
  return errors;
}

/** Whether review versions are such that none has to be recognized, because none was before. */
export function hasRecognizedReviewVersion(versions: readonly string[]): boolean {
  return versions.length === 0 || versions.some((version) => REVIEW_VERSIONS.includes(version));
}

function reviewVersionErrors(versions: readonly string[], recognized: boolean, path: FieldPath): Problems {
  if (versions.length === 0) return [requiredValue(path)];
  const errors: Problems = [];
  versions.forEach((version, i) => {
    if (versions.indexOf(version) < i) errors.push(invalidValue(path.index(i), version, "duplicate version"));
    else for (const problem of checkDns1035Label(version)) errors.push(invalidValue(path.index(i), version, problem));
  });
  if (recognized && !hasRecognizedReviewVersion(versions)) {
    errors.push(invalidValue(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(", ")}`));
  }
  return errors;
}

function clientConfigErrors(config: WebhookClientConfig | undefined, path: FieldPath): Problems {
  if (config === undefined) return [requiredValue(path, "required when strategy is set to Webhook")];
  const { url, service } = config;
  if ((url === undefined) === (service === undefined)) {
    return [requiredValue(path, "exactly one of url or service is required")];
  }
  if (url !== undefined) return validateWebhookUrl(url, path.child("url"));
  return validateWebhookService({ port: DEFAULT_PORT, ...service }, path.child("service"));
}
