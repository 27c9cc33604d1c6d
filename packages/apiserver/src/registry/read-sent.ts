// The object in a request's body, with its warnings, and a note of it for the audit log.

import { type Draft, draftOf, objectOf } from "@celadon/write";
import type { Codec } from "../codec/codec.ts";
import { readObject } from "../codec/read-object.ts";
import type { WriteOptions } from "../codec/write-options.ts";
import type { Exchange } from "./exchange.ts";

export async function readSent({ call, notes }: Exchange, codec: Codec, options: WriteOptions): Promise<Draft> {
  const draft = await readObject(call, codec, { ...options, warn: (text) => notes.warn(text) });
  // The draft changes on its way; below metadata it does so by assignment alone.
  notes.received(draftOf(objectOf(draft)));
  return draft;
}
