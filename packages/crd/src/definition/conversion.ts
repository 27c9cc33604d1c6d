// Conversion between versions: none, or a webhook with its client configuration.

import {
  checkDns1035Label,
  checkDns1123Subdomain,
  checkPortNumber,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
} from "@celadon/kube";
import { parseUrl, UrlFailure } from "@celadon/kube-cel/url";
import type { Conversion, Problems, WebhookClientConfig } from "./definition.ts";

const STRATEGIES = ["None", "Webhook"] as const;
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
    errors.push(...clientConfigErrors(webhook?.clientConfig, config));
    errors.push(...reviewVersionErrors(webhook?.conversionReviewVersions ?? [], recognized, reviews));
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
  return url === undefined ? serviceErrors(service!, path.child("service")) : urlErrors(url, path.child("url"));
}

const URL_FORM = "; desired format: https://host[/path]";

function urlErrors(text: string, path: FieldPath): Problems {
  const url = parseUrl(text);
  if (url instanceof UrlFailure) return [requiredValue(path, `url must be a valid URL: ${url.reason}${URL_FORM}`)];
  const errors: Problems = [];
  if (url.scheme !== "https") {
    errors.push(invalidValue(path, url.scheme, `'https' is the only allowed URL scheme${URL_FORM}`));
  }
  if (url.host === "") errors.push(invalidValue(path, url.host, `host must be specified${URL_FORM}`));
  if (url.user !== undefined) errors.push(invalidValue(path, url.user, "user information is not permitted in the URL"));
  if (url.fragment !== "") errors.push(invalidValue(path, url.fragment, "fragments are not permitted in the URL"));
  if (url.rawQuery !== "")
    errors.push(invalidValue(path, url.rawQuery, "query parameters are not permitted in the URL"));
  return errors;
}

function serviceErrors(service: NonNullable<WebhookClientConfig["service"]>, path: FieldPath): Problems {
  const errors: Problems = [];
  // Upstream hands name and namespace over the other way round, so each is reported missing at the other's place.
  if (!service.namespace) errors.push(requiredValue(path.child("name")));
  if (!service.name) errors.push(requiredValue(path.child("namespace")));
  const problems = checkPortNumber(service.port ?? 443);
  if (problems.length > 0) {
    errors.push(invalidValue(path.child("port"), service.port, `port is not valid: ${problems.join(", ")}`));
  }
  if (service.path !== undefined) errors.push(...servicePathErrors(service.path, path.child("path")));
  return errors;
}

function servicePathErrors(text: string, path: FieldPath): Problems {
  if (text === "/" || text === "") return [];
  if (text === "//") return [invalidValue(path, text, "segment[0] may not be empty")];
  const errors: Problems = [];
  if (!text.startsWith("/")) errors.push(invalidValue(path, text, "must start with a '/'"));
  const steps = text.slice(1).replace(/\/$/, "").split("/");
  steps.forEach((step, i) => {
    if (step === "") errors.push(invalidValue(path, text, `segment[${i}] may not be empty`));
    else
      for (const problem of checkDns1123Subdomain(step))
        errors.push(invalidValue(path, text, `segment[${i}]: ${problem}`));
  });
  return errors;
}
