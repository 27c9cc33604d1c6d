import { expect, test } from "vitest";
import { sizeText } from "./size.ts";

// biome-ignore format: one case per line
const cases: readonly (readonly [number, string])[] = [
  [0,                 "0 B"],
  [1_023,             "1023 B"],
  [1_024,             "1 KiB"],
  [1_536,             "1.5 KiB"],
  [1_048_575,         "1 MiB"],
  [16 * 1_048_576,    "16 MiB"],
  [2 ** 31,           "2 GiB"],
  [2 ** 52,           "4096 TiB"],
];
test.each(cases)("%i bytes are %s", (bytes, want) => expect(sizeText(bytes)).toBe(want));
