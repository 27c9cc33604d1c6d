// Large data is walked over once in an evaluation, however often its size is needed; the cached answer equals the result of a walk.

import { describe, expect, test } from "vitest";
import { createEnv, type Env } from "../../env.ts";
import { listsLibrary, stringsLibrary } from "../../lib/index.ts";
import type { Mode } from "../../run/program.ts";
import { DYN } from "../type.ts";
import { beginMeasuring, codePointCount, endMeasuring, keysOf, pointsBefore, unitOffset } from "./measure.ts";

const env: Env = createEnv({ variables: { x: DYN }, libraries: [listsLibrary(), stringsLibrary()] });
const MODES: readonly Mode[] = ["interpreted", "compiled"];

describe("positions in long texts", () => {
  // Lone halves of pairs, pairs across noted offsets, no pairs at all.
  const texts = ["a😀é".repeat(3000), `${"a".repeat(255)}😀`.repeat(40), "\ud83d".repeat(5000), "é".repeat(9000)];
  test.each(texts.map((text, i) => ({ i, text })))("text $i", ({ text }) => {
    const points = Array.from(text);
    const offsets = [0];
    for (const point of points) offsets.push((offsets.at(-1) as number) + point.length);
    for (const kept of [false, true]) {
      if (kept) beginMeasuring();
      expect(codePointCount(text)).toBe(points.length);
      for (let i = 0; i <= points.length; i += 61) {
        expect(unitOffset(text, i)).toBe(offsets[i]);
        expect(pointsBefore(text, offsets[i] as number)).toBe(i);
      }
      expect(unitOffset(text, points.length)).toBe(text.length);
      expect(unitOffset(text, points.length + 1)).toBeUndefined();
      if (kept) endMeasuring();
    }
  });
});

/** An object of many keys that counts how often they are listed. */
function counted(size: number): { readonly object: Record<string, number>; asked(): number } {
  let asked = 0;
  const target = Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i}`, i]));
  const object = new Proxy(target, {
    ownKeys(of) {
      asked++;
      return Reflect.ownKeys(of);
    },
  });
  return { object, asked: () => asked };
}

describe.each(MODES)("in an evaluation, %s", (mode) => {
  test.each(["x.size() == 1000", "x != {}", "x == x", "size(x) > i"])("keys are listed once: %s", (question) => {
    const { object, asked } = counted(1000);
    const program = env.program(`lists.range(50).all(i, ${question})`, { mode });
    expect(program.evaluate({ x: object }).value).toBe(true);
    expect(asked()).toBeLessThan(4);
    const before = asked();
    program.evaluate({ x: object });
    expect(asked() - before).toBe(before);
  });

  test.each(["x.size() > 9", "x.charAt(150001) == '😀'", "x.substring(7, 9) == '😀a'"])(
    "a text is measured once: %s",
    (question) => {
      let looks = 0;
      const signal = {
        get aborted(): boolean {
          looks++;
          return false;
        },
      };
      const program = env.program(`lists.range(300).exists(i, !(${question}))`, { mode });
      expect(program.evaluate({ x: "a😀".repeat(150_000) }, { signal }).value).toBe(false);
      // A walk over the text is one look.
      expect(looks).toBeLessThan(20);
    },
  );

  test("data that changed between two evaluations is measured again", () => {
    const x: Record<string, number> = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i]));
    const program = env.program("x.size()", { mode });
    expect(program.evaluate({ x }).value).toBe(100);
    expect(program.run({ x })).toBe(100);
    x.more = 1;
    expect(program.run({ x })).toBe(101);
    expect(program.evaluate({ x }).value).toBe(101);
    expect(keysOf(x)).toHaveLength(101);
  });
});
