// The metadata of a store: the version of its format, and its state.

import type { Revision } from "../store.ts";
import { readUint48 } from "./integers.ts";

/** The version of record.ts, counts.ts and the tables. A store of another version is not opened. */
export const FORMAT = 1;

export interface State {
  /** The last revision. */
  readonly head: Revision;
  /** The oldest revision that can be read. */
  readonly compacted: Revision;
  /** Superseded versions are removed up to here; it trails `compacted` while that is under way. */
  readonly scrubbed: Revision;
}

export const EMPTY: State = { head: 1, compacted: 0, scrubbed: 0 };

export const FORMAT_KEY: Buffer = Buffer.from("format");
export const STATE_KEY: Buffer = Buffer.from("state");

export function encodeFormat(format: number = FORMAT): Buffer {
  return Buffer.from(`celadon ${format}`);
}

/** The version, or undefined when another program wrote this. */
export function decodeFormat(bytes: Uint8Array): number | undefined {
  const match = /^celadon (\d+)$/.exec(Buffer.from(bytes).toString("latin1"));
  return match === null ? undefined : Number(match[1]);
}

export function encodeState(state: State): Buffer {
  const bytes = Buffer.allocUnsafe(18);
  bytes.writeUIntBE(state.head, 0, 6);
  bytes.writeUIntBE(state.compacted, 6, 6);
  bytes.writeUIntBE(state.scrubbed, 12, 6);
  return bytes;
}

export function decodeState(bytes: Uint8Array): State {
  return { head: readUint48(bytes, 0), compacted: readUint48(bytes, 6), scrubbed: readUint48(bytes, 12) };
}
