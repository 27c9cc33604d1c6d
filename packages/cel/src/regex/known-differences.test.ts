import { expect, test } from "vitest";
import { CelError } from "../value/error.ts";
import { compileRegex } from "./index.ts";
import { KNOWN_DIFFERENCES } from "./known-differences.ts";

/** A letter added by Unicode 16. */
const hasUnicode16 = /\p{Lu}/u.test("\ua7cb");

function answer(pattern: string, input: string): string {
  const regex = compileRegex(pattern);
  if (regex instanceof CelError) return regex.message;
  return regex.test(input) ? "match" : "no match";
}

for (const { pattern, input, go, ours, unicode } of KNOWN_DIFFERENCES) {
  test.skipIf(unicode === 16 && !hasUnicode16)(`${pattern.slice(0, 40)} on ${JSON.stringify(input)}`, () => {
    const got = answer(pattern, input);
    expect(got.startsWith(ours)).toBe(true);
    expect(got).not.toBe(go);
  });
}
