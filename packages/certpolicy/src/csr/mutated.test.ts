// Requests with some bytes changed, and what Go's crypto/x509 (1.26) and cert-manager's reader of names make of them: recorded once,
// compared here. The requests that decode, and every value in them.

import { readFileSync } from "node:fs";
import { Invalid } from "@celadon/kube/errors";
import { expect, test } from "vitest";
import { decodeCsrDer } from "./decode.ts";

type Recorded = { readonly der: string } & Readonly<Record<string, unknown>>;

const lines = readFileSync(new URL("testdata/mutated.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const recorded = lines.map((line) => JSON.parse(line) as Recorded);

test("there are many, and many of them decode", () => {
  expect(recorded.length).toBeGreaterThan(200);
  expect(recorded.filter(({ decodes }) => decodes).length).toBeGreaterThan(100);
});

test.each(recorded.map((entry, i) => ({ i, ...entry })))("request $i", ({ i: _, der, ...want }) => {
  expect(answer(Uint8Array.from(atob(der), (char) => char.charCodeAt(0)))).toEqual(want);
});

function answer(bytes: Uint8Array): Record<string, unknown> {
  const csr = decodeCsrDer(bytes);
  if (csr instanceof Invalid) return { decodes: false };
  const { error, forbidden, ...names } = csr.names;
  const { algorithm, size, unrecognised } = csr.publicKey;
  return {
    decodes: true,
    names: { ...names, forbidden: Object.values(forbidden) },
    sanError: error !== undefined,
    subject: csr.subject.map(({ oid, value }) => [oid, value]),
    key: [algorithm ?? (unrecognised === "<nil>" ? "nil" : "dsa"), size ?? 0],
    extensions: csr.extensions.map(({ oid, critical }) => `${oid} ${critical}`),
  };
}
