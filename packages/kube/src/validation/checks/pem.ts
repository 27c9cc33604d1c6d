// PEM blocks in a text, found as Go finds them: whole lines, the last BEGIN before an END, readable base64 between.

import { decodeBase64 } from "@celadon/base";

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const BEGIN = /^-----BEGIN (.*)-----$/;
const END = /^-----END (.*)-----$/;

export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let open: { readonly type: string; readonly lines: string[] } | undefined;
  for (const line of text.split("\n").map((each) => each.trimEnd())) {
    const [begin, end] = [BEGIN.exec(line), END.exec(line)];
    if (begin !== null) open = { type: begin[1]!, lines: [] };
    else if (end === null) open?.lines.push(line);
    else {
      const block = open?.type === end[1] ? blockOf(open!.type, open!.lines) : undefined;
      if (block !== undefined) blocks.push(block);
      open = undefined;
    }
  }
  return blocks;
}

function blockOf(type: string, lines: readonly string[]): PemBlock | undefined {
  const body = lines.findIndex((line) => !line.includes(":"));
  const bytes = decodeBase64(lines.slice(Math.max(0, body)).join("").replace(/\s/g, ""));
  return typeof bytes === "number" ? undefined : { type, hasHeaders: body > 0, bytes };
}

/** Whether the bytes are one or more DER sequences, with any content. */
export function isDerSequences(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length) {
    const end = sequenceEnd(bytes, at);
    if (end === undefined || end > bytes.length) return false;
    at = end;
  }
  return bytes.length > 0;
}

const SEQUENCE = 0x30;

function sequenceEnd(bytes: Uint8Array, start: number): number | undefined {
  const first = bytes[start + 1];
  if (bytes[start] !== SEQUENCE || first === undefined) return undefined;
  if (first < 0x80) return start + 2 + first;
  const body = start + 2 + (first & 0x7f);
  if (first === 0x80 || (first & 0x7f) > 4 || body > bytes.length) return undefined;
  return body + bytes.slice(start + 2, body).reduce((length, byte) => length * 256 + byte, 0);
}
