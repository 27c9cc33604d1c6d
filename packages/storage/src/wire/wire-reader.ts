// The wire format: numbers, lengths, and skipped fields. Throws a WireError for bytes that are no message.

/** Bytes with seven bits each that a number holds exactly. */
const NUMBER_BYTES = 7;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The bytes are no message, or not the expected one. */
export class WireError extends RangeError {
  override readonly name = "WireError";
}

/** The bytes end within a value. */
export class EndOfBytes extends WireError {
  constructor() {
    super("unexpected EOF");
  }
}

/** Reads values one after the other. */
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

  /** An unsigned integer, as a number where that is exact. */
  varint(): number | bigint {
    let value = 0;
    let scale = 1;
    for (let length = 0; length < NUMBER_BYTES; length++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    let wide = BigInt(value);
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      wide |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return wide <= Number.MAX_SAFE_INTEGER ? Number(wide) : wide;
    }
    throw new WireError("integer overflow");
  }

  /** A signed integer, as a number where that is exact. */
  integer(): number | bigint {
    const value = this.varint();
    if (typeof value === "number") return value;
    const signed = BigInt.asIntN(64, value);
    const number = Number(signed);
    return Number.isSafeInteger(number) ? number : signed;
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
    else throw new WireError(`illegal wireType ${wire}`);
  }

  #byte(): number {
    if (this.#at >= this.#end) throw new EndOfBytes();
    return this.#bytes[this.#at++]!;
  }

  #take(length: number): number {
    const at = this.#at;
    if (length < 0 || at + length > this.#end) throw new EndOfBytes();
    this.#at = at + length;
    return at;
  }
}
