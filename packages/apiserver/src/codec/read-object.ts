// The object in a request's body.

import { unreadableBody } from "@celadon/kube/validation";
import type { Draft } from "../kinds/draft.ts";
import { JSON_TYPE, PROTOBUF_TYPE, type YAML_TYPE } from "../wire/accept.ts";
import type { Call } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { bodyType, jsonTextOf, parseText, textOf, UnreadableBody } from "./body.ts";
import type { Codec, Decoding } from "./codec.ts";
import { decodeProtobuf } from "./protobuf/decode.ts";

export async function readObject(call: Call, codec: Codec, decoding: Decoding): Promise<Draft> {
  const type = bodyType(call);
  const body = await call.body();
  if (type === JSON_TYPE) return codec.decodeJson(jsonTextOf(body), decoding);
  return codec.decode(readValue(body, type, codec), decoding);
}

function readValue(body: Uint8Array, type: typeof YAML_TYPE | typeof PROTOBUF_TYPE, { resource }: Codec): unknown {
  try {
    return type === PROTOBUF_TYPE ? decodeProtobuf(body, resource) : parseText(textOf(body), type);
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
    const reason = type === PROTOBUF_TYPE ? error.reason : `yaml: ${error.reason}`;
    throw new StatusError(unreadableBody(body, resource, error.found, reason));
  }
}
