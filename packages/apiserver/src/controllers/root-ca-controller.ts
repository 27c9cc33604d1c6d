// Every namespace has the certificate of the authority that clients inside it trust; it is restored when it was deleted or changed.

import type { LocalClient } from "../client/local-client.ts";
import type { ResourceCache } from "../store/cache.ts";
import { callServer, QueueController } from "./controller.ts";
import { isActive } from "./service-account-controller.ts";

const ROOT_CA = "kube-root-ca.crt";
const NOTE = {
  "kubernetes.io/description":
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.",
};

export class RootCaController extends QueueController {
  readonly name = "root-ca-certificate-publisher";
  readonly #namespaces: ResourceCache;
  readonly #configMaps: ResourceCache;
  readonly #rootCa: string | undefined;

  /** Without a certificate, in PEM, there is nothing to publish. */
  constructor(namespaces: ResourceCache, configMaps: ResourceCache, rootCa: string | undefined) {
    super();
    this.#namespaces = namespaces;
    this.#configMaps = configMaps;
    this.#rootCa = rootCa;
  }

  protected follow(): void {
    if (this.#rootCa === undefined) return;
    for (const { name } of this.#namespaces.all()) this.add(name);
    this.onStop(
      this.#namespaces.subscribe(({ object, type }) => type !== "DELETED" && this.add(object.name)),
      this.#configMaps.subscribe(({ object }) => object.name === ROOT_CA && this.add(object.namespace)),
    );
  }

  protected async sync(client: LocalClient, namespace: string): Promise<void> {
    const data = { "ca.crt": this.#rootCa! };
    if (!isActive(this.#namespaces, namespace)) return;
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const current = this.#configMaps.get(`${this.#configMaps.storage.prefix}${namespace}/${ROOT_CA}`)?.object;
    if (current === undefined) {
      const metadata = { name: ROOT_CA, namespace, annotations: NOTE };
      await callServer(client, "POST", path, { apiVersion: "v1", kind: "ConfigMap", metadata, data }, [409]);
      return;
    }
    const { data: held = {} } = current as { data?: Readonly<Record<string, string>> };
    if (Object.keys(held).length === 1 && held["ca.crt"] === data["ca.crt"]) return;
    await callServer(client, "PUT", `${path}/${ROOT_CA}`, { ...current, data }, [404, 409]);
  }
}
