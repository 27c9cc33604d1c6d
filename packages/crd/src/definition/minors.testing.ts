// Answers of API servers of other minors to small definitions, one for each difference, and those that are not given here.

import { readFileSync } from "node:fs";
import type { JsonObject } from "@celadon/base";
import type { Minor } from "@celadon/kube-cel";

export interface Case {
  readonly id: string;
  readonly crd: JsonObject;
  readonly objects?: readonly { readonly name: string; readonly object: JsonObject; readonly old?: JsonObject }[];
}

export interface Refusal {
  readonly message?: string;
  readonly reason?: string;
  readonly causes?: unknown;
}

export interface Answer {
  readonly id: string;
  readonly crd: Refusal | null;
  readonly objects?: Readonly<Record<string, { readonly status: Refusal | null }>>;
  readonly warnings?: readonly string[];
}

const directory = new URL("../testdata/minors/", import.meta.url);

function rowsOf<T>(name: string): T[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, directory), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}

export const cases: readonly Case[] = rowsOf<Case>("cases");

export const answersOf = (minor: Minor): readonly Answer[] => rowsOf<Answer>(minor);

/** Answers that are not emulated yet, with the reason. */
export const KNOWN_MINOR_DIFFERENCES: Readonly<Partial<Record<Minor, Readonly<Record<string, string>>>>> = {
  "1.28": {
    optionalOldSelf: "the field does not exist there, and is here",
    first: "a second error about a call that is not declared",
    "sum-estimate": "estimates of nested `map` were higher",
  },
  "1.29": {
    optionalOldSelf: "the field is dropped there, and kept here",
    "sum-estimate": "estimates of nested `map` were higher",
  },
};
