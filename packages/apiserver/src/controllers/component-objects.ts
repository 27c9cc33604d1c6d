// Objects that Kubernetes' own components and tools expect: their roles and bindings, and the suggested flow schemas. The server does not need
// them, so that they are created after it is ready, one after the other, between requests.

import type { KubeObject } from "@celadon/kube";
import { componentRoles } from "../authz/component-roles.ts";
import type { LocalClient } from "../client/local-client.ts";
import { flowCollection } from "../route/mandatory-flows.ts";
import { suggestedFlows } from "../route/suggested-flows.ts";
import { type Controller, WorkQueue } from "./controller.ts";
import { ensureRole } from "./ensure.ts";

export const COMPONENT_OBJECTS = "component-objects";

/** Every object with the collection it belongs to, in the order of creation. */
export function componentObjects(): readonly { readonly collection: string; readonly object: KubeObject }[] {
  return [...suggestedFlows().map((object) => ({ collection: flowCollection(object), object })), ...componentRoles()];
}

export class ComponentObjects implements Controller {
  readonly name: string = COMPONENT_OBJECTS;
  #queue: WorkQueue | undefined;

  start(client: LocalClient): void {
    const work = new Map<string, () => Promise<void>>();
    for (const { collection, object } of componentObjects())
      work.set(`${collection} ${object.metadata?.name}`, () => ensureRole(client, collection, object));
    const queue = new WorkQueue(async (key) => work.get(key)?.());
    this.#queue = queue;
    for (const key of work.keys()) queue.add(key);
  }

  stop(): void {
    this.#queue?.stop();
  }
}
