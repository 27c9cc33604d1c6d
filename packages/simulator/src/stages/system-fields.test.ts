import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import type { Manifest } from "../manifest/manifest.ts";
import type { IntendedRequest } from "../request/intended-request.ts";
import { SimulatedCluster, type SimulatedClusterOptions } from "../simulated/simulated-cluster.ts";

const pod = (metadata: object, more: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a", ...metadata },
  spec: { containers: [{ name: "c", image: "i:1" }] },
  ...more,
});
const deployment = (replicas: number, more: object = {}): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: {
    replicas,
    selector: { matchLabels: { app: "d" }, matchExpressions: [{ key: "tier", operator: "In", values: ["b", "a"] }] },
    template: { metadata: { labels: { app: "d" } }, spec: { containers: [{ name: "c", image: "i:1" }] } },
  },
  ...more,
});
const scale = (replicas: number): KubeObject => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name: "d" },
  spec: { replicas },
});
const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "n", labels: { team: "x" } } };
const node: KubeObject = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "n", namespace: "x" },
  status: { phase: "Running" },
};
const old = pod(
  { uid: "u", generation: 3, deletionTimestamp: "2026-01-01T00:00:00Z" },
  { status: { phase: "Running" } },
);
const eviction: KubeObject = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } };

// The truths of a policy: every expression is one binding that denies where it is false.
// biome-ignore format: one case per line
const cases: { name: string; ask: IntendedRequest; options?: SimulatedClusterOptions; seen: string[] }[] = [
  { name: "a name is generated",             ask: { object: pod({ name: undefined, generateName: "web-" }) },       seen: ["object.metadata.name.matches('^web-[a-z]{5}$')", "request.name == object.metadata.name"] },
  { name: "also without defaults",           ask: { object: pod({ name: undefined, generateName: "web-" }) }, options: { serverDefaults: false }, seen: ["object.metadata.name.startsWith('web-')", "!has(object.metadata.uid)"] },
  { name: "what is created is stamped",      ask: { object: pod({ uid: "mine", deletionTimestamp: "2026-01-01T00:00:00Z" }) },         seen: ["object.metadata.uid != 'mine'", "has(object.metadata.creationTimestamp)", "!has(object.metadata.deletionTimestamp)", "object.metadata.generation == 1"] },
  { name: "its status is the server's",      ask: { object: pod({}, { status: { phase: "Running" } }) },            seen: ["object.status.phase == 'Pending'", "oldObject == null"] },
  { name: "a pod that is not scheduled",     ask: { object: pod({}, { spec: { containers: [{ name: "c", image: "i:1" }], schedulingGates: [{ name: "g" }] } }) }, seen: ["object.status.conditions[0].reason == 'SchedulingGated'", "object.status.conditions[0].lastProbeTime == null", "has(object.status.conditions[0].lastTransitionTime)"] },
  { name: "but that of a node",              ask: { object: node },                                                 seen: ["object.status.phase == 'Running'", "!has(object.metadata.namespace)", "!has(request.namespace)"] },
  { name: "a namespace",                     ask: { object: namespace },                                            seen: ["object.spec.finalizers == ['kubernetes']", "object.status.phase == 'Active'", "request.namespace == 'n'", "object.metadata.labels['kubernetes.io/metadata.name'] == 'n'"] },
  { name: "an update keeps what is stored",  ask: { object: pod({}, { status: { phase: "Failed" } }), oldObject: old }, seen: ["object.metadata.uid == 'u'", "object.metadata.generation == 3", "has(object.metadata.deletionTimestamp)", "object.status.phase == 'Running'", "oldObject.spec.restartPolicy == 'Always'"] },
  { name: "and counts changes",              ask: { object: deployment(2), oldObject: deployment(1) },              seen: ["object.metadata.generation == 2", "oldObject.metadata.generation == 1", "has(oldObject.metadata.uid)"] },
  { name: "where there are any",             ask: { object: deployment(1), oldObject: deployment(1) },              seen: ["object.metadata.generation == 1"] },
  { name: "an update of a status",           ask: { object: deployment(2, { status: { replicas: 7 } }), oldObject: deployment(1), subresource: "status" }, seen: ["object.status.replicas == 7", "object.spec.replicas == 1", "request.operation == 'UPDATE'"] },
  { name: "no old object: itself",           ask: { object: deployment(2), subresource: "status" },                 seen: ["request.operation == 'UPDATE'", "oldObject.spec.replicas == 2"] },
  { name: "ephemeral containers alone",      ask: { object: pod({}, { spec: { containers: [], ephemeralContainers: [{ name: "e" }] } }), oldObject: old, subresource: "ephemeralcontainers" }, seen: ["object.spec.containers[0].name == 'c'", "object.spec.ephemeralContainers[0].name == 'e'"] },
  { name: "a scale of a workload",           ask: { object: deployment(5), oldObject: deployment(1), subresource: "scale" }, seen: ["object.kind == 'Scale'", "object.spec.replicas == 5", "oldObject.spec.replicas == 1", "object.status.selector == 'app=d,tier in (a,b)'", "request.kind.kind == 'Scale'", "request.resource.resource == 'deployments'"] },
  { name: "a Scale for one",                 ask: { object: scale(0), oldObject: deployment(1), subresource: "scale" }, seen: ["object.kind == 'Scale'", "!has(object.spec.replicas)", "request.resource.group == 'apps'"] },
  { name: "deleted: as it is stored",        ask: { object: pod({}), operation: "DELETE" },                         seen: ["object == null", "oldObject.spec.restartPolicy == 'Always'", "has(oldObject.metadata.uid)"] },
  { name: "what only a subresource has",     ask: { object: eviction, subresource: "eviction" },                    seen: ["request.resource.resource == 'pods'", "request.kind.group == 'policy'", "request.operation == 'CREATE'"] },
  { name: "a resource by its name",          ask: { object: scale(3), resource: "statefulsets.apps", subresource: "scale" }, seen: ["request.resource.group == 'apps'", "request.resource.resource == 'statefulsets'"] },
];

const setUp = (seen: readonly string[]): Manifest[] => [
  {
    object: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "p" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], operations: ["*"] }],
        },
        validations: seen.map((expression) => ({ expression })),
      },
    },
  },
  {
    object: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: "p" },
      spec: { policyName: "p", validationActions: ["Deny"] },
    },
  },
];

test.each(cases)("$name", async ({ ask, options = {}, seen }) => {
  const simulated = SimulatedCluster.of(setUp(seen), { fieldValidation: "Ignore", ...options });
  const { problems, policies } = await simulated.review(ask);
  expect(problems.filter(({ system }) => system === "policy").map(({ message }) => message)).toEqual([]);
  expect(policies.verdicts.policies.map(({ outcome }) => outcome)).toEqual(["matched"]);
});
