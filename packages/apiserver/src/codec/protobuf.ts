// Protobuf bodies of built-in kinds as the JSON values they stand for.

import { unsupportedMediaType } from "../wire/answers.ts";
import { StatusError } from "../wire/status-error.ts";

export function decodeProtobuf(_body: Uint8Array): unknown {
  throw new StatusError(unsupportedMediaType(["application/json", "application/yaml"]));
}
