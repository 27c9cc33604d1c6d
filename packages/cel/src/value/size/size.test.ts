import { utf8Length } from "@celadon/base";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CelMap } from "../collection/map.ts";
import { CelError } from "../error.ts";
import { opaque } from "../type.ts";
import { Double, ListValue, Opaque, Optional, Timestamp, type Type, Uint } from "../value.ts";
import { codePointCount } from "./measure.ts";
import { costSize } from "./size.ts";

class Address extends Opaque {
  readonly type: Type = opaque("example.Address");
  equals(): boolean {
    return false;
  }
  override get costSize(): number {
    return 16;
  }
}
class Range extends ListValue {
  readonly size = 5;
  get(index: number): number {
    return index;
  }
}

// biome-ignore format: one case per line
const cases: readonly (readonly [unknown, number])[] = [
  ["", 0], ["abc", 3], ["naïve", 5], ["😀", 1], ["😀".repeat(100), 100], ["a".repeat(1000), 1000], [`${"a".repeat(30)}😀`, 31],
  ["\ud83d", 1], ["\ude00\ud83d", 2], [`${"x".repeat(40)}\ud83d`, 41],
  [new Uint8Array(7), 7], [[], 0], [[1, 2], 2], [new Range(), 5], [{}, 0], [{ a: 1, b: undefined }, 1],
  [CelMap.from([[1, 1], [new Uint(1), 2]]), 2],
  [1, 1], [1n, 1], [1.5, 1], [new Double(1), 1], [true, 1], [null, 1], [new Timestamp(0, 0), 1],
  [Optional.none, 1], [Optional.of("abc"), 3], [Optional.of(Optional.of([1, 2])), 2],
  [new Address(), 16], [new CelError("internal", "failed"), 1],
];
test.each(cases)("size of %o for costs is %i", (value, want) => expect(costSize(value)).toBe(want));

test("code points and UTF-8 bytes are counted as iterating and encoding would", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (s) => {
      expect(codePointCount(s)).toBe([...s].length);
      expect(utf8Length(s)).toBe(Buffer.byteLength(s, "utf8"));
    }),
  );
});
