// Things by node number. Numbers of a parsed tree are small and dense, so an array serves; others, which a tree from
// elsewhere may have, go to a map.

/** Numbers below this go to the array if they are close to the ones before. */
const MAX_INDEX = 1 << 20;
const MAX_GAP = 1024;

export class NodeTable<T extends object> implements ReadonlyMap<number, T> {
  private readonly items: (T | undefined)[] = [];
  private others: Map<number, T> | undefined;
  private count = 0;

  get size(): number {
    return this.count + (this.others?.size ?? 0);
  }

  get(id: number): T | undefined {
    const item = id < this.items.length ? this.items[id] : undefined;
    return item === undefined && this.others !== undefined ? this.others.get(id) : item;
  }

  has(id: number): boolean {
    return this.get(id) !== undefined;
  }

  set(id: number, item: T): void {
    const { items } = this;
    if (!(id < items.length && id >= 0 && Number.isInteger(id)) && !this.reach(id)) {
      this.others ??= new Map();
      this.others.set(id, item);
      return;
    }
    if (items[id] === undefined) {
      this.count++;
    }
    items[id] = item;
  }

  /** Lengthens the array so that it has a place for `id`, without holes. */
  private reach(id: number): boolean {
    const { items } = this;
    // Once something is in the map the array keeps its length, so that each number has one place.
    if (
      !Number.isInteger(id) ||
      id < 0 ||
      id >= MAX_INDEX ||
      id > items.length + MAX_GAP ||
      this.others !== undefined
    ) {
      return false;
    }
    while (items.length <= id) {
      items.push(undefined);
    }
    return true;
  }

  forEach(callback: (item: T, id: number, table: ReadonlyMap<number, T>) => void): void {
    for (const [id, item] of this) {
      callback(item, id, this);
    }
  }

  *entries(): MapIterator<[number, T]> {
    for (let id = 0; id < this.items.length; id++) {
      const item = this.items[id];
      if (item !== undefined) {
        yield [id, item];
      }
    }
    if (this.others !== undefined) {
      yield* this.others;
    }
  }

  *keys(): MapIterator<number> {
    for (const [id] of this) {
      yield id;
    }
  }

  *values(): MapIterator<T> {
    for (const [, item] of this) {
      yield item;
    }
  }

  [Symbol.iterator](): MapIterator<[number, T]> {
    return this.entries();
  }
}
