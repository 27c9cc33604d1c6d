// kubernetes.jsonpatch: keys inside JSON pointers. Only where mutating policies write patches.
// Upstream: apiserver pkg/cel/library/jsonpatch.go.

import { fn, type Library, STRING } from "@celadon/cel";
import { scanSame } from "./costs.ts";

/** `jsonpatch.escapeKey`. */
// biome-ignore format: one overload per line
export const jsonPatchLibrary: Library = {
  name: "kubernetes.jsonpatch", costBy: "function",
  overloads: [
    fn("jsonpatch.escapeKey", "string_jsonpatch_escapeKey_string", [STRING], STRING, scanSame(0), escapeKey),
  ],
};

function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
