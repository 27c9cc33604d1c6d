// An immutable map of texts that shares all but a small part with the map it was made from. Entries are spread over shards by a
// hash of the key; a change copies the shards it touches.

const SHARDS = 512;

export class SharedMap<V> {
  static readonly #none: SharedMap<never> = new SharedMap<never>(new Array<undefined>(SHARDS).fill(undefined), 0);
  readonly #shards: readonly (ReadonlyMap<string, V> | undefined)[];
  readonly size: number;

  private constructor(shards: readonly (ReadonlyMap<string, V> | undefined)[], size: number) {
    this.#shards = shards;
    this.size = size;
  }

  static empty<V>(): SharedMap<V> {
    return SharedMap.#none as SharedMap<V>;
  }

  get(key: string): V | undefined {
    return this.#shards[shardOf(key)]?.get(key);
  }

  *values(): Generator<V> {
    for (const shard of this.#shards) if (shard !== undefined) yield* shard.values();
  }

  /** A map with these entries set; undefined takes one away. */
  with(changes: ReadonlyMap<string, V | undefined>): SharedMap<V> {
    if (changes.size === 0) return this;
    const shards = [...this.#shards];
    const copied = new Map<number, Map<string, V>>();
    let { size } = this;
    for (const [key, value] of changes) {
      const at = shardOf(key);
      let shard = copied.get(at);
      if (shard === undefined) {
        shard = new Map(shards[at]);
        copied.set(at, shard);
        shards[at] = shard;
      }
      size += Number(value !== undefined) - Number(shard.has(key));
      if (value === undefined) shard.delete(key);
      else shard.set(key, value);
    }
    return new SharedMap(shards, size);
  }
}

// FNV-1a over UTF-16 units: cheap, and even enough for names.
function shardOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % SHARDS;
}
