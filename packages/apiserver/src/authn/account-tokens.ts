// The tokens a server issues and checks against stored objects, and those it was given at the start.

import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { NamedCaches } from "../store/named-caches.ts";
import { type TokenSource, withAuthenticated } from "./authenticator.ts";
import { TokenSigner } from "./jwt.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";

export interface AccountTokenOptions {
  /** A fresh one when absent. */
  readonly key: KeyObject | undefined;
  readonly issuer: string;
  readonly now: () => number;
}

export function accountTokens(caches: NamedCaches, { key, issuer, now }: AccountTokenOptions): ServiceAccountTokens {
  const plurals = { Pod: "pods", Secret: "secrets", Node: "nodes" } as const;
  const signer = new TokenSigner(key ?? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
  return new ServiceAccountTokens(signer, {
    issuer,
    now: () => now() / 1000,
    serviceAccount: (namespace, name) => caches.object("serviceaccounts", namespace, name),
    bound: (kind, namespace, name) => caches.object(plurals[kind], namespace, name),
  });
}

/** Tokens given at the start belong to the server's own audience. */
export async function reviewToken(
  token: string,
  audiences: readonly string[] | undefined,
  accounts: ServiceAccountTokens,
  given: readonly TokenSource[],
): Promise<ReturnType<ServiceAccountTokens["review"]>> {
  const wanted = audiences === undefined || audiences.length === 0 ? [accounts.issuer] : audiences;
  for (const source of given) {
    const user = await source.user(token);
    if (user !== undefined && wanted.includes(accounts.issuer)) {
      return { user: withAuthenticated(user), audiences: [accounts.issuer] };
    }
  }
  return accounts.review(token, wanted);
}
