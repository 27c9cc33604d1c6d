// Every recorded object through the types: the same object in the same order, the same error, the same strict findings.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RawNumber, readJsonBody } from "../read/index.ts";
import { type Decoded, type DecodeKind, decode, decodeBody, decodeErrorText, strictText } from "./index.ts";

interface Row {
  readonly id: string;
  readonly raw?: string;
  readonly in: DecodeKind;
  readonly out?: unknown;
  readonly error?: string;
  readonly strict?: readonly string[];
}

const rows = readFileSync(new URL("./testdata/types-cases.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");

test("recorded objects pass through the types as they did", () => {
  const differences: string[] = [];
  for (const line of rows) {
    const row = parse(line) as Row;
    const decoded = row.raw === undefined ? decode(row.in, row.in)! : decodeBody(row.raw);
    const got = jsonText(answer(decoded));
    const want = jsonText(row.error === undefined ? { out: row.out, strict: row.strict ?? [] } : { error: row.error });
    if (got !== want) differences.push(`${row.id}\n  got  ${got}\n  want ${want}`);
  }
  expect(rows.length).toBeGreaterThan(1800);
  expect(differences).toEqual([]);
});

function answer({ object, strict, error }: Decoded): unknown {
  return error === undefined ? { out: object, strict: strict.map(strictText) } : { error: decodeErrorText(error) };
}

function parse(text: string): unknown {
  const body = readJsonBody(text);
  if (body.error !== undefined) throw new Error(body.error);
  return body.value;
}

/** JSON with integers of 64 bits and numbers as they were written. */
function jsonText(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (value instanceof RawNumber) return value.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`);
  return `{${members.join(",")}}`;
}
