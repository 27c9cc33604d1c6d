import type { KubeObject } from "@celadon/kube";
import { readSchema } from "@celadon/kube/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFieldManager } from "./apply/field-manager.ts";
import { customMergeType } from "./schema/from-schema.ts";
import { compareTyped } from "./typed/compare.ts";
import { fieldSetOf } from "./typed/field-set-of.ts";
import { mergeValues } from "./typed/merge.ts";
import { removeFields } from "./typed/remove.ts";

const item = { type: "object", properties: { k: { type: "string" }, v: { type: "integer" } } };
const type = customMergeType(
  readSchema({
    type: "object",
    properties: {
      text: { type: "string" },
      list: { type: "array", items: { type: "string" } },
      set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
      keyed: { type: "array", items: item, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] },
      map: { type: "object", additionalProperties: { type: "string" } },
      atom: { ...item, "x-kubernetes-map-type": "atomic" },
      free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  }),
);

const word = fc.constantFrom("a", "b", "c", "d");
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const objects = fc
  .record({
    text: optional(word),
    list: optional(fc.array(word, { minLength: 1, maxLength: 3 })),
    set: optional(fc.uniqueArray(word, { minLength: 1 })),
    keyed: optional(fc.uniqueArray(fc.record({ k: word, v: fc.nat(2) }), { minLength: 1, selector: ({ k }) => k })),
    map: optional(fc.dictionary(word, word, { minKeys: 1, noNullPrototype: true })),
    atom: optional(fc.record({ k: word, v: fc.nat(2) })),
    free: optional(fc.dictionary(word, fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, noNullPrototype: true })),
  })
  .map((object) => JSON.parse(JSON.stringify(object)) as Record<string, unknown>);
const runs = { seed: 42, numRuns: 200 } as const;
const merge = (left: unknown, right: unknown): unknown => mergeValues(type, left, right).value;

test("merging is idempotent, and the right side's fields are all there", () => {
  fc.assert(
    fc.property(objects, objects, (left, right) => {
      const merged = merge(left, right);
      expect(merge(merged, right)).toEqual(merged);
      const { modified, added } = compareTyped(type, merged, merge(merged, right));
      expect([modified.isEmpty, added.isEmpty]).toEqual([true, true]);
      expect(fieldSetOf(type, merged).covers(fieldSetOf(type, right))).toBe(true);
    }),
    runs,
  );
});

test("an object merged with itself is itself, and items that only the left has keep their order", () => {
  fc.assert(
    fc.property(objects, objects, (left, right) => {
      expect(merge(left, left)).toEqual(left);
      const [before, named] = [(left.set ?? []) as string[], (right.set ?? []) as string[]];
      const after = ((merge(left, right) as Record<string, unknown>).set ?? []) as string[];
      const rest = (list: string[]): string[] => list.filter((text) => !named.includes(text));
      expect(rest(after)).toEqual(rest(before));
      expect(after.filter((text) => named.includes(text))).toEqual(named);
    }),
    runs,
  );
});

test("what a comparison names is what separates two objects", () => {
  fc.assert(
    fc.property(objects, objects, (left, right) => {
      const { removed, modified, added } = compareTyped(type, left, right);
      const restored = merge(removeFields(type, left, removed) ?? {}, right);
      const rest = compareTyped(type, restored, right);
      expect([rest.modified.isEmpty, rest.added.isEmpty]).toEqual([true, true]);
      expect(fieldSetOf(type, right).covers(added.intersection(fieldSetOf(type, right)))).toBe(true);
      expect(modified.intersection(added).isEmpty).toBe(true);
    }),
    runs,
  );
});

test("applying the same again changes nothing, and applying nothing leaves nothing of one's own", () => {
  const manager = createFieldManager({
    kind: { group: "x.io", version: "v1", kind: "Thing" },
    type: () => type,
    now: () => "2026-01-01T00:00:00Z",
  });
  const thing = (fields: object): KubeObject => ({
    ...fields,
    apiVersion: "x.io/v1",
    kind: "Thing",
    metadata: { name: "t" },
  });
  fc.assert(
    fc.property(objects, objects, (a, b) => {
      const first = manager.apply(undefined, thing(a), "one", false) as KubeObject;
      expect(manager.apply(first, thing(a), "one", false)).toEqual(first);
      const both = manager.apply(first, thing(b), "two", true) as KubeObject;
      expect(manager.apply(both, thing(b), "two", false)).toEqual(both);
      const alone = manager.apply(first, thing({}), "one", false) as KubeObject;
      expect(Object.keys(alone).filter((key) => alone[key] !== null)).toEqual(["apiVersion", "kind", "metadata"]);
    }),
    runs,
  );
});
