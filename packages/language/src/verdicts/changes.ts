// Changes of one value of an object that may turn a clause: values taken from the operands of the clause.

import type { JsonPath } from "@celadon/base";

/** A scalar that a clause may compare with. */
export const isWord = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint";

export const plain = (value: unknown): unknown => (typeof value === "bigint" ? Number(value) : value);

/** The smaller changes first. */
export function* candidates(before: unknown, words: readonly unknown[]): Generator<unknown> {
  const texts = words.filter((word) => typeof word === "string");
  const numbers = words.filter((word) => typeof word === "number");
  if (typeof before === "boolean") yield !before;
  if (typeof before === "number") for (const number of numbers) yield* [number, number - 1, number + 1];
  if (typeof before === "string") {
    for (const text of texts) yield matching(text, before);
    for (const text of texts) yield* [text, text + before, before + text];
    for (const text of texts) if (before.includes(text) && text !== "") yield before.replaceAll(text, "");
    for (const number of numbers) yield String(number);
  }
  if (before === undefined) {
    yield* [true, false];
    yield* words;
    for (const text of texts) yield { [text]: "x" };
    yield [];
    for (const text of texts) yield [text];
  }
  if (Array.isArray(before)) {
    for (let i = 0; i < Math.min(before.length, 8); i++) {
      const item: unknown = before[i];
      for (const text of typeof item === "string" ? texts : []) yield before.with(i, matching(text, item as string));
    }
    for (const word of words) yield [...before, word];
    for (let i = 0; i < Math.min(before.length, 8); i++) yield before.filter((_, at) => at !== i);
  } else if (typeof before === "object" && before !== null) for (const text of texts) yield { ...before, [text]: "x" };
  if (before !== undefined) yield undefined;
}

/** A text like the given one that a clause accepts: a pattern with `*`, an end such as `.svc`, a start such as `docker.io/`. */
function matching(text: string, like: string): string {
  const [first = ""] = like.split(".", 1);
  if (text.includes("*")) return text.replaceAll("*", first);
  if (/^[./-]/.test(text)) return first + text;
  return /[/:]$/.test(text) ? text + like.slice(like.lastIndexOf("/") + 1) : text;
}

/** A copy with another value at the path; undefined where the path leads through nothing. */
export function withValue(holder: unknown, [step, ...rest]: JsonPath, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(holder)) {
    if (typeof step !== "number" || step >= holder.length) return undefined;
    if (rest.length === 0 && value === undefined) return holder.filter((_, i) => i !== step);
    const inner = withValue(holder[step], rest, value);
    return inner === undefined ? undefined : holder.map((item, i) => (i === step ? inner : item));
  }
  if (typeof holder !== "object" || holder === null)
    return holder === undefined ? withValue({}, [step, ...rest], value) : undefined;
  const record = holder as Record<string | number, unknown>;
  if (rest.length === 0 && value === undefined) {
    const { [step]: _, ...others } = record;
    return others;
  }
  const inner = withValue(Object.hasOwn(record, step) ? record[step] : undefined, rest, value);
  return inner === undefined ? undefined : { ...record, [step]: inner };
}
