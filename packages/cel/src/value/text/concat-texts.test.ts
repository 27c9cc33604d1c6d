import { expect, test } from "vitest";
import { Stop } from "../size/stop.ts";
import { concatTexts } from "./concat-texts.ts";

test("a text longer than any engine's ends the evaluation", () => {
  const half = "a".repeat(2 ** 28);
  expect(concatTexts(half, "b".repeat(2 ** 27))).toHaveLength(2 ** 28 + 2 ** 27);
  expect(() => concatTexts(half, half)).toThrow(Stop);
});
