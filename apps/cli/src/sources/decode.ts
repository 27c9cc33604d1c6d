// Bytes of a file → text. UTF-8, and UTF-16 when a byte order mark says so, as the YAML reader of the cluster has it. Bytes that are no
// text are refused with the offset of the first wrong one.

import { sizeText } from "../output/size.ts";
import { displayName, type SourceIssue, STDIN } from "./issue.ts";
import { SourceText } from "./source-text.ts";

/** More would not fit one JavaScript string. */
export const FILE_BYTES = 512_000_000;

export function decodeSource(file: string, bytes: Uint8Array, limit: number = FILE_BYTES): SourceText | SourceIssue {
  if (bytes.length > limit) {
    return {
      code: "too_large",
      file,
      message: `${displayName(file)} is ${sizeText(bytes.length)}; the limit is ${sizeText(limit)}`,
      hint: "split it into several files",
    };
  }
  const encoding = encodingOf(bytes);
  if (encoding === "utf-8") {
    const nul = bytes.indexOf(0);
    if (nul !== -1) return binary(file, nul, isGzip(bytes));
  }
  try {
    return new SourceText(file, new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    if (encoding !== "utf-8") {
      return {
        code: "encoding",
        file,
        message: `not valid ${encoding.toUpperCase()}, despite its byte order mark`,
      };
    }
    const offset = firstInvalid(bytes);
    return isGzip(bytes)
      ? binary(file, 0, true)
      : {
          code: "encoding",
          file,
          message: `not valid UTF-8 at byte ${offset}`,
          hint: `convert it: iconv -t utf-8 ${file === STDIN ? "" : file}`.trim(),
        };
  }
}

/**
 * The same for text that was read as UTF-8. Undefined when only the bytes can decide: where the decoder put its
 * replacement character they may be something else, and a NUL is no text.
 */
export function textSource(file: string, text: string, limit: number = FILE_BYTES): SourceText | undefined {
  if (text.length * 3 > limit || text.includes("\ufffd") || text.includes("\0")) return undefined;
  return new SourceText(file, text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
}

const BYTE_ORDER_MARK = "\ufeff";

function binary(file: string, offset: number, gzip: boolean): SourceIssue {
  return gzip
    ? {
        code: "binary",
        file,
        message: "compressed with gzip",
        hint: `decompress it first: gunzip -c ${file === STDIN ? "" : file}`.trim(),
      }
    : { code: "binary", file, message: `binary file: NUL at byte ${offset}`, hint: "inputs must be YAML or JSON" };
}

function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const CHUNK = 65_536;

/** The decoder does not say where the error is: first the piece that holds it, then byte by byte. */
function firstInvalid(bytes: Uint8Array): number {
  // A character may have begun in the piece before.
  let start = Math.max(0, failsAt(bytes, 0, CHUNK) - 4);
  while (start > 0 && (bytes[start]! & 0xc0) === 0x80) start--;
  return failsAt(bytes, start, 1);
}

function failsAt(bytes: Uint8Array, start: number, step: number): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let at = start; at < bytes.length; at += step) {
    try {
      decoder.decode(bytes.subarray(at, at + step), { stream: true });
    } catch {
      return at;
    }
  }
  return bytes.length;
}
