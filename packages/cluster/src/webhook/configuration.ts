// The webhook configurations that this program writes for itself: entries from policies, the address and authority of its service, and
// what keeps a cluster from being locked out by it.

import type { KubeObject } from "@celadon/kube";
import type { EntryShape } from "./entries.ts";
import { OWN_GROUP } from "./policy-objects.ts";

export interface ConfigurationSettings {
  /** Name of both configuration objects. */
  readonly name: string;
  /** Where the webhook answers: a service of the cluster, or an address of its own. */
  readonly address:
    | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } }
    | { readonly url: string };
  /** PEM. */
  readonly caBundle: string;
  /** The namespace this program runs in: never asked about, so that it can always be repaired. */
  readonly ownNamespace: string;
  readonly excludeNamespaces: readonly string[];
  /** Objects with this label are not asked about. Whoever may set it, may pass: none unless asked for. */
  readonly escapeLabel?: string;
  /** Nothing is refused because this program does not answer. */
  readonly safeMode: boolean;
  readonly timeoutSeconds: number;
}

export type ConfigurationKind = "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration";

export const MANAGED_BY = "celadon-webhook";

/** Whole and in a fixed order: what is the same again compares as the same. */
export function configuration(
  kind: ConfigurationKind,
  shapes: readonly EntryShape[],
  settings: ConfigurationSettings,
): KubeObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: {
      name: settings.name,
      labels: { "app.kubernetes.io/managed-by": MANAGED_BY },
      // AKS otherwise adds to the selectors of every webhook, for ever.
      annotations: { "admissions.enforcer/disabled": "true" },
    },
    webhooks: shapes.map((shape) => entry(kind, shape, settings)),
  };
}

function entry(kind: ConfigurationKind, shape: EntryShape, settings: ConfigurationSettings): object {
  const { failurePolicy, matchPolicy, lane, rules } = shape;
  const verb = kind === "ValidatingWebhookConfiguration" ? "validate" : "mutate";
  const path = `/${verb}/${failurePolicy.toLowerCase()}`;
  const words = [failurePolicy.toLowerCase(), matchPolicy.toLowerCase(), ...(lane === 0 ? [] : [String(lane)])];
  return {
    name: `${words.join("-")}.${verb}.celadon.dev`,
    admissionReviewVersions: ["v1"],
    clientConfig: { ...clientConfig(settings, path), caBundle: Buffer.from(settings.caBundle).toString("base64") },
    failurePolicy: settings.safeMode ? "Ignore" : failurePolicy,
    matchPolicy,
    sideEffects: "None",
    timeoutSeconds: settings.timeoutSeconds,
    namespaceSelector: namespaceSelector(settings),
    objectSelector:
      settings.escapeLabel === undefined
        ? {}
        : { matchExpressions: [{ key: settings.escapeLabel, operator: "DoesNotExist" }] },
    rules,
    matchConditions: GUARDS,
    ...(kind === "MutatingWebhookConfiguration" && { reinvocationPolicy: "IfNeeded" }),
  };
}

/** What must work while nothing answers: the kinds by which this program is set up, and by which control planes elect leaders. */
const GUARDS: readonly object[] = [
  { name: "not-its-own-policies", expression: `request.resource.group != "${OWN_GROUP}"` },
  {
    name: "not-leases-of-the-control-plane",
    expression:
      'request.resource.group != "coordination.k8s.io" || request.resource.resource != "leases" || !(request.namespace in ["kube-system", "kube-node-lease"])',
  },
  { name: "not-nodes-about-themselves", expression: '!("system:nodes" in request.userInfo.groups)' },
];

function clientConfig({ address }: ConfigurationSettings, path: string): object {
  return "url" in address ? { url: `${address.url}${path}` } : { service: { ...address.service, path } };
}

function namespaceSelector({ ownNamespace, excludeNamespaces }: ConfigurationSettings): object {
  const values = [...new Set([ownNamespace, ...excludeNamespaces])].filter((name) => name !== "").sort();
  if (values.length === 0) return {};
  return { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values }] };
}
