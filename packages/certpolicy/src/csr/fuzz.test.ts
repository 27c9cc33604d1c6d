// Decoding answers for any bytes; it does not throw, and its work is bounded by the size limit.

import { Invalid } from "@celadon/kube/errors";
import fc from "fast-check";
import { expect, test } from "vitest";
import { csr, der, dns, email, ip, name, otherName, pem, SEQUENCE, san, uri } from "./build.testing.ts";
import { decodeCsr, decodeCsrDer, MAX_CSR_BYTES } from "./decode.ts";

const seed = csr({
  subject: name(["2.5.4.3", "a"], ["2.5.4.10", "b"], ["1.2.840.113549.1.9.1", "c@d"]),
  extensions: [san(dns("a"), email("b@c"), ip(1, 2, 3, 4), uri("spiffe://td/ns/a"), otherName("1.2.3", der(12, "x")))],
});

const isAnswer = (result: unknown): boolean =>
  result instanceof Invalid ? result.message !== "" : typeof result === "object" && result !== null;

const edit = fc.record({
  at: fc.nat(seed.length),
  byte: fc.nat(255),
  kind: fc.constantFrom("set", "insert", "cut", "drop"),
});

function edited(bytes: Uint8Array, edits: readonly { at: number; byte: number; kind: string }[]): Uint8Array {
  let list = [...bytes];
  for (const { at, byte, kind } of edits) {
    if (kind === "set") list[at % (list.length || 1)] = byte;
    else if (kind === "insert") list.splice(at, 0, byte);
    else if (kind === "drop") list.splice(at, 1);
    else list = list.slice(0, at);
  }
  return Uint8Array.from(list);
}

test("mutated requests", () => {
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      const bytes = edited(seed, edits);
      expect(isAnswer(decodeCsrDer(bytes))).toBe(true);
      expect(isAnswer(decodeCsr(pem(bytes)))).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test("random bytes and texts", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => isAnswer(decodeCsrDer(bytes))),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => isAnswer(decodeCsr(text))),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => isAnswer(decodeCsr(pem(bytes)))),
    { numRuns: 1000 },
  );
});

test("mutated PEM", () => {
  const text = new TextEncoder().encode(pem(seed));
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => isAnswer(decodeCsr(edited(text, edits)))),
    { numRuns: 1000 },
  );
});

test("nesting, many elements and large input are bounded", () => {
  const deep = new Uint8Array(MAX_CSR_BYTES).fill(SEQUENCE);
  const pairs = Uint8Array.from({ length: 30_000 }, (_, i) => (i % 2 === 0 ? 5 : 0));
  const nested = Array.from({ length: 200 }).reduce<Uint8Array>((inner) => der(SEQUENCE, inner), new Uint8Array());
  for (const bytes of [deep, pairs, nested, new Uint8Array(1 << 22)])
    expect(decodeCsrDer(bytes)).toBeInstanceOf(Invalid);
  expect(
    isAnswer(decodeCsrDer(csr({ extensions: [san(...Array.from({ length: 2000 }, (_, i) => dns(`h${i}`)))] }))),
  ).toBe(true);
  expect(isAnswer(decodeCsrDer(csr({ extensions: [san(otherName("1.2.3", nested))] })))).toBe(true);
});

// biome-ignore format: one case per line
const slow = [
  { title: "blanks in a header",        text: `-----BEGIN X-----\n${" ".repeat(36_000)}x:\n\n-----END X-----\n` },
  { title: "blanks in a label",         text: `-----BEGIN ${" ".repeat(36_000)}x-----\nAAAA\n-----END X-----\n` },
  { title: "blanks behind the end",     text: `-----BEGIN X-----\nAAAA\n-----END X-----${" ".repeat(36_000)}x\n` },
  { title: "END lines without a BEGIN", text: "\n-----END ".repeat(3_600) },
];
test.each(slow)("time is in proportion to the text: $title", ({ text }) => {
  // A few milliseconds each; two seconds where every blank is tried, and then the time of a test does not suffice.
  for (let i = 0; i < 30; i++) expect(decodeCsr(text)).toBeInstanceOf(Invalid);
});
