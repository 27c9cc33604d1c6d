// Objects that Kubernetes' own components and tools expect: their roles and bindings. The server does not need them, so that they are created after it is ready, one after the other, between requests.

import { componentRoles } from "../authz/component-roles.ts";
import type { LocalClient } from "../client/local-client.ts";
import { type Controller, WorkQueue } from "./controller.ts";
import { ensureRole } from "./ensure.ts";

export const COMPONENT_OBJECTS = "component-objects";

export class ComponentObjects implements Controller {
  readonly name: string = COMPONENT_OBJECTS;
  #queue: WorkQueue | undefined;

  start(client: LocalClient): void {
    const work = new Map<string, () => Promise<void>>();
    for (const { collection, object } of componentRoles())
      work.set(`${collection} ${object.metadata?.name}`, () => ensureRole(client, collection, object));
    const queue = new WorkQueue(async (key) => work.get(key)?.());
    this.#queue = queue;
    for (const key of work.keys()) queue.add(key);
  }

  stop(): void {
    this.#queue?.stop();
  }
}
