// What the API server makes of a configuration before it validates it: unknown fields dropped, defaults set, generation counted.

import type { Webhook, WebhookConfiguration, WebhookKind, WebhookRule } from "./configuration.ts";

export const DEFAULT_TIMEOUT_SECONDS = 10;
export const DEFAULT_PORT = 443;

type Fields = { readonly [name: string]: true | Fields | readonly [Fields] };

const SELECTOR: Fields = { matchLabels: true, matchExpressions: [{ key: true, operator: true, values: true }] };
const WEBHOOK: Fields = {
  name: true,
  clientConfig: { url: true, service: { namespace: true, name: true, path: true, port: true }, caBundle: true },
  rules: [{ operations: true, apiGroups: true, apiVersions: true, resources: true, scope: true }],
  failurePolicy: true,
  matchPolicy: true,
  namespaceSelector: SELECTOR,
  objectSelector: SELECTOR,
  sideEffects: true,
  timeoutSeconds: true,
  admissionReviewVersions: true,
  matchConditions: [{ name: true, expression: true }],
};
const FIELDS: Readonly<Record<WebhookKind, Fields>> = {
  ValidatingWebhookConfiguration: { apiVersion: true, kind: true, metadata: true, webhooks: [WEBHOOK] },
  MutatingWebhookConfiguration: {
    apiVersion: true,
    kind: true,
    metadata: true,
    webhooks: [{ ...WEBHOOK, reinvocationPolicy: true }],
  },
};

export interface DecodedConfiguration {
  readonly configuration: WebhookConfiguration;
  /** Paths of fields that the kind does not have; they are dropped. */
  readonly unknownFields: readonly string[];
}

/** A configuration as sent, without what its kind does not have and with all defaults. */
export function decodeConfiguration(object: WebhookConfiguration): DecodedConfiguration {
  const unknownFields: string[] = [];
  const known = prune(object, FIELDS[object.kind], "", unknownFields) as WebhookConfiguration;
  return { configuration: defaultConfiguration(known), unknownFields };
}

function prune(value: unknown, fields: Fields, path: string, unknown: string[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const below = path === "" ? name : `${path}.${name}`;
    const rule = Object.hasOwn(fields, name) ? fields[name]! : undefined;
    if (rule === undefined) unknown.push(below);
    else if (rule === true) kept[name] = item;
    else if (!isList(rule)) kept[name] = prune(item, rule, below, unknown);
    else kept[name] = Array.isArray(item) ? item.map((one, i) => prune(one, rule[0], `${below}[${i}]`, unknown)) : item;
  }
  return kept;
}

const isList = (rule: Fields | readonly [Fields]): rule is readonly [Fields] => Array.isArray(rule);

export function defaultConfiguration(configuration: WebhookConfiguration): WebhookConfiguration {
  const { webhooks } = configuration;
  if (webhooks === undefined || webhooks === null) return configuration;
  const mutating = configuration.kind === "MutatingWebhookConfiguration";
  return { ...configuration, webhooks: webhooks.map((webhook) => defaultWebhook(webhook, mutating)) };
}

function defaultWebhook(webhook: Webhook, mutating: boolean): Webhook {
  const { clientConfig, rules } = webhook;
  const service = clientConfig?.service;
  return {
    ...webhook,
    ...(service && { clientConfig: { ...clientConfig, service: { ...service, port: service.port ?? DEFAULT_PORT } } }),
    ...(rules && { rules: rules.map((rule): WebhookRule => ({ ...rule, scope: rule.scope ?? "*" })) }),
    failurePolicy: webhook.failurePolicy ?? "Fail",
    matchPolicy: webhook.matchPolicy ?? "Equivalent",
    namespaceSelector: webhook.namespaceSelector ?? {},
    objectSelector: webhook.objectSelector ?? {},
    timeoutSeconds: webhook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    ...(mutating && { reinvocationPolicy: webhook.reinvocationPolicy ?? "Never" }),
  };
}

/** Starts at 1 and counts changes of the webhooks. */
export function withGeneration(configuration: WebhookConfiguration, old?: WebhookConfiguration): WebhookConfiguration {
  const before = old?.metadata.generation ?? 0;
  const changed =
    old === undefined || JSON.stringify(old.webhooks ?? []) !== JSON.stringify(configuration.webhooks ?? []);
  return { ...configuration, metadata: { ...configuration.metadata, generation: before + (changed ? 1 : 0) } };
}
