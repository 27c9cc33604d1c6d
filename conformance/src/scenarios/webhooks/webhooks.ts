// Webhook configurations in the in-memory cluster, and the endpoints behind them: they answer as a scenario says and remember who called.
// Nothing is sent anywhere.

import {
  type AdmissionReview,
  configurationWarnings,
  decodeConfiguration,
  isWebhookKind,
  validateConfiguration,
  type WebhookAnswer,
  type WebhookCall,
  type WebhookConfiguration,
  type WebhookHosts,
  WebhookSet,
  withGeneration,
} from "@celadon/admission/webhook";
import { nameOf } from "@celadon/kube";
import { badRequest, invalidObject } from "@celadon/kube/status";
import type { Handler, Write } from "../handler.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { gvkOfKind } from "../kinds.ts";
import type { WebhookStep } from "../scenario.ts";

const PLACEHOLDER = "https://webhook.test/";

/** The answers of a scenario's endpoints, and the reviews they received. */
export class Endpoints {
  private readonly answers = new Map<string, WebhookStep>();
  private calls: { readonly name: string; readonly review: AdmissionReview }[] = [];

  set(step: WebhookStep): void {
    this.answers.set(step.name, step);
  }

  /** Calls since they were last taken. */
  take(): readonly { readonly name: string; readonly review: AdmissionReview }[] {
    const taken = this.calls;
    this.calls = [];
    return taken;
  }

  /** The webhooks that were called since then. */
  get called(): ReadonlySet<string> {
    return new Set(this.calls.map(({ name }) => name));
  }

  answer({ url, review }: WebhookCall): WebhookAnswer {
    const name = url.slice(PLACEHOLDER.length).replace(/\?.*$/, "");
    this.calls.push({ name, review });
    const wanted: Record<string, Json> = { ...(this.answers.get(name)?.response ?? { allowed: true }) };
    if (wanted.httpStatus !== undefined) return { status: Number(wanted.httpStatus), body: wanted.body ?? "" };
    if (wanted.raw !== undefined) return { status: 200, body: wanted.raw };
    if (Array.isArray(wanted.patch)) {
      wanted.patch = Buffer.from(JSON.stringify(wanted.patch)).toString("base64");
      wanted.patchType ??= "JSONPatch";
    }
    wanted.uid ??= review.request?.uid ?? "";
    return { status: 200, body: { apiVersion: review.apiVersion, kind: "AdmissionReview", response: wanted } };
  }
}

export interface Webhooks {
  readonly handler: Handler;
  readonly webhooks: WebhookSet;
  readonly endpoints: Endpoints;
  hosts(write: Write): Pick<WebhookHosts, "transport" | "uid">;
}

export function createWebhooks(): Webhooks {
  let webhooks = WebhookSet.of();
  const endpoints = new Endpoints();
  const hosts = (write: Write): Pick<WebhookHosts, "transport" | "uid"> => ({
    transport: { call: (call) => endpoints.answer(call) },
    uid: () => `00000000-0000-4000-8000-${String(write.cluster.fresh()).padStart(12, "0")}`,
  });
  return {
    endpoints,
    handler: {
      handles: (kind) => kind.group === "admissionregistration.k8s.io" && isWebhookKind(kind.kind),
      decode,
      prepare: (object, { oldObject }) =>
        asJson(withGeneration(asConfiguration(object), oldObject && asConfiguration(oldObject))),
      validate: (object, write) => {
        const configuration = asConfiguration(object);
        write.warnings.push(...configurationWarnings(configuration).map(({ text }) => text));
        const errors = validateConfiguration(configuration, write.oldObject && asConfiguration(write.oldObject));
        return errors.length === 0 ? undefined : invalidObject(gvkOfKind(write.kind), write.name, errors);
      },
      stored: (object) => {
        webhooks = webhooks.with({ put: [asConfiguration(object)] });
      },
      deleted: (object) => {
        webhooks = webhooks.with({ remove: [{ kind: asConfiguration(object).kind, name: nameOf(object) }] });
      },
    },
    hosts,
    get webhooks() {
      return webhooks;
    },
  };
}

function decode(object: JsonObject, write: Write): JsonObject | ReturnType<typeof badRequest> {
  const { configuration, unknownFields } = decodeConfiguration(withCertificates(asConfiguration(object)));
  if (unknownFields.length > 0) {
    const texts = unknownFields.map((path) => `unknown field "${path}"`);
    const { kind, version } = write.kind;
    if (write.fieldValidation === "Strict") {
      return badRequest(
        `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${texts.join(", ")}`,
      );
    }
    if (write.fieldValidation === "Warn") write.warnings.push(...texts);
  }
  return asJson(configuration);
}

/** The recordings were made with their own endpoint, whose certificate was filled in. */
function withCertificates(configuration: WebhookConfiguration): WebhookConfiguration {
  const { webhooks } = configuration;
  if (!Array.isArray(webhooks)) return configuration;
  return {
    ...configuration,
    webhooks: webhooks.map((webhook) => {
      const client = webhook.clientConfig;
      if (!isObject(client) || typeof client.url !== "string" || !client.url.startsWith(PLACEHOLDER)) return webhook;
      return { ...webhook, clientConfig: { caBundle: "", ...client } };
    }),
  };
}

const asConfiguration = (object: JsonObject): WebhookConfiguration => object as unknown as WebhookConfiguration;
const asJson = (configuration: WebhookConfiguration): JsonObject => configuration as unknown as JsonObject;
