// Frames of WebSockets (RFC 6455), as much as a watch needs: messages of one frame on their way out; on their way in, control frames, and the
// lengths of all others, which are skipped without being kept.

import { createHash } from "node:crypto";

export const TEXT = 1;
export const BINARY = 2;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;

const FINAL = 0x80;
const MASKED = 0x80;
/** A control frame has no more. */
const MAX_CONTROL = 125;

/** The answer to a client's key. */
export function acceptOf(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

export function frameOf(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const lengthBytes = length <= MAX_CONTROL ? 0 : length < 0x10000 ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + lengthBytes + length);
  frame[0] = FINAL | opcode;
  frame[1] = lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127;
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2);
  else if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.set(payload, 2 + lengthBytes);
  return frame;
}

/** Told of the control frames of a client, and of bytes that are no frame of a client. */
export interface FrameListener {
  control(opcode: number, payload: Uint8Array): void;
  malformed(): void;
}

/** Reads frames of a client, in pieces of any size. */
export class FrameReader {
  readonly #listener: FrameListener;
  /** The beginning of a frame that is incomplete: its head, or a control frame. */
  #held: Buffer = Buffer.alloc(0);
  /** Bytes of a message that are still to be skipped. */
  #skip = 0;
  #hasEnded = false;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  read(chunk: Buffer): void {
    if (this.#hasEnded) return;
    let rest = chunk;
    while (rest.length > 0 && !this.#hasEnded) {
      const skipped = Math.min(this.#skip, rest.length);
      this.#skip -= skipped;
      rest = rest.subarray(skipped);
      if (rest.length === 0) return;
      const bytes = this.#held.length === 0 ? rest : Buffer.concat([this.#held, rest]);
      const used = this.#frame(bytes);
      if (used === 0) {
        this.#held = bytes;
        return;
      }
      this.#held = Buffer.alloc(0);
      rest = bytes.subarray(used);
    }
  }

  /** Reads the head of a frame, and all of a control frame; the bytes it used, 0 if there are too few. */
  #frame(bytes: Buffer): number {
    if (bytes.length < 2) return 0;
    const opcode = bytes[0]! & 0x0f;
    const short = bytes[1]! & 0x7f;
    const isControl = opcode >= CLOSE;
    if ((bytes[1]! & MASKED) === 0 || (isControl && short > MAX_CONTROL)) {
      this.#hasEnded = true;
      this.#listener.malformed();
      return bytes.length;
    }
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const head = 2 + lengthBytes + 4;
    if (bytes.length < head) return 0;
    if (!isControl) {
      this.#skip =
        lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
      return head;
    }
    if (bytes.length < head + short) return 0;
    const mask = bytes.subarray(head - 4, head);
    this.#listener.control(
      opcode,
      bytes.subarray(head, head + short).map((byte, at) => byte ^ mask[at % 4]!),
    );
    return head + short;
  }
}
