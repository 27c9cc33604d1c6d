// The body of a request: one JSON value, read so that a decoder which knows its type can answer as the API server does. Repeated
// members stay, numbers keep their text, and errors have Go's messages.

import { ReadFailure } from "../issue.ts";
import { type ReadLimits, settingsOf } from "../options.ts";
import { goJsonError } from "./go-json-error.ts";
import { JsonParser } from "./json-parser.ts";

/** The value, in which RepeatedMembers and RawNumbers may stand; or the error of Go's decoder. */
export type JsonBody = { readonly value: unknown; readonly error?: undefined } | { readonly error: string };

/** Reads the JSON of a request: fast, and with the server's words where it is wrong. */
export function readJsonBody(text: string, limits: Partial<ReadLimits> = {}): JsonBody {
  const settings = {
    ...settingsOf({ limits: { depth: 10_000, ...limits } }),
    duplicates: "keep",
    keepsNumberText: true,
  } as const;
  try {
    const { value, end } = new JsonParser(text, 0, settings).parse();
    if (/^[ \t\r\n]*$/.test(text.slice(end))) return { value };
    return { error: goJsonError(text) ?? "invalid JSON" };
  } catch (failure) {
    if (failure instanceof RangeError) return { error: "exceeded max depth" };
    if (!(failure instanceof ReadFailure)) throw failure;
    if (failure.code === "too_deep") return { error: "exceeded max depth" };
    return { error: goJsonError(text) ?? failure.message };
  }
}
