// The wire format: numbers, lengths, and skipped fields. Throws a RangeError for bytes that are no message.

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The bytes end within a value. */
export class EndOfBytes extends RangeError {
  constructor() {
    super("unexpected EOF");
  }
}

export class WireReader {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** Field number and wire type of the next field. */
  tag(): { readonly field: number; readonly wire: number } {
    const tag = Number(this.varint());
    return { field: Math.floor(tag / 8), wire: tag % 8 };
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.#at >= this.#end) throw new EndOfBytes();
      const byte = this.#bytes[this.#at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("integer overflow");
  }

  /** A signed integer, as a number where that is exact. */
  integer(): number | bigint {
    const value = BigInt.asIntN(64, this.varint());
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  double(): number {
    const at = this.#take(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at, 8).getFloat64(0, true);
  }

  bytes(): Uint8Array {
    const length = Number(this.varint());
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }

  text(): string {
    return decoder.decode(this.bytes());
  }

  message(): WireReader {
    const length = Number(this.varint());
    const at = this.#take(length);
    return new WireReader(this.#bytes, at, at + length);
  }

  skip(wire: number): void {
    if (wire === 0) this.varint();
    else if (wire === 1) this.#take(8);
    else if (wire === 2) this.#take(Number(this.varint()));
    else if (wire === 5) this.#take(4);
    else throw new RangeError(`illegal wireType ${wire}`);
  }

  #take(length: number): number {
    const at = this.#at;
    if (length < 0 || at + length > this.#end) throw new EndOfBytes();
    this.#at = at + length;
    return at;
  }
}
