// ext.Encoders: base64. Upstream: cel-go ext/encoders.go over Go's encoding/base64.

import { decodeBase64, encodeBase64 } from "@celadon/base";
import { fixed } from "../cost/formulas.ts";
import { BYTES_GROWTH } from "../value/bytes.ts";
import { type CelError, celError } from "../value/error.ts";
import { grow, work } from "../value/size/work.ts";
import { BYTES, STRING } from "../value/type.ts";
import { fn, type Library } from "./library.ts";

/** `base64.encode` and `base64.decode`. */
// biome-ignore format: one overload per line
export const encodersLibrary: Library = {
  name: "cel.lib.ext.encoders",
  overloads: [
    // name             overload id             arguments  result  cost      implementation
    fn("base64.decode", "base64_decode_string", [STRING],  BYTES,  fixed(1), decodeEither),
    fn("base64.encode", "base64_encode_bytes",  [BYTES],   STRING, fixed(1), encode),
  ],
};

function encode(bytes: Uint8Array): string {
  grow(bytes.length * 2);
  return encodeBase64(bytes, pause);
}

/** A piece takes less than a millisecond. */
const pause = (): void => work(STEPS_PER_PIECE);
const STEPS_PER_PIECE = 4000;

/** Tries padded text first; if that is corrupt, unpadded text, whose error is then reported. */
function decodeEither(text: string): Uint8Array | CelError {
  grow(BYTES_GROWTH + text.length);
  const padded = decodeBase64(text, {}, pause);
  if (typeof padded !== "number") return padded;
  const unpadded = decodeBase64(text, { unpadded: true }, pause);
  if (typeof unpadded !== "number") return unpadded;
  return celError("invalid_argument", `illegal base64 data at input byte ${unpadded}`);
}
