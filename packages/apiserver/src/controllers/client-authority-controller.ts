// The authorities whose client certificates the server trusts, published for servers behind it, such as metrics servers: they read there whose
// clients they may trust. Upstream: kubernetes pkg/controlplane/controller/clusterauthenticationtrust.

import type { LocalClient } from "../client/local-client.ts";
import { callServer, QueueController } from "./controller.ts";
import { ensure } from "./ensure.ts";

const CONFIG_MAPS = "/api/v1/namespaces/kube-system/configmaps";
const AUTHENTICATION = "extension-apiserver-authentication";
const CLIENT_CA = "client-ca-file";

export class ClientAuthorityController extends QueueController {
  readonly name = "cluster-authentication-info";
  readonly #clientCa: string | undefined;

  /** Without certificates, in PEM, there is nothing to publish. */
  constructor(clientCa: string | undefined) {
    super();
    this.#clientCa = clientCa;
  }

  protected follow(): void {
    if (this.#clientCa !== undefined) this.add(AUTHENTICATION);
  }

  protected sync(client: LocalClient): Promise<void> {
    return publish(client, this.#clientCa!);
  }
}

async function publish(client: LocalClient, clientCa: string): Promise<void> {
  const metadata = { name: AUTHENTICATION, namespace: "kube-system" };
  const wanted = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { [CLIENT_CA]: clientCa } };
  const present = await ensure(client, CONFIG_MAPS, AUTHENTICATION, wanted);
  const { [CLIENT_CA]: known = "" } = (present?.data ?? {}) as Readonly<Record<string, string>>;
  if (present === undefined || known.includes(clientCa)) return;
  // Several servers over one store may have authorities of their own.
  const data = { [CLIENT_CA]: known + clientCa };
  await callServer(client, "PATCH", `${CONFIG_MAPS}/${AUTHENTICATION}`, { data }, [404, 409]);
}
