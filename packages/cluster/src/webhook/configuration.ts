// The webhook configurations that this program writes for itself: entries from policies, the address and authority of its service, and
// what keeps a cluster from being locked out by it.

import type { KubeObject } from "@celadon/kube";
import type { ConfigurationKind } from "../program/configuration-writer.ts";
import type { EntryShape } from "./entries.ts";
import { GUARDS } from "./guards.ts";
import { className, classPath } from "./policy-class.ts";
import { OWN_GROUP } from "./policy-objects.ts";

/** The registration of the webhook. */
export interface ConfigurationSettings {
  /** Name of both configuration objects. */
  readonly name: string;
  /** The address of the webhook: a service of the cluster, or an address of its own. */
  readonly address:
    | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } }
    | { readonly url: string };
  /** PEM. */
  readonly caBundle: string;
  /** The namespace this program runs in: always exempt, so that it can be repaired. */
  readonly ownNamespace: string;
  readonly excludeNamespaces: readonly string[];
  /** Objects with this label are exempt. Everybody who may set it is exempt: none by default. */
  readonly escapeLabel?: string;
  /** Whether no request is denied because this program does not answer. */
  readonly safeMode: boolean;
  readonly timeoutSeconds: number;
  /** Deleted with it: what goes last when the program is removed. */
  readonly owner?: OwnerReference;
  /** Whether policies of our own group are watched, and so checked when they are written. */
  readonly ownKinds: boolean;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export const MANAGED_BY = "celadon-webhook";

/** Complete and in a fixed order: equal content compares as equal. */
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
      ...(settings.owner && { ownerReferences: [settings.owner] }),
    },
    webhooks: [
      ...shapes.map((shape) => entry(kind, shape, settings)),
      ...(kind === "ValidatingWebhookConfiguration" && settings.ownKinds ? [policiesEntry(settings)] : []),
    ],
  };
}

/**
 * The path at which policies of our own group are checked when they are written. They are stored even while the webhook does not answer.
 */
export const POLICIES_PATH = "/policies";

function policiesEntry(settings: ConfigurationSettings): object {
  return {
    name: "policies.celadon.dev",
    admissionReviewVersions: ["v1"],
    clientConfig: clientConfig(settings, POLICIES_PATH),
    failurePolicy: "Ignore",
    matchPolicy: "Equivalent",
    sideEffects: "None",
    timeoutSeconds: settings.timeoutSeconds,
    rules: [
      { apiGroups: [OWN_GROUP], apiVersions: ["*"], operations: ["CREATE", "UPDATE"], resources: ["*"], scope: "*" },
    ],
  };
}

function entry(kind: ConfigurationKind, shape: EntryShape, settings: ConfigurationSettings): object {
  const { class: of, rules } = shape;
  const { failurePolicy, matchPolicy, reinvocationPolicy } = of;
  const path = classPath(of);
  return {
    name: className(of),
    admissionReviewVersions: ["v1"],
    clientConfig: clientConfig(settings, path),
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
    matchConditions: GUARDS.map(({ name, expression }) => ({ name, expression })),
    ...(kind === "MutatingWebhookConfiguration" && { reinvocationPolicy }),
  };
}

function clientConfig({ address, caBundle }: ConfigurationSettings, path: string): object {
  const where = "url" in address ? { url: `${address.url}${path}` } : { service: { ...address.service, path } };
  return { ...where, caBundle: Buffer.from(caBundle).toString("base64") };
}

type Namespaces = Pick<ConfigurationSettings, "ownNamespace" | "excludeNamespaces">;

/** The namespaces in which nothing is enforced. */
export function excludedNamespaces({ ownNamespace, excludeNamespaces }: Namespaces): ReadonlySet<string> {
  return new Set([ownNamespace, ...excludeNamespaces].filter((name) => name !== ""));
}

function namespaceSelector(settings: ConfigurationSettings): object {
  const values = [...excludedNamespaces(settings)].sort();
  if (values.length === 0) return {};
  return { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values }] };
}
