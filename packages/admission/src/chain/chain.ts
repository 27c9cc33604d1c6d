// The environment of a request's policies and webhooks: the sets in force, and hosts. `@celadon/write` puts their calls in order, around
// the kind's own preparation and validation.

import type { MutatingPolicySet } from "../mutating/compile.ts";
import type { MutatingHosts } from "../mutating/hosts.ts";
import type { PolicySet } from "../set/policy-set.ts";
import type { DispatchOptions, WebhookTransport } from "../webhook/transport.ts";
import type { WebhookSet } from "../webhook/webhook-set.ts";

/** The cluster as the chain needs it. */
export interface ChainHosts extends MutatingHosts {
  /** Sends reviews to webhooks; without it none is called. */
  readonly transport?: WebhookTransport;
  /** A fresh UUID for every call of a webhook. */
  uid?(): string;
}

/** The policies and webhooks of both kinds that decide about a request. */
export interface Chain {
  readonly mutatingPolicies: MutatingPolicySet;
  readonly policies: PolicySet;
  readonly webhooks: Pick<WebhookSet, "mutating" | "validating">;
  readonly hosts: ChainHosts;
}

/** Options for a request's way through the chain. */
export interface ChainOptions extends DispatchOptions {
  /** Ask every policy, also those an index leaves out, so that each says what refused the request. */
  readonly everyPolicy?: boolean;
}
