// npm run bench -- mutation [--quick] [--keep]: one ApplyConfiguration of a mutating policy over a pod of three containers, beside the same
// change in JavaScript, and server-side apply of an unchanged Deployment. Results are compared before anything is timed. The change in
// JavaScript is like that of a webhook: copy the object, change the copy. A mutation is the same and more: it is evaluated with its cost,
// merged by the kind's schema, decoded and filled with defaults.

import { deepStrictEqual } from "node:assert";
import { parseArgs } from "node:util";
import type { AdmissionRequest } from "@celadon/admission";
import { builtinMergeTypeOf, completeBuiltin } from "@celadon/admission/memory";
import { createMutatingPolicySet, type MutatingHosts, mutateEntries } from "@celadon/admission/mutating";
import { apiVersionOf, type KubeObject } from "@celadon/kube";
import { withServerDefaults } from "@celadon/kube/defaults";
import { builtinMergeType, createFieldManager } from "@celadon/merge";
import { keep } from "./keep.ts";
import { FULL, median, nanosPerCall, QUICK } from "./measure.ts";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, keep: { type: "boolean", default: false } },
});
const effort = values.quick ? QUICK : FULL;

interface Container {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

const container = (name: string): Container => ({
  name,
  ...({
    image: `registry.example.com/shop/${name}:1.2.3`,
    ports: [{ name: "http", containerPort: 8080 }],
    resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "128Mi" } },
    securityContext: { runAsNonRoot: true },
    volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
  } as object),
  env: [
    { name: "LOG_LEVEL", value: "info" },
    { name: "REGION", value: "eu" },
  ],
});
const podSpec = {
  containers: ["web", "proxy", "metrics"].map(container),
  volumes: [{ name: "tmp", emptyDir: {} }],
};

const kind = { group: "", version: "v1", kind: "Pod" };
const pod = withServerDefaults({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop", labels: { app: "web" } },
  spec: podSpec,
} as KubeObject);

const policies = createMutatingPolicySet([
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingAdmissionPolicy",
    metadata: { name: "zone" },
    spec: {
      reinvocationPolicy: "Never",
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
      },
      mutations: [
        {
          patchType: "ApplyConfiguration",
          applyConfiguration: {
            expression: `Object{spec: Object.spec{containers: object.spec.containers.map(c,
              Object.spec.containers{name: c.name, env: [Object.spec.containers.env{name: "ZONE", value: "a"}]})}}`,
          },
        },
      ],
    },
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingAdmissionPolicyBinding",
    metadata: { name: "zone" },
    spec: { policyName: "zone" },
  },
]);
const request: AdmissionRequest = {
  kind,
  resource: { group: "", version: "v1", resource: "pods" },
  operation: "CREATE",
  name: "web",
  object: pod,
  oldObject: null,
  userInfo: { username: "ann" },
};
const hosts: MutatingHosts = {
  mergeType: builtinMergeTypeOf,
  complete: (object, of, strict) => completeBuiltin(object, of, strict) ?? object,
};

/** Changes a copy of the object, as a webhook does. */
function byHand(object: KubeObject): KubeObject {
  const copy = structuredClone(object) as KubeObject & { spec: { containers: { env?: unknown[] }[] } };
  for (const item of copy.spec.containers as { env?: { name: string; value?: string }[] }[]) {
    item.env ??= [];
    const known = item.env.find(({ name }) => name === "ZONE");
    if (known === undefined) item.env.push({ name: "ZONE", value: "a" });
    else known.value = "a";
  }
  return copy;
}

const entries = policies.entries();
deepStrictEqual((await mutateEntries(request, entries, hosts)).object, byHand(pod));

const hand = median(
  nanosPerCall(
    (n) => {
      let last: unknown;
      for (let i = 0; i < n; i++) last = byHand(pod);
      return last;
    },
    1,
    effort,
  ),
);
const mutation = median(await samples(() => mutateEntries(request, entries, hosts)));

/** The same for work that answers later: batches of fixed length, warmed up. */
async function samples(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const rounds = values.quick ? 2_000 : 10_000;
  for (let i = 0; i < effort.samples + 2; i++) {
    const before = process.cpuUsage();
    for (let n = 0; n < rounds; n++) await work();
    const { user, system } = process.cpuUsage(before);
    times.push(((user + system) * 1000) / rounds);
  }
  return times.slice(2);
}

const deployments = { group: "apps", version: "v1", kind: "Deployment" };
const manager = createFieldManager({
  kind: deployments,
  type: (apiVersion) => (apiVersion === apiVersionOf(deployments) ? builtinMergeType(deployments) : undefined),
  now: () => "2026-01-01T00:00:00Z",
});
const applied = (): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", labels: { app: "web" } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: podSpec },
  },
});
const status = { replicas: 3, readyReplicas: 3, observedGeneration: 1 };
const created = withServerDefaults(manager.apply(undefined, applied(), "ci", false) as KubeObject);
const named = { ...created, metadata: { ...created.metadata, uid: "1" } } as KubeObject;
const live = manager.update(named, { ...named, status } as KubeObject, "kube-controller-manager");
deepStrictEqual(manager.apply(live, applied(), "ci", false), live);
const config = applied();
const apply = median(
  nanosPerCall(
    (n) => {
      let last: unknown;
      for (let i = 0; i < n; i++) last = manager.apply(live, config, "ci", false);
      return last;
    },
    1,
    effort,
  ),
);

const micros = (nanos: number): string => `${(nanos / 1000).toFixed(1)} µs`;
console.log(`node ${process.version}; CPU time, garbage collection included\n`);
console.log(`ApplyConfiguration of a pod with three containers  ${micros(mutation)}`);
console.log(`the same in JavaScript                             ${micros(hand)}`);
console.log(`times JavaScript                                   ${(mutation / hand).toFixed(1)}× (goal 5×)`);
console.log(`server-side apply of an unchanged Deployment       ${micros(apply)} (goal 100 µs)`);
if (values.keep) {
  keep("mutation", {
    applyConfigurationNanos: Math.round(mutation),
    byHandNanos: Math.round(hand),
    unchangedApplyNanos: Math.round(apply),
  });
}
