// Objects are in key order at every read, however many changes came before it.

import fc from "fast-check";
import { expect, test } from "vitest";
import { SortedObjects } from "./sorted-objects.ts";
import { StoredObject } from "./stored-object.ts";

const VALUE = Buffer.from(JSON.stringify({ metadata: { name: "x", uid: "0".repeat(36) } }));
const objectOf = (key: string, revision: number): StoredObject =>
  new StoredObject({ key, namespace: "", name: key }, VALUE, revision, false);

const key = fc.integer({ min: 0, max: 60 }).map((n) => `/k/${n}`);
const changes = fc.array(fc.record({ key, removed: fc.boolean() }), { maxLength: 30 });

test("reads between bursts of changes see what a sorted map has", () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 8 }), key, (bursts, asked) => {
      const model = new Map<string, number>();
      const objects = new SortedObjects();
      let revision = 0;
      for (const burst of bursts) {
        for (const change of burst) {
          revision++;
          if (change.removed) {
            if (model.delete(change.key)) objects.remove(change.key);
          } else {
            model.set(change.key, revision);
            objects.put(objectOf(change.key, revision));
          }
        }
        const want = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(objects.all().map((object) => [object.key, object.revision])).toEqual(want);
        expect(objects.position(asked)).toBe(want.filter(([k]) => k < asked).length);
      }
    }),
    { numRuns: 100 },
  );
});

test("more changes than may wait", () => {
  const objects = new SortedObjects();
  for (let n = 0; n < 10_000; n++) objects.put(objectOf(`/k/${(n * 7919) % 10_000}`, n + 1));
  for (let n = 0; n < 10_000; n += 2) objects.remove(`/k/${n}`);
  const keys = objects.all().map((object) => object.key);
  expect(keys).toHaveLength(5_000);
  expect(keys).toEqual(keys.toSorted());
});
