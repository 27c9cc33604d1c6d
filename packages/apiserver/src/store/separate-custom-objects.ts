// Moves custom resources of stores written by earlier versions to the prefixes of their own. It runs at every start, before anything is read: a
// store that was moved already has nothing left at the former places, and one that an earlier version has written to since is moved again.
// The bytes of objects stay as they are.

import type { CustomResourceDefinition } from "@celadon/crd";
import type { Entry, Store, StoreOperation } from "@celadon/storage";
import type { KindTable } from "../kinds/kind-table.ts";
import { builtinPrefix, customPrefix, formerCustomPrefix } from "../kinds/storage-prefix.ts";
import { parseStored } from "./stored-object.ts";

const DEFINITIONS = builtinPrefix("apiextensions.k8s.io", "customresourcedefinitions");
/** Objects moved at once. Every object takes two operations, and stores allow 128 of them in a transaction. */
const AT_ONCE = 64;
/** Bytes moved at once: etcd takes 1.5 MiB in one request. */
const MOST_BYTES = 1024 * 1024;

/** Moves custom objects, and returns their number. `kinds` has the built-in resources. */
export async function separateCustomObjects(store: Store, kinds: KindTable): Promise<number> {
  const { entries } = await store.list(DEFINITIONS);
  const moved = await Promise.all(
    entries.map(({ value }) => {
      const { spec } = parseStored(value) as unknown as CustomResourceDefinition;
      return moveResource(store, kinds, spec.group ?? "", spec.names.plural ?? "");
    }),
  );
  return moved.reduce((sum, count) => sum + count, 0);
}

async function moveResource(store: Store, kinds: KindTable, group: string, plural: string): Promise<number> {
  const [from, to] = [formerCustomPrefix(group, plural), customPrefix(group, plural)];
  let moved = 0;
  for (let after: string | undefined; ; ) {
    const page = await store.list(from, { limit: AT_ONCE, ...(after !== undefined && { after }) });
    const custom = page.entries.filter((entry) => isCustom(kinds, group, plural, entry));
    for (const batch of batchesOf(custom)) await moveAll(store, batch, from, to);
    moved += custom.length;
    after = page.entries.at(-1)?.key;
    if (!page.more) return moved;
  }
}

/** Tells objects of a definition from those of the built-in resource in whose place it was. */
function isCustom(kinds: KindTable, group: string, resource: string, { value }: Entry): boolean {
  const builtin = kinds.versions({ group, resource });
  if (builtin.length === 0) return true;
  const { apiVersion, kind } = parseStored(value);
  return !builtin.some((served) => served.apiVersion === apiVersion && served.kind === kind);
}

function* batchesOf(entries: readonly Entry[]): IterableIterator<readonly Entry[]> {
  let batch: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (batch.length > 0 && bytes + entry.value.length > MOST_BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(entry);
    bytes += entry.value.length;
  }
  if (batch.length > 0) yield batch;
}

/** Other servers over the same store may be moving the same objects: objects that they have moved are left alone. */
async function moveAll(store: Store, entries: readonly Entry[], from: string, to: string): Promise<void> {
  const placed = (entry: Entry): string => to + entry.key.slice(from.length);
  const moves = entries.flatMap((entry): StoreOperation[] => [
    { op: "put", key: placed(entry), value: entry.value, ifRevision: 0 },
    { op: "delete", key: entry.key, ifRevision: entry.modRevision },
  ]);
  if ((await store.write(moves)).written) return;
  for (const { key } of entries) {
    for (;;) {
      const { entry } = await store.get(key);
      if (entry === undefined) break;
      const there = (await store.get(placed(entry))).entry;
      const isOlder = there !== undefined && there.modRevision > entry.modRevision;
      const remove: StoreOperation = { op: "delete", key, ifRevision: entry.modRevision };
      const put: StoreOperation = {
        op: "put",
        key: placed(entry),
        value: entry.value,
        ifRevision: there?.modRevision ?? 0,
      };
      if ((await store.write(isOlder ? [remove] : [put, remove])).written) break;
    }
  }
}
