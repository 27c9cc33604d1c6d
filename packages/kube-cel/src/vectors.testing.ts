// Recorded vectors: reading them, and values in the tagged form they are recorded in.
//
// A line may hold two abbreviations, so that long lists and texts need not be written out: «3×ab» is ababab, and
// «0..2|#, » is `0, 1, 2, `.

import { readdirSync, readFileSync } from "node:fs";
import { Double } from "@celadon/cel";
import type { Minor } from "@celadon/kube/versions";

export interface Vector {
  readonly id: string;
  readonly expr: string;
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly compileError?: string;
  readonly type?: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: number;
}

/** The version whose server answered the vectors. */
export const RECORDED_WITH: Minor = "1.36";

const directory = new URL("./testdata/vectors/", import.meta.url);

export function vectorAreas(): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.replace(".jsonl", ""));
}

/** Vectors that are answered otherwise, with the reason. One that is answered as recorded must leave the list. */
export const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {
  "misuse/index-by-concatenation":
    "the error names the Go type of a list that was put together; here all lists are one type",
};

export function readVectors(area: string): Vector[] {
  return readVectorLines(area).map((text) => {
    const recorded = JSON.parse(text) as Vector;
    // Only the data must keep 1 apart from 1.0; the recording has numbers as text.
    return recorded.vars === undefined ? recorded : { ...recorded, vars: (readJson(text) as Vector).vars ?? {} };
  });
}

/** The same as JSON texts, with nothing abbreviated. */
export function readVectorLines(area: string): string[] {
  const lines = readFileSync(new URL(`${area}.jsonl`, directory), "utf8").split("\n");
  return lines.filter((line) => line !== "").map(expand);
}

function expand(line: string): string {
  return line
    .replace(/«(\d+)×([^»]*)»/g, (_, count: string, text: string) => text.repeat(Number(count)))
    .replace(/«(\d+)\.\.(\d+)\|([^»]*)»/g, (_, from: string, to: string, template: string) => {
      const numbers = Array.from({ length: Number(to) - Number(from) + 1 }, (__, i) => Number(from) + i);
      return numbers.map((n) => template.replaceAll("#", String(n))).join("");
    });
}

/** JSON as the API server reads it: a number without fraction or exponent is an int if it fits, everything else a double. */
export function readJson(text: string): unknown {
  const token = /\s*([{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+)/y;
  const next = (): string => token.exec(text)?.[1] as string;
  const read = (first: string): unknown => {
    if (first === "{") {
      const object: Record<string, unknown> = {};
      for (let key = next(); key !== "}"; key = next()) {
        if (key === ",") continue;
        next();
        Object.defineProperty(object, JSON.parse(key) as string, {
          value: read(next()),
          enumerable: true,
          writable: true,
          configurable: true,
        });
      }
      return object;
    }
    if (first === "[") {
      const list: unknown[] = [];
      for (let element = next(); element !== "]"; element = next()) if (element !== ",") list.push(read(element));
      return list;
    }
    return /^[-0-9]/.test(first) ? readNumber(first) : JSON.parse(first);
  };
  return read(next());
}

function readNumber(text: string): unknown {
  const n = Number(text);
  if (/^-?\d+$/.test(text)) {
    if (Number.isSafeInteger(n)) return n;
    const exact = BigInt(text);
    return BigInt.asIntN(64, exact) === exact ? exact : n;
  }
  return Number.isSafeInteger(n) ? new Double(n) : n;
}

/** A value as it is recorded. */
export { taggedValue as tag } from "@celadon/cel/values";
