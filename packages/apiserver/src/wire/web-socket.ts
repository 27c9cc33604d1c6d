// The part of a request that concerns WebSockets: whether it wants one, its protocols, and the token among them, for browsers, which cannot
// set headers. Upstream: apimachinery pkg/util/httpstream/wsstream, apiserver pkg/authentication/request/websocket.

import { decodeUtf8, trimEndOf } from "@celadon/base";
import type { Call } from "./call.ts";

type Headers = Pick<Call, "header" | "headerValues">;

export function isWebSocketRequest(call: Pick<Call, "header">): boolean {
  if (call.header("upgrade")?.toLowerCase() !== "websocket") return false;
  return hasUpgrade(call.header("connection") ?? "");
}

const BLANK = /[\t\n\f\r ]/;

/**
 * Whether a list of options has `upgrade`, as the pattern `(^|.*,\s*)upgrade($|\s*,)` finds it: no blanks before the first option, and none
 * behind the last. The pattern itself takes half a minute for a header of 64 kB of commas.
 */
function hasUpgrade(connection: string): boolean {
  const options = connection.toLowerCase().split(",");
  return options.some((option, i) => {
    let start = 0;
    if (i > 0) while (start < option.length && BLANK.test(option[start]!)) start++;
    return (i === options.length - 1 ? option : trimEndOf(option, BLANK)).slice(start) === "upgrade";
  });
}

/** The protocols a client offers. */
export interface OfferedProtocols {
  /** All but those with a token. */
  readonly names: readonly string[];
  /** The token; undefined if there is none, or none that can be used. */
  readonly token: string | undefined;
  /** Whether the client sent a token, even one that cannot be used. */
  readonly hasToken: boolean;
}

const BEARER = "base64url.bearer.authorization.k8s.io.";
const BASE64_URL = /^[\w-]*$/;

export function offeredProtocols(call: Headers): OfferedProtocols {
  const offered = call
    .headerValues("sec-websocket-protocol")
    .flatMap((value) => value.split(","))
    .map((name) => name.trim());
  const names = offered.filter((name) => !name.startsWith(BEARER));
  const [token, ...more] = offered.filter((name) => name.startsWith(BEARER));
  if (token === undefined) return { names, token, hasToken: false };
  // One other protocol is needed, since the server must choose one and must not repeat the token.
  if (more.length > 0 || names.length === 0) return { names, token: undefined, hasToken: true };
  const text = decoded(token.slice(BEARER.length));
  return text === "" ? { names, token: undefined, hasToken: false } : { names, token: text, hasToken: true };
}

function decoded(text: string): string | undefined {
  if (!BASE64_URL.test(text) || text.length % 4 === 1) return undefined;
  return decodeUtf8(Buffer.from(text, "base64url"));
}
