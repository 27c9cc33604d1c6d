// `spec.containers.[0].image=nginx`: one field of an object changed, what leads to it made where it is missing. The object itself
// stays as it is.

import { isFields } from "../foreign.ts";

/** Undefined when the path does not fit the object. The value is JSON, or else text. */
export function changeField(object: unknown, change: string): { readonly value: unknown } | undefined {
  const equals = change.indexOf("=");
  if (equals <= 0) return undefined;
  const steps = change.slice(0, equals).split(".");
  return setAt(object, steps, jsonOrText(change.slice(equals + 1)));
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const INDEX = /^\[(\d{1,4})\]$/;

function setAt(
  target: unknown,
  [step, ...rest]: readonly string[],
  value: unknown,
): { readonly value: unknown } | undefined {
  if (step === undefined) return { value };
  const index = INDEX.exec(step)?.[1];
  if (index !== undefined) {
    if (target !== undefined && target !== null && !Array.isArray(target)) return undefined;
    const list: unknown[] = [...((target as readonly unknown[] | null | undefined) ?? [])];
    while (list.length <= Number(index)) list.push(null);
    const inner = setAt(list[Number(index)], rest, value);
    if (inner === undefined) return undefined;
    list[Number(index)] = inner.value;
    return { value: list };
  }
  if (target !== undefined && target !== null && !isFields(target)) return undefined;
  const fields = new Map(Object.entries((target as Readonly<Record<string, unknown>> | null | undefined) ?? {}));
  const inner = setAt(fields.get(step), rest, value);
  if (inner === undefined) return undefined;
  fields.set(step, inner.value);
  return { value: Object.fromEntries(fields) };
}
