// ext.Encoders: base64. Upstream: cel-go ext/encoders.go over Go's encoding/base64.

import { fixed } from "../cost/formulas.ts";
import { decodeBase64, encodeBase64 } from "../value/base64.ts";
import { BYTES, STRING } from "../value/type.ts";
import { fn, type Library } from "./library.ts";

// biome-ignore format: one overload per line
export const encodersLibrary: Library = {
  name: "cel.lib.ext.encoders",
  overloads: [
    // name             overload id             arguments  result  cost      implementation
    fn("base64.decode", "base64_decode_string", [STRING],  BYTES,  fixed(1), decodeBase64),
    fn("base64.encode", "base64_encode_bytes",  [BYTES],   STRING, fixed(1), encodeBase64),
  ],
};
