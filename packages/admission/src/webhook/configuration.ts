// ValidatingWebhookConfiguration and MutatingWebhookConfiguration (admissionregistration.k8s.io/v1) as data.

import type { ObjectMeta } from "@celadon/kube";
import type { LabelSelectorObject } from "@celadon/kube/selectors";
import type { FailurePolicy, MatchCondition, MatchPolicy, RuleOperation, RuleScope } from "../policy.ts";

/** The side effects of a webhook. */
export type SideEffects = "None" | "NoneOnDryRun" | "Some" | "Unknown";
/** Whether a policy or webhook runs again if others changed the object after it. */
export type ReinvocationPolicy = "Never" | "IfNeeded";

/** Unlike the rules of policies these name no objects. */
export interface WebhookRule {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly operations?: readonly RuleOperation[];
  readonly scope?: RuleScope;
}

/** A service that answers for a webhook. */
export interface ServiceReference {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
}

/** Exactly one of `url` and `service`. */
export interface ClientConfig {
  readonly url?: string;
  readonly service?: ServiceReference;
  /** PEM in base64. */
  readonly caBundle?: string;
}

/** One webhook of a configuration. */
export interface Webhook {
  readonly name: string;
  readonly clientConfig?: ClientConfig;
  readonly rules?: readonly WebhookRule[];
  readonly failurePolicy?: FailurePolicy;
  readonly matchPolicy?: MatchPolicy;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  readonly sideEffects?: SideEffects;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly matchConditions?: readonly MatchCondition[];
  /** The reinvocation of mutating webhooks. */
  readonly reinvocationPolicy?: ReinvocationPolicy;
}

/** A configuration of either kind, as admissionregistration.k8s.io/v1 has it. */
export interface WebhookConfiguration {
  readonly apiVersion: string;
  readonly kind: WebhookKind;
  readonly metadata: ObjectMeta;
  readonly webhooks?: readonly Webhook[];
}

/** The kind of a webhook configuration. */
export type WebhookKind = "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration";

/** Whether a kind is a webhook configuration. */
export function isWebhookKind(kind: string): kind is WebhookKind {
  return kind === "ValidatingWebhookConfiguration" || kind === "MutatingWebhookConfiguration";
}
