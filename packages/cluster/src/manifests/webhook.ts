// `celadon webhook` in a cluster.

import { ownDefinitions } from "@celadon/admission/proposals";
import type { KubeObject } from "@celadon/kube";
import type { AuthorizerSource } from "../webhook/cluster-view.ts";
import { OWN_GROUP, POLICY_KINDS, type PolicyGroup } from "../webhook/policy-objects.ts";
import { deployment, ingressPolicy, service } from "./pod.ts";
import { leaseRules, type Rule, rights, rule, secretRules } from "./rbac.ts";
import { type ManifestSettings, namespaceObjects } from "./settings.ts";

/** Settings of the webhook's manifests. */
export interface WebhookManifestSettings extends ManifestSettings {
  /** The groups of policies. */
  readonly groups: readonly PolicyGroup[];
  /** Kinds of params beside ConfigMaps, as `resource.group`. */
  readonly paramResources: readonly string[];
  readonly events: boolean;
  /** The source of answers for `authorizer` in expressions. */
  readonly authorizer: AuthorizerSource;
  /** Addresses from which API servers and probes come; empty for all. */
  readonly sources?: readonly string[];
}

const PORT = 9443;

/** The objects that run the webhook in a cluster. */
export function webhookManifests(settings: WebhookManifestSettings): readonly KubeObject[] {
  const { name, namespace, groups } = settings;
  const own = groups.includes(OWN_GROUP);
  const args = [
    `--listen=0.0.0.0:${PORT}`,
    `--namespace=${namespace}`,
    `--name=${name}`,
    `--service=${name}:443`,
    `--owner-role=${name}`,
    ...groups.map((group) => `--group=${group}`),
    ...(settings.events ? ["--events"] : []),
    ...(settings.authorizer === "rbac" ? ["--authorizer=rbac"] : []),
  ];
  const ports = {
    probes: { port: "https", scheme: "HTTPS" as const },
    ports: [{ name: "https", containerPort: PORT }],
  };
  return [
    ...namespaceObjects(settings),
    ...(own ? ownDefinitions() : []),
    ...rights(settings, "webhook", { cluster: clusterRules(settings), own: ownRules(settings) }),
    service(settings, "webhook", [{ name: "https", port: 443, targetPort: "https" }]),
    ...deployment(settings, "webhook", args, ports),
    ingressPolicy(settings, "webhook", PORT, settings.sources ?? []),
  ];
}

function clusterRules(settings: WebhookManifestSettings): readonly Rule[] {
  const { name, groups, paramResources, events, authorizer } = settings;
  const kinds = (group: PolicyGroup): string =>
    POLICY_KINDS.filter(({ ownOnly }) => group === OWN_GROUP || !ownOnly)
      .map(({ resource }) => resource)
      .join(" ");
  const status = "validatingadmissionpolicies/status";
  return [
    ...groups.flatMap((group) => [
      rule(group, kinds(group), "list watch"),
      rule(group, group === OWN_GROUP ? `${status} mutatingadmissionpolicies/status` : status, "patch"),
    ]),
    rule("apiextensions.k8s.io", "customresourcedefinitions", "list watch"),
    rule("", "namespaces configmaps", "list watch"),
    ...paramResources.map((text) => {
      const [resource = "", ...group] = text.split(".");
      return rule(group.join("."), resource, "list watch");
    }),
    authorizer === "rbac"
      ? rule("rbac.authorization.k8s.io", "clusterroles clusterrolebindings roles rolebindings", "list watch")
      : rule("authorization.k8s.io", "subjectaccessreviews", "create"),
    rule("admissionregistration.k8s.io", CONFIGURATIONS, "create"),
    rule("admissionregistration.k8s.io", CONFIGURATIONS, "get list watch update", [name]),
    // Its own, so that configurations go when it goes.
    rule("rbac.authorization.k8s.io", "clusterroles", "get", [name]),
    ...(events ? [rule("", "events", "create patch")] : []),
  ];
}

const CONFIGURATIONS = "validatingwebhookconfigurations mutatingwebhookconfigurations";

function ownRules({ name }: WebhookManifestSettings): readonly Rule[] {
  return [...leaseRules(name), ...secretRules(`${name}-tls`)];
}
