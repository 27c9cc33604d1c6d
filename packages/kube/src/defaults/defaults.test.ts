import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builtinResources } from "../builtin/index.ts";
import { readDocument } from "../read/index.ts";
import { type DecodeKind, decode } from "../types/index.ts";
import type { Minor } from "../versions.ts";
import { imagePullPolicy } from "./image.ts";
import { withServerDefaults } from "./index.ts";

function yaml(text: string): unknown {
  const read = readDocument(text, { format: "yaml" });
  if (!("value" in read)) throw new Error(JSON.stringify(read));
  return read.value;
}

const POD_SPEC = `restartPolicy: Always, terminationGracePeriodSeconds: 30, dnsPolicy: ClusterFirst, securityContext: {}, schedulerName: default-scheduler`;
const CONTAINER = `terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File`;

// biome-ignore format: an object and what it becomes per line
const cases: [string, string, string][] = [
  ["a pod",
    "{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, image: x}]}}",
    `{apiVersion: v1, kind: Pod, spec: {${POD_SPEC}, enableServiceLinks: true, containers: [{name: a, image: x, ${CONTAINER}, imagePullPolicy: Always, resources: {}}]}}`],
  ["limits of a pod's containers, not of a template's",
    "{apiVersion: v1, kind: Pod, spec: {containers: [{image: x:1, resources: {limits: {cpu: 1, memory: 1024Mi}, requests: {cpu: 0.5}}}]}}",
    `{apiVersion: v1, kind: Pod, spec: {${POD_SPEC}, enableServiceLinks: true, containers: [{image: x:1, ${CONTAINER}, imagePullPolicy: IfNotPresent, resources: {limits: {cpu: "1", memory: 1Gi}, requests: {cpu: 500m, memory: 1Gi}}}]}}`],
  ["a template",
    "{apiVersion: apps/v1, kind: ReplicaSet, spec: {template: {spec: {hostNetwork: true, containers: [{image: x:1, ports: [{containerPort: 80}], resources: {limits: {cpu: 100u}}}]}}}}",
    `{apiVersion: apps/v1, kind: ReplicaSet, spec: {replicas: 1, template: {spec: {${POD_SPEC}, hostNetwork: true, containers: [{image: x:1, ${CONTAINER}, imagePullPolicy: IfNotPresent, ports: [{containerPort: 80, protocol: TCP}], resources: {limits: {cpu: 1m}}}]}}}}`],
  ["probes, hooks, accounts, volumes, host ports",
    `{apiVersion: v1, kind: Pod, spec: {serviceAccount: a, terminationGracePeriodSeconds: -5, hostNetwork: true, volumes: [{name: v}, {name: h, hostPath: {path: /x}}, {name: s, secret: {}}, {name: p, projected: {sources: [{serviceAccountToken: {path: t}}, {downwardAPI: {items: [{path: a, fieldRef: {fieldPath: x}}]}}]}}, {name: e, ephemeral: {volumeClaimTemplate: {spec: {}}}}],
      containers: [{image: "x:1", ports: [{containerPort: 80}], env: [{name: A, valueFrom: {fieldRef: {fieldPath: b}}}], livenessProbe: {httpGet: {port: 1}, periodSeconds: 0}, startupProbe: {grpc: {port: 1}, failureThreshold: 9}, lifecycle: {preStop: {httpGet: {port: 2, path: /q}}}}]}}`,
    `{apiVersion: v1, kind: Pod, spec: {restartPolicy: Always, terminationGracePeriodSeconds: 1, dnsPolicy: ClusterFirst, securityContext: {}, schedulerName: default-scheduler, enableServiceLinks: true, hostNetwork: true, serviceAccount: a, serviceAccountName: a,
      volumes: [{name: v, emptyDir: {}}, {name: h, hostPath: {path: /x, type: ""}}, {name: s, secret: {defaultMode: 420}}, {name: p, projected: {defaultMode: 420, sources: [{serviceAccountToken: {path: t, expirationSeconds: 3600}}, {downwardAPI: {items: [{path: a, fieldRef: {apiVersion: v1, fieldPath: x}}]}}]}}, {name: e, ephemeral: {volumeClaimTemplate: {spec: {volumeMode: Filesystem, resources: {}}}}}],
      containers: [{image: "x:1", ${CONTAINER}, imagePullPolicy: IfNotPresent, resources: {}, ports: [{containerPort: 80, hostPort: 80, protocol: TCP}], env: [{name: A, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: b}}}],
        livenessProbe: {httpGet: {port: 1, path: /, scheme: HTTP}, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3},
        startupProbe: {grpc: {port: 1, service: ""}, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 9},
        lifecycle: {preStop: {httpGet: {port: 2, path: /q, scheme: HTTP}}}}]}}`],
  ["a deployment",
    "{apiVersion: apps/v1, kind: Deployment, spec: {strategy: {rollingUpdate: {maxSurge: 1}}, template: {}}}",
    `{apiVersion: apps/v1, kind: Deployment, spec: {replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: "25%"}}, template: {spec: {${POD_SPEC}}}}}`],
  ["a deployment that recreates",
    "{apiVersion: apps/v1, kind: Deployment, spec: {replicas: 0, strategy: {type: Recreate}, template: {}}}",
    `{apiVersion: apps/v1, kind: Deployment, spec: {replicas: 0, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, strategy: {type: Recreate}, template: {spec: {${POD_SPEC}}}}}`],
  ["a stateful set",
    "{apiVersion: apps/v1, kind: StatefulSet, spec: {template: {}, volumeClaimTemplates: [{spec: {resources: {requests: {storage: 1024Mi}}}}]}}",
    `{apiVersion: apps/v1, kind: StatefulSet, spec: {replicas: 1, revisionHistoryLimit: 10, podManagementPolicy: OrderedReady, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0, maxUnavailable: 1}}, persistentVolumeClaimRetentionPolicy: {whenDeleted: Retain, whenScaled: Retain}, template: {spec: {${POD_SPEC}}},
      volumeClaimTemplates: [{spec: {volumeMode: Filesystem, resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}, kind: PersistentVolumeClaim, apiVersion: v1}]}}`],
  ["a daemon set",
    "{apiVersion: apps/v1, kind: DaemonSet, spec: {template: {}}}",
    `{apiVersion: apps/v1, kind: DaemonSet, metadata: {annotations: {deprecated.daemonset.template.generation: "0"}}, spec: {revisionHistoryLimit: 10, updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1, maxSurge: 0}}, template: {spec: {${POD_SPEC}}}}}`],
  ["a job with parallelism",
    "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {parallelism: 2, backoffLimitPerIndex: 1, template: {metadata: {labels: {a: b}}, spec: {restartPolicy: Never}}}}",
    `{apiVersion: batch/v1, kind: Job, metadata: {name: j, labels: {a: b}}, spec: {parallelism: 2, backoffLimitPerIndex: 1, backoffLimit: 2147483647, completionMode: NonIndexed, suspend: false, manualSelector: false, podReplacementPolicy: TerminatingOrFailed, template: {metadata: {labels: {a: b}}, spec: {terminationGracePeriodSeconds: 30, dnsPolicy: ClusterFirst, securityContext: {}, schedulerName: default-scheduler, restartPolicy: Never}}}}`],
  ["a cron job, whose job is none yet",
    "{apiVersion: batch/v1, kind: CronJob, spec: {jobTemplate: {spec: {template: {}}}}}",
    `{apiVersion: batch/v1, kind: CronJob, spec: {concurrencyPolicy: Allow, suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1, jobTemplate: {spec: {template: {spec: {${POD_SPEC}}}}}}}`],
  ["a replication controller",
    "{apiVersion: v1, kind: ReplicationController, metadata: {}, spec: {template: {metadata: {labels: {a: b}}}}}",
    `{apiVersion: v1, kind: ReplicationController, metadata: {labels: {a: b}}, spec: {replicas: 1, selector: {a: b}, template: {metadata: {labels: {a: b}}, spec: {${POD_SPEC}}}}}`],
  ["a service",
    "{apiVersion: v1, kind: Service, spec: {ports: [{port: 80}, {port: 53, protocol: UDP, targetPort: dns}]}}",
    "{apiVersion: v1, kind: Service, spec: {type: ClusterIP, sessionAffinity: None, internalTrafficPolicy: Cluster, ports: [{port: 80, protocol: TCP, targetPort: 80}, {port: 53, protocol: UDP, targetPort: dns}]}}"],
  ["a load balancer with affinity",
    "{apiVersion: v1, kind: Service, spec: {type: LoadBalancer, sessionAffinity: ClientIP}}",
    "{apiVersion: v1, kind: Service, spec: {type: LoadBalancer, sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 10800}}, externalTrafficPolicy: Cluster, internalTrafficPolicy: Cluster, allocateLoadBalancerNodePorts: true}}"],
  ["an external name",
    "{apiVersion: v1, kind: Service, spec: {type: ExternalName, externalName: x}}",
    "{apiVersion: v1, kind: Service, spec: {type: ExternalName, externalName: x, sessionAffinity: None}}"],
  ["a secret",
    "{apiVersion: v1, kind: Secret, data: {b: Yg==}, stringData: {a: 'é!', b: x}}",
    "{apiVersion: v1, kind: Secret, type: Opaque, data: {b: eA==, a: w6kh}}"],
  ["a namespace",
    "{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {kubernetes.io/metadata.name: b, c: d}}}",
    "{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {kubernetes.io/metadata.name: a, c: d}}, status: {phase: Active}}"],
  ["a volume and a claim",
    "{apiVersion: v1, kind: PersistentVolume, spec: {hostPath: {path: /x}, capacity: {storage: 1000000Ki}}}",
    "{apiVersion: v1, kind: PersistentVolume, spec: {hostPath: {path: /x, type: ''}, capacity: {storage: 1000000Ki}, volumeMode: Filesystem, persistentVolumeReclaimPolicy: Retain}, status: {phase: Pending}}"],
  ["resources of a whole pod",
    "{apiVersion: v1, kind: Pod, spec: {resources: {limits: {cpu: 4, hugepages-2Mi: 2Mi}}, initContainers: [{image: a, restartPolicy: Always, resources: {requests: {cpu: 1}}}, {image: a, resources: {requests: {cpu: 3}}}], containers: [{image: a, resources: {requests: {cpu: 500m, memory: 1Gi}}}]}}",
    `{apiVersion: v1, kind: Pod, spec: {${POD_SPEC}, enableServiceLinks: true, resources: {limits: {cpu: "4", hugepages-2Mi: 2Mi}},
      initContainers: [{image: a, restartPolicy: Always, ${CONTAINER}, imagePullPolicy: Always, resources: {requests: {cpu: "1"}}}, {image: a, ${CONTAINER}, imagePullPolicy: Always, resources: {requests: {cpu: "3"}}}],
      containers: [{image: a, ${CONTAINER}, imagePullPolicy: Always, resources: {requests: {cpu: 500m, memory: 1Gi}}}]}}`],
  ["a node",
    "{apiVersion: v1, kind: Node, spec: {podCIDR: 10.0.0.0/24}, status: {capacity: {cpu: 1500u}}}",
    "{apiVersion: v1, kind: Node, spec: {podCIDR: 10.0.0.0/24, podCIDRs: [10.0.0.0/24]}, status: {capacity: {cpu: 2m}, allocatable: {cpu: 2m}}}"],
  ["addresses of a pod that disagree",
    "{apiVersion: v1, kind: Pod, spec: {containers: []}, status: {podIP: 10.0.0.1, podIPs: [{ip: 10.0.0.2}]}}",
    `{apiVersion: v1, kind: Pod, spec: {${POD_SPEC}, enableServiceLinks: true, containers: []}, status: {podIP: 10.0.0.1, podIPs: [{ip: 10.0.0.1}]}}`],
  ["an autoscaler of the older version",
    "{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {annotations: {a: b, autoscaling.alpha.kubernetes.io/conditions: 'no'}}, spec: {scaleTargetRef: {kind: a, name: b}, maxReplicas: 1}, status: {currentCPUUtilizationPercentage: 7}}",
    `{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {annotations: {a: b, autoscaling.alpha.kubernetes.io/current-metrics: '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":7,"currentAverageValue":"0"}}]'}}, spec: {scaleTargetRef: {kind: a, name: b}, minReplicas: 1, maxReplicas: 1, targetCPUUtilizationPercentage: 80}, status: {currentCPUUtilizationPercentage: 7}}`],
  ["limits",
    "{apiVersion: v1, kind: LimitRange, spec: {limits: [{type: Container, max: {cpu: 2}, min: {memory: 1Mi}, default: {cpu: 1}}, {type: Pod, max: {cpu: 1}}]}}",
    "{apiVersion: v1, kind: LimitRange, spec: {limits: [{type: Container, max: {cpu: '2'}, min: {memory: 1Mi}, default: {cpu: '1'}, defaultRequest: {cpu: '1', memory: 1Mi}}, {type: Pod, max: {cpu: '1'}}]}}"],
  ["a role without rules",
    "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role}",
    "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, rules: null}"],
  ["a binding",
    "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, subjects: [{kind: User, name: a}, {kind: ServiceAccount, name: b}], roleRef: {kind: Role, name: r}}",
    "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, subjects: [{kind: User, name: a, apiGroup: rbac.authorization.k8s.io}, {kind: ServiceAccount, name: b}], roleRef: {kind: Role, name: r, apiGroup: rbac.authorization.k8s.io}}"],
  ["an autoscaler",
    "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {behavior: {scaleDown: {selectPolicy: Min}}}}",
    "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {minReplicas: 1, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}], behavior: {scaleUp: {stabilizationWindowSeconds: 0, selectPolicy: Max, policies: [{type: Pods, value: 4, periodSeconds: 15}, {type: Percent, value: 100, periodSeconds: 15}]}, scaleDown: {selectPolicy: Min, policies: [{type: Percent, value: 100, periodSeconds: 15}]}}}}"],
  ["a network policy",
    "{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, spec: {egress: [{ports: [{port: 53}]}]}}",
    "{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, spec: {egress: [{ports: [{port: 53, protocol: TCP}]}], policyTypes: [Ingress, Egress]}}"],
  ["a storage class",
    "{apiVersion: storage.k8s.io/v1, kind: StorageClass}",
    "{apiVersion: storage.k8s.io/v1, kind: StorageClass, reclaimPolicy: Delete, volumeBindingMode: Immediate}"],
  ["a CSI driver",
    "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, spec: {podInfoOnMount: true}}",
    "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, spec: {podInfoOnMount: true, attachRequired: true, storageCapacity: false, fsGroupPolicy: ReadWriteOnceWithFSType, volumeLifecycleModes: [Persistent], requiresRepublish: false, seLinuxMount: false}}"],
  ["webhooks",
    "{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, webhooks: [{name: a, clientConfig: {service: {name: s}}, rules: [{}]}]}",
    "{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, webhooks: [{name: a, clientConfig: {service: {name: s, port: 443}}, rules: [{scope: '*'}], failurePolicy: Fail, matchPolicy: Equivalent, namespaceSelector: {}, objectSelector: {}, timeoutSeconds: 10, reinvocationPolicy: Never}]}"],
  ["a policy",
    "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, spec: {matchConstraints: {resourceRules: [{}]}}}",
    "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, spec: {failurePolicy: Fail, matchConstraints: {matchPolicy: Equivalent, namespaceSelector: {}, objectSelector: {}, resourceRules: [{scope: '*'}]}}}"],
  ["a claim of devices",
    "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, spec: {devices: {requests: [{exactly: {}}, {firstAvailable: [{allocationMode: All}]}]}}}",
    "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, spec: {devices: {requests: [{exactly: {allocationMode: ExactCount, count: 1}}, {firstAvailable: [{allocationMode: All}]}]}}}"],
];

describe.each(cases)("%s", (_, given, want) => {
  test("is filled in, and needs nothing more", () => {
    const object = frozen(yaml(given));
    const filled = withServerDefaults(object);
    // Fields that the type always writes are not repeated in every case.
    const wanted = yaml(want) as DecodeKind;
    expect(filled).toEqual(decode(wanted, wanted)!.object);
    expect(withServerDefaults(frozen(filled))).toEqual(filled);
  });
});

test("resources of a whole pod get their requests before admission up to 1.36", () => {
  const container = { name: "c", image: "i", resources: { requests: { memory: "1Gi" } } };
  const pod = { apiVersion: "v1", kind: "Pod", spec: { containers: [container], resources: { limits: { cpu: "4" } } } };
  const requests = (minor: Minor): unknown => withServerDefaults<typeof pod>(frozen(pod), minor).spec.resources;
  expect(requests("1.36")).toEqual({ limits: { cpu: "4" }, requests: { cpu: "4", memory: "1Gi" } });
  expect(requests("1.37")).toEqual({ limits: { cpu: "4" } });
  expect(requests("1.33")).toEqual({ limits: { cpu: "4" } });
});

// biome-ignore format: one image per line
test.each([
  ["nginx", "Always"], ["nginx:latest", "Always"], ["nginx:1.25", "IfNotPresent"], ["r:5000/a/b", "Always"], ["r:5000/a/b:1", "IfNotPresent"],
  [`a@sha256:${"0".repeat(64)}`, "IfNotPresent"], [`a:latest@sha256:${"0".repeat(64)}`, "Always"], ["", "IfNotPresent"], ["UPPER", "IfNotPresent"], [undefined, "IfNotPresent"],
])("pull policy of %s", (image, want) => expect(imagePullPolicy(image)).toBe(want));

test("an object of another kind is the same object", () => {
  for (const object of [{ apiVersion: "example.com/v1", kind: "Pod" }, {}, null, [], "x"]) {
    expect(withServerDefaults(object)).toBe(object);
  }
});

test("what cannot be decoded is left to those who check it", () => {
  const object = frozen({ apiVersion: "v1", kind: "Pod", metadata: 1, spec: { containers: [1, null], volumes: {} } });
  expect(withServerDefaults(object)).toBe(object);
});

test("a list is a list of its kind", () => {
  const list = { apiVersion: "v1", kind: "SecretList", items: [{ metadata: { name: "a" } }] };
  expect(withServerDefaults(list)).toMatchObject({ items: [{ metadata: { name: "a" }, type: "Opaque" }] });
});

test("any data of any kind is filled in once and for all", () => {
  const field = fc.constantFrom(
    "spec",
    "template",
    "containers",
    "resources",
    "limits",
    "ports",
    "metadata",
    "labels",
    "volumes",
    "__proto__",
    "type",
    "webhooks",
    "data",
    "stringData",
  );
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom(null, 0, "", "x", 1, true, "1Gi", "0.5"),
      fc.array(tie("node"), { maxLength: 2 }),
      fc.dictionary(field, tie("node"), { maxKeys: 4 }),
    ),
  }));
  const kind = fc.constantFrom(...builtinResources());
  fc.assert(
    fc.property(kind, fc.dictionary(field, node), (resource, fields) => {
      const apiVersion = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
      const object = frozen({ ...fields, apiVersion, kind: resource.kind });
      const filled = withServerDefaults(object);
      expect(withServerDefaults(frozen(filled))).toEqual(filled);
    }),
    { numRuns: 2000 },
  );
});

/** Everything in it frozen: who writes on it fails. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const item of Object.values(value)) frozen(item);
  return Object.freeze(value);
}
