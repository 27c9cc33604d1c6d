// A controller: every namespace with the label `team` has a ConfigMap `team` that says so.

import { CoreV1Api, makeInformer, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";

/** Runs until `stop` is called. */
export async function startController(config) {
  const core = config.makeApiClient(CoreV1Api);
  const reconcile = async ({ metadata: { name: namespace, labels = {}, deletionTimestamp } }) => {
    if (labels.team === undefined || deletionTimestamp !== undefined) return;
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "team" }, data: { team: labels.team } };
    const options = setHeaderOptions("Content-Type", PatchStrategy.ServerSideApply);
    const place = { namespace, name: "team", fieldManager: "team-controller", force: true };
    await core.patchNamespacedConfigMap({ ...place, body }, options);
  };
  const informer = makeInformer(config, "/api/v1/namespaces", () => core.listNamespace());
  const failed = (error) => console.error(`reconcile: ${error.message}`);
  for (const event of ["add", "update"]) informer.on(event, (object) => reconcile(object).catch(failed));
  await informer.start();
  return { stop: () => informer.stop() };
}
