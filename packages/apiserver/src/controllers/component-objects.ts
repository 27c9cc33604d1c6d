// Objects that Kubernetes' own components and tools expect: their roles and bindings, and the suggested flow schemas. The server does not need
// them, so that they are created after it is ready, one after the other, between requests.

import type { KubeObject } from "@celadon/kube";
import { componentRoles } from "../authz/component-roles.ts";
import type { LocalClient } from "../client/local-client.ts";
import { flowCollection } from "../route/mandatory-flows.ts";
import { suggestedFlows } from "../route/suggested-flows.ts";
import { type Controller, WorkQueue } from "./controller.ts";
import { ensure, ensureRole } from "./ensure.ts";

export class ComponentObjects implements Controller {
  readonly name = "component-objects";
  #queue: WorkQueue | undefined;

  start(client: LocalClient): void {
    const work = new Map<string, () => Promise<unknown>>();
    for (const object of suggestedFlows())
      work.set(`${object.kind} ${nameOf(object)}`, () =>
        ensure(client, flowCollection(object), nameOf(object), object),
      );
    for (const { collection, object } of componentRoles())
      work.set(`${collection} ${nameOf(object)}`, () => ensureRole(client, collection, object));
    const queue = new WorkQueue(async (key) => {
      await work.get(key)?.();
      await new Promise((resolve) => setImmediate(resolve));
    });
    this.#queue = queue;
    for (const key of work.keys()) queue.add(key);
  }

  stop(): void {
    this.#queue?.stop();
  }
}

const nameOf = ({ metadata }: KubeObject): string => metadata?.name ?? "";
