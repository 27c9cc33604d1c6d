// The place of the store's keys in etcd. Keys start with a slash, so they lie between `<prefix>/` and `<prefix>0`. Right before them, at
// `<prefix>.celadon`, is a key of the store's own: writing it makes a revision that every watch of the whole range is sure to see.

export interface KeyRange {
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
}

export class Keys {
  readonly #prefix: string;
  readonly #prefixBytes: number;
  /** The store's own key. */
  readonly mark: Buffer;
  /** All keys and the mark. */
  readonly everything: KeyRange;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.#prefixBytes = Buffer.byteLength(prefix);
    this.mark = Buffer.from(`${prefix}.celadon`);
    this.everything = { key: Buffer.from(`${prefix}.`), rangeEnd: Buffer.from(`${prefix}0`) };
  }

  encode(key: string): Buffer {
    return Buffer.from(this.#prefix + key, "utf8");
  }

  decode(bytes: Buffer): string {
    return bytes.toString("utf8", this.#prefixBytes);
  }

  /** The keys that start with a prefix, behind a key when one is given. */
  range(prefix: string, after?: string): KeyRange {
    const start = this.encode(prefix === "" ? "/" : prefix);
    const rangeEnd = endOf(start);
    if (after === undefined) return { key: start, rangeEnd };
    const behind = Buffer.concat([this.encode(after), Buffer.of(0)]);
    return { key: Buffer.compare(behind, start) > 0 ? behind : start, rangeEnd };
  }
}

/** The first key behind every key that starts with these bytes. UTF-8 has no byte 0xff, so the last can be raised. */
function endOf(start: Buffer): Buffer {
  const end = Buffer.from(start);
  end[end.byteLength - 1]! += 1;
  return end;
}
