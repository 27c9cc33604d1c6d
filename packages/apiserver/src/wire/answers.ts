// Answers that hold JSON or text.

import { toJson } from "@celadon/base";
import { failure, type Status } from "@celadon/kube/status";
import { JSON_TYPE } from "./accept.ts";
import type { Content } from "./call.ts";

export function jsonAnswer(code: number, value: unknown): Content {
  return { code, type: JSON_TYPE, body: toJson(value), value };
}

/** Indented, as the reference writes what people look at: its version, its paths. */
export function indentedAnswer(code: number, value: unknown): Content {
  return { code, type: JSON_TYPE, body: JSON.stringify(value, undefined, 2), value };
}

export function textAnswer(code: number, text: string): Content {
  return { code, type: "text/plain; charset=utf-8", body: text };
}

export function statusAnswer(status: Status): Content {
  const seconds = status.details?.retryAfterSeconds;
  const content = jsonAnswer(status.code ?? 500, status);
  return seconds === undefined ? content : { ...content, headers: { "retry-after": String(seconds) } };
}

/** The answer for a path that is not served. */
export const PAGE_NOT_FOUND: Content = textAnswer(404, "404 page not found\n");

export function notAcceptable(offered: readonly string[]): Status {
  return failure("NotAcceptable", `only the following media types are accepted: ${offered.join(", ")}`);
}

export function unsupportedMediaType(offered: readonly string[]): Status {
  const message = `the body of the request was in an unknown format - accepted media types include: ${offered.join(", ")}`;
  return failure("UnsupportedMediaType", message);
}
