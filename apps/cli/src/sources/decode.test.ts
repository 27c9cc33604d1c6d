import { describe, expect, test } from "vitest";
import { decodeSource, textSource } from "./decode.ts";
import { SourceText } from "./source-text.ts";

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)));

const utf16 = (text: string, big: boolean): number[] =>
  [...`\ufeff${text}`].flatMap((char) => {
    const unit = char.charCodeAt(0);
    return big ? [unit >> 8, unit & 0xff] : [unit & 0xff, unit >> 8];
  });

describe("text", () => {
  // biome-ignore format: one case per line
  const cases = [
    { name: "UTF-8",                  data: bytes("a: é"),                want: "a: é" },
    { name: "UTF-8 with a mark",      data: bytes([0xef, 0xbb, 0xbf], "a: 1"), want: "a: 1" },
    { name: "UTF-16, little end",     data: bytes(utf16("a: é", false)),  want: "a: é" },
    { name: "UTF-16, big end",        data: bytes(utf16("a: é", true)),   want: "a: é" },
    { name: "nothing",                data: bytes(),                      want: "" },
  ];
  test.each(cases)("$name", ({ data, want }) => {
    const source = decodeSource("f", data);
    expect(source).toBeInstanceOf(SourceText);
    expect((source as SourceText).text).toBe(want);
  });

  test.each(cases)("$name, read as UTF-8 without a question", ({ data, want }) => {
    const source = textSource("f", Buffer.from(data).toString("utf8"));
    // Bytes that are not UTF-8 are kept.
    expect(source?.text).toBe([0xfe, 0xff].includes(data[0] ?? 0) ? undefined : want);
  });
});

describe("no text", () => {
  const late = 70_000;
  // biome-ignore format: one case per line
  const cases = [
    { name: "NUL",                   data: bytes("ab", [0], "c"),              code: "binary",   message: "binary file: NUL at byte 2" },
    { name: "gzip",                  data: bytes([0x1f, 0x8b, 8, 0]),          code: "binary",   message: "compressed with gzip" },
    { name: "Latin-1",               data: bytes("a: caf", [0xe9], "\n"),      code: "encoding", message: "not valid UTF-8 at byte 7" },
    { name: "cut off",               data: bytes("ab", [0xe2, 0x82]),          code: "encoding", message: "not valid UTF-8 at byte 4" },
    { name: "a lone half",           data: bytes("é", [0xed, 0xa0, 0x80]),     code: "encoding", message: "not valid UTF-8 at byte 3" },
    { name: "far in",                data: bytes("é".repeat(late / 2), [0xff]), code: "encoding", message: `not valid UTF-8 at byte ${late}` },
    { name: "over a piece's end",    data: bytes("x".repeat(65_535), [0xc3], "("), code: "encoding", message: "not valid UTF-8 at byte 65536" },
    { name: "UTF-16 with half",      data: bytes([0xff, 0xfe, 0x00, 0xd8]),    code: "encoding", message: "not valid UTF-16LE, despite its byte order mark" },
  ];
  test.each(cases)("$name", ({ data, code, message }) =>
    expect(decodeSource("f", data)).toMatchObject({ code, message, file: "f" }),
  );

  test.each(cases)("$name, read as UTF-8 without a question", ({ data }) =>
    expect(textSource("f", Buffer.from(data).toString("utf8"))).toBeUndefined(),
  );

  test("too large", () =>
    expect(decodeSource("f", bytes("abc"), 2)).toMatchObject({
      code: "too_large",
      message: "f is 3 B; the limit is 2 B",
    }));
});

describe("lines", () => {
  const source = new SourceText("f", "ab\r\n\ncd");
  // biome-ignore format: one case per line
  const cases = [
    { offset: 0, line: 1, column: 1 }, { offset: 3, line: 1, column: 4 }, { offset: 4, line: 2, column: 1 },
    { offset: 5, line: 3, column: 1 }, { offset: 7, line: 3, column: 3 },
  ];
  test.each(cases)("$offset", ({ offset, line, column }) =>
    expect(source.at(offset)).toEqual({ file: "f", line, column, offset }),
  );
  test("texts", () =>
    expect([0, 1, 2, 3, 4].map((line) => source.lineText(line))).toEqual([undefined, "ab", "", "cd", undefined]));
});
