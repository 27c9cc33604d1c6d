// @kubernetes/client-node: objects, conflicts, apply, an informer, a watch that goes on, logs and exec of a pod that does not run.

import { Writable } from "node:stream";
import workers from "node:worker_threads";
import zlib from "node:zlib";

// Node 20 lacks functions that the library looks for when it is loaded and does not use here.
zlib.createZstdDecompress ??= () => {};
workers.markAsUncloneable ??= () => {};
Promise.withResolvers ??= () => {
  let settle;
  const promise = new Promise((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
};
const k8s = await import("@kubernetes/client-node");

const config = new k8s.KubeConfig();
config.loadFromDefault();
const core = config.makeApiClient(k8s.CoreV1Api);
const apps = config.makeApiClient(k8s.AppsV1Api);
const any = k8s.KubernetesObjectApi.makeApiClient(config);
const namespace = "client-node";

async function check(name, call) {
  console.log(`### ${name}`);
  try {
    console.log(JSON.stringify(await call()));
  } catch (error) {
    console.log(`${error.code ?? error.name ?? error.type} ${messageOf(error)}`);
  }
}

function messageOf({ body, message }) {
  try {
    return JSON.parse(body).message;
  } catch {
    return String(body ?? message).replace(/127\.0\.0\.1:\d+/g, "HOST");
  }
}

const configMap = (name, data, more = {}) => ({ metadata: { name, ...more }, data });
const applied = (data) => ({ apiVersion: "v1", kind: "ConfigMap", ...configMap("applied", data, { namespace }) });
const apply = (data, manager) =>
  any.patch(applied(data), undefined, undefined, manager, undefined, k8s.PatchStrategy.ServerSideApply);

await check("create a namespace", async () => {
  const { status } = await core.createNamespace({ body: { metadata: { name: namespace } } });
  return status.phase;
});
await check("create", async () => {
  const { data } = await core.createNamespacedConfigMap({ namespace, body: configMap("a", { k: "v" }) });
  return data;
});
await check("create again", () => core.createNamespacedConfigMap({ namespace, body: configMap("a", {}) }));
await check("get what is missing", () => core.readNamespacedConfigMap({ namespace, name: "none" }));
await check("a stale update", async () => {
  const body = await core.readNamespacedConfigMap({ namespace, name: "a" });
  body.metadata.resourceVersion = "1";
  const { metadata } = await core.replaceNamespacedConfigMap({ namespace, name: "a", body });
  return metadata.name;
});
await check("apply", async () => (await apply({ a: "1" }, "one")).data);
await check("apply with a conflict", async () => (await apply({ a: "2" }, "two")).data);
await check("an invalid object", () =>
  core.createNamespacedConfigMap({ namespace, body: configMap("Not_A_Name", {}) }),
);
await check("a Deployment's defaults", async () => {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "web:1" }] } };
  const body = { metadata: { name: "web" }, spec: { selector: { matchLabels: labels }, template } };
  const { spec } = await apps.createNamespacedDeployment({ namespace, body });
  return { replicas: spec.replicas, strategy: spec.strategy, policy: spec.template.spec.restartPolicy };
});
await check("an informer", async () => {
  const seen = [];
  const list = () => core.listNamespacedConfigMap({ namespace });
  const informer = k8s.makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list);
  const isGone = new Promise((resolve) => informer.on("delete", ({ metadata }) => metadata.name === "w" && resolve()));
  for (const event of ["add", "update", "delete"])
    informer.on(event, ({ metadata }) => metadata.name === "w" && seen.push(event));
  await informer.start();
  await core.createNamespacedConfigMap({ namespace, body: configMap("w", { n: "1" }) });
  await core.replaceNamespacedConfigMap({ namespace, name: "w", body: configMap("w", { n: "2" }) });
  await core.deleteNamespacedConfigMap({ namespace, name: "w" });
  await isGone;
  await informer.stop();
  return seen;
});
await check("pages", async () => {
  for (let i = 0; i < 5; i++)
    await core.createNamespacedConfigMap({ namespace, body: configMap(`page-${i}`, {}, { labels: { page: "y" } }) });
  const sizes = [];
  let next;
  do {
    const list = await core.listNamespacedConfigMap({ namespace, limit: 2, labelSelector: "page=y", _continue: next });
    sizes.push(list.items.length);
    next = list.metadata._continue;
  } while (next);
  return sizes;
});
await check("a pod", async () => {
  const body = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
  return (await core.createNamespacedPod({ namespace, body })).status.phase;
});
await check("the logs of a pod without a node", () => core.readNamespacedPodLog({ namespace, name: "p" }));
await check("exec in a pod without a node", () =>
  new k8s.Exec(config).exec(namespace, "p", "c", ["ls"], new Writable(), new Writable(), null, false).then(
    () => "connected",
    () => "refused",
  ),
);
await check(
  "evict",
  async () =>
    (await core.createNamespacedPodEviction({ namespace, name: "p", body: { metadata: { name: "p" } } })).status,
);
await check(
  "delete the namespace",
  async () => (await core.deleteNamespace({ name: namespace })).status?.phase ?? "deleted",
);
process.exit(0);
