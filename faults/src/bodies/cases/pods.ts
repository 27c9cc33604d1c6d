// Pods and templates of pods: long lists, equal items, and lists that are compared with each other.

import { asJson, type Cases, DRY, members, PODS, pod, podOf, repeat } from "../samples.ts";

export const podsCases: Cases = {
  "pod ports": (s) =>
    podOf({ containers: [{ name: "a", image: "a", ports: repeat(s / 20, () => ({ containerPort: 1 })) }] }),
  "pod ports hostip": (s) =>
    podOf({
      containers: [
        {
          name: "a",
          image: "a",
          ports: repeat(s / 60, (i) => ({
            containerPort: 1,
            hostPort: 1 + (i % 60000),
            hostIP: `1.1.${(i >> 8) & 255}.${i & 255}`,
          })),
        },
      ],
    }),
  "pod containers": (s) => podOf({ containers: repeat(s / 30, (i) => ({ name: `a${i}`, image: "a" })) }),
  "pod containers same": (s) => podOf({ containers: repeat(s / 24, () => ({ name: "a", image: "a" })) }),
  "pod containers empty": (s) => podOf({ containers: repeat(s / 3, () => ({})) }),
  "pod volumes": (s) => podOf({ volumes: repeat(s / 34, (i) => ({ name: `a${i}`, emptyDir: {} })) }),
  "pod volumes same": (s) => podOf({ volumes: repeat(s / 34, () => ({ name: "a", emptyDir: {} })) }),
  "pod volumes projected": (s) =>
    podOf({
      volumes: [
        {
          name: "a",
          projected: { sources: repeat(s / 70, () => ({ secret: { name: "s", items: [{ key: "a", path: "b" }] } })) },
        },
      ],
    }),
  "pod volume items": (s) =>
    podOf({
      volumes: [
        { name: "a", configMap: { name: "a", items: repeat(s / 24, (i) => ({ key: "a", path: `b${i % 7}` })) } },
      ],
    }),
  "pod proj items": (s) =>
    podOf({
      volumes: [
        {
          name: "a",
          projected: {
            sources: [
              { configMap: { name: "a", items: repeat(s / 48, () => ({ key: "a", path: "b" })) } },
              { secret: { name: "a", items: repeat(s / 48, () => ({ key: "a", path: "b" })) } },
            ],
          },
        },
      ],
    }),
  "pod mounts": (s) =>
    podOf({
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [
        { name: "a", image: "a", volumeMounts: repeat(s / 34, (i) => ({ name: "v", mountPath: `/a${i}` })) },
      ],
    }),
  "pod mounts same": (s) =>
    podOf({
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [{ name: "a", image: "a", volumeMounts: repeat(s / 34, () => ({ name: "v", mountPath: "/a" })) }],
    }),
  "pod env": (s) =>
    podOf({ containers: [{ name: "a", image: "a", env: repeat(s / 26, (i) => ({ name: `A${i}`, value: "1" })) }] }),
  "pod env same": (s) =>
    podOf({ containers: [{ name: "a", image: "a", env: repeat(s / 26, () => ({ name: "A", value: "1" })) }] }),
  "pod tolerations": (s) => podOf({ tolerations: repeat(s / 40, (i) => ({ key: `a${i}`, operator: "Exists" })) }),
  "pod hostAliases": (s) => podOf({ hostAliases: repeat(s / 36, () => ({ ip: "1.1.1.1", hostnames: ["a"] })) }),
  "pod pullSecrets": (s) => podOf({ imagePullSecrets: repeat(s / 12, () => ({ name: "a" })) }),
  "pod spread": (s) =>
    podOf({
      topologySpreadConstraints: repeat(s / 60, (i) => ({
        maxSkew: 1,
        topologyKey: `a${i}`,
        whenUnsatisfiable: "DoNotSchedule",
      })),
    }),
  "pod spread same": (s) =>
    podOf({
      topologySpreadConstraints: repeat(s / 60, () => ({
        maxSkew: 1,
        topologyKey: "a",
        whenUnsatisfiable: "DoNotSchedule",
      })),
    }),
  "pod gates": (s) => podOf({ schedulingGates: repeat(s / 18, (i) => ({ name: `a${i}` })) }),
  "pod gates same": (s) => podOf({ schedulingGates: repeat(s / 18, () => ({ name: "a" })) }),
  "pod readiness": (s) => podOf({ readinessGates: repeat(s / 24, (i) => ({ conditionType: `a${i}` })) }),
  "pod affinity": (s) =>
    podOf({
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: repeat(s / 40, (i) => ({ topologyKey: `a${i}` })),
        },
      },
    }),
  "pod nodeaffinity": (s) =>
    podOf({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: repeat(s / 70, (i) => ({
              matchExpressions: [{ key: `a${i}`, operator: "In", values: ["b"] }],
            })),
          },
        },
      },
    }),
  "pod nodeaffinity values": (s) =>
    podOf({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: repeat(s / 4, () => "b") }] }],
          },
        },
      },
    }),
  "pod claims": (s) => podOf({ resourceClaims: repeat(s / 40, (i) => ({ name: `a${i}`, resourceClaimName: "b" })) }),
  "pod res claims": (s) =>
    podOf({
      resourceClaims: [{ name: "a", resourceClaimName: "b" }],
      containers: [{ name: "a", image: "a", resources: { claims: repeat(s / 12, () => ({ name: "a" })) } }],
    }),
  "pod sysctls": (s) =>
    podOf({ securityContext: { sysctls: repeat(s / 30, (i) => ({ name: `a.b${i}`, value: "1" })) } }),
  "pod groups": (s) => podOf({ securityContext: { supplementalGroups: repeat(s / 7, (i) => i) } }),
  "pod limits": (s) =>
    podOf({
      containers: [
        {
          name: "a",
          image: "a",
          resources: {
            limits: members(s / 24, (i) => [`a.b/c${i}`, "1"]),
            requests: members(10, (i) => [`a.b/c${i}`, "1"]),
          },
        },
      ],
    }),
  "pod bad quantities": (s) =>
    podOf({ containers: [{ name: "a", image: "a", resources: { limits: members(s / 24, (i) => [`a${i}`, "x"]) } }] }),
  "pod dns": (s) => podOf({ dnsConfig: { searches: repeat(s / 6, (i) => `a${i % 9}`) } }),
  "pod args": (s) => podOf({ containers: [{ name: "a", image: "a", args: repeat(s / 4, () => "a") }] }),
  "pod nodeSelector": (s) => podOf({ nodeSelector: members(s / 14, (i) => [`k${i}`, "v"]) }),
  "pod podIPs": (s) => ({
    method: "POST",
    path: PODS + DRY,
    body: asJson({
      ...pod({}),
      status: {
        podIPs: repeat(s / 18, () => ({ ip: "1.1.1.1" })),
        conditions: repeat(10, () => ({ type: "a", status: "True" })),
      },
    }),
  }),
};
