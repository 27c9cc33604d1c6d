// Webhook configurations in the store, in force from the next request on. Validating webhooks are called here, mutating
// ones together with mutating policies.

import { randomUUID } from "node:crypto";
import { EVALUATION_TIME, type Hosts } from "@celadon/admission";
import {
  type DispatchOptions,
  type DispatchReport,
  dispatchValidating,
  type WebhookChange,
  type WebhookHosts,
  WebhookSet,
  type WebhookTransport,
} from "@celadon/admission/webhook";
import type { Minor } from "@celadon/kube/versions";
import type { AdmissionContext, AdmissionPlugin } from "@celadon/write";
import type { AdmissionMetrics } from "../metrics/admission-metrics.ts";
import { StatusError } from "../wire/status-error.ts";
import { type Followed, followAll } from "./followed.ts";

export class Webhooks {
  readonly #hosts: WebhookHosts;
  readonly metrics: AdmissionMetrics;
  #webhooks: WebhookSet;

  constructor(
    hosts: Hosts & Pick<WebhookHosts, "decode">,
    transport: WebhookTransport,
    metrics: AdmissionMetrics,
    kubeVersion?: Minor,
  ) {
    this.#webhooks = WebhookSet.of([], kubeVersion);
    this.metrics = metrics;
    this.#hosts = { ...hosts, transport, uid: () => this.uid() };
  }

  /** Applies changes that do not come from the caches. */
  change(change: WebhookChange): void {
    this.#webhooks = this.#webhooks.with(change);
  }

  follow(...caches: readonly Followed[]): void {
    followAll(caches, (change) => this.change(change));
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
      const started = performance.now();
      return dispatchValidating(request, validating, this.#hosts, optionsOf(context)).then((report) => {
        this.metrics.webhooks(request, report, "validate", (performance.now() - started) / 1000);
        tell(report, context);
      });
    },
  };
}

/** Every stage has its own time for expressions: waiting for webhooks does not count. */
export function optionsOf({ signal, remainingSeconds }: AdmissionContext): DispatchOptions {
  return {
    ...(signal && { signal }),
    remainingSeconds,
    now: () => performance.now(),
    get deadline() {
      return Date.now() + EVALUATION_TIME;
    },
  };
}

function tell({ warnings, auditAnnotations, status }: DispatchReport, { notes }: AdmissionContext): void {
  for (const warning of warnings) notes.warn(warning);
  for (const [key, value] of Object.entries(auditAnnotations)) notes.annotate(key, value);
  if (status !== undefined) throw new StatusError(status);
}
