// Strings to try at a field: the ordinary one first, then those that the expressions compare it with and their neighbours, then odd ones.
// All fit the schema's lengths, pattern, enum and format.

import type { Schema } from "@celadon/kube/schemas";
import type { Focus } from "./focus.ts";
import { patternSamples, regexOf } from "./pattern-samples.ts";
import { remembered } from "./remembered.ts";

/** Texts of the formats Kubernetes checks, and of `quantity`, which is our own name for what built-in types do not say. */
// biome-ignore format: one format per line
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  "date-time":      ["2024-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2024-06-30T23:59:59.999999999+14:00"],
  date:             ["2024-01-01", "2024-02-29"],
  duration:         ["1h", "0s", "100000h"],
  ipv4:             ["10.0.0.1", "0.0.0.0", "127.0.0.1"],
  ipv6:             ["::1", "fe80::1", "2001:db8::ffff"],
  cidr:             ["10.0.0.0/8", "0.0.0.0/0", "::/0"],
  mac:              ["00:00:5e:00:53:01"],
  uri:              ["https://example.com/", "/a", "urn:a:b"],
  email:            ["a@example.com"],
  hostname:         ["example.com", "a"],
  byte:             ["YQ==", "YWI="],
  uuid:             ["123e4567-e89b-42d3-a456-426614174000"],
  uuid3:            ["123e4567-e89b-32d3-a456-426614174000"],
  uuid4:            ["123e4567-e89b-42d3-a456-426614174000"],
  uuid5:            ["123e4567-e89b-52d3-a456-426614174000"],
  hexcolor:         ["#ffffff"],
  rgbcolor:         ["rgb(0,0,0)"],
  bsonobjectid:     ["507f1f77bcf86cd799439011"],
  isbn:             ["0306406152"],
  isbn10:           ["0306406152"],
  isbn13:           ["9780306406157"],
  creditcard:       ["4111111111111111"],
  ssn:              ["123-45-6789"],
  "k8s-short-name": ["a", "a-1"],
  "k8s-long-name":  ["a.example.com", "a"],
  quantity:         ["1", "0", "100m", "1Gi", "1e3", "0.5", "9223372036854775807"],
};

/** Valid for every string without constraints, and often forgotten. */
const ODD: readonly string[] = ["", "A", "0", "-1", "1.5", "a/b:c@d", " ", "true", "grüße", "日本語", "a\nb", "😀"];

/** The length of a text where the schema sets no limit. */
const LONG = 4096;

/** Never empty, unless the schema leaves nothing we can think of. */
export const textCandidates: (schema: Schema, focus: Focus | undefined) => readonly string[] = remembered(textsOf);

function textsOf(schema: Schema, focus: Focus | undefined): readonly string[] {
  const fits = checkOf(schema);
  const read =
    focus === undefined ? [] : [...focus.texts].flatMap(beside).concat([...focus.patterns].flatMap(patternSamples));
  const samples = schema.format === undefined ? undefined : samplesOf(schema.format);
  if (samples !== undefined) {
    const inFormat = schema.format === "quantity" ? read.filter((text) => QUANTITY.test(text)) : [];
    return distinct([...samples, ...inFormat].filter(fits));
  }
  const ordinary = schema.pattern === undefined ? ["a"] : patternSamples(schema.pattern);
  const padded = ordinary.flatMap((text) => padTo(text, schema.minLength ?? 0));
  const long = "a".repeat(schema.maxLength === undefined ? LONG : Math.min(schema.maxLength, LONG * 16));
  const sized = [...(focus?.sizes ?? [])].flatMap((n) => [n - 1, n, n + 1]).filter((n) => n >= 0 && n <= LONG * 16);
  const fromSizes = sized.map((n) => "a".repeat(n));
  return distinct([...padded, ...read, ...ODD, ...fromSizes, long].filter(fits));
}

/** Whether a text is one of those tried for a format; of formats that nobody checks, all are. */
export function hasFormat(format: string | undefined, text: string): boolean {
  const samples = format === undefined ? undefined : samplesOf(format);
  return samples === undefined || samples.includes(text) || (format === "quantity" && QUANTITY.test(text));
}

const QUANTITY = /^[0-9]+(\.[0-9]+)?([eE][0-9]+|[numkKMGTPE]|[KMGTPE]i)?$/;

function samplesOf(format: string): readonly string[] | undefined {
  if (Object.hasOwn(FORMATS, format)) return FORMATS[format];
  const bare = format.replaceAll("-", "");
  return Object.hasOwn(FORMATS, bare) ? FORMATS[bare] : undefined;
}

/** A literal, and texts that differ from it a little, for what compares beginnings, ends and wholes. */
function beside(text: string): string[] {
  return [text, `${text}a`, `a${text}`, text.slice(0, -1), text.slice(1), text.toUpperCase(), `a${text}a`];
}

function padTo(text: string, length: number): string[] {
  const missing = length - [...text].length;
  return missing <= 0 ? [text] : [text + "a".repeat(missing), text + (text.at(-1) ?? "a").repeat(missing)];
}

export function checkOf({ minLength = 0, maxLength, pattern, enum: allowed }: Schema): (text: string) => boolean {
  const regex = pattern === undefined ? undefined : regexOf(pattern);
  return (text) => {
    if (allowed !== undefined && !allowed.includes(text)) return false;
    if (minLength > 0 || maxLength !== undefined) {
      const length = [...text].length;
      if (length < minLength || (maxLength !== undefined && length > maxLength)) return false;
    }
    return pattern === undefined || regex?.test(text) === true;
  };
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
