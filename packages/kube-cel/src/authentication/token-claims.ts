// The claims in a JSON web token: its middle part. Numbers are doubles, as the API server's decoder makes them.

import { decodeBase64, decodeUtf8 } from "@celadon/base";
import type { Claims } from "./claims-value.ts";

/** The claims that a token names, without verifying anything; undefined if the text is no token. */
export function claimsOfToken(token: string): Claims | undefined {
  const [, payload = "", ...rest] = token.split(".");
  if (rest.length !== 1 || !/^[\w-]+$/.test(payload)) return undefined;
  const standard = payload.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = decodeBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, "="));
  return typeof bytes === "number" ? undefined : claimsIn(bytes);
}

/** The claims of a payload; undefined if it is no object. */
export function claimsIn(payload: Uint8Array): Claims | undefined {
  try {
    const value: unknown = JSON.parse(decodeUtf8(payload) ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}
