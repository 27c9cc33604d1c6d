// Data of clients is read and written by `readJson`, `readStoredJson`, `toJson` and `toExactJson`, which keep 64-bit integers. The engine's own
// JSON.parse and JSON.stringify lose or refuse them; where the servers and the programs for a cluster still use them, the reason is here.
//
// - texts: what is written or read has no numbers but texts, flags and lists of them
// - own: data that this project writes and reads alone, with numbers far below 2^53
// - key: a key of a map, of texts

import { expect, test } from "vitest";
import { read, sources } from "./tree.ts";

type Why = "texts" | "own" | "key";

// biome-ignore format: one call per line
const LISTED: Readonly<Record<string, Why>> = {
  "apiserver/authn/jwt.ts parse":                 "own",
  "apiserver/authn/jwt.ts stringify":             "own",
  "apiserver/authn/jwt/issuer-keys.ts parse":    "texts",
  "apiserver/authn/jwt/jwt-authentication.ts stringify": "key",
  "apiserver/authz/rule-cover.ts stringify":      "key",
  "apiserver/codec/presenter.ts stringify":       "texts",
  "apiserver/codec/repeated-fields.ts parse":     "texts",
  "apiserver/discovery/discovery.ts stringify":   "texts",
  "apiserver/health/issuer.ts stringify":         "texts",
  "apiserver/openapi/builtin-schemas.ts parse":   "own",
  "apiserver/registry/watch.ts stringify":        "texts",
  "apiserver/store/continue-token.ts parse":      "own",
  "apiserver/store/continue-token.ts stringify":  "own",
  "apiserver/wire/answers.ts stringify":          "texts",
  "client/access-reviews.ts stringify":           "key",
  "client/exec-credentials.ts parse":             "texts",
  "client/exec-credentials.ts stringify":         "texts",
  "client/lease.ts stringify":                    "own",
  "cluster/webhook/enforcements.ts stringify":    "own",
  "cluster/webhook/entry-budget.ts stringify":    "texts",
  "cluster/webhook/guards.ts stringify":          "texts",
  "cluster/webhook/policy-class.ts stringify":    "key",
  "write/metadata.ts stringify":                  "key",
};

const PACKAGES = ["apiserver", "client", "cluster", "storage", "write"];

function callsIn(name: string): string[] {
  const path = `packages/${name}`;
  return sources(path).flatMap((file) => {
    const calls = Array.from(read(`${path}/src/${file}`).matchAll(/\bJSON\.(parse|stringify)\b/g), ([, call]) => call);
    return [...new Set(calls)].map((call) => `${name}/${file} ${call}`);
  });
}

/** Texts in messages are quoted by JSON.stringify where they are keys of a store. */
const isOfStore = (call: string): boolean => call.startsWith("storage/") && call.endsWith(" stringify");

test("servers and programs read and write data without loss", () => {
  const calls = PACKAGES.flatMap(callsIn).filter((call) => !isOfStore(call));
  expect(calls.sort()).toEqual(Object.keys(LISTED).sort());
});
