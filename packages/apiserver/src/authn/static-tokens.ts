// Tokens that are given when the server starts.

import type { UserInfo } from "@celadon/admission";
import type { TokenSource } from "./authenticator.ts";
import { withAuthenticated } from "./authenticator.ts";

export function staticTokens(tokens: ReadonlyMap<string, UserInfo>): TokenSource {
  const users = new Map([...tokens].map(([token, user]) => [token, withAuthenticated(user)]));
  return { user: (token) => users.get(token) };
}
