// Every namespace has the service account `default`; it comes back when it was deleted.

import type { LocalClient } from "../client/local-client.ts";
import type { ResourceCache } from "../store/cache.ts";
import { callServer, QueueController } from "./controller.ts";

const ACCOUNT = "default";

export const SERVICE_ACCOUNTS = "serviceaccount";

export class ServiceAccountController extends QueueController {
  readonly name: string = SERVICE_ACCOUNTS;
  readonly #namespaces: ResourceCache;
  readonly #accounts: ResourceCache;

  constructor(namespaces: ResourceCache, accounts: ResourceCache) {
    super();
    this.#namespaces = namespaces;
    this.#accounts = accounts;
  }

  protected follow(): void {
    for (const { name } of this.#namespaces.all()) this.add(name);
    this.onStop(
      this.#namespaces.subscribe(({ object, type }) => type !== "DELETED" && this.add(object.name)),
      this.#accounts.subscribe(
        ({ object, type }) => type === "DELETED" && object.name === ACCOUNT && this.add(object.namespace),
      ),
    );
  }

  protected async sync(client: LocalClient, namespace: string): Promise<void> {
    if (!isActive(this.#namespaces, namespace)) return;
    if (this.#accounts.get(`${this.#accounts.storage.prefix}${namespace}/${ACCOUNT}`) !== undefined) return;
    await createAccount(client, namespace);
  }
}

export async function createAccount(client: LocalClient, namespace: string): Promise<void> {
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: ACCOUNT, namespace } };
  await callServer(client, "POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, account, [409]);
}

/** Whether a namespace exists and is not being deleted. */
export function isActive(namespaces: ResourceCache, name: string): boolean {
  const found = namespaces.get(`${namespaces.storage.prefix}${name}`)?.object;
  return found !== undefined && !found.metadata?.deletionTimestamp;
}
