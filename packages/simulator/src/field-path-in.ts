// A field path as the API server writes it, as steps into an object: `spec.labels[app.io/name]`, `spec.containers[0].image`.
// Keys may hold dots and brackets, so the object decides where a name ends.

import { isRecord, memberOf } from "@celadon/base";

export function fieldPathIn(field: string, object: unknown): readonly (string | number)[] {
  const path: (string | number)[] = [];
  let rest = asWritten(field, object);
  let value = object;
  while (rest !== "") {
    const step = nextStep(rest, value);
    path.push(step.key);
    value = isRecord(value) || Array.isArray(value) ? memberOf(value, step.key) : undefined;
    rest = rest.slice(step.length);
  }
  return path;
}

/** A definition whose versions agree on their schema is validated as if it had one; it is written in each. */
function asWritten(field: string, object: unknown): string {
  const [whole, member, rest = ""] =
    /^spec\.(validation|subresources|additionalPrinterColumns)\b(.*)$/s.exec(field) ?? [];
  const spec = memberOf(object, "spec");
  if (whole === undefined || memberOf(object, "kind") !== "CustomResourceDefinition") return field;
  if (memberOf(spec, member!) !== undefined || !Array.isArray(memberOf(spec, "versions"))) return field;
  return `spec.versions[0].${member === "validation" ? "schema" : member}${rest}`;
}

interface Step {
  readonly key: string | number;
  readonly length: number;
}

function nextStep(rest: string, value: unknown): Step {
  if (rest.startsWith("[")) {
    const known = longestKey(value, (key) => rest.startsWith(`[${key}]`));
    if (known !== undefined) return { key: known, length: known.length + 2 };
    const end = rest.indexOf("]");
    const inside = end === -1 ? rest.slice(1) : rest.slice(1, end);
    const length = end === -1 ? rest.length : end + 1;
    return { key: Array.isArray(value) && /^\d+$/.test(inside) ? Number(inside) : inside, length };
  }
  const skipped = rest.startsWith(".") ? 1 : 0;
  const text = rest.slice(skipped);
  const known = longestKey(value, (key) => text.startsWith(key) && /^(?:$|[.[])/.test(text.slice(key.length)));
  const key = known ?? /^[^.[]*/.exec(text)![0];
  // A path that makes no sense still ends.
  return { key, length: Math.max(skipped + key.length, 1) };
}

function longestKey(value: unknown, fits: (key: string) => boolean): string | undefined {
  if (!isRecord(value)) return undefined;
  let longest: string | undefined;
  for (const key of Object.keys(value)) {
    if (key !== "" && key.length > (longest?.length ?? 0) && fits(key)) longest = key;
  }
  return longest;
}
