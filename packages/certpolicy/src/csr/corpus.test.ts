// Every request of the certificate-policy corpus, when it is there.

import { readFileSync, existsSync } from "node:fs";
import { Invalid } from "@celadon/kube";
import { describe, expect, test } from "vitest";
import { corpusFile } from "../corpus.testing.ts";
import { decodeCsr, decodeCsrDer } from "./decode.ts";
import { decodePem } from "./pem.ts";
import { shown } from "./shown.testing.ts";

interface Entry {
  readonly id: string;
  readonly pem: string;
  readonly expect: { readonly decodes: boolean; readonly error?: string } & Record<string, unknown>;
}

const path = corpusFile("csrs.json");
const corpus: { csrs: Entry[]; malformed: Entry[] } = existsSync(path)
  ? JSON.parse(readFileSync(path, "utf8"))
  : { csrs: [], malformed: [] };

describe.skipIf(corpus.csrs.length === 0)(`requests of the corpus (${path})`, () => {
  test.each([...corpus.csrs, ...corpus.malformed])("$id", (entry) => {
    const decoded = decodeCsr(entry.pem);
    if (!entry.expect.decodes) {
      expect(decoded).toBeInstanceOf(Invalid);
      return;
    }
    const { decodes: _, signatureValid: __, sanDecodeError: ___, ...want } = entry.expect;
    expect(decoded).not.toBeInstanceOf(Invalid);
    expect(shown(decoded as Exclude<typeof decoded, Invalid>)).toMatchObject(want);
    expect(decodeCsrDer(decodePem(entry.pem)!)).toEqual(decoded);
    expect("error" in (decoded as { names: object }).names).toBe(entry.expect["sanDecodeError"] !== undefined);
  });
});
