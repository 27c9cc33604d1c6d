// The verb of a request → what answers it.

import type { Answer } from "../wire/call.ts";
import { getComponentStatus, listComponentStatuses } from "./component-statuses.ts";
import { create } from "./create.ts";
import { deleteOne } from "./delete.ts";
import { deleteCollection } from "./delete-collection.ts";
import type { Exchange } from "./exchange.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import { patch } from "./patch.ts";
import { REVIEWS } from "./review/reviews.ts";
import type { Services } from "./services.ts";
import { bindPod, createBinding } from "./subresource/binding.ts";
import { connect } from "./subresource/connect.ts";
import { evict } from "./subresource/eviction.ts";
import { podLog } from "./subresource/pod-log.ts";
import { getScale, patchScale, putScale } from "./subresource/scale.ts";
import { requestToken } from "./subresource/token-request.ts";
import { update } from "./update.ts";
import { watch } from "./watch.ts";

export type ResourceHandler = (services: Services, exchange: Exchange) => Promise<Answer>;
type Verbs = Readonly<Record<string, ResourceHandler>>;

const OBJECTS: Verbs = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: deleteOne,
  deletecollection: deleteCollection,
};
/** The verbs of subresources of the kind itself: status, finalize, approval and the like. */
const OWN: Verbs = { get, update, patch };
const CONNECT: Verbs = { get: connect, create: connect, update: connect, patch: connect, delete: connect };

const SUBRESOURCES: Readonly<Record<string, Verbs>> = {
  scale: { get: getScale, update: putScale, patch: patchScale },
  exec: CONNECT,
  attach: CONNECT,
  portforward: CONNECT,
  proxy: CONNECT,
  log: { get: podLog },
  binding: { create: bindPod },
  eviction: { create: evict },
  token: { create: requestToken },
};

/** Resources whose objects are not stored. */
const VIRTUAL: Readonly<Record<string, Verbs>> = {
  bindings: { create: createBinding },
  componentstatuses: { get: getComponentStatus, list: listComponentStatuses },
  ...Object.fromEntries(Object.entries(REVIEWS).map(([resource, review]) => [resource, { create: review }])),
};
const VIRTUAL_GROUPS: ReadonlySet<string> = new Set(["", "authentication.k8s.io", "authorization.k8s.io"]);

/** Undefined when the verb is none of the resource's. */
export function verbOf(
  { resource, subresource }: Pick<Exchange, "resource" | "subresource">,
  verb: string,
): ResourceHandler | undefined {
  if (subresource !== "") return (SUBRESOURCES[subresource] ?? OWN)[verb];
  const virtual = VIRTUAL_GROUPS.has(resource.group) ? VIRTUAL[resource.resource] : undefined;
  return (virtual ?? OBJECTS)[verb];
}
