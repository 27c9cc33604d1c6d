// The error texts for a value that does not fit a message field, in cel-go's several styles, one per value type.

import { type CelError, celError } from "./error.ts";
import { typeOf } from "./type-of.ts";
import { Opaque, type Value } from "./value.ts";

// biome-ignore format: one kind per line
const words: Readonly<Record<string, (target: string) => string>> = {
  null:      (target) => `type conversion error from 'null_type' to '${target}'`,
  bool:      (target) => `type conversion error from bool to '${target}'`,
  int:       (target) => `unsupported type conversion from 'int' to ${target}`,
  uint:      (target) => `unsupported type conversion from 'uint' to ${target}`,
  double:    (target) => `type conversion error from Double to '${target}'`,
  string:    (target) => `unsupported native conversion from string to '${target}'`,
  bytes:     (target) => `type conversion error from Bytes to '${target}'`,
  list:      (target) => `type conversion error from list to '${target}'`,
  map:       (target) => `type conversion error from map to '${target}'`,
  duration:  (target) => `type conversion error from 'Duration' to '${target}'`,
  timestamp: (target) => `type conversion error from 'Timestamp' to '${target}'`,
  struct:    (target) => `type conversion error from '*dynamicpb.Message' to '${target}'`,
  type:      () => "type conversion not supported for 'type'",
};

/** `target` is the Go type that the reference implementation would name. */
export function conversionError(value: Value, target: string): CelError {
  const type = typeOf(value);
  const say = value instanceof Opaque ? undefined : words[type.kind];
  const name = value instanceof Opaque ? value.hostName : type.name;
  return celError(
    "conversion",
    say === undefined ? `type conversion error from '${name}' to '${target}'` : say(target),
  );
}
