// The wire format, against bytes that protoc's own implementations write.

import { expect, test } from "vitest";
import { FieldReader, FieldWriter } from "./fields.ts";
import { decodeRange, decodeTxn, decodeWatch, encodeRange, encodeTxn, encodeWatchCreate } from "./messages.ts";

const hex = (writer: FieldWriter): string => writer.finish().toString("hex");
const read = (text: string): FieldReader => new FieldReader(Buffer.from(text.replaceAll(" ", ""), "hex"));

test("integers up to 2^53, and fields that are zero left out", () => {
  const written = new FieldWriter().integer(1, 0).integer(2, 150).integer(3, Number.MAX_SAFE_INTEGER).flag(4, true);
  expect(hex(written)).toBe("109601" + "18ffffffffffffff0f" + "2001");
  const reader = new FieldReader(written.finish());
  const seen: number[][] = [];
  while (reader.next()) seen.push([reader.field, reader.integer()]);
  expect(seen).toEqual([
    [2, 150],
    [3, Number.MAX_SAFE_INTEGER],
    [4, 1],
  ]);
});

test("fields that are not asked for are skipped, whatever they are", () => {
  // fixed64, length-delimited, fixed32, a varint of ten bytes, then field 3 = 7
  const reader = read("09 0102030405060708 12 03 616263 2d 01020304 20 ffffffffffffffffff01 18 07");
  const seen: number[] = [];
  while (reader.next()) if (reader.field === 3) seen.push(reader.integer());
  expect(seen).toEqual([7]);
});

test("what ends early is an error", () => {
  for (const text of ["0a 05 6162", "08", "08 80", "12 ff"]) {
    const reader = read(text);
    expect(() => {
      while (reader.next()) if (reader.field === 1) text.startsWith("08") ? reader.integer() : reader.bytes();
    }).toThrow("unexpected EOF");
  }
});

test("a value of another kind, or beyond 2^53, is an error", () => {
  for (const [text, says] of [
    ["0a 01 61", "is not a number"],
    ["08 ffffffffffffffffff01", "is beyond 2^53"],
    ["08 ffffffffffffffffffffff01", "integer overflow"],
  ] as const) {
    const reader = read(text);
    reader.next();
    expect(() => reader.integer()).toThrow(says);
  }
  const number = read("08 01");
  number.next();
  expect(() => number.bytes()).toThrow("is not bytes");
});

test("a range is requested by key, end, limit and revision", () => {
  const request = encodeRange({ key: Buffer.from("a"), rangeEnd: Buffer.from("b"), limit: 500, revision: 7 });
  expect(hex(request)).toBe("0a0161" + "120162" + "18f403" + "2007");
  expect(hex(encodeRange({ key: Buffer.from("a"), countOnly: true }))).toBe("0a01614801");
});

test("a range is answered with entries, more and count", () => {
  // header.revision 9; one entry a=x, create 5, mod 6, version 2; more; count 3
  const response = decodeRange(read("0a 02 1809 12 0c 0a0161 1005 1806 2002 2a0178 1801 2003"));
  expect(response).toMatchObject({ revision: 9, more: true, count: 3 });
  expect(response.entries[0]).toMatchObject({ createRevision: 5, modRevision: 6, version: 2 });
  expect(response.entries[0]!.value.toString()).toBe("x");
});

test("a transaction compares modification revisions, zero as well", () => {
  const key = Buffer.from("a");
  const request = encodeTxn({
    compare: [{ key, modRevision: 0 }],
    success: [{ put: { key, value: Buffer.from("x"), lease: 5 } }, { delete: key }],
    failure: [key],
  });
  expect(hex(request)).toBe(
    "0a07" +
      "1002" +
      "1a0161" +
      "3000" +
      "120a" +
      "1208" +
      "0a0161" +
      "120178" +
      "1805" +
      "1205" +
      "1a03" +
      "0a0161" +
      "1a05" +
      "0a03" +
      "0a0161",
  );
  // header.revision 9, not succeeded, one range without entries and one with
  const response = decodeTxn(read("0a 02 1809 1a 02 0a00 1a 09 0a07 1205 0a0162 1806"));
  expect(response.succeeded).toBe(false);
  expect(response.current.map((entry) => entry?.modRevision)).toEqual([undefined, 6]);
});

test("watches are made with progress and fragments", () => {
  const create = { key: Buffer.from("a"), rangeEnd: Buffer.from("b"), startRevision: 3, previous: true };
  expect(hex(encodeWatchCreate(create))).toBe("0a0e" + "0a0161" + "120162" + "1803" + "2001" + "3001" + "4001");
});

test("watch responses: events, deletions with the last value, compaction", () => {
  // an event put a=x at 6, an event delete b at 6 with previous c at 2
  const events = decodeWatch(
    read("0a 02 1809 5a 0a 1208 0a0161 1806 2a0178 5a 0f 0801 1205 0a0162 1806 1a04 1802 2001"),
  );
  expect(events.events.map(({ type, entry, previous }) => [type, entry.modRevision, previous?.modRevision])).toEqual([
    ["put", 6, undefined],
    ["delete", 6, 2],
  ]);
  expect(decodeWatch(read("2001 2807 3201 78"))).toMatchObject({
    canceled: true,
    compactRevision: 7,
    cancelReason: "x",
  });
});
