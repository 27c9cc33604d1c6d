import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonDiff } from "./json-diff.ts";
import { applyJsonPatch } from "./json-patch.ts";

// biome-ignore format: one case per line
test.each<[unknown, unknown, readonly object[]]>([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 3] }, d: null }, [{ op: "remove", path: "/a" }, { op: "replace", path: "/b/c/1", value: 3 }, { op: "add", path: "/d", value: null }]],
  [{ l: [1] }, { l: [1, 2] }, [{ op: "replace", path: "/l", value: [1, 2] }]],
  [{ "a/b": { "~": 1 } }, { "a/b": { "~": 2 } }, [{ op: "replace", path: "/a~1b/~0", value: 2 }]],
])("%j → %j", (before, after, want) => expect(jsonDiff(before, after)).toEqual(want));

test("the patch turns one document into the other", () => {
  const document = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true });
  const noZero = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  fc.assert(
    fc.property(document, document, (a, b) => {
      const [before, after] = [noZero(a), noZero(b)];
      expect(applyJsonPatch(before, jsonDiff(before, after))).toEqual(after);
    }),
    { seed: 1, numRuns: 300 },
  );
});
