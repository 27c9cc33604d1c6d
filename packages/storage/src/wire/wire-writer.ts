// Writes the wire format: a buffer that grows, numbers, lengths.

/** Writes values one after the other. */
export class WireWriter {
  #bytes: Buffer = Buffer.allocUnsafe(256);
  #at = 0;

  /** The written bytes. Valid until the next write. */
  result(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  tag(field: number, wire: number): void {
    this.number(field * 8 + wire);
  }

  /** A whole number that is not negative. */
  number(value: number): void {
    this.#reserve(10);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = (rest % 128) | 128;
    this.#bytes[this.#at++] = rest;
  }

  integer(value: number | bigint): void {
    if (typeof value === "number" && value >= 0) {
      this.number(value);
      return;
    }
    this.#reserve(10);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) this.#bytes[this.#at++] = Number(rest & 127n) | 128;
    this.#bytes[this.#at++] = Number(rest);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  /** Bytes with their length. */
  bytes(bytes: Uint8Array): void {
    this.number(bytes.length);
    this.raw(bytes);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  text(text: string): void {
    this.bytes(Buffer.from(text));
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + more));
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }
}
