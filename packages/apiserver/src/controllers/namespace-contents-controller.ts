// What every namespace is given: the service account `default`, and the certificate of the authority that clients inside it trust.

import type { LocalClient } from "../client/local-client.ts";
import type { ResourceCache } from "../store/cache.ts";
import { ask, type Controller, WorkQueue } from "./controller.ts";

const ACCOUNT = "default";
const ROOT_CA = "kube-root-ca.crt";
const NOTE = {
  "kubernetes.io/description":
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.",
};

export interface GivenObjects {
  readonly namespaces: ResourceCache;
  readonly serviceAccounts: ResourceCache;
  readonly configMaps: ResourceCache;
  /** PEM; without it there is no certificate to publish. */
  readonly rootCa: string | undefined;
}

/** Gives them, and gives them again when they were deleted or changed. */
export class NamespaceContentsController implements Controller {
  readonly name = "namespace-contents";
  readonly #objects: GivenObjects;
  #queue: WorkQueue | undefined;
  #unsubscribe: (() => void)[] = [];

  constructor(objects: GivenObjects) {
    this.#objects = objects;
  }

  start(client: LocalClient): void {
    const { namespaces, serviceAccounts, configMaps } = this.#objects;
    const queue = new WorkQueue((name) => this.#sync(client, name));
    this.#queue = queue;
    for (const { name } of namespaces.all()) queue.add(name);
    this.#unsubscribe = [
      namespaces.subscribe(({ object, type }) => type !== "DELETED" && queue.add(object.name)),
      serviceAccounts.subscribe(
        ({ object, type }) => type === "DELETED" && object.name === ACCOUNT && queue.add(object.namespace),
      ),
      configMaps.subscribe(({ object }) => object.name === ROOT_CA && queue.add(object.namespace)),
    ];
  }

  stop(): void {
    this.#queue?.stop();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  async #sync(client: LocalClient, namespace: string): Promise<void> {
    const { namespaces, serviceAccounts } = this.#objects;
    const found = namespaces.get(`${namespaces.storage.prefix}${namespace}`)?.object;
    if (found === undefined || found.metadata?.deletionTimestamp) return;
    if (serviceAccounts.get(`${serviceAccounts.storage.prefix}${namespace}/${ACCOUNT}`) === undefined) {
      const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: ACCOUNT, namespace } };
      await ask(client, "POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, account, [409]);
    }
    await this.#publish(client, namespace);
  }

  async #publish(client: LocalClient, namespace: string): Promise<void> {
    const { configMaps, rootCa } = this.#objects;
    if (rootCa === undefined) return;
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const data = { "ca.crt": rootCa };
    const current = configMaps.get(`${configMaps.storage.prefix}${namespace}/${ROOT_CA}`)?.object;
    if (current === undefined) {
      const metadata = { name: ROOT_CA, namespace, annotations: NOTE };
      await ask(client, "POST", path, { apiVersion: "v1", kind: "ConfigMap", metadata, data }, [409]);
    } else if (
      (current.data as Record<string, string> | undefined)?.["ca.crt"] !== rootCa ||
      Object.keys(current.data as object).length > 1
    ) {
      await ask(client, "PUT", `${path}/${ROOT_CA}`, { ...current, data }, [404, 409]);
    }
  }
}
