// The wire format of protobuf, as much of it as etcd's messages need. Integers are numbers: revisions and counts stay below 2^53, and
// larger ones (member and cluster ids) are skipped.

export class WireWriter {
  #bytes: Buffer = Buffer.allocUnsafe(256);
  #length = 0;

  /** A field that is left out when it is zero, as proto3 does. */
  integer(field: number, value: number): this {
    if (value === 0) return this;
    this.#room(20);
    this.#varint(field << 3);
    this.#varint(value);
    return this;
  }

  /** Like `integer`, and written when it is zero: for a field of a oneof. */
  choice(field: number, value: number): this {
    this.#room(20);
    this.#varint(field << 3);
    this.#varint(value);
    return this;
  }

  flag(field: number, value: boolean): this {
    return this.integer(field, value ? 1 : 0);
  }

  bytes(field: number, value: Uint8Array): this {
    if (value.byteLength === 0) return this;
    this.#room(20 + value.byteLength);
    this.#varint((field << 3) | 2);
    this.#varint(value.byteLength);
    this.#bytes.set(value, this.#length);
    this.#length += value.byteLength;
    return this;
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value, "utf8"));
  }

  /** A message inside this one; written even when it is empty. */
  message(field: number, value: WireWriter): this {
    const bytes = value.finish();
    this.#room(20);
    this.#varint((field << 3) | 2);
    this.#varint(bytes.byteLength);
    this.#room(bytes.byteLength);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.byteLength;
    return this;
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.byteLength) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.byteLength * 2, this.#length + bytes));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  #varint(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }
}

/** The bytes are not what etcd sends. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/** Reads fields one after the other: `while (reader.next()) switch (reader.field) { … }`. Unread fields are skipped. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;
  readonly #end: number;
  #wire = -1;
  #read = true;
  field = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = this.#bytes.byteLength;
  }

  next(): boolean {
    if (!this.#read) this.#skip();
    if (this.#at >= this.#end) return false;
    const tag = this.#varint();
    this.field = tag >>> 3;
    this.#wire = tag & 7;
    this.#read = false;
    return true;
  }

  integer(): number {
    this.#read = true;
    if (this.#wire !== 0) throw new WireError(`field ${this.field} is not a number`);
    const value = this.#varint();
    if (!Number.isSafeInteger(value)) throw new WireError(`field ${this.field} is beyond 2^53`);
    return value;
  }

  flag(): boolean {
    return this.integer() !== 0;
  }

  /** A view of the message's bytes. */
  bytes(): Buffer {
    this.#read = true;
    if (this.#wire !== 2) throw new WireError(`field ${this.field} is not bytes`);
    const length = this.#varint();
    const start = this.#at;
    this.#pass(length);
    return this.#bytes.subarray(start, this.#at);
  }

  text(): string {
    return this.bytes().toString("utf8");
  }

  message(): WireReader {
    return new WireReader(this.bytes());
  }

  #pass(length: number): void {
    this.#at += length;
    if (this.#at > this.#end) throw new WireError("a message ends early");
  }

  #skip(): void {
    this.#read = true;
    switch (this.#wire) {
      case 0:
        this.#varint();
        return;
      case 1:
        this.#pass(8);
        return;
      case 2:
        this.bytes();
        return;
      case 5:
        this.#pass(4);
        return;
      default:
        throw new WireError(`a message has wire type ${this.#wire}`);
    }
  }

  /** Exact up to 2^53; larger numbers, of fields that are not used, lose digits. */
  #varint(): number {
    let value = 0;
    let scale = 1;
    for (let length = 1; ; length++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new WireError("a message ends early");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      if (length === 10) throw new WireError("a number has more than ten bytes");
      scale *= 0x80;
    }
  }
}
