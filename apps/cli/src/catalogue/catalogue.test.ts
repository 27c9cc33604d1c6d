// Every policy of the catalogue passes its suite, is accepted from 1.30 on, and stays far below the API server's budget; the figures of
// `npm run catalogue`, which take minutes, are of the policies and suites as they are.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CURRENT } from "@celadon/kube-cel";
import { expect, test } from "vitest";
import { celadon, ROOT } from "../e2e/run.testing.ts";
import { readCatalogue } from "./catalogue.ts";
import { digestOf } from "./digest.ts";
import { type CatalogueFigures, cataloguePage } from "./page.ts";

const DIRECTORY = join(ROOT, "apps/cli/catalogue");
const VERSIONS = `1.30..${CURRENT}`;
const catalogue = readCatalogue(DIRECTORY);
const figures: CatalogueFigures = JSON.parse(readFileSync(join(ROOT, "apps/cli/testdata/catalogue.json"), "utf8"));

test("entries are complete and have names of their own", () => {
  expect(catalogue.length).toBeGreaterThanOrEqual(50);
  expect(new Set(catalogue.map(({ name }) => name)).size).toBe(catalogue.length);
  for (const { name, category, title, description, files } of catalogue) {
    expect(title, name).toMatch(/^[A-Z].*[^.]$/);
    expect(description, name).toMatch(/^[A-Z].*\.$/);
    const expected = ["params.yaml", "policy.yaml", "tests.yaml"].filter(
      (file) => file !== "params.yaml" || files.has(file),
    );
    expect([...files.keys()], name).toEqual(expected);
    expect(files.get("policy.yaml"), name).toContain(`celadon.dev/category: ${category}\n`);
    expect(files.get("policy.yaml")!.split(`\n  name: ${name}\n`), name).toHaveLength(3);
  }
});

test("all suites pass", async () => {
  const { stdout, code } = await celadon(["test", DIRECTORY, "-o", "json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).summary).toMatchObject({ suites: catalogue.length, failed: 0, errors: 0, skipped: 0 });
});

test("lint has nothing to say in any version", async () => {
  const { stdout, code } = await celadon(["lint", "-f", DIRECTORY, "--kube-version", VERSIONS, "-o", "json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).problems).toEqual([]);
});

const times = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const container = (i: number): object => ({
  name: `c${i}`,
  image: `registry.example.com/a-long-name-of-an-image/app-${i}:1.0.${i}`,
  ports: times(5, (port) => ({ containerPort: 1000 + port })),
  env: times(20, (n) => ({ name: `V${n}`, value: "x" })),
  readinessProbe: { httpGet: { path: "/", port: 80 } },
  livenessProbe: { httpGet: { path: "/live", port: 80 } },
  securityContext: { capabilities: { drop: ["ALL"], add: times(5, () => "NET_BIND_SERVICE") } },
  resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1", memory: "1Gi" } },
});
const labels = Object.fromEntries(times(50, (i) => [`example.com/l${i}`, "x"]));
const spec = {
  containers: times(20, container),
  initContainers: times(20, (i) => container(20 + i)),
  volumes: times(100, (i) => ({ name: `v${i}`, emptyDir: {} })),
  tolerations: times(50, (i) => ({ key: `k${i}`, operator: "Exists" })),
};
const template = { metadata: { labels: { app: "a" } }, spec };
const rules = times(100, (i) => ({
  apiGroups: [""],
  resources: times(10, (n) => `r${i}-${n}`),
  verbs: ["get", "list", "watch"],
}));
const backend = { service: { name: "a", port: { number: 80 } } };
const path = { path: "/", pathType: "Prefix", backend };
// biome-ignore format: one object per line
const LARGE = [
  { apiVersion: "v1", kind: "Pod", metadata: { annotations: labels }, spec },
  { apiVersion: "apps/v1", kind: "Deployment", metadata: { labels }, spec: { replicas: 3, selector: { matchLabels: { app: "a" } }, template } },
  { apiVersion: "batch/v1", kind: "CronJob", metadata: { labels }, spec: { schedule: "0 * * * *", jobTemplate: { spec: { template: { spec: { ...spec, restartPolicy: "Never" } } } } } },
  { apiVersion: "batch/v1", kind: "Job", metadata: { labels }, spec: { template: { spec: { ...spec, restartPolicy: "Never" } } } },
  { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: {}, spec: { maxUnavailable: 1 } },
  { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: {}, spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" } } },
  { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: {}, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
  { apiVersion: "v1", kind: "Service", metadata: {}, spec: { ports: times(100, (i) => ({ name: `p${i}`, port: i + 1 })) } },
  { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: { annotations: labels }, spec: { rules: times(40, (i) => ({ host: `h${i}.example.com`, http: { paths: [path] } })), tls: times(40, (i) => ({ hosts: [`h${i}.example.com`] })) } },
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: {}, rules },
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "RoleBinding", metadata: {}, roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "a" }, subjects: times(100, (i) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: `u${i}` })) },
].map((object) => ({ ...object, metadata: { name: "a", namespace: object.kind === "ClusterRole" ? undefined : "shop", ...object.metadata } }));

/** They match DELETE and CONNECT, and read one label. */
const UNMEASURED = ["protected-namespaces", "no-exec"];

test("no policy needs one per cent of the budget, even for large objects", async () => {
  const items = JSON.stringify({
    apiVersion: "v1",
    kind: "List",
    items: [...LARGE, { apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } }],
  });
  const { stdout } = await celadon(["cost", "-f", DIRECTORY, "-f", "-", "-o", "json"], { stdin: items });
  const { expressions } = JSON.parse(stdout) as { expressions: readonly Expression[] };
  const dear = expressions.filter(({ measured }) => measured !== undefined && measured.max / measured.limit >= 0.01);
  expect(dear.map(({ resource, path, measured }) => ({ resource, path, measured }))).toEqual([]);
  const measured = new Set(
    expressions.filter((one) => one.measured !== undefined).map(({ resource }) => resource.name),
  );
  expect(catalogue.map(({ name }) => name).filter((name) => !measured.has(name))).toEqual(UNMEASURED);
});

interface Expression {
  readonly resource: { readonly name: string };
  readonly path: unknown;
  readonly measured?: { readonly max: number; readonly limit: number };
}

test("every suite detects every change, as last measured on these files", () => {
  const wanted = catalogue.map((entry) => [entry.name, { digest: digestOf(entry), survived: 0 }]);
  const got = Object.entries(figures.policies).map(([name, { changes, detected, digest }]) => [
    name,
    { digest, survived: changes - detected },
  ]);
  expect(Object.fromEntries(got), "run `npm run catalogue`").toEqual(Object.fromEntries(wanted));
});

test("the pod security policies agree with the standards' own tests", () => {
  expect(figures.podSecurity).toMatchObject({ version: `v${CURRENT}`, differences: [] });
});

test("docs/reference/catalogue.md is up to date", () => {
  const page = readFileSync(join(ROOT, "docs/reference/catalogue.md"), "utf8");
  expect(page, "run `npm run docs`").toBe(cataloguePage(catalogue, figures, `1.30 to ${CURRENT}`));
});
