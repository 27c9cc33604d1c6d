import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const example = (name: string): string =>
  readFileSync(new URL(`../../../../examples/access/${name}`, import.meta.url), "utf8");

const files = {
  "a.yaml": example("authentication.yaml"),
  "jane.json": example("jane.json"),
  "stranger.json": '{"sub": "x", "hd": "other.example"}',
  "master.json": '{"sub": "x", "hd": "example.com", "groups": ["system:masters"]}',
  "late.json": '{"sub": "x", "hd": "example.com", "exp": 1}',
  "issuer.json": '{"iss": "https://other.example"}',
  "token.jwt": `e30.${Buffer.from('{"iss": "https://login.example.com", "aud": "kubernetes", "exp": 4102444800, "sub": "jane", "hd": "example.com"}').toString("base64url")}.c2ln`,
  "wrong.yaml": example("authentication.yaml").replace("https:", "http:"),
};

// biome-ignore format: one case per line
const cases = [
  { name: "a user",                argv: "a.yaml --claims jane.json",     code: 0, says: "✓ oidc:jane  by https://login.example.com\n    groups: developers\n    example.com/tenant: shop\n" },
  { name: "a rule over claims",    argv: "a.yaml --claims stranger.json", code: 1, says: `oidc: error evaluating claim validation expression: validation expression 'claims.hd == "example.com"' failed: only people of example.com may enter` },
  { name: "a rule over the user",  argv: "a.yaml --claims master.json",   code: 1, says: "failed: groups of the system cannot be claimed" },
  { name: "an expired token",      argv: "a.yaml --claims late.json",     code: 1, says: "oidc: verify token: oidc: token is expired (Token Expiry: 1970-01-01 00:00:01 +0000 UTC)" },
  { name: "another issuer",        argv: "a.yaml --claims issuer.json",   code: 1, says: 'no authenticator for the issuer "https://other.example"' },
  { name: "a whole token",         argv: "a.yaml --token token.jwt",      code: 0, says: "✓ oidc:jane" },
  { name: "no token",              argv: "a.yaml --token jane.json",      code: 2, says: "jane.json has no JSON web token" },
  { name: "an invalid file",       argv: "wrong.yaml --claims jane.json", code: 2, says: 'wrong.yaml is invalid: jwt[0].issuer.url: Invalid value: "http://login.example.com": URL scheme must be https' },
  { name: "another file",          argv: "jane.json --claims jane.json",  code: 2, says: "jane.json is no AuthenticationConfiguration of apiserver.config.k8s.io" },
  { name: "no claims",             argv: "a.yaml",                        code: 2, says: "expected --claims or --token" },
];

test.each(cases)("$name", async ({ argv, code, says }) => {
  const { stdout, stderr, code: found } = await runLine(["authenticate", ...argv.split(" ")], { files });
  expect(`${stdout}${stderr}`).toContain(says);
  expect(found).toBe(code);
});
