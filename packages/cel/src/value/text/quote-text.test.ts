import { quoteGo } from "@celadon/base";
import { expect, test } from "vitest";
import { quoteText } from "./quote-text.ts";

test.each(["a", '"', "é😀", "😀", "a😀", "\ud800", "\ud800\ud83d\ude00"])(
  "%j many times over is quoted as a whole",
  (text) => {
    const long = text.repeat(40_000);
    expect(quoteText(long)).toBe(quoteGo(long));
  },
);
