// AuthenticationConfigurations as kube-apiserver 1.37 reads and validates them, recorded from its own functions.

import { readFileSync } from "node:fs";
import type { KubeObject } from "@celadon/kube";
import { fieldErrorText } from "@celadon/kube/errors";
import { readDocument } from "@celadon/kube/read";
import { expect, test } from "vitest";
import { acceptAuthentication, type ClaimedUser, type Claims, isIssuerOf, userOfClaims } from "./index.ts";

interface Recorded {
  readonly id: string;
  readonly config: string;
  readonly disallowed?: readonly string[];
  readonly claims?: Claims;
  readonly want: {
    readonly load?: string;
    readonly errors?: readonly string[];
    readonly error?: string;
    readonly user?: ClaimedUser;
  };
}

const recorded: readonly Recorded[] = readFileSync(
  new URL("../testdata/access/authentication.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

test.each(recorded)("$id", ({ config, disallowed, want }) => {
  const found = acceptAuthentication(objectOf(config), { disallowedIssuers: disallowed });
  if (want.load !== undefined) expect(found.status?.message).toBe(want.load);
  else expect(found.errors.map(fieldErrorText)).toEqual(want.errors);
});

/** When the answers were recorded. */
const RECORDED_AT = Date.parse("2026-11-19T22:00:00Z") / 1000;

/** Expressions that the server answers otherwise. */
const VALUES = "the server's loops over all claims see their values, in random order; here that is an error";
const DIFFERENT: ReadonlyMap<string, string> = new Map([
  ["token username claims.all(k, k != '') ? 'y' : 'n'", VALUES],
  ["token username claims.exists(k, k == 'dot.ted') ? 'y' : 'n'", VALUES],
  ["token username claims.transformList(k, v, k).size() > 3 ? 'y':'n'", VALUES],
]);

const tokens = recorded.filter(({ claims, want }) => claims !== undefined && want.errors?.length === 0);

test.each(tokens)("$id: the user", ({ id, config, claims = {}, want }) => {
  const { resource } = acceptAuthentication(objectOf(config));
  const responsible = resource?.authenticators.find((compiled) => isIssuerOf(compiled, claims));
  const { user, problem } = responsible === undefined ? {} : userOfClaims(responsible, claims, RECORDED_AT);
  const wanted = want.user && { ...want.user, groups: want.user.groups ?? [], extra: want.user.extra ?? {} };
  const same = { user, problem };
  if (DIFFERENT.has(id)) expect(same, "is no longer different").not.toEqual({ user: wanted, problem: want.error });
  else expect(same).toEqual({ user: wanted, problem: want.error });
});

function objectOf(text: string): KubeObject {
  const read = readDocument(text);
  if (!("value" in read)) throw new Error("not YAML");
  return read.value as KubeObject;
}
