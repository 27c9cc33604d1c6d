// The verb of a request → what answers it.

import type { Answer } from "../wire/call.ts";
import { create } from "./create.ts";
import { deleteOne } from "./delete.ts";
import { deleteCollection } from "./delete-collection.ts";
import type { Exchange } from "./exchange.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import { patch } from "./patch.ts";
import type { Services } from "./services.ts";
import { update } from "./update.ts";
import { watch } from "./watch.ts";

export type Verb = (services: Services, exchange: Exchange) => Promise<Answer>;

export const VERBS: Readonly<Record<string, Verb>> = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: deleteOne,
  deletecollection: deleteCollection,
};
