// Validates a webhook configuration, with the API server's order and messages. On update, values that were accepted
// before stay accepted, as far as the API server does so. Upstream: kubernetes
// pkg/apis/admissionregistration/validation.

import { pushAll } from "@celadon/base";
import {
  duplicateValue,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  JsonShown,
  notSupported,
  requiredValue,
  type Warning,
} from "@celadon/kube/errors";
import { validateObjectMeta } from "@celadon/kube/metadata";
import { checkDns1035Label, checkDns1123Subdomain, validateFullyQualifiedName } from "@celadon/kube/names";
import { validateLabelSelector } from "@celadon/kube/selectors";
import type { Minor } from "@celadon/kube/versions";
import { ExpressionChecks } from "../resources/expression-checks.ts";
import { nameWarnings, reservedNameErrors } from "../resources/validate/static-names.ts";
import { validateMatchConditions } from "../resources/validate/validate-match-conditions.ts";
import type { ValidatePolicyOptions } from "../resources/validate/validate-policy-spec.ts";
import { validateRule } from "../resources/validate/validate-rule.ts";
import type { Webhook, WebhookConfiguration } from "./configuration.ts";
import { validateClient } from "./validate-client.ts";

/** Supported AdmissionReview versions. */
export const REVIEW_VERSIONS: readonly string[] = ["v1", "v1beta1"];
const NO_SIDE_EFFECTS = ["None", "NoneOnDryRun"];
const ALL_SIDE_EFFECTS = ["None", "NoneOnDryRun", "Some", "Unknown"];

interface Strictness {
  readonly sideEffects: readonly string[];
  readonly knownVersion: boolean;
  readonly uniqueNames: boolean;
  readonly labelValues: boolean;
  readonly conditions: boolean;
  readonly knownExpressions: ReadonlySet<string>;
}

const STRICT: Strictness = {
  sideEffects: NO_SIDE_EFFECTS,
  knownVersion: true,
  uniqueNames: true,
  labelValues: true,
  conditions: true,
  knownExpressions: new Set(),
};

/** `configuration` with its defaults set; `old` on update. */
export function validateConfiguration(
  configuration: WebhookConfiguration,
  old?: WebhookConfiguration,
  options: ValidatePolicyOptions = {},
): FieldError[] {
  const webhooks = configuration.webhooks ?? [];
  const strictness = old === undefined ? STRICT : strictnessAfter(webhooks, old.webhooks ?? []);
  const errors = validateObjectMeta(configuration.metadata, false, checkDns1123Subdomain);
  const mutating = configuration.kind === "MutatingWebhookConfiguration";
  const names = new Set<string>();
  for (const [i, webhook] of webhooks.entries()) {
    const path = fieldPath("webhooks").index(i);
    pushAll(errors, validateWebhook(webhook, mutating, strictness, path, options));
    errors.push(
      ...validateVersions(webhook.admissionReviewVersions ?? [], strictness, path.child("admissionReviewVersions")),
    );
    const { name } = webhook;
    if (strictness.uniqueNames && name && names.has(name)) errors.push(duplicateValue(path.child("name"), name));
    names.add(name);
  }
  // A reserved name is refused on creation only.
  if (old === undefined) pushAll(errors, reservedNameErrors(configuration.metadata.name ?? "", options));
  return errors;
}

/** Warnings about a configuration. */
export function configurationWarnings({ metadata }: WebhookConfiguration, kubeVersion?: Minor): Warning[] {
  return nameWarnings(metadata.name ?? "", kubeVersion);
}

function validateWebhook(
  webhook: Webhook,
  mutating: boolean,
  strictness: Strictness,
  path: FieldPath,
  options: ValidatePolicyOptions,
): FieldError[] {
  const { failurePolicy, matchPolicy, sideEffects, timeoutSeconds, reinvocationPolicy } = webhook;
  const errors = [
    ...validateFullyQualifiedName(path.child("name"), webhook.name ?? ""),
    ...(webhook.rules ?? []).flatMap((rule, i) => validateRule(rule, path.child("rules").index(i))),
    ...oneOf(failurePolicy, ["Fail", "Ignore"], path.child("failurePolicy")),
    ...oneOf(matchPolicy, ["Equivalent", "Exact"], path.child("matchPolicy")),
  ];
  if (sideEffects === undefined || sideEffects === null) {
    errors.push(requiredValue(path.child("sideEffects"), `must specify one of ${strictness.sideEffects.join(", ")}`));
  }
  pushAll(errors, oneOf(sideEffects, strictness.sideEffects, path.child("sideEffects")));
  if (typeof timeoutSeconds === "number" && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
    errors.push(
      invalidValue(path.child("timeoutSeconds"), timeoutSeconds, "the timeout value must be between 1 and 30 seconds"),
    );
  }
  for (const field of ["namespaceSelector", "objectSelector"] as const) {
    const found = webhook[field] ? validateLabelSelector(webhook[field], path.child(field)) : [];
    pushAll(errors, strictness.labelValues ? found : found.filter(({ code }) => code !== "label_value"));
  }
  if (mutating) pushAll(errors, oneOf(reinvocationPolicy, ["IfNeeded", "Never"], path.child("reinvocationPolicy")));
  pushAll(errors, validateClient(webhook.clientConfig ?? {}, path.child("clientConfig")));
  if (strictness.conditions) {
    const checks = new ExpressionChecks(false, false, options);
    const conditions = webhook.matchConditions ?? [];
    errors.push(
      ...validateMatchConditions(conditions, path.child("matchConditions"), checks, strictness.knownExpressions),
    );
  }
  return errors;
}

function oneOf(value: string | null | undefined, supported: readonly string[], path: FieldPath): FieldError[] {
  if (value === undefined || value === null || supported.includes(value)) return [];
  return [notSupported(path, new JsonShown(value), supported)];
}

function validateVersions(versions: readonly string[], { knownVersion }: Strictness, path: FieldPath): FieldError[] {
  const known = REVIEW_VERSIONS.join(", ");
  if (versions.length === 0) return [requiredValue(path, `must specify one of ${known}`)];
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [i, version] of versions.entries()) {
    if (seen.has(version)) {
      errors.push(invalidValue(path.index(i), version, "duplicate version"));
      continue;
    }
    seen.add(version);
    pushAll(
      errors,
      checkDns1035Label(version).map((problem) => invalidValue(path.index(i), version, problem)),
    );
  }
  if (knownVersion && !versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    errors.push(invalidValue(path, versions, `must include at least one of ${known}`));
  }
  return errors;
}

function strictnessAfter(webhooks: readonly Webhook[], old: readonly Webhook[]): Strictness {
  const names = old.map(({ name }) => name);
  const speaksKnown = (versions: readonly string[]): boolean =>
    versions.length === 0 || versions.some((version) => REVIEW_VERSIONS.includes(version));
  const hasBadSelector = (webhook: Webhook): boolean =>
    [webhook.namespaceSelector, webhook.objectSelector].some(
      (selector) => selector && validateLabelSelector(selector, fieldPath("x")).length > 0,
    );
  const conditionsOf = (list: readonly Webhook[]): string =>
    JSON.stringify(
      list.map(({ matchConditions = [] }) => matchConditions.map(({ name, expression }) => [name, expression])),
    );
  return {
    sideEffects: old.every(({ sideEffects }) => NO_SIDE_EFFECTS.includes(sideEffects ?? ""))
      ? NO_SIDE_EFFECTS
      : ALL_SIDE_EFFECTS,
    knownVersion: old.every(({ admissionReviewVersions }) => speaksKnown(admissionReviewVersions ?? [])),
    uniqueNames: new Set(names).size === names.length,
    labelValues: !old.some(hasBadSelector),
    // Not checked if nothing about them changed.
    conditions: webhooks.length !== old.length || conditionsOf(webhooks) !== conditionsOf(old),
    knownExpressions: new Set(
      old.flatMap(({ matchConditions = [] }) => matchConditions.map(({ expression }) => expression)),
    ),
  };
}
