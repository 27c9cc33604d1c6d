// The claims that every token has: its issuer, whom it is for, and its time. Upstream: coreos/go-oidc v2 verify.go, with the audiences of
// apiserver plugin/pkg/authenticator/token/oidc/oidc.go.

import { quoteGo } from "@celadon/base";
import { jsonType } from "@celadon/kube/types";
import { listOf, textOf } from "../configuration/values.ts";
import type { Claims } from "./claims-value.ts";
import type { TokenIssuer } from "./configuration.ts";

const GOOGLE = "https://accounts.google.com";
/** Clocks differ: a token may be used so much before its time. */
const LEEWAY_SECONDS = 300;
const TEXTS = ["sub", "nonce", "at_hash"] as const;
const TIMES = ["exp", "iat", "nbf"] as const;

/** The issuer that a token names; Google's was once without its scheme. */
export function issuerOf({ iss }: Claims): string | undefined {
  if (typeof iss !== "string") return undefined;
  return iss === "accounts.google.com" ? GOOGLE : iss;
}

/** The problem of a token's own claims at a time in seconds; undefined when it counts. The signature is another's business. */
export function idTokenProblem(claims: Claims, issuer: TokenIssuer, now: number): string | undefined {
  const malformed = malformedClaim(claims);
  if (malformed !== undefined) return `oidc: failed to unmarshal claims: ${malformed}`;
  return audienceProblem(audiencesOf(claims), listOf(issuer.audiences)) ?? timeProblem(claims, now);
}

function malformedClaim(claims: Claims): string | undefined {
  for (const name of TEXTS) {
    const value = claims[name];
    if (isSet(value) && typeof value !== "string")
      return wrongType(value, `struct field idToken.${name} of type string`);
  }
  const { aud } = claims;
  if (isSet(aud) && typeof aud !== "string") {
    const wrong = Array.isArray(aud) ? aud.find((entry) => isSet(entry) && typeof entry !== "string") : aud;
    if (isSet(wrong)) {
      return wrongType(wrong, `struct field idToken.aud of type ${Array.isArray(aud) ? "string" : "[]string"}`);
    }
  }
  for (const name of TIMES) {
    const value = claims[name];
    if (!isSet(value) || isNumber(value)) continue;
    if (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))) continue;
    if (typeof value !== "string") return wrongType(value, `struct field idToken.${name} of type json.Number`);
    return `json: invalid number literal, trying to unmarshal ${quoteGo(JSON.stringify(value))} into Number`;
  }
  return undefined;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;
const isNumber = (value: unknown): boolean => typeof value === "number" || typeof value === "bigint";
const wrongType = (value: unknown, place: string): string =>
  `json: cannot unmarshal ${jsonType(value)} into Go ${place}`;

function audiencesOf({ aud }: Claims): readonly string[] {
  return typeof aud === "string" ? [aud] : Array.isArray(aud) ? aud.map(textOf) : [];
}

function audienceProblem(given: readonly string[], wanted: readonly string[]): string | undefined {
  if (wanted.some((audience) => given.includes(audience))) return undefined;
  const [only = ""] = wanted;
  const shown = wanted.length > 1 ? `in ${listText([...wanted].sort())}` : quoteGo(only);
  return `oidc: expected audience ${shown} got ${listText(given)}`;
}

const listText = (texts: readonly string[]): string => `[${texts.map(quoteGo).join(" ")}]`;

/** A token without an expiry has expired in the year 1. */
function timeProblem(claims: Claims, now: number): string | undefined {
  const [expiry, notBefore] = [secondsOf(claims.exp), secondsOf(claims.nbf)];
  if (expiry === undefined || expiry < now) {
    return `oidc: token is expired (Token Expiry: ${expiry === undefined ? "0001-01-01 00:00:00 +0000 UTC" : timeText(expiry)})`;
  }
  if (notBefore !== undefined && now + LEEWAY_SECONDS < notBefore) {
    return `oidc: current time ${timeText(now)} before the nbf (not before) time: ${timeText(notBefore)}`;
  }
  return undefined;
}

const secondsOf = (value: unknown): number | undefined => (isSet(value) ? Math.trunc(Number(value)) : undefined);

function timeText(seconds: number): string {
  const time = new Date(seconds * 1000);
  if (Number.isNaN(time.getTime())) return `${seconds} seconds after 1970`;
  return `${time.toISOString().slice(0, 19).replace("T", " ")} +0000 UTC`;
}
