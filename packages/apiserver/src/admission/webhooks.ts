// Webhook configurations in the store, in force for the request after the one that wrote them. Validating ones are asked here, mutating ones
// together with mutating policies.

import { randomUUID } from "node:crypto";
import type { Hosts } from "@celadon/admission";
import {
  type DispatchReport,
  dispatchValidating,
  type WebhookConfiguration,
  type WebhookHosts,
  WebhookSet,
  type WebhookTransport,
} from "@celadon/admission/webhook";
import { nameOf } from "@celadon/kube";
import type { ResourceCache } from "../store/cache.ts";
import { StatusError } from "../wire/status-error.ts";
import type { AdmissionContext, AdmissionPlugin } from "./plugin.ts";

export class Webhooks {
  readonly #hosts: WebhookHosts;
  #webhooks: WebhookSet = WebhookSet.of();

  constructor(hosts: Hosts & Pick<WebhookHosts, "decode">, transport: WebhookTransport) {
    this.#hosts = { ...hosts, transport, uid: () => this.uid() };
  }

  follow(...caches: readonly ResourceCache[]): void {
    for (const cache of caches) {
      const put = cache.all().map(({ object }) => object as unknown as WebhookConfiguration);
      this.#webhooks = this.#webhooks.with({ put });
      cache.subscribe(({ type, object: { object } }) => {
        const configuration = object as unknown as WebhookConfiguration;
        this.#webhooks = this.#webhooks.with(
          type === "DELETED"
            ? { remove: [{ kind: configuration.kind, name: nameOf(object) }] }
            : { put: [configuration] },
        );
      });
    }
  }

  get set(): WebhookSet {
    return this.#webhooks;
  }

  get transport(): WebhookTransport {
    return this.#hosts.transport;
  }

  readonly uid = (): string => randomUUID();

  readonly validating: AdmissionPlugin = {
    name: "ValidatingAdmissionWebhook",
    validate: (request, context) => {
      const { validating } = this.#webhooks;
      if (validating.length === 0) return undefined;
      return dispatchValidating(request, validating, this.#hosts, optionsOf(context)).then((report) =>
        tell(report, context),
      );
    },
  };
}

export function optionsOf({ signal, remainingSeconds }: AdmissionContext): object {
  return { ...(signal && { signal }), remainingSeconds };
}

function tell({ warnings, auditAnnotations, status }: DispatchReport, { notes }: AdmissionContext): void {
  for (const warning of warnings) notes.warn(warning);
  for (const [key, value] of Object.entries(auditAnnotations)) notes.annotate(key, value);
  if (status !== undefined) throw new StatusError(status);
}
