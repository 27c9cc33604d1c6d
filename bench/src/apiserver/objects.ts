// The objects that are written to the servers.

export function configMap(name: string, set: string): object {
  const settings = "replicas: 3\nmode: fast\nendpoints:\n- a.example.com\n- b.example.com\n";
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, labels: { set } },
    data: { "settings.yaml": settings, level: "info", note: "x".repeat(200) },
  };
}

/** Three containers; every revision has other replicas, images and an environment variable. */
export function deployment(name: string, revision: number): object {
  const labels = { app: name, tier: "web" };
  const containers = ["app", "sidecar", "metrics"].map((container, i) => ({
    name: container,
    image: `registry.example.com/${container}:1.${revision}`,
    ports: [{ name: "http", containerPort: 8080 + i }],
    env: [
      { name: "LEVEL", value: "info" },
      { name: "REVISION", value: String(revision) },
    ],
    resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: "500m", memory: "128Mi" } },
    readinessProbe: { httpGet: { path: "/ready", port: "http" }, periodSeconds: 5 },
    volumeMounts: [{ name: "config", mountPath: "/etc/app" }],
  }));
  const volumes = [{ name: "config", configMap: { name: "settings" } }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels },
    spec: {
      replicas: 1 + (revision % 5),
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels },
        spec: { securityContext: { runAsNonRoot: true }, containers, volumes },
      },
    },
  };
}

export function pod(name: string): object {
  const container = {
    image: "registry.example.com/app:1.0",
    ports: [{ containerPort: 8080 }],
    resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: "500m", memory: "128Mi" } },
    securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { app: "bench" } },
    spec: {
      containers: [
        { name: "app", ...container },
        { name: "sidecar", ...container },
      ],
    },
  };
}

export const GROUP = "bench.example.com";

const RULES = [
  "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas",
  "!has(self.host) || self.host.matches('^[a-z0-9.-]+$')",
  "!has(self.ports) || self.ports.all(p, p.port > 0 && p.port < 65536)",
  "!has(self.ports) || self.ports.all(p, self.ports.exists_one(q, q.name == p.name))",
  "!has(self.labels) || self.labels.all(k, k.startsWith('app') && self.labels[k].size() > 0)",
];

/** A definition with five rules. */
export function definition(): object {
  const text = (maxLength: number): object => ({ type: "string", maxLength });
  const integer = { type: "integer" };
  const port = { type: "object", required: ["name", "port"], properties: { name: text(20), port: integer } };
  const spec = {
    type: "object",
    required: ["replicas", "minReplicas", "maxReplicas"],
    properties: {
      replicas: integer,
      minReplicas: integer,
      maxReplicas: integer,
      host: text(253),
      ports: { type: "array", maxItems: 20, items: port },
      labels: { type: "object", maxProperties: 20, additionalProperties: text(63) },
    },
    "x-kubernetes-validations": RULES.map((rule) => ({ rule })),
  };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `probes.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { plural: "probes", singular: "probe", kind: "Probe", listKind: "ProbeList" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

export function probe(name: string, replicas = 3): object {
  const ports = ["http", "https", "metrics"].map((port, i) => ({ name: port, port: 80 + i }));
  const labels = { "app.example.com/name": "probe", "app.example.com/part": "load" };
  const spec = { replicas, minReplicas: 1, maxReplicas: 5, host: "probe.example.com", ports, labels };
  return { apiVersion: `${GROUP}/v1`, kind: "Probe", metadata: { name }, spec };
}

const ADMISSION = "admissionregistration.k8s.io/v1";

/** A policy of three validations that matches pods, and its binding. */
export function podPolicy(name: string): readonly [policy: object, binding: object] {
  const validations = [
    "object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && 'memory' in c.resources.limits)",
    "object.spec.containers.all(c, !c.image.endsWith(':latest'))",
    "!has(object.spec.hostNetwork) || !object.spec.hostNetwork",
  ].map((expression) => ({ expression }));
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["pods"] };
  return [
    {
      apiVersion: ADMISSION,
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: { matchConstraints: { resourceRules: [rule] }, validations },
    },
    {
      apiVersion: ADMISSION,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"] },
    },
  ];
}
