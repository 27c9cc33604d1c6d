// Recorded objects, as they were sent and as they came out of the types, and as admission was given them.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { receive, receiveBody } from "../defaults/index.ts";
import { RawNumber, readJsonBody } from "../read/index.ts";
import type { Minor } from "../versions.ts";
import { type Decoded, type DecodeKind, decode, decodeBody, decodeErrorText, strictText } from "./index.ts";

/** The version that the recordings are from. */
export const RECORDED: Minor = "1.36";

export interface TypesCase {
  readonly id: string;
  /** `<apiVersion>/<kind>`. */
  readonly kind: string;
  readonly raw?: string;
  readonly in: DecodeKind;
  readonly out?: unknown;
  /** The object that admission sees, where it is not `out`. */
  readonly seen?: unknown;
  readonly error?: string;
  readonly strict?: readonly string[];
}

export function typesCases(): TypesCase[] {
  return readFileSync(new URL("./testdata/types-cases.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const body = readJsonBody(line);
      if (body.error !== undefined) throw new Error(body.error);
      return body.value as TypesCase;
    });
}

/** The differences of an object from its recorded form; undefined if all is the same, order included. */
export function typeDifference(row: TypesCase): string | undefined {
  const decoded =
    row.raw === undefined ? decode(row.in, row.in, { minor: RECORDED })! : decodeBody(row.raw, {}, { minor: RECORDED });
  const got = jsonText(answer(decoded));
  const want = jsonText(row.error === undefined ? { out: row.out, strict: row.strict ?? [] } : { error: row.error });
  return got === want ? undefined : `${row.id}\n  got  ${got}\n  want ${want}`;
}

/** Whether admission sees the object as recorded; undefined if it cannot be decoded. */
export function isSeenAsRecorded(row: TypesCase): boolean | undefined {
  if (row.out === undefined) return undefined;
  const got =
    row.raw === undefined
      ? receive(row.in, row.in, RECORDED)!
      : receiveBody(row.raw, { apiVersion: "", kind: "" }, RECORDED);
  return isDeepStrictEqual(got.object, row.seen ?? row.out);
}

function answer({ object, strict, error }: Decoded): unknown {
  return error === undefined ? { out: object, strict: strict.map(strictText) } : { error: decodeErrorText(error) };
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
