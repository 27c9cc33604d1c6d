// A store before its first use: custom objects of older versions at their new place, and the objects of a new server.

import { CURRENT } from "@celadon/kube/versions";
import { SERVICE_RANGE } from "./bootstrap/bootstrap.ts";
import { writeFirstObjects } from "./bootstrap/first-objects.ts";
import { COMPONENT_OBJECTS } from "./controllers/component-objects.ts";
import { SERVICE_ACCOUNTS } from "./controllers/service-account-controller.ts";
import type { KindTable } from "./kinds/kind-table.ts";
import type { ServerOptions } from "./server-options.ts";
import { separateCustomObjects } from "./store/separate-custom-objects.ts";

/** True when the store has the objects of a new server. They are always the same, unless an option changes them. */
export async function prepareStore(
  options: ServerOptions,
  kinds: KindTable,
  off: ReadonlySet<string>,
  now: number,
): Promise<boolean> {
  const {
    store,
    serviceRange = SERVICE_RANGE,
    staticManifests,
    simulate = false,
    componentObjects = simulate,
  } = options;
  await separateCustomObjects(store, kinds);
  if (serviceRange !== SERVICE_RANGE || staticManifests !== undefined) return false;
  const prefixes = new Set([...kinds.all()].map(({ storage }) => storage.prefix));
  return writeFirstObjects(store, {
    accounts: !off.has(SERVICE_ACCOUNTS),
    components: componentObjects && !off.has(COMPONENT_OBJECTS),
    isServed: (prefix) => prefixes.has(prefix),
    now,
    minor: options.kubeVersion ?? CURRENT,
  });
}
