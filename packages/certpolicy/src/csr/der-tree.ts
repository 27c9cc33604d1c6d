// Whole trees of DER by asn1js, which reads all of BER and repairs some errors: a walk over its tree rejects everything that DER does not
// allow.

import { Invalid } from "@celadon/kube/errors";
import { type BaseBlock, fromBER } from "asn1js";
import { type Part, readHeader } from "./der.ts";

/** An element with the elements in it. */
export interface Element extends Part {
  readonly children: readonly Element[];
}

/** Elements two bytes long fill the largest request; nesting deeper than this has no meaning in one. */
const LIMITS = { maxNodes: 20_000, maxDepth: 64, maxContentLength: 1 << 20, parseEmbedded: false };

/** One element that fills `bytes`. */
export function readDer(bytes: Uint8Array): Element | Invalid {
  if (bytes.length === 0) return new Invalid("asn1: syntax error: sequence truncated");
  const outer = readHeader(bytes);
  if (outer instanceof Invalid) return outer;
  if (outer.end > bytes.length) return new Invalid("asn1: syntax error: data truncated");
  if (outer.end < bytes.length) return new Invalid("asn1: syntax error: trailing data");
  try {
    const { result, offset } = fromBER(bytes, LIMITS);
    if (offset < 0) return new Invalid(`asn1: syntax error: ${result.error || "unreadable element"}`);
    return elementOf(result);
  } catch (error) {
    // asn1js throws on a few malformed values instead of reporting them.
    return new Invalid(`asn1: syntax error: ${error instanceof Error ? error.message : "unreadable element"}`);
  }
}

function elementOf(block: BaseBlock): Element | Invalid {
  const raw = block.valueBeforeDecodeView;
  const header = readHeader(raw);
  if (header instanceof Invalid) return header;
  if (header.end !== raw.length) return new Invalid("asn1: syntax error: data truncated");
  const children: Element[] = [];
  if (header.constructed) {
    for (const child of childBlocks(block)) {
      const element = elementOf(child);
      if (element instanceof Invalid) return element;
      children.push(element);
    }
  }
  const { tagClass, tag, constructed, start } = header;
  return { tagClass, tag, constructed, content: raw.subarray(start), raw, children };
}

function childBlocks(block: BaseBlock): readonly BaseBlock[] {
  const value: unknown = (block.valueBlock as { readonly value?: unknown }).value;
  return Array.isArray(value) ? value : [];
}
