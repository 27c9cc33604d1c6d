// An issuer of tokens on the loopback address, for tests: its discovery document, its keys, and tokens.

import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { createPki } from "../../pki/authority.ts";

export interface TestIssuer {
  readonly url: string;
  /** PEM of the authority of its certificate. */
  readonly ca: string;
  /** Paths that were asked for. */
  readonly asked: readonly string[];
  /** Answers by path, which a test may change. */
  readonly answers: Map<string, string>;
  /** Adds a key, and gives it for signing. */
  addKey(kid: string, alg?: string): Promise<CryptoKey>;
  close(): Promise<void>;
}

/** An hour after 1970 is late enough for tests: tokens say when they end. */
export async function testIssuer(): Promise<TestIssuer> {
  const pki = createPki(["127.0.0.1"]);
  const asked: string[] = [];
  const answers = new Map<string, string>();
  const keys: JWK[] = [];
  const server = createServer({ key: pki.serverKey, cert: pki.serverCertificate }, (request, response) => {
    asked.push(request.url ?? "");
    const answer = answers.get(request.url ?? "");
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const discovery = JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` });
  answers.set("/.well-known/openid-configuration", discovery);
  return {
    url,
    ca: pki.caCertificate,
    asked,
    answers,
    async addKey(kid, alg = "RS256") {
      const { publicKey, privateKey } = await generateKeyPair(alg);
      keys.push({ ...(await exportJWK(publicKey)), kid, alg, use: "sig" });
      answers.set("/keys", JSON.stringify({ keys }));
      return privateKey;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A token of an issuer for the audience `app`. */
export function tokenOf(
  { url }: Pick<TestIssuer, "url">,
  key: CryptoKey | Uint8Array,
  claims: Readonly<Record<string, unknown>> = {},
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000);
  return new SignJWT({ iss: url, aud: "app", sub: "jane", exp: seconds + 600, ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "one", ...header })
    .sign(key);
}
