// GET of one object.

import { badRequest, notFound } from "@celadon/kube/status";
import { parseResourceVersion } from "@celadon/write";
import { negotiate } from "../codec/forms.ts";
import { keyOf } from "../kinds/resource.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { Answer } from "../wire/call.ts";
import { isTrue } from "../wire/request-info.ts";
import { StatusError } from "../wire/status-error.ts";
import type { Exchange } from "./exchange.ts";
import { waitForRevision } from "./list.ts";
import { answerStored } from "./respond.ts";
import type { ResourceHandler, Services } from "./services.ts";

export async function get(services: Services, exchange: Exchange): Promise<Answer> {
  const { call, query, resource } = exchange;
  const handler = services.handler(resource);
  const output = negotiate(call, query);
  refuseExport(query);
  const version = query.size === 0 ? "" : (query.get("resourceVersion") ?? "");
  if (version === "") await services.objects.current(handler.cache);
  else {
    await handler.cache.ready();
    await waitForRevision(services, parseResourceVersion(version), call);
  }
  return answerStored(handler, 200, requireObject(handler, exchange), output);
}

function refuseExport(query: URLSearchParams): void {
  if (query.size === 0 || !query.get("export") || !isTrue(query.get("export"))) return;
  throw new StatusError(badRequest("the export parameter, deprecated since v1.14, is no longer supported"));
}

/** The object an exchange is about; throws "not found". */
export function requireObject(handler: ResourceHandler, { resource, namespace, name }: Exchange): StoredObject {
  const object = handler.cache.get(keyOf(resource.storage, namespace, name));
  if (object === undefined) throw new StatusError(notFound(resource, name));
  return object;
}
