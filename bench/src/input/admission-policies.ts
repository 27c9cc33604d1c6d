// Policies and a pod for the admission benchmark: simple ones by the thousand, and a mix of what clusters really have.

import type { AdmissionRequest, Hosts, PolicyResource } from "@celadon/admission";
import type { MatchResources, ValidatingAdmissionPolicySpec } from "@celadon/admission/policy";

const apiVersion = "admissionregistration.k8s.io/v1";

function bound(name: string, spec: ValidatingAdmissionPolicySpec, paramName?: string): PolicyResource[] {
  const paramRef = paramName && { name: paramName, namespace: "policies", parameterNotFoundAction: "Deny" as const };
  return [
    { apiVersion, kind: "ValidatingAdmissionPolicy", metadata: { name }, spec },
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"], ...(paramRef && { paramRef }) },
    },
  ];
}

const on = (
  resource: string,
  group = "",
  operations: readonly ("CREATE" | "UPDATE")[] = ["CREATE", "UPDATE"],
): MatchResources => ({
  resourceRules: [{ apiGroups: [group], apiVersions: ["v1"], resources: [resource], operations }],
});

const simple = (name: string, matchConstraints: MatchResources): PolicyResource[] =>
  bound(name, {
    matchConstraints,
    validations: [
      { expression: "object.spec.containers.all(c, has(c.resources) && has(c.resources.limits))", message: "limits" },
      { expression: "object.spec.containers.all(c, !c.image.endsWith(':latest'))", message: "no latest" },
      { expression: "!has(object.spec.hostNetwork) || object.spec.hostNetwork == false", message: "no host network" },
    ],
  });

/** `count` policies of three simple validations each, three of which are about pods. */
export function simplePolicies(count: number): PolicyResource[] {
  return Array.from({ length: count }, (_, i) =>
    simple(`simple-${i}`, i < 3 ? on("pods") : on(`resources-${i}`, "example.com")),
  ).flat();
}

/** The same, but half of them are about pods in namespaces of others. */
export function tenantPolicies(count: number): PolicyResource[] {
  return Array.from({ length: count }, (_, i) => {
    if (i < 3) return simple(`simple-${i}`, on("pods"));
    if (i % 2 === 0) return simple(`simple-${i}`, on(`resources-${i}`, "example.com"));
    const matchLabels = { "kubernetes.io/metadata.name": `tenant-${i}` };
    return simple(`tenant-${i}`, { ...on("pods"), namespaceSelector: { matchLabels } });
  }).flat();
}

/** Policies as in a cluster: variables, params, match conditions, messages, audit annotations. */
export function mixedPolicies(): PolicyResource[] {
  const all = "variables.containers";
  const variables = [
    { name: "containers", expression: "object.spec.containers + object.spec.?initContainers.orValue([])" },
    { name: "images", expression: "variables.containers.map(c, c.image)" },
  ];
  return [
    ...bound(
      "registries",
      {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        matchConstraints: on("pods"),
        variables: [...variables, { name: "allowed", expression: "params.data.registries.split(',')" }],
        validations: [
          {
            expression: "variables.images.all(i, variables.allowed.exists(r, i.startsWith(r + '/')))",
            messageExpression: "'images must come from ' + variables.allowed.join(' or ')",
          },
        ],
      },
      "registries",
    ),
    ...bound("pod-security", {
      matchConstraints: on("pods"),
      variables,
      validations: [
        { expression: "!object.spec.?hostNetwork.orValue(false) && !object.spec.?hostPID.orValue(false)" },
        {
          expression: `${all}.all(c, !c.?securityContext.?privileged.orValue(false))`,
          message: "no privileged containers",
        },
        { expression: `${all}.all(c, c.?securityContext.?capabilities.?add.orValue([]).size() == 0)` },
        { expression: "!has(object.spec.volumes) || object.spec.volumes.all(v, !has(v.hostPath))" },
      ],
    }),
    ...bound("limits", {
      matchConstraints: on("pods"),
      matchConditions: [{ name: "not-system", expression: "!request.namespace.startsWith('kube-')" }],
      validations: [
        {
          expression: "object.spec.containers.all(c, quantity(c.resources.limits.memory).isLessThan(quantity('2Gi')))",
        },
        { expression: "object.spec.containers.all(c, has(c.resources.requests))" },
      ],
    }),
    ...bound("labels", {
      matchConstraints: on("pods"),
      validations: [
        { expression: "['app', 'team', 'env'].all(l, l in object.metadata.labels)", message: "app, team and env" },
        { expression: "object.metadata.labels['env'] in ['dev', 'test', 'prod']" },
        { expression: "object.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')" },
      ],
      auditAnnotations: [{ key: "team", valueExpression: "string(object.metadata.labels.team)" }],
    }),
    ...bound("deployments", {
      matchConstraints: on("deployments", "apps"),
      validations: [{ expression: "object.spec.replicas <= 5" }],
    }),
  ];
}

const container = (name: string): Record<string, unknown> => ({
  name,
  image: `registry.example.com/${name}:1.2.3`,
  resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
  ports: [{ containerPort: 8080, protocol: "TCP" }],
  env: [{ name: "LEVEL", value: "info" }],
  securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
});

export const podRequest: AdmissionRequest = {
  kind: { group: "", version: "v1", kind: "Pod" },
  resource: { group: "", version: "v1", resource: "pods" },
  name: "web",
  namespace: "default",
  operation: "CREATE",
  userInfo: { username: "ann", groups: ["developers", "system:authenticated"] },
  object: {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "default", labels: { app: "web", team: "shop", env: "prod" } },
    spec: { containers: ["web", "proxy", "logs"].map(container), restartPolicy: "Always" },
  },
  oldObject: null,
  options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
  dryRun: false,
};

const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "default" }, spec: {}, status: {} };
const registries = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "registries" },
  data: { registries: "docker.io/ours,registry.example.com" },
};

export const hosts: Hosts = {
  namespaces: { namespace: () => namespace },
  params: { scope: () => "Namespaced", get: () => registries, list: () => [registries] },
};
