import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import { SimulatedCluster, type SimulatedClusterOptions } from "../simulated/simulated-cluster.ts";

const pod = (spec: object): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec });
const container = { name: "c", image: "i:1" };

// biome-ignore format: one case per line
const cases: { name: string; object: KubeObject; options?: SimulatedClusterOptions; status?: string; problems: string[] }[] = [
  { name: "well",                    object: pod({ containers: [container] }), problems: [] },
  { name: "an unknown field",        object: pod({ containers: [container], nodeNam: "n" }), status: 'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.nodeNam"', problems: ['deny unknown field "spec.nodeNam" spec/nodeNam'] },
  { name: "only a warning for it",   object: pod({ containers: [container], nodeNam: "n" }), options: { fieldValidation: "Warn" }, problems: ['notice unknown field "spec.nodeNam" spec/nodeNam'] },
  { name: "or not at all",           object: pod({ containers: [container], nodeNam: "n" }), options: { fieldValidation: "Ignore" }, problems: [] },
  { name: "a wrong type",            object: pod({ containers: [container], priority: "high" }), status: 'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field PodSpec.spec.priority of type int32', problems: ["deny json: cannot unmarshal string into Go struct field PodSpec.spec.priority of type int32 spec/priority"] },
  { name: "a warning about a field", object: pod({ containers: [container], hostAliases: [{ ip: "::0001" }] }), problems: ['notice spec.hostAliases[0].ip: IPv6 address "::0001" should be in RFC 5952 canonical format ("::1") spec/hostAliases/0/ip'] },
  { name: "a warning that names the field otherwise", object: pod({ containers: [container], volumes: [{ name: "v", storageos: { volumeName: "v" } }] }), problems: ["notice spec.volumes[0].storageOS: deprecated in v1.22, non-functional in v1.25+ spec/volumes/0/storageos"] },
  { name: "a warning about a deprecated kind", object: { apiVersion: "v1", kind: "Endpoints", metadata: { name: "e" } }, problems: ["notice v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice apiVersion"] },
  { name: "a warning about a reserved name", object: { apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingWebhookConfiguration", metadata: { name: "w.static.k8s.io" } }, problems: ['notice metadata.name: names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API metadata/name'] },
];

test.each(cases)("$name", async ({ object, options = {}, status, problems }) => {
  const outcome = await SimulatedCluster.of([], options).review({ object });
  expect(outcome.status?.message).toBe(status);
  expect(outcome.problems.map(({ level, message, path = [] }) => `${level} ${message} ${path.join("/")}`)).toEqual(
    problems,
  );
});

test("labels and annotations of kinds without a CRD are texts, and null an empty one", async () => {
  const metadata = { name: "a", labels: { l: null }, annotations: { a: null, b: "x" } };
  const object = { apiVersion: "example.com/v1", kind: "Foo", metadata } as unknown as KubeObject;
  const outcome = await SimulatedCluster.of([]).review({ object });
  expect(outcome.allowed).toBe(true);
  expect(outcome.object?.metadata).toMatchObject({ labels: { l: "" }, annotations: { a: "", b: "x" } });
});

test("policies see the defaults a server fills in", async () => {
  const { object } = await SimulatedCluster.of([]).review({ object: pod({ containers: [container] }) });
  expect(object?.spec).toMatchObject({ restartPolicy: "Always", containers: [{ imagePullPolicy: "IfNotPresent" }] });
  const { object: bare } = await SimulatedCluster.of([], { serverDefaults: false }).review({
    object: pod({ containers: [container] }),
  });
  expect(bare?.spec).toEqual({ containers: [container] });
});

const access = (spec: object): KubeObject => ({
  apiVersion: "authorization.k8s.io/v1",
  kind: "SubjectAccessReview",
  spec,
});
const deployment: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d", namespace: "default" },
  spec: {
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [container] } },
  },
};
const scale = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "d" }, spec: { replicas: -1 } };
const selector = { cel: { expression: "Bogus" } };

// biome-ignore format: one case per line
const requests: { name: string; ask: Parameters<SimulatedCluster["review"]>[0]; code?: number; status?: string; warnings?: string[] }[] = [
  { name: "a question has no name",            ask: { object: access({ user: "u", resourceAttributes: { verb: "get" } }) } },
  { name: "a question that makes no sense",    ask: { object: access({ user: "u" }) }, code: 422, status: '.authorization.k8s.io "" is invalid: spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified' },
  { name: "a binding to something else",       ask: { object: { apiVersion: "v1", kind: "Binding", metadata: { name: "p", namespace: "default" }, target: { kind: "Pod", name: "n" } } }, code: 500, status: 'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"' },
  { name: "a Scale is checked first",        ask: { object: scale as KubeObject, oldObject: deployment, subresource: "scale" }, code: 422, status: 'Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0' },
  { name: "selectors of devices are compiled", ask: { object: { apiVersion: "resource.k8s.io/v1", kind: "DeviceClass", metadata: { name: "c" }, spec: { selectors: [selector] } } }, code: 422, status: "DeviceClass.resource.k8s.io \"c\" is invalid: spec.selectors[0].cel.expression: Invalid value: \"Bogus\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'Bogus' (in container '')\n | Bogus\n | ^" },
  { name: "invalid metadata",             ask: { object: { apiVersion: "v1", kind: "ConfigMap", metadata: "x" } as unknown as KubeObject }, code: 400, status: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field ConfigMap.metadata of type v1.ObjectMeta' },
  { name: "a deprecated kind",                 ask: { object: { apiVersion: "v1", kind: "Endpoints", metadata: { name: "e" } } }, warnings: ["v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"] },
];

test.each(requests)("$name", async ({ ask, code, status, warnings = [] }) => {
  const outcome = await SimulatedCluster.of([]).review(ask);
  expect({
    code: outcome.status?.code,
    status: outcome.status?.message,
    warnings: outcome.warnings,
  }).toEqual({ code, status, warnings });
});
