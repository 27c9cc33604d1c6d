// The object in a request's body.

import type { Draft } from "../kinds/draft.ts";
import { JSON_TYPE, PROTOBUF_TYPE } from "../wire/accept.ts";
import type { Call } from "../wire/call.ts";
import { bodyType, jsonTextOf, parseText, textOf } from "./body.ts";
import type { Codec, Decoding } from "./codec.ts";
import { decodeProtobuf } from "./protobuf/decode.ts";

export async function readObject(call: Call, codec: Codec, decoding: Decoding): Promise<Draft> {
  const type = bodyType(call);
  const body = await call.body();
  if (type === JSON_TYPE) return codec.decodeJson(jsonTextOf(body), decoding);
  return codec.decode(type === PROTOBUF_TYPE ? decodeProtobuf(body) : parseText(textOf(body), type), decoding);
}
