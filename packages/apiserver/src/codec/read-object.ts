// The object in a request's body.

import { unreadableBody } from "@celadon/kube/validation";
import type { Draft } from "@celadon/write";
import { JSON_TYPE, PROTOBUF_TYPE } from "../wire/accept.ts";
import type { Sent } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { type BodyType, bodyType, jsonTextOf, parseStrictly, textOf, UnreadableBody } from "./body.ts";
import type { Codec, Decoding } from "./codec.ts";
import { decodeProtobuf } from "./protobuf/decode.ts";

export async function readObject(call: Sent, codec: Codec, decoding: Decoding): Promise<Draft> {
  const type = bodyType(call);
  const body = await call.body();
  if (type === JSON_TYPE) return codec.decodeJson(jsonTextOf(body), decoding);
  const { value, repeated } = readValue(body, type, codec);
  return codec.decode(value, { ...decoding, repeated });
}

function readValue(body: Uint8Array, type: BodyType, { resource }: Codec): ReturnType<typeof parseStrictly> {
  try {
    if (type === PROTOBUF_TYPE) return { value: decodeProtobuf(body, resource), repeated: [] };
    return parseStrictly(textOf(body));
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
    const reason = type === PROTOBUF_TYPE ? error.reason : `yaml: ${error.reason}`;
    throw new StatusError(unreadableBody(body, resource, error.found, reason));
  }
}
