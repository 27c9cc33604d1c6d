// Every request of the certificate-policy corpus, if it is present.

import { fieldErrorText, Invalid } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import { hasCorpus, readCorpus } from "../corpus.testing.ts";
import { evaluateAllowed } from "../evaluate/allowed.ts";
import { evaluateConstraints } from "../evaluate/constraints.ts";
import { RuleCache } from "../rules/cache.ts";
import { decodeCsr, decodeCsrDer } from "./decode.ts";
import { decodePem } from "./pem.ts";
import { shown } from "./shown.testing.ts";

interface Answer {
  readonly result: string;
  readonly messages?: readonly string[];
  readonly messageMatch?: "prefix";
}

interface Entry {
  readonly id: string;
  readonly pem: string;
  readonly expect: { readonly decodes: boolean; readonly sanDecodeError?: string } & Record<string, unknown>;
  /** The messages of a policy that allows nothing, and of one that only requires a known key. */
  readonly emptyPolicy?: Answer;
  readonly keyConstraintsOnly?: Answer;
}

const corpus = readCorpus<{ csrs: Entry[]; malformed: Entry[] }>("csrs.json") ?? { csrs: [], malformed: [] };

describe.skipIf(!hasCorpus)("requests of the corpus", () => {
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
    expect("error" in (decoded as { names: object }).names).toBe(entry.expect.sanDecodeError !== undefined);
  });

  const asked = [...corpus.csrs, ...corpus.malformed].filter(({ emptyPolicy }) => emptyPolicy !== undefined);

  test.each(asked)("$id against a policy that allows nothing", ({ pem, emptyPolicy }) => {
    const answer = evaluateAllowed({ spec: {} }, { spec: { request: btoa(pem) } }, new RuleCache());
    expect(answer.result).toBe(emptyPolicy!.result);
    if (answer.result === "Error") return;
    const messages =
      answer.errors.length > 0 ? answer.errors.map(fieldErrorText) : answer.message === "" ? [] : [answer.message];
    const want = emptyPolicy!.messages ?? [];
    const cut = (text: string, i: number): string =>
      text.slice(0, emptyPolicy!.messageMatch ? want[i]?.length : undefined);
    expect(messages.map(cut)).toEqual(want);
  });

  test.each(asked)("$id against a policy that wants a known key", ({ pem, keyConstraintsOnly }) => {
    const policy = { spec: { constraints: { privateKey: {} } } };
    expect(evaluateConstraints(policy, { spec: { request: btoa(pem) } }).result).toBe(keyConstraintsOnly!.result);
  });
});
