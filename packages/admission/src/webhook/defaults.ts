// Reads a configuration as the API server does before it validates it: values of a wrong type refused, unknown fields dropped, defaults
// set, generation counted.

import { deepEqual } from "@celadon/base";
import { gvkOf } from "@celadon/kube";
import { builtinSchema, checkShape } from "@celadon/kube/builtin";
import { FieldPath } from "@celadon/kube/errors";
import type { Webhook, WebhookConfiguration, WebhookKind, WebhookRule } from "./configuration.ts";

export const DEFAULT_TIMEOUT_SECONDS = 10;
const DEFAULT_PORT = 443;

/** `text` exists even when it is not written; `texts` are by name. */
type Fields = { readonly [name: string]: true | "text" | "texts" | Fields | readonly [Fields] };

const SELECTOR: Fields = { matchLabels: "texts", matchExpressions: [{ key: "text", operator: "text", values: true }] };
const WEBHOOK: Fields = {
  name: "text",
  clientConfig: { url: true, service: { namespace: true, name: true, path: true, port: true }, caBundle: true },
  rules: [{ operations: true, apiGroups: true, apiVersions: true, resources: true, scope: true }],
  failurePolicy: true,
  matchPolicy: true,
  namespaceSelector: SELECTOR,
  objectSelector: SELECTOR,
  sideEffects: true,
  timeoutSeconds: true,
  admissionReviewVersions: true,
  matchConditions: [{ name: "text", expression: "text" }],
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
  /** Fields that the kind does not have; they are dropped. */
  readonly unknownFields: readonly FieldPath[];
  /** The error as the API server answers it, with 400; then the configuration has no webhooks. */
  readonly error: string | undefined;
  /** The value that is not of its field's type. */
  readonly errorAt?: FieldPath;
}

/** A configuration as sent, without unknown fields and with all defaults. */
export function decodeConfiguration(object: WebhookConfiguration): DecodedConfiguration {
  const wrong = decodingError(object);
  if (wrong !== undefined) {
    const { apiVersion, kind } = object;
    return { configuration: { apiVersion, kind, metadata: {} }, unknownFields: [], ...wrong };
  }
  const unknownFields: FieldPath[] = [];
  const known = prune(object, FIELDS[object.kind], FieldPath.root, unknownFields) as unknown as WebhookConfiguration;
  const configuration = defaultConfiguration({ ...known, metadata: known.metadata ?? {} });
  return { configuration, unknownFields, error: undefined };
}

/** The first value of a wrong type. */
function decodingError(object: WebhookConfiguration): { error: string; errorAt: FieldPath } | undefined {
  const { group, kind } = gvkOf(object);
  const schema = builtinSchema({ group, version: "v1", kind });
  const wrong =
    schema && checkShape(object, schema).find(({ code }) => code === "wrong_type" || code === "invalid_value");
  if (wrong === undefined) return undefined;
  const error = `${kind} in version "v1" cannot be handled as a ${kind}: ${wrong.message}`;
  return { error, errorAt: FieldPath.of(wrong.path, wrong.field) };
}

// Null counts as absent; in a list it stands for an element without fields.
function prune(value: object, fields: Fields, path: FieldPath, unknown: FieldPath[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const below = path.child(name);
    const rule = Object.hasOwn(fields, name) ? fields[name]! : undefined;
    if (rule === undefined) unknown.push(below);
    else if (item !== null && item !== undefined) kept[name] = pruneField(item, rule, below, unknown);
  }
  for (const [name, rule] of Object.entries(fields)) if (rule === "text") kept[name] ??= "";
  return kept;
}

function pruneField(item: unknown, rule: Fields[string], path: FieldPath, unknown: FieldPath[]): unknown {
  if (rule === "texts")
    return Object.fromEntries(Object.entries(item as object).map(([key, value]) => [key, value ?? ""]));
  if (typeof rule !== "object") return Array.isArray(item) ? item.map((value) => value ?? "") : item;
  if (!isList(rule)) return prune(item as object, rule, path, unknown);
  return (item as readonly (object | null)[]).map((entry, i) => prune(entry ?? {}, rule[0], path.index(i), unknown));
}

const isList = (rule: Fields | readonly [Fields]): rule is readonly [Fields] => Array.isArray(rule);

/** A configuration with the API server's defaults. */
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
  const changed = old === undefined || !deepEqual(old.webhooks ?? [], configuration.webhooks ?? []);
  return { ...configuration, metadata: { ...configuration.metadata, generation: before + (changed ? 1 : 0) } };
}
