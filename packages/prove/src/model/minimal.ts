// The smallest value that a schema and the known facts of its type admit.

import { isRecord, own, setOwn } from "@celadon/base";
import { refine, withBranches } from "@celadon/kube/facts";
import type { Schema } from "@celadon/kube/schemas";
import { type Language, oneOf } from "../text/language.ts";
import { patternLanguage } from "../text/pattern.ts";
import { shortestIn } from "../text/search.ts";

const DEEPEST = 16;

export function minimalValue(given: Schema, used: ReadonlySet<string> = new Set(), depth = 0): unknown {
  const schema = refine(withBranches(given, () => 0));
  if (given.default !== undefined && given.default !== null) return given.default;
  if (schema.enum !== undefined && schema.enum.length > 0)
    return schema.enum.find((value) => typeof value !== "string" || !used.has(value)) ?? schema.enum[0];
  if (schema.intOrString || schema.format === "int-or-string") return Math.max(1, schema.minimum ?? 1);
  switch (schema.type) {
    case "object": {
      const object: Record<string, unknown> = {};
      if (depth > DEEPEST) return object;
      for (const name of schema.required ?? []) {
        const property = schema.properties?.get(name);
        const least = own(schema.least, name);
        if (least !== undefined && !isRecord(least)) setOwn(object, name, least);
        else if (property !== undefined) setOwn(object, name, over(minimalValue(property, used, depth + 1), least));
      }
      for (const [name, value] of Object.entries(schema.least ?? {}))
        if (!Object.hasOwn(object, name)) {
          const property = schema.properties?.get(name);
          setOwn(
            object,
            name,
            isRecord(value) && property !== undefined
              ? over(minimalValue(property, used, depth + 1), value)
              : copyOf(value),
          );
        }
      const values = schema.additionalProperties;
      for (let i = Object.keys(object).length; i < (schema.minProperties ?? 0); i++)
        setOwn(object, `k${i}`, typeof values === "object" ? minimalValue(values, used, depth + 1) : "a");
      return object;
    }
    case "array": {
      const list: unknown[] = [];
      const count = depth > DEEPEST ? 0 : (schema.minItems ?? 0);
      const taken = new Set<string>();
      for (let i = 0; i < count; i++) {
        const item = schema.items === undefined ? "a" : minimalValue(schema.items, taken, depth + 1);
        if (typeof item === "string") taken.add(item);
        list.push(item);
      }
      return list;
    }
    case "integer":
    case "number":
      return Math.min(Math.max(schema.minimum ?? 0, 0), schema.maximum ?? Number.MAX_SAFE_INTEGER);
    case "boolean":
      return false;
    case "string":
      return minimalText(schema, used);
    default:
      return schema.preserveUnknownFields ? {} : "a";
  }
}

/** Texts of formats that schemas name. */
const SAMPLES: Readonly<Record<string, string>> = {
  "date-time": "2024-01-01T00:00:00Z",
  date: "2024-01-01",
  duration: "1h",
  quantity: "1",
  byte: "YQ==",
  ipv4: "10.0.0.1",
  ipv6: "fd00::1",
  cidr: "10.0.0.0/8",
  uri: "https://example.com",
  email: "a@example.com",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  hostname: "example.com",
};

export function sampleOf(format: string | undefined): string | undefined {
  return format === undefined ? undefined : (own(SAMPLES, format) as string | undefined);
}

function minimalText(schema: Schema, used: ReadonlySet<string>): string {
  const sample = sampleOf(schema.format);
  if (sample !== undefined) return sample;
  const found = shortestIn(
    hintsOf(schema),
    { least: Math.max(1, schema.minLength ?? 0), most: schema.maxLength ?? 1000 },
    used,
  );
  return typeof found === "object" ? found.text : "a";
}

/** The languages that a schema requires. */
export function hintsOf({ pattern, enum: values }: Schema): Language[] {
  const found = pattern === undefined ? undefined : patternLanguage(pattern);
  const texts = values?.filter((value): value is string => typeof value === "string") ?? [];
  return [...(found ? [found] : []), ...(texts.length > 0 ? [oneOf(texts)] : [])];
}

/** A value with members of another put over its own. */
function over(value: unknown, least: unknown): unknown {
  if (!isRecord(least) || !isRecord(value)) return value;
  for (const [name, member] of Object.entries(least)) {
    const mine = own(value, name);
    setOwn(value, name, isRecord(mine) && isRecord(member) ? over(mine, member) : copyOf(member));
  }
  return value;
}

/** Data of its own, which may be changed. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) setOwn(copy, name, copyOf(member));
  return copy;
}
