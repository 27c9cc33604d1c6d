// A Helm chart of all programs, made from their manifests: the objects are built with marks where values go, written as YAML, and the marks
// replaced. The chart has everything that the manifests have.

import { approverManifests, auditManifests, type ManifestSettings, webhookManifests } from "@celadon/cluster/manifests";
import { OWN_GROUP } from "@celadon/cluster/webhook";
import type { KubeObject } from "@celadon/kube";
import { toYaml } from "../output/format/yaml.ts";
import { IMAGE } from "./options.ts";
import { manifestText } from "./text.ts";
import { valuesSchema } from "./values-schema.ts";

/** Numbers stay numbers until they are replaced. */
const REPLICAS = 990_001;
const EXTRA_ARGS = "@extra-args@";
const SOURCES = "@sources@";
const CLIENT_CA = "/etc/celadon/client-ca";

type Program = "webhook" | "approver" | "audit";

/** Files by path below the chart's directory. */
export function chartFiles(version: string): ReadonlyMap<string, string> {
  const { kept: webhook, definitions: webhookDefinitions } = split(
    webhookManifests({
      ...marked("webhook", version),
      groups: [OWN_GROUP],
      paramResources: [],
      events: false,
      authorizer: "access-reviews",
      sources: [SOURCES],
    }),
  );
  const { kept: approver, definitions: approverDefinitions } = split(
    approverManifests({ ...marked("approver", version), signers: [] }),
  );
  const { kept: audit } = split(
    auditManifests({
      ...marked("audit", version),
      schedule: "{{ .Values.audit.schedule }}",
      writeReports: true,
      resources: [],
    }),
  );
  return new Map([
    ["Chart.yaml", toYaml(chartOf(version))],
    ["values.yaml", VALUES],
    ["values.schema.json", valuesSchema(VALUES)],
    ["templates/NOTES.txt", NOTES],
    ["templates/webhook.yaml", template("webhook", webhook)],
    ["templates/webhook-crds.yaml", definitionsTemplate("webhook", webhookDefinitions)],
    ["templates/approver.yaml", template("approver", approver)],
    ["templates/approver-crds.yaml", definitionsTemplate("approver", approverDefinitions)],
    ["templates/audit.yaml", template("audit", audit)],
  ]);
}

function chartOf(version: string): object {
  return {
    apiVersion: "v2",
    name: "celadon",
    description:
      "CEL admission control: a webhook that enforces policies, an approver for certificate requests, audits",
    type: "application",
    version,
    appVersion: version,
    kubeVersion: ">=1.25.0-0",
  };
}

function marked(program: Program, version: string): ManifestSettings {
  return {
    name: `celadon-${program}`,
    namespace: "{{ .Release.Namespace }}",
    image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}",
    replicas: REPLICAS,
    args: [EXTRA_ARGS],
    cpu: `{{ .Values.${program}.cpu }}`,
    memory: `{{ .Values.${program}.memory }}`,
    version,
  };
}

/** Helm makes the namespace, and never upgrades the contents of `crds/`. */
function split(objects: readonly KubeObject[]): { kept: readonly KubeObject[]; definitions: readonly KubeObject[] } {
  const isDefinition = ({ kind }: KubeObject): boolean => kind === "CustomResourceDefinition";
  return {
    kept: objects.filter((object) => object.kind !== "Namespace" && !isDefinition(object)),
    definitions: objects.filter(isDefinition),
  };
}

function template(program: Program, objects: readonly KubeObject[]): string {
  const budgets = objects.filter(({ kind }) => kind === "PodDisruptionBudget");
  const rest = objects.filter((object) => !budgets.includes(object));
  // A budget of one pod for one pod would keep its node from being drained.
  const several = `{{- if gt (int .Values.${program}.replicas) 1 }}\n---\n${manifestText(budgets)}{{- end }}\n`;
  const text = `${manifestText(rest)}${budgets.length > 0 ? several : ""}`
    .replaceAll(String(REPLICAS), `{{ .Values.${program}.replicas }}`)
    .replace(
      /^( *)- "?@extra-args@"?\n/gm,
      `${program === "webhook" ? whenClientCa("$1", [`- --client-ca=${CLIENT_CA}/ca.crt`]) : ""}$1{{- range .Values.${program}.extraArgs }}\n$1- {{ . | quote }}\n$1{{- end }}\n`,
    )
    .replace(/^( *)serviceAccountName: .*\n/gm, (line, indent: string) => `${line}${placement(program, indent)}`);
  const own = program === "webhook" ? withPeers(withClientCa(text)) : text;
  return `{{- if .Values.${program}.enabled }}\n${own}{{- end }}\n`;
}

/** Peers of the NetworkPolicy, as Kubernetes writes them: without any, everybody reaches the port. */
function withPeers(text: string): string {
  return text.replace(/^( *)from:\n *- ipBlock:\n *cidr: "?@sources@"?\n/m, (_, indent: string) =>
    whenSet("webhook.networkPolicy.from", indent, ["from:", `  {{- toYaml . | nindent ${indent.length + 2} }}`]),
  );
}

/** The authority of the API server's client certificate comes from a ConfigMap: it is no secret. */
function withClientCa(text: string): string {
  const volume = ["volumes:", "  - name: client-ca", "    configMap:", "      name: {{ . }}"];
  const mount = ["volumeMounts:", "  - name: client-ca", `    mountPath: ${CLIENT_CA}`, "    readOnly: true"];
  return text
    .replace(/^( *)serviceAccountName: .*\n/m, (line, indent: string) => `${line}${whenClientCa(indent, volume)}`)
    .replace(/^( *)resources:\n *requests:\n/m, (lines, indent: string) => `${whenClientCa(indent, mount)}${lines}`);
}

const whenClientCa = (indent: string, lines: readonly string[]): string =>
  whenSet("webhook.clientCA.configMap", indent, lines);

function whenSet(value: string, indent: string, lines: readonly string[]): string {
  const inner = lines.map((line) => `${indent}${line}\n`).join("");
  return `${indent}{{- with .Values.${value} }}\n${inner}${indent}{{- end }}\n`;
}

/** The placement of pods, which is a cluster's own matter. */
function placement(program: Program, indent: string): string {
  return ["imagePullSecrets", "nodeSelector", "tolerations", "affinity"]
    .map((field) => {
      const value = field === "imagePullSecrets" ? ".Values.imagePullSecrets" : `.Values.${program}.${field}`;
      const nested = `${indent}  {{- toYaml . | nindent ${indent.length + 2} }}`;
      return `${indent}{{- with ${value} }}\n${indent}${field}:\n${nested}\n${indent}{{- end }}\n`;
    })
    .join("");
}

function definitionsTemplate(program: Program, objects: readonly KubeObject[]): string {
  const kept = objects.map(({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, annotations: { "helm.sh/resource-policy": "keep" } },
  }));
  const ordered = kept.map(({ apiVersion, kind, metadata, ...rest }) => ({ apiVersion, kind, metadata, ...rest }));
  return `{{- if and .Values.${program}.enabled .Values.crds.enabled }}\n${manifestText(ordered as KubeObject[])}{{- end }}\n`;
}

const program = (name: Program, enabled: boolean, more: string): string => `${name}:
  enabled: ${enabled}
${more}  # requests, and the limit of memory
  cpu: 100m
  memory: 512Mi
  # further arguments, such as --safe-mode
  extraArgs: []
  nodeSelector: {}
  tolerations: []
  affinity: {}
`;

const WEBHOOK_VALUES = `  replicas: 2
  networkPolicy:
    # peers that reach the webhook, such as { ipBlock: { cidr: 10.0.0.0/28 } }: API servers, and nodes for their probes; all when empty
    from: []
  clientCA:
    # a ConfigMap whose ca.crt is the authority of the API server's client certificate; other clients get 403
    configMap: ""
`;

const VALUES = `# Values of the chart. Certificates and webhook configurations are kept by the programs themselves.
image:
  repository: ${IMAGE}
  # the chart's version when empty
  tag: ""
imagePullSecrets: []
crds:
  # kept when the chart is removed
  enabled: true

# enforces the policies of ${OWN_GROUP}
${program("webhook", true, WEBHOOK_VALUES)}
# approves cert-manager's CertificateRequests by policy
${program("approver", false, "  replicas: 2\n")}
# reports what policies would deny, with reports in the cluster
${program("audit", false, '  schedule: "0 * * * *"\n')}`;

/** Helm prints this after an installation. */
const NOTES = `{{- if .Values.webhook.enabled }}
The webhook enforces policies of ${OWN_GROUP}:
  kubectl -n {{ .Release.Namespace }} rollout status deployment/celadon-webhook
  kubectl get validatingadmissionpolicies.${OWN_GROUP}
Try a policy before you bind it: celadon audit -f policy.yaml --bind-all
{{- end }}
{{- if .Values.approver.enabled }}
The approver decides about CertificateRequests:
  kubectl -n {{ .Release.Namespace }} rollout status deployment/celadon-approver
{{- end }}
{{- if .Values.audit.enabled }}
Audits run on the schedule {{ .Values.audit.schedule | quote }}; their results are reports in the cluster:
  kubectl get reports.openreports.io -A   # policyreports, where the cluster has only those
{{- end }}
`;
