// An index of entries by (group, resource, operation), each of which may be `*`. Immutable: replacing some entries shares the
// buckets of all others.

import type { GroupResource } from "@celadon/kube";
import { SharedMap } from "./shared-map.ts";

export type IndexKey = readonly [group: string, resource: string, operation: string];

export class PolicyIndex<E> {
  readonly #buckets: SharedMap<readonly E[]>;
  readonly #order: ((a: E, b: E) => number) | undefined;

  constructor(buckets: SharedMap<readonly E[]>, order?: (a: E, b: E) => number) {
    this.#buckets = buckets;
    this.#order = order;
  }

  /** Entries with a key that covers the resource or one of its equivalents, in order, each once. */
  find(resource: GroupResource, equivalents: readonly GroupResource[], operation: string): readonly E[] {
    const found: (readonly E[])[] = [];
    this.#collect(resource, operation, found);
    for (const other of equivalents) {
      if (other.group !== resource.group || other.resource !== resource.resource)
        this.#collect(other, operation, found);
    }
    if (found.length === 0) return NONE as readonly E[];
    if (found.length === 1) return found[0]!;
    return [...new Set(found.flat())].sort(this.#order);
  }

  #collect({ group, resource }: GroupResource, operation: string, found: (readonly E[])[]): void {
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
  replace(
    removed: readonly E[],
    added: readonly E[],
    keysOf: (entry: E) => Iterable<IndexKey>,
    order: (a: E, b: E) => number,
  ): PolicyIndex<E> {
    const gone = new Map<string, Set<E>>();
    const come = new Map<string, Set<E>>();
    for (const entry of removed) for (const key of keysOf(entry)) collect(gone, key.join("/"), entry);
    for (const entry of added) for (const key of keysOf(entry)) collect(come, key.join("/"), entry);
    const changes = new Map<string, readonly E[] | undefined>();
    for (const key of new Set([...gone.keys(), ...come.keys()])) {
      const without = gone.get(key);
      const kept = (this.#buckets.get(key) ?? []).filter((entry) => !without?.has(entry));
      const next = [...kept, ...(come.get(key) ?? [])].sort(order);
      changes.set(key, next.length === 0 ? undefined : next);
    }
    return new PolicyIndex(this.#buckets.with(changes), order);
  }
}

function collect<E>(into: Map<string, Set<E>>, key: string, entry: E): void {
  const entries = into.get(key);
  if (entries === undefined) into.set(key, new Set([entry]));
  else entries.add(entry);
}

const NONE: readonly never[] = [];

// biome-ignore lint/suspicious/noExplicitAny: an index of nothing is an index of anything
export const EMPTY_INDEX: PolicyIndex<any> = new PolicyIndex<any>(SharedMap.empty());
