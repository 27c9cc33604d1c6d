// The messages of etcd's API v3 that the store uses: etcdserverpb in rpc.proto, KeyValue and Event in kv.proto.

import { WireError } from "../wire/wire-reader.ts";
import { type FieldReader, FieldWriter } from "./fields.ts";

export const METHOD = {
  range: "/etcdserverpb.KV/Range",
  txn: "/etcdserverpb.KV/Txn",
  compact: "/etcdserverpb.KV/Compact",
  watch: "/etcdserverpb.Watch/Watch",
  leaseGrant: "/etcdserverpb.Lease/LeaseGrant",
  authenticate: "/etcdserverpb.Auth/Authenticate",
  status: "/etcdserverpb.Maintenance/Status",
} as const;

export interface KeyValue {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
}

export interface RangeRequest {
  readonly key: Uint8Array;
  readonly rangeEnd?: Uint8Array;
  readonly limit?: number;
  readonly revision?: number;
  readonly countOnly?: boolean;
}

export interface RangeResponse {
  readonly revision: number;
  readonly entries: readonly KeyValue[];
  readonly more: boolean;
  readonly count: number;
}

export function encodeRange(request: RangeRequest): FieldWriter {
  return new FieldWriter()
    .bytes(1, request.key)
    .bytes(2, request.rangeEnd ?? NONE)
    .integer(3, request.limit ?? 0)
    .integer(4, request.revision ?? 0)
    .flag(9, request.countOnly ?? false);
}

export function decodeRange(reader: FieldReader): RangeResponse {
  const response = decodeInnerRange(reader);
  known(response.revision);
  return response;
}

/** Inside the answer to a transaction, a range has no header. */
function decodeInnerRange(reader: FieldReader): RangeResponse {
  const entries: KeyValue[] = [];
  let revision = 0;
  let more = false;
  let count = 0;
  while (reader.next()) {
    if (reader.field === 1) revision = decodeHeader(reader.message());
    else if (reader.field === 2) entries.push(decodeKeyValue(reader.message()));
    else if (reader.field === 3) more = reader.flag();
    else if (reader.field === 4) count = reader.integer();
  }
  if (more && entries.length === 0) throw new WireError("a page without entries says that more follow");
  return { revision, entries, more, count };
}

export type TxnOperation =
  | { readonly put: { readonly key: Uint8Array; readonly value: Uint8Array; readonly lease: number } }
  | { readonly delete: Uint8Array };

export interface TxnRequest {
  /** Modification revisions that keys must have. */
  readonly compare: readonly { readonly key: Uint8Array; readonly modRevision: number }[];
  readonly success: readonly TxnOperation[];
  /** Keys to read when a comparison fails. */
  readonly failure: readonly Uint8Array[];
}

export interface TxnResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  /** The entries read after a failed comparison. */
  readonly current: readonly (KeyValue | undefined)[];
}

const COMPARE_EQUAL = 0;
const COMPARE_MOD = 2;

export function encodeTxn({ compare, success, failure }: TxnRequest): FieldWriter {
  const request = new FieldWriter();
  for (const { key, modRevision } of compare) {
    request.message(
      1,
      new FieldWriter().integer(1, COMPARE_EQUAL).integer(2, COMPARE_MOD).bytes(3, key).choice(6, modRevision),
    );
  }
  for (const operation of success) {
    if ("put" in operation) {
      const { key, value, lease } = operation.put;
      const put = new FieldWriter().bytes(1, key).bytes(2, value).integer(3, lease);
      request.message(2, new FieldWriter().message(2, put));
    } else {
      request.message(2, new FieldWriter().message(3, new FieldWriter().bytes(1, operation.delete)));
    }
  }
  for (const key of failure) request.message(3, new FieldWriter().message(1, encodeRange({ key })));
  return request;
}

export function decodeTxn(reader: FieldReader): TxnResponse {
  let revision = 0;
  let succeeded = false;
  const current: (KeyValue | undefined)[] = [];
  while (reader.next()) {
    if (reader.field === 1) revision = decodeHeader(reader.message());
    else if (reader.field === 2) succeeded = reader.flag();
    else if (reader.field === 3) {
      const operation = reader.message();
      while (operation.next())
        if (operation.field === 1) current.push(decodeInnerRange(operation.message()).entries[0]);
    }
  }
  return { revision: known(revision), succeeded, current };
}

export function encodeCompact(revision: number): FieldWriter {
  return new FieldWriter().integer(1, revision);
}

export function encodeLeaseGrant(seconds: number, id: number): FieldWriter {
  return new FieldWriter().integer(1, seconds).integer(2, id);
}

export function encodeAuthenticate(user: string, password: string): FieldWriter {
  return new FieldWriter().text(1, user).text(2, password);
}

/** The token. */
export function decodeAuthenticate(reader: FieldReader): string {
  let token = "";
  while (reader.next()) if (reader.field === 2) token = reader.text();
  if (!/^[\x21-\x7e]+$/.test(token)) throw new WireError("a login is answered without a token");
  return token;
}

/** The server's version. */
export function decodeStatus(reader: FieldReader): string {
  let version = "";
  while (reader.next()) if (reader.field === 2) version = reader.text();
  return version;
}

export interface WatchCreate {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly startRevision: number;
  readonly previous: boolean;
}

export function encodeWatchCreate(create: WatchCreate): FieldWriter {
  const request = new FieldWriter()
    .bytes(1, create.key)
    .bytes(2, create.rangeEnd)
    .integer(3, create.startRevision)
    .flag(4, true) // progress from time to time
    .flag(6, create.previous)
    .flag(8, true); // large responses in fragments
  return new FieldWriter().message(1, request);
}

export function encodeWatchProgress(): FieldWriter {
  return new FieldWriter().message(3, new FieldWriter());
}

export interface WatchEvent {
  readonly type: "put" | "delete";
  readonly entry: KeyValue;
  readonly previous: KeyValue | undefined;
}

export interface WatchResponse {
  readonly revision: number;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compactRevision: number;
  readonly cancelReason: string;
  readonly fragment: boolean;
  readonly events: readonly WatchEvent[];
}

export function decodeWatch(reader: FieldReader): WatchResponse {
  const response = {
    revision: 0,
    created: false,
    canceled: false,
    compactRevision: 0,
    cancelReason: "",
    fragment: false,
    events: [] as WatchEvent[],
  };
  while (reader.next()) {
    if (reader.field === 1) response.revision = decodeHeader(reader.message());
    else if (reader.field === 3) response.created = reader.flag();
    else if (reader.field === 4) response.canceled = reader.flag();
    else if (reader.field === 5) response.compactRevision = reader.integer();
    else if (reader.field === 6) response.cancelReason = reader.text();
    else if (reader.field === 7) response.fragment = reader.flag();
    else if (reader.field === 11) response.events.push(decodeEvent(reader.message()));
  }
  return response;
}

/** The revision in the header of an answer that is only a header. */
export function decodeRevision(reader: FieldReader): number {
  let revision = 0;
  while (reader.next()) if (reader.field === 1) revision = decodeHeader(reader.message());
  return known(revision);
}

function decodeEvent(reader: FieldReader): WatchEvent {
  let type: WatchEvent["type"] = "put";
  let entry: KeyValue | undefined;
  let previous: KeyValue | undefined;
  while (reader.next()) {
    if (reader.field === 1) type = reader.integer() === 1 ? "delete" : "put";
    else if (reader.field === 2) entry = decodeKeyValue(reader.message());
    else if (reader.field === 3) previous = decodeKeyValue(reader.message());
  }
  if (entry === undefined) throw new WireError("an event has no key");
  return { type, entry, previous };
}

function decodeKeyValue(reader: FieldReader): KeyValue {
  let key = NONE;
  let value = NONE;
  let createRevision = 0;
  let modRevision = 0;
  let version = 0;
  while (reader.next()) {
    if (reader.field === 1) key = reader.bytes();
    else if (reader.field === 2) createRevision = reader.integer();
    else if (reader.field === 3) modRevision = reader.integer();
    else if (reader.field === 4) version = reader.integer();
    else if (reader.field === 5) value = reader.bytes();
  }
  return { key, value, createRevision, modRevision, version };
}

function decodeHeader(reader: FieldReader): number {
  let revision = 0;
  while (reader.next()) if (reader.field === 3) revision = reader.integer();
  return revision;
}

/** etcd starts at revision 1. */
function known(revision: number): number {
  if (revision < 1) throw new WireError("an answer has no revision");
  return revision;
}

const NONE: Buffer = Buffer.alloc(0);
