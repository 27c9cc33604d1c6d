// Objects that Kubernetes' own components and tools expect: their roles and bindings. The server does not need them, so that they are created after it is ready, one after the other, between requests.

import type { Minor } from "@celadon/kube/versions";
import { componentRoles } from "../authz/component-roles.ts";
import type { LocalClient } from "../client/local-client.ts";
import { QueueController } from "./controller.ts";
import { ensureRole } from "./ensure.ts";

export const COMPONENT_OBJECTS = "component-objects";

export class ComponentObjects extends QueueController {
  readonly name: string = COMPONENT_OBJECTS;
  readonly #minor: Minor | undefined;
  #roles: ReadonlyMap<string, ReturnType<typeof componentRoles>[number]> = new Map();

  constructor(minor: Minor | undefined) {
    super();
    this.#minor = minor;
  }

  protected follow(): void {
    this.#roles = new Map(
      componentRoles(this.#minor).map((role) => [`${role.collection} ${role.object.metadata?.name}`, role]),
    );
    for (const key of this.#roles.keys()) this.add(key);
  }

  protected async sync(client: LocalClient, key: string): Promise<void> {
    const { collection, object } = this.#roles.get(key)!;
    await ensureRole(client, collection, object);
  }
}
