import { expect, test } from "vitest";
import { acceptOf, BINARY, CLOSE, FrameReader, frameOf, PING, TEXT } from "./frames.ts";

// The example of RFC 6455, section 1.3.
test("the answer to a key", () => {
  expect(acceptOf("dGhlIHNhbXBsZSBub25jZQ==")).toBe("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
});

test.each([
  [0, [0x81, 0]],
  [125, [0x81, 125]],
  [126, [0x81, 126, 0, 126]],
  [65_535, [0x81, 126, 0xff, 0xff]],
  [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
])("a message of %d bytes", (length, head) => {
  const frame = frameOf(TEXT, new Uint8Array(length).fill(7));
  expect([...frame.subarray(0, head.length)]).toEqual(head);
  expect(frame.length).toBe(head.length + length);
  expect(frame.at(-1)).toBe(length === 0 ? 0 : 7);
});

/** A frame as a client sends it. */
function masked(opcode: number, payload: Uint8Array): Buffer {
  const frame = frameOf(opcode, payload);
  const head = frame.length - payload.length;
  const mask = [9, 8, 7, 6];
  frame[1] = frame[1]! | 0x80;
  return Buffer.concat([frame.subarray(0, head), Buffer.from(mask), payload.map((byte, at) => byte ^ mask[at % 4]!)]);
}

function heard(chunks: readonly Buffer[]): readonly unknown[] {
  const list: unknown[] = [];
  const reader = new FrameReader({
    control: (opcode, payload) => list.push([opcode, Buffer.from(payload).toString()]),
    malformed: () => list.push("malformed"),
  });
  for (const chunk of chunks) reader.read(chunk);
  return list;
}

const SENT = Buffer.concat([
  masked(TEXT, Buffer.from("hello")),
  masked(PING, Buffer.from("one")),
  masked(BINARY, new Uint8Array(70_000)),
  masked(TEXT, new Uint8Array(300)),
  masked(PING, Buffer.alloc(0)),
  masked(CLOSE, Buffer.from("x")),
]);

test.each([SENT.length, 1, 2, 3, 7, 4096])(
  "messages are skipped and control frames read, in pieces of %d bytes",
  (size) => {
    const pieces: Buffer[] = [];
    for (let at = 0; at < SENT.length; at += size) pieces.push(SENT.subarray(at, at + size));
    expect(heard(pieces)).toEqual([
      [PING, "one"],
      [PING, ""],
      [CLOSE, "x"],
    ]);
  },
);

test.each([
  ["that are not masked", Buffer.concat([frameOf(TEXT, Buffer.from("hi")), masked(PING, Buffer.alloc(0))])],
  ["of control that are too long", masked(PING, new Uint8Array(126))],
])("frames %s are malformed, and nothing is read after them", (_, bytes) => {
  expect(heard([bytes, masked(PING, Buffer.alloc(0))])).toEqual(["malformed"]);
});
