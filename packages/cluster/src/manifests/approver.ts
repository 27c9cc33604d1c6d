// `celadon approver` in a cluster with cert-manager.

import { POLICY_DEFINITION } from "@celadon/certpolicy";
import type { KubeObject } from "@celadon/kube";
import { deployment, service } from "./pod.ts";
import { leaseRules, rights, rule, secretRules } from "./rbac.ts";
import { type ManifestSettings, namespaceObjects } from "./settings.ts";

/** Settings of the approver's manifests. */
export interface ApproverManifestSettings extends ManifestSettings {
  /** Signers it may approve for: `issuers.cert-manager.io/*`; all when empty. */
  readonly signers: readonly string[];
}

const METRICS = 9402;
const WEBHOOK = 10250;
const LEASE = "policy.cert-manager.io";

/** The objects that run the approver in a cluster. */
export function approverManifests(settings: ApproverManifestSettings): readonly KubeObject[] {
  const { name, namespace, signers } = settings;
  const args = [
    `--namespace=${namespace}`,
    "--metrics-host=0.0.0.0",
    `--metrics-port=${METRICS}`,
    `--webhook-listen=0.0.0.0:${WEBHOOK}`,
    `--webhook-service=${name}:443`,
  ];
  const ports = {
    probes: { port: "metrics", scheme: "HTTP" as const },
    ports: [
      { name: "metrics", containerPort: METRICS },
      { name: "webhook", containerPort: WEBHOOK },
    ],
  };
  const rbac = "clusterroles clusterrolebindings roles rolebindings";
  const configurations = "validatingwebhookconfigurations";
  return [
    ...namespaceObjects(settings),
    POLICY_DEFINITION as KubeObject,
    ...rights(settings, "approver", {
      cluster: [
        rule("policy.cert-manager.io", "certificaterequestpolicies", "list watch"),
        rule("policy.cert-manager.io", "certificaterequestpolicies/status", "patch"),
        rule("cert-manager.io", "certificaterequests", "list watch"),
        rule("cert-manager.io", "certificaterequests/status", "patch"),
        rule("cert-manager.io", "signers", "approve", signers.length === 0 ? undefined : signers),
        rule("rbac.authorization.k8s.io", rbac, "list watch"),
        rule("", "namespaces", "list watch"),
        rule("", "events", "create patch"),
        rule("authorization.k8s.io", "subjectaccessreviews", "create"),
        rule("admissionregistration.k8s.io", configurations, "create"),
        rule("admissionregistration.k8s.io", configurations, "get list watch update", ["celadon-approver"]),
      ],
      own: [...leaseRules(LEASE), ...secretRules("celadon-approver-tls")],
    }),
    service(settings, "approver", [
      { name: "webhook", port: 443, targetPort: "webhook" },
      { name: "metrics", port: METRICS, targetPort: "metrics" },
    ]),
    ...deployment(settings, "approver", args, ports),
  ];
}
