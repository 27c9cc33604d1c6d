// Kinds of the groups of networking, workloads, roles, certificates and the like.

import { asJson, type Cases, DRY, members, meta, NAMESPACE, repeat } from "../samples.ts";

export const groupsCases: Cases = {
  ingress: (s) => ({
    method: "POST",
    path: `/apis/networking.k8s.io/v1/namespaces/default/ingresses${DRY}`,
    body: asJson({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: meta(),
      spec: {
        rules: repeat(s / 120, () => ({
          host: "a",
          http: {
            paths: [{ path: "/a", pathType: "Prefix", backend: { service: { name: "a", port: { number: 1 } } } }],
          },
        })),
      },
    }),
  }),
  "ingress tls": (s) => ({
    method: "POST",
    path: `/apis/networking.k8s.io/v1/namespaces/default/ingresses${DRY}`,
    body: asJson({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: meta(),
      spec: {
        defaultBackend: { service: { name: "a", port: { number: 1 } } },
        tls: [{ hosts: repeat(s / 4, () => "a") }],
      },
    }),
  }),
  netpol: (s) => ({
    method: "POST",
    path: `/apis/networking.k8s.io/v1/namespaces/default/networkpolicies${DRY}`,
    body: asJson({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: meta(),
      spec: {
        podSelector: {},
        ingress: [{ from: [{ ipBlock: { cidr: "1.0.0.0/8", except: repeat(s / 14, () => "1.1.0.0/16") } }] }],
      },
    }),
  }),
  "deployment ports": (s) => ({
    method: "POST",
    path: `/apis/apps/v1/namespaces/default/deployments${DRY}`,
    body: asJson({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: meta(),
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: {
          metadata: { labels: { a: "b" } },
          spec: { containers: [{ name: "a", image: "a", ports: repeat(s / 20, () => ({ containerPort: 1 })) }] },
        },
      },
    }),
  }),
  "deployment selector": (s) => ({
    method: "POST",
    path: `/apis/apps/v1/namespaces/default/deployments${DRY}`,
    body: asJson({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: meta(),
      spec: {
        selector: { matchExpressions: repeat(s / 40, (i) => ({ key: `a${i}`, operator: "Exists" })) },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "a" }] } },
      },
    }),
  }),
  "sts claims": (s) => ({
    method: "POST",
    path: `/apis/apps/v1/namespaces/default/statefulsets${DRY}`,
    body: asJson({
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: meta(),
      spec: {
        serviceName: "a",
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "a" }] } },
        volumeClaimTemplates: repeat(s / 120, () => ({
          metadata: { name: "a" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
        })),
      },
    }),
  }),
  "role rules": (s) => ({
    method: "POST",
    path: `/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles${DRY}`,
    body: asJson({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: meta(),
      rules: repeat(s / 60, (i) => ({ apiGroups: [""], resources: [`a${i}`], verbs: ["get"] })),
    }),
  }),
  rolebinding: (s) => ({
    method: "POST",
    path: `/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings${DRY}`,
    body: asJson({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: meta(),
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
      subjects: repeat(s / 40, (i) => ({ kind: "User", name: `a${i}` })),
    }),
  }),
  "netpol ports": (s) => ({
    method: "POST",
    path: `/apis/networking.k8s.io/v1/namespaces/default/networkpolicies${DRY}`,
    body: asJson({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: meta(),
      spec: { podSelector: {}, ingress: [{ ports: repeat(s / 12, () => ({ port: -1 })) }] },
    }),
  }),
  job: (s) => ({
    method: "POST",
    path: `/apis/batch/v1/namespaces/default/jobs${DRY}`,
    body: asJson({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: meta(),
      spec: {
        completions: 100000,
        completionMode: "Indexed",
        backoffLimitPerIndex: 1,
        podFailurePolicy: {
          rules: repeat(s / 80, () => ({ action: "Ignore", onExitCodes: { operator: "In", values: [1] } })),
        },
        template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } },
      },
    }),
  }),
  hpa: (s) => ({
    method: "POST",
    path: `/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers${DRY}`,
    body: asJson({
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: meta(),
      spec: {
        maxReplicas: 2,
        scaleTargetRef: { kind: "a", name: "b" },
        metrics: repeat(s / 100, () => ({
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1 } },
        })),
      },
    }),
  }),
  csr: (s) => ({
    method: "POST",
    path: `/apis/certificates.k8s.io/v1/certificatesigningrequests${DRY}`,
    body: asJson({
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      metadata: meta(),
      spec: {
        signerName: "a.b/c",
        usages: ["client auth"],
        request: Buffer.from(
          `-----BEGIN CERTIFICATE REQUEST-----\n${"A".repeat(s * 0.7)}\n-----END CERTIFICATE REQUEST-----\n`,
        ).toString("base64"),
      },
    }),
  }),
  "csr begins": (s) => ({
    method: "POST",
    path: `/apis/certificates.k8s.io/v1/certificatesigningrequests${DRY}`,
    body: asJson({
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      metadata: meta(),
      spec: {
        signerName: "a.b/c",
        usages: ["client auth"],
        request: Buffer.from("-----BEGIN CERTIFICATE REQUEST-----\n".repeat((s * 0.72) / 37)).toString("base64"),
      },
    }),
  }),
  "csr blocks": (s) => ({
    method: "POST",
    path: `/apis/certificates.k8s.io/v1/certificatesigningrequests${DRY}`,
    body: asJson({
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      metadata: meta(),
      spec: {
        signerName: "a.b/c",
        usages: repeat(1000, () => "client auth"),
        request: Buffer.from("-----BEGIN X-----\nAAAA\n-----END X-----\n".repeat((s * 0.7) / 40)).toString("base64"),
      },
    }),
  }),
  "slice resources": (s) => ({
    method: "POST",
    path: `/apis/resource.k8s.io/v1/resourceslices${DRY}`,
    body: asJson({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: meta(),
      spec: {
        driver: "a.b",
        nodeName: "a",
        pool: { name: "a", generation: 1, resourceSliceCount: 1 },
        devices: repeat(s / 40, (i) => ({ name: `a${i}` })),
      },
    }),
  }),
  eviction: (s) => ({
    method: "POST",
    path: `${NAMESPACE}/pods/t/eviction${DRY}`,
    body: asJson({
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "t", labels: members(s / 16, (i) => [`k${i}`, "!"]) },
    }),
  }),
  binding: (s) => ({
    method: "POST",
    path: `${NAMESPACE}/pods/t/binding${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name: "t", annotations: members(s / 16, (i) => [`k${i}`, "!"]) },
      target: { name: "a" },
    }),
  }),
  scale: (s) => ({
    method: "PUT",
    path: `/apis/apps/v1/namespaces/default/deployments/d/scale${DRY}`,
    body: asJson({
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "d", labels: members(s / 16, (i) => [`k${i}`, "!"]) },
      spec: { replicas: 1 },
    }),
  }),
  quota: (s) => ({
    method: "POST",
    path: `${NAMESPACE}/resourcequotas${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: meta(),
      spec: { hard: members(s / 20, (i) => [`a.b/k${i}`, "1"]), scopes: repeat(1000, () => "Terminating") },
    }),
  }),
  limitrange: (s) => ({
    method: "POST",
    path: `${NAMESPACE}/limitranges${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "LimitRange",
      metadata: meta(),
      spec: { limits: repeat(s / 60, () => ({ type: "Container", max: { cpu: "1" } })) },
    }),
  }),
  pv: (s) => ({
    method: "POST",
    path: `/api/v1/persistentvolumes${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: meta(),
      spec: {
        capacity: { storage: "1" },
        accessModes: repeat(s / 30, () => "ReadWriteOnce"),
        hostPath: { path: "/a" },
        mountOptions: repeat(s / 10, () => "a"),
      },
    }),
  }),
  pvc: (s) => ({
    method: "POST",
    path: `${NAMESPACE}/persistentvolumeclaims${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: meta(),
      spec: { accessModes: repeat(s / 20, () => "ReadWriteOnce"), resources: { requests: { storage: "1" } } },
    }),
  }),
  node: (s) => ({
    method: "POST",
    path: `/api/v1/nodes${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "Node",
      metadata: meta(),
      spec: { taints: repeat(s / 50, (i) => ({ key: `a${i}`, effect: "NoSchedule" })), podCIDRs: [] },
      status: { images: [] },
    }),
  }),
  "node taints same": (s) => ({
    method: "POST",
    path: `/api/v1/nodes${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "Node",
      metadata: meta(),
      spec: { taints: repeat(s / 50, () => ({ key: "a", effect: "NoSchedule" })) },
    }),
  }),
  secret: (s) => ({
    method: "POST",
    path: `${NAMESPACE}/secrets${DRY}`,
    body: asJson({
      apiVersion: "v1",
      kind: "Secret",
      metadata: meta(),
      stringData: members(s / 16, (i) => [`k${i}`, "v"]),
    }),
  }),
  flowschema: (s) => ({
    method: "POST",
    path: `/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas${DRY}`,
    body: asJson({
      apiVersion: "flowcontrol.apiserver.k8s.io/v1",
      kind: "FlowSchema",
      metadata: meta(),
      spec: {
        priorityLevelConfiguration: { name: "a" },
        rules: repeat(s / 150, () => ({
          subjects: [{ kind: "User", user: { name: "a" } }],
          resourceRules: [{ apiGroups: ["*"], namespaces: ["*"], resources: ["*"], verbs: ["get", "get"] }],
        })),
      },
    }),
  }),
  "flowschema verbs": (s) => ({
    method: "POST",
    path: `/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas${DRY}`,
    body: asJson({
      apiVersion: "flowcontrol.apiserver.k8s.io/v1",
      kind: "FlowSchema",
      metadata: meta(),
      spec: {
        priorityLevelConfiguration: { name: "a" },
        rules: [
          {
            subjects: [{ kind: "User", user: { name: "a" } }],
            resourceRules: [
              {
                apiGroups: repeat(s / 12, () => ""),
                namespaces: ["*"],
                resources: ["*"],
                verbs: repeat(s / 12, () => "get"),
              },
            ],
          },
        ],
      },
    }),
  }),
};
