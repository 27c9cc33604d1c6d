// The position at which a paged list continues: the revision of the first page and the key after the last object, in Kubernetes' own
// encoding.

import { goJsonError } from "@celadon/kube/read";
import { badRequest } from "@celadon/kube/status";
import { jsonType } from "@celadon/kube/types";
import { StatusError } from "../wire/status-error.ts";

export interface ContinueToken {
  readonly revision: number;
  /** The first key of the page; below the prefix of the list. */
  readonly key: string;
}

const VERSION = "meta.k8s.io/v1";

export function encodeContinue({ revision, key }: ContinueToken, prefix: string): string {
  const token = { v: VERSION, rv: revision, start: key.slice(prefix.length) };
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

export function decodeContinue(text: string, prefix: string): ContinueToken {
  const odd = /[^A-Za-z0-9_-]/.exec(text);
  if (odd !== null && !/^=+$/.test(text.slice(odd.index)))
    throw invalid(`continue key is not valid: illegal base64 data at input byte ${odd.index}`);
  let token: { v?: unknown; rv?: unknown; start?: unknown };
  try {
    token = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    const problem = goJsonError(Buffer.from(text, "base64url").toString("latin1")) ?? "invalid JSON";
    throw invalid(`continue key is not valid: ${problem}`);
  }
  const { v = "", rv = 0, start = "" } = token ?? {};
  for (const [field, value, type] of [
    ["v", v, "string"],
    ["rv", rv, "int64"],
    ["start", start, "string"],
  ] as const) {
    if (typeof value === (type === "string" ? "string" : "number")) continue;
    const problem = `json: cannot unmarshal ${jsonType(value)} into Go struct field continueToken.${field} of type ${type}`;
    throw invalid(`continue key is not valid: ${problem}`);
  }
  if (v !== VERSION) {
    throw invalid(`continue key is not valid: server does not recognize this encoded version ${String(v)}`);
  }
  if (typeof rv !== "number" || rv === 0) {
    throw invalid("continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (typeof start !== "string" || start === "") {
    throw invalid("continue key is not valid: encoded start key empty (version meta.k8s.io/v1)");
  }
  // A start key may not lead out of its list.
  if (/(^|\/)\.{0,2}(\/|$)/.test(start.replace(/^\//, "").replace(/\0$/, ""))) {
    throw invalid(`continue key is not valid: ${start}`);
  }
  return { revision: rv, key: `${prefix}${start.replace(/^\//, "")}` };
}

const invalid = (message: string): StatusError => new StatusError(badRequest(`invalid continue token: ${message}`));
