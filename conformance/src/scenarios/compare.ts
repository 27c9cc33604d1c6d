// Two answers, and what differs between them.

import { isObject } from "./json.ts";
import type { RecordedResult } from "./scenario.ts";

/** The fields that absent admission plugins set on every pod. */
const BY_PLUGINS: ReadonlySet<string> = new Set(["priority", "preemptionPolicy", "tolerations"]);

/** One line per differing leaf; none when the answers are alike. */
export function compareResults(want: RecordedResult, got: RecordedResult, unordered: boolean): string[] {
  return differences(comparable(want, unordered), comparable(got, unordered), "");
}

function comparable(result: RecordedResult, unordered: boolean): Record<string, unknown> {
  const { object, text: _, webhooks: _webhooks, webhookRequests: _requests, ...rest } = result;
  const shown: Record<string, unknown> = { ...rest };
  if (object !== undefined) shown.object = withoutPlugins(object);
  return unordered ? withoutOrder(shown) : shown;
}

function withoutPlugins(object: unknown): unknown {
  if (!isObject(object) || object.apiVersion !== "v1" || object.kind !== "Pod" || !isObject(object.spec)) return object;
  const spec = Object.fromEntries(Object.entries(object.spec).filter(([name]) => !BY_PLUGINS.has(name)));
  return { ...object, spec };
}

function withoutOrder(result: Record<string, unknown>): Record<string, unknown> {
  const sorted = { ...result };
  if (typeof sorted.message === "string") sorted.message = sorted.message.replace(/: \[.*\]$/s, ": [...]");
  for (const key of ["causes", "warnings"]) {
    const list = sorted[key];
    if (Array.isArray(list)) sorted[key] = list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (isObject(sorted.auditAnnotations)) {
    sorted.auditAnnotations = Object.fromEntries(
      Object.entries(sorted.auditAnnotations).map(([key, value]) => [key, sortedParts(String(value))]),
    );
  }
  return sorted;
}

function sortedParts(value: string): string {
  return value.includes(", ") && !value.startsWith("[") ? value.split(", ").sort().join(", ") : value;
}

function differences(want: unknown, got: unknown, path: string): string[] {
  if (Array.isArray(want) && Array.isArray(got)) {
    const found = want.length === got.length ? [] : [`${path}: want ${want.length} items, got ${got.length}`];
    want.slice(0, got.length).forEach((item, i) => void found.push(...differences(item, got[i], `${path}[${i}]`)));
    return found;
  }
  if (isObject(want) && isObject(got)) {
    return [...new Set([...Object.keys(want), ...Object.keys(got)])].sort().flatMap((key) => {
      const below = path === "" ? key : `${path}.${key}`;
      if (!Object.hasOwn(got, key)) return [`${below}: want ${brief(want[key])}, got nothing`];
      if (!Object.hasOwn(want, key)) return [`${below}: want nothing, got ${brief(got[key])}`];
      return differences(want[key], got[key], below);
    });
  }
  return Object.is(want, got) || want === got ? [] : [`${path || "."}: want ${brief(want)}, got ${brief(got)}`];
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 600 ? text : `${text.slice(0, 599)}…`;
}
