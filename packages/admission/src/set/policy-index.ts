// An index of entries by (group, resource, operation), each of which may be `*`, and within these by the demands of entries on the
// namespace. Immutable: replacing some entries shares the buckets of all others.

import type { GroupResource } from "@celadon/kube";
import { ByNamespace } from "../by-namespace/by-namespace.ts";
import type { NamespaceDemand } from "../by-namespace/namespace-demand.ts";
import { SharedMap } from "./shared-map.ts";

export type IndexKey = readonly [group: string, resource: string, operation: string];

/** The way in which entries are found and ordered. */
export interface Indexing<E> {
  keysOf(entry: E): Iterable<IndexKey>;
  demandOf(entry: E): NamespaceDemand;
  order(a: E, b: E): number;
}

export class PolicyIndex<E> {
  readonly #buckets: SharedMap<ByNamespace<E>>;
  readonly #indexing: Indexing<E>;

  constructor(indexing: Indexing<E>, buckets: SharedMap<ByNamespace<E>> = SharedMap.empty()) {
    this.#indexing = indexing;
    this.#buckets = buckets;
  }

  /** Entries with a key that covers the resource or one of its equivalents. */
  find(resource: GroupResource, equivalents: readonly GroupResource[], operation: string): FoundEntries<E> {
    const found: ByNamespace<E>[] = [];
    this.#collect(resource, operation, found);
    for (const other of equivalents) {
      if (other.group !== resource.group || other.resource !== resource.resource)
        this.#collect(other, operation, found);
    }
    return new FoundEntries(found, this.#indexing.order);
  }

  #collect({ group, resource }: GroupResource, operation: string, found: ByNamespace<E>[]): void {
    for (const g of [group, "*"]) {
      for (const r of [resource, "*"]) {
        for (const o of [operation, "*"]) {
          const bucket = this.#buckets.get(`${g}/${r}/${o}`);
          if (bucket !== undefined && !found.includes(bucket)) found.push(bucket);
        }
      }
    }
  }

  /** A new index without some entries and with others. */
  replace(removed: readonly E[], added: readonly E[]): PolicyIndex<E> {
    const { keysOf, demandOf, order } = this.#indexing;
    const gone = new Map<string, Set<E>>();
    const come = new Map<string, Set<E>>();
    for (const entry of removed) for (const key of keysOf(entry)) collect(gone, key.join("/"), entry);
    for (const entry of added) for (const key of keysOf(entry)) collect(come, key.join("/"), entry);
    const changes = new Map<string, ByNamespace<E> | undefined>();
    for (const key of new Set([...gone.keys(), ...come.keys()])) {
      const without = gone.get(key);
      const all = this.#buckets.get(key)?.all ?? [];
      const kept = without === undefined ? all : all.filter((entry) => !without.has(entry));
      const next = merged(kept, [...(come.get(key) ?? [])].sort(order), order);
      changes.set(key, next.length === 0 ? undefined : new ByNamespace(next, demandOf));
    }
    return new PolicyIndex(this.#indexing, this.#buckets.with(changes));
  }
}

/** Two sorted lists as one: sorting thousands of policies again for each that comes would take most of the time. */
function merged<E>(kept: readonly E[], added: readonly E[], order: (a: E, b: E) => number): readonly E[] {
  const next: E[] = [];
  let from = 0;
  for (const entry of added) {
    const to = placeOf(kept, entry, order, from);
    for (; from < to; from++) next.push(kept[from]!);
    next.push(entry);
  }
  return next.concat(kept.slice(from));
}

/** The first place from `low` on whose entry comes after. */
function placeOf<E>(kept: readonly E[], entry: E, order: (a: E, b: E) => number, from: number): number {
  let [low, high] = [from, kept.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order(kept[middle]!, entry) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function collect<E>(into: Map<string, Set<E>>, key: string, entry: E): void {
  const entries = into.get(key);
  if (entries === undefined) into.set(key, new Set([entry]));
  else entries.add(entry);
}

/** The entries that a request may be for, in parts that may overlap. */
export class FoundEntries<E> {
  readonly #parts: readonly ByNamespace<E>[];
  readonly #order: (a: E, b: E) => number;

  constructor(parts: readonly ByNamespace<E>[], order: (a: E, b: E) => number) {
    this.#parts = parts;
    this.#order = order;
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** Whether there are entries that demand something of the namespace. */
  get isSelective(): boolean {
    return this.#parts.some(({ isSelective }) => isSelective);
  }

  /** In order, each once. */
  all(): readonly E[] {
    return this.#merged(this.#parts.map(({ all }) => all));
  }

  /** Returns the entries that may apply in a namespace with these tokens, in order, each once. */
  in(tokens: readonly string[]): readonly E[] {
    return this.#merged(this.#parts.map((part) => part.in(tokens)).filter(({ length }) => length > 0));
  }

  #merged(lists: readonly (readonly E[])[]): readonly E[] {
    if (lists.length < 2) return lists[0] ?? [];
    return [...new Set(lists.flat())].sort(this.#order);
  }
}
