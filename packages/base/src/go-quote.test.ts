import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { quoteGo, quoteGoTime, quoteJson } from "./go-quote.ts";

describe("quoting, as recorded", () => {
  const rows = readFileSync(new URL("./testdata/quotes.jsonl", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { text: string; go: string; json: string });
  test.each(rows)("$go", ({ text, go, json }) => {
    expect(quoteGo(text)).toBe(go);
    expect(quoteJson(text)).toBe(json);
  });
});

test("a long text is its parts, one after the other", () => {
  const part = 'a"\n\u0001é\u0378😀\ud800<\u{e0001}';
  const inner = (quoted: string): string => quoted.slice(1, -1);
  expect(inner(quoteGo(part))).toBe('a\\"\\n\\x01é\\u0378😀\ufffd<\\U000e0001');
  for (const quote of [quoteGo, quoteJson]) {
    expect(inner(quote(part.repeat(1000)))).toBe(inner(quote(part)).repeat(1000));
  }
});

test("Go's package time writes bytes in hex", () => {
  expect(quoteGoTime('a"\\\n\x7fé😀\ud800')).toBe('"a\\"\\\\\\x0a\x7f\\xc3\\xa9\\xf0\\x9f\\x98\\x80\\xef\\xbf\\xbd"');
});
