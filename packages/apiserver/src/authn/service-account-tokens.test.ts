import { generateKeyPairSync } from "node:crypto";
import type { KubeObject } from "@celadon/kube";
import { beforeEach, describe, expect, test } from "vitest";
import { TokenSigner } from "./jwt.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";
import { VerifiedTokens } from "./verified-tokens.ts";

const object = (name: string, more: object = {}): KubeObject =>
  ({ metadata: { name, namespace: "ns", uid: `uid-${name}`, ...more } }) as KubeObject;

let now = 1_000_000;
let account: KubeObject | undefined;
let pod: KubeObject | undefined;
const tokens = new ServiceAccountTokens(
  new TokenSigner(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey),
  {
    issuer: "here",
    now: () => now,
    serviceAccount: () => account,
    bound: () => pod,
  },
);
const issue = (): string =>
  tokens.issue({
    account: object("robot"),
    audiences: ["here"],
    seconds: 3_600,
    boundTo: { kind: "Pod", object: object("pod") },
  });

beforeEach(() => {
  now = 1_000_000;
  account = object("robot");
  pod = object("pod");
});

test("nothing may follow the signature, or stand in it", () => {
  const token = issue();
  expect(tokens.user(token)?.username).toBe("system:serviceaccount:ns:robot");
  const [head, body, signature = ""] = token.split(".");
  const last = signature.at(-1)!;
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  // The last character has bits that no byte needs.
  const sibling = alphabet[alphabet.indexOf(last) ^ 1]!;
  const odd = [
    `${token}!`,
    `${token}=`,
    `${token}\n`,
    `${token}A`,
    `${token}${"!".repeat(60_000)}`,
    `${head}.${body}.${signature.slice(0, 10)} ${signature.slice(10)}`,
    `${head}.${body}.${signature.slice(0, -1)}${sibling}`,
    `${head}.${body}=.${signature}`,
    `${token}.`,
    ` ${token}`,
  ];
  for (const text of odd) expect([text.slice(-20), tokens.user(text)]).toEqual([text.slice(-20), undefined]);
});

describe("a token ends with its object", () => {
  const inDeletion = (name: string, ago: number): KubeObject =>
    object(name, { deletionTimestamp: new Date((now - ago) * 1_000).toISOString() });

  test("at once when it is gone, or has become another", () => {
    const token = issue();
    expect(tokens.user(token)).toBeDefined();
    account = object("robot", { uid: "another" });
    expect(tokens.user(token)).toBeUndefined();
    account = undefined;
    expect(tokens.user(token)).toBeUndefined();
  });

  // biome-ignore format: one case per line
  test.each([
    ["account", 30, true], ["account", 61, false], ["pod", 30, true], ["pod", 61, false],
  ] as const)("a minute after the deletion of its %s began: %i s", (what, ago, isGood) => {
    const token = issue();
    if (what === "account") account = inDeletion("robot", ago);
    else pod = inDeletion("pod", ago);
    expect(tokens.user(token) !== undefined).toBe(isGood);
  });
});

test("verified tokens take no more than their bound, and the newest are kept", () => {
  const verified = new VerifiedTokens(1_000);
  let calls = 0;
  const ask = (token: string) => verified.claims(token, () => ({ call: ++calls }));
  for (let at = 0; at < 100; at++) ask(`${at}`.padEnd(100, "."));
  expect(verified.bytes).toBe(1_000);
  expect(ask("99".padEnd(100, "."))).toEqual({ call: 100 });
  expect(ask("0".padEnd(100, "."))).toEqual({ call: 101 });
  ask("x".repeat(2_000));
  expect(verified.bytes).toBe(1_000);
  expect(verified.claims("bad", () => undefined)).toBeUndefined();
  expect(verified.bytes).toBe(1_000);
});
