// The beginning of a stored object: kind, version and metadata, read without the rest. Controllers and selectors of labels need no more, and an
// object may be a megabyte of other things.

import type { KubeObject } from "@celadon/kube";
import { readStoredJson } from "@celadon/kube/read";

const METADATA = Buffer.from(',"metadata":{');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = 0x7b;
const CLOSING = 0x7d;
/** A smaller object is read whole, which is faster. */
const SMALL = 4 * 1024;

/** Kind, version and metadata of an object; of a small one all of it. */
export function parseHead(json: Uint8Array): KubeObject {
  if (json.length < SMALL) return readStoredJson(json) as KubeObject;
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  // Kind and version come before it and have no quotes in them, so that the first place is that of the object's own metadata.
  const at = bytes.indexOf(METADATA);
  const end = at === -1 ? -1 : endOfMap(bytes, at + METADATA.length - 1);
  if (end === -1) return readStoredJson(json) as KubeObject;
  const head = Buffer.allocUnsafe(end + 2);
  bytes.copy(head, 0, 0, end + 1);
  head[end + 1] = CLOSING;
  return readStoredJson(head) as KubeObject;
}

/** The place of the brace that closes the map which opens at the place; -1 if none does. */
function endOfMap(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const byte = json[at];
    if (byte === OPENING) depth++;
    else if (byte === CLOSING) {
      depth--;
      if (depth === 0) return at;
    } else if (byte === QUOTE) {
      at = json.indexOf(QUOTE, at + 1);
      while (at !== -1 && isEscaped(json, at)) at = json.indexOf(QUOTE, at + 1);
      if (at === -1) return -1;
    }
  }
  return -1;
}

function isEscaped(json: Buffer, at: number): boolean {
  let from = at;
  while (json[from - 1] === BACKSLASH) from--;
  return (at - from) % 2 === 1;
}
