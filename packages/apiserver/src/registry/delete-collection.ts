// DELETE of a collection: every object of a selection, one after the other.

import { negotiate } from "../codec/forms.ts";
import { listOptions } from "../codec/list-options.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { Answer } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { readDeleteOptions, removeObject } from "./delete.ts";
import type { Exchange } from "./exchange.ts";
import { readPage } from "./list.ts";
import { contentOf } from "./respond.ts";
import type { Services } from "./services.ts";

export async function deleteCollection(services: Services, exchange: Exchange): Promise<Answer> {
  const { call, query, permitted, resource } = exchange;
  const handler = services.handler(resource);
  const output = negotiate(call, query);
  const selected = listOptions(query, permitted.info, false);
  const options = await readDeleteOptions(exchange);
  const page = await readPage(services, handler, exchange, selected);
  // The answer lists the objects as they were before.
  const objects = [...page.objects];
  for (const object of objects) await removeOne(services, exchange, object, options);
  const json = handler.presenters.of(output.form).list(objects, page.metadata);
  return contentOf(200, json, output.type);

  async function removeOne(
    to: Services,
    asked: Exchange,
    { namespace, name }: StoredObject,
    how: typeof options,
  ): Promise<void> {
    try {
      const place = resource.namespaced ? { ...asked, namespace } : asked;
      await removeObject(to, handler, place, name, how, "");
    } catch (error) {
      // Somebody else may have been faster.
      if (!(error instanceof StatusError) || error.status.reason !== "NotFound") throw error;
    }
  }
}
