// One object at one revision, as bytes that can be sent as they are. A store holds JSON without a resource version, because the revision is
// known only when the write is done; here it is put in its place once, and everybody who reads or watches the object shares the bytes.

import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@celadon/kube";
import { readStoredJson } from "@celadon/kube/read";
import type { Labels } from "@celadon/kube/selectors";
import { parseHead } from "./stored-head.ts";

/** The form of bytes in the store: kind and apiVersion first, then metadata that begins with name, namespace and uid. */
const UID = Buffer.from('"uid":"');
const UID_LENGTH = 36;

export class StoredObject {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** The object in its storage version, with its resource version. */
  readonly json: Buffer;
  /** Bytes it took when it was read. */
  readonly size: number;
  #labels: Labels | undefined;
  #object: KubeObject | undefined;
  /** Set for kinds the server itself reads on every request: their data is kept once it was parsed. */
  readonly #keep: boolean;

  constructor(place: StoredPlace, value: Uint8Array, revision: number, keep: boolean) {
    this.key = place.key;
    this.namespace = place.namespace;
    this.name = place.name;
    this.revision = revision;
    this.json = withResourceVersion(value, revision);
    this.size = this.json.length;
    this.#keep = keep;
  }

  /** The same state under another revision: the event of a watch for a deleted object. */
  at(revision: number): StoredObject {
    const value = withoutResourceVersion(this.json, this.revision);
    return new StoredObject(this, value, revision, this.#keep);
  }

  /** The object as the store holds it: for a converted object another one. */
  get source(): StoredObject {
    return this;
  }

  /** Whether bytes for the store hold the same object. */
  isSameAs(value: Buffer): boolean {
    const version = `,"resourceVersion":"${this.revision}"`.length;
    if (value.length + version !== this.json.length) return false;
    const at = placeOfVersion(this.json);
    if (
      this.json.compare(value, 0, at, 0, at) === 0 &&
      this.json.compare(value, at, value.length, at + version) === 0
    ) {
      return true;
    }
    // Two objects of the same length may differ in the order of members alone. Then they are the
    // same bytes, in another order.
    if (sumOf(this.json, 0, at) + sumOf(this.json, at + version) !== sumOf(value)) return false;
    return isDeepStrictEqual(parseStored(withoutResourceVersion(this.json, this.revision)), parseStored(value));
  }

  /** The object as data. Not to be changed. */
  get object(): KubeObject {
    if (this.#object !== undefined) return this.#object;
    const object = parseStored(this.json);
    if (this.#keep) this.#object = object;
    return object;
  }

  get labels(): Labels {
    this.#labels ??= ((this.#object ?? parseHead(this.json)).metadata?.labels ?? NO_LABELS) as Labels;
    return this.#labels;
  }
}

const NO_LABELS: Labels = Object.freeze({});

export interface StoredPlace {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
}

export function parseStored(json: Uint8Array): KubeObject {
  return readStoredJson(json) as KubeObject;
}

function sumOf(bytes: Uint8Array, from = 0, to: number = bytes.length): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += bytes[at]!;
  return sum;
}

/** The position of the resource version: behind the uid. */
function placeOfVersion(json: Buffer): number {
  const at = json.indexOf(UID);
  if (at === -1) throw new Error("a stored object has no uid");
  return at + UID.length + UID_LENGTH + 1;
}

function withResourceVersion(value: Uint8Array, revision: number): Buffer {
  const source = asBuffer(value);
  const at = placeOfVersion(source);
  const version = `,"resourceVersion":"${revision}"`;
  const json = Buffer.allocUnsafe(source.length + version.length);
  source.copy(json, 0, 0, at);
  json.write(version, at, "latin1");
  source.copy(json, at + version.length, at);
  return json;
}

export function withoutResourceVersion(json: Buffer, revision: number): Buffer {
  const at = placeOfVersion(json);
  const length = `,"resourceVersion":"${revision}"`.length;
  return Buffer.concat([json.subarray(0, at), json.subarray(at + length)]);
}

function asBuffer(value: Uint8Array): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
