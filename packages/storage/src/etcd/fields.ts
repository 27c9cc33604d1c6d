// Messages field by field, as much of protobuf as etcd's need. Integers are numbers: revisions and counts stay below 2^53, and what does
// not (member and cluster ids) is skipped.

import { WireError, WireReader } from "../wire/wire-reader.ts";
import { WireWriter } from "../wire/wire-writer.ts";

/** Writes a message. */
export class FieldWriter {
  readonly #writer = new WireWriter();

  /** A field that is left out when it is zero, as proto3 does. */
  integer(field: number, value: number): this {
    return value === 0 ? this : this.choice(field, value);
  }

  /** Like `integer`, and written when it is zero: for a field of a oneof. */
  choice(field: number, value: number): this {
    this.#writer.tag(field, 0);
    this.#writer.number(value);
    return this;
  }

  flag(field: number, value: boolean): this {
    return this.integer(field, value ? 1 : 0);
  }

  bytes(field: number, value: Uint8Array): this {
    return value.byteLength === 0 ? this : this.#part(field, value);
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value, "utf8"));
  }

  /** A message inside this one; written even when it is empty. */
  message(field: number, value: FieldWriter): this {
    return this.#part(field, value.finish());
  }

  finish(): Buffer {
    return this.#writer.result();
  }

  #part(field: number, value: Uint8Array): this {
    this.#writer.tag(field, 2);
    this.#writer.bytes(value);
    return this;
  }
}

/** Reads fields one after the other: `while (reader.next()) switch (reader.field) { … }`. Unread fields are skipped. */
export class FieldReader {
  readonly #reader: WireReader;
  #wire = -1;
  #isRead = true;
  field = 0;

  constructor(bytes: Uint8Array) {
    this.#reader = new WireReader(bytes);
  }

  next(): boolean {
    if (!this.#isRead) this.#reader.skip(this.#wire);
    if (this.#reader.isAtEnd) return false;
    const { field, wire } = this.#reader.tag();
    this.field = field;
    this.#wire = wire;
    this.#isRead = false;
    return true;
  }

  integer(): number {
    const value = this.#read(0, "a number").varint();
    if (typeof value === "bigint") throw new WireError(`field ${this.field} is beyond 2^53`);
    return value;
  }

  flag(): boolean {
    return this.integer() !== 0;
  }

  /** A view of the message's bytes. */
  bytes(): Buffer {
    const { buffer, byteOffset, byteLength } = this.#read(2, "bytes").bytes();
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  text(): string {
    return this.bytes().toString("utf8");
  }

  message(): FieldReader {
    return new FieldReader(this.bytes());
  }

  #read(wire: number, what: string): WireReader {
    this.#isRead = true;
    if (this.#wire !== wire) throw new WireError(`field ${this.field} is not ${what}`);
    return this.#reader;
  }
}
