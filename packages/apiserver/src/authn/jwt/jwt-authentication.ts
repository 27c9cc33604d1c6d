// Users by the tokens of other issuers, as an AuthenticationConfiguration says. A token counts if its issuer is one of them, one of that
// issuer's keys has signed it, it is for this server and in its time, and the rules for its claims and user hold. Upstream: apiserver
// plugin/pkg/authenticator/token/oidc/oidc.go.

import type { UserInfo } from "@celadon/admission";
import {
  type CompiledAuthentication,
  type CompiledAuthenticator,
  claimsIn,
  claimsOfToken,
  isIssuerOf,
  userOfClaims,
} from "@celadon/kube-cel/access";
import type { FileAuthentication } from "../authenticator.ts";
import { IssuerKeys } from "./issuer-keys.ts";

/** Options for authentication by tokens. */
export interface JwtAuthenticationOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Told why a token was not accepted. */
  readonly observe?: (problem: string) => void;
  /** Milliseconds between two readings of an issuer's keys. */
  readonly pauseMs?: number;
}

/** An authenticator with the keys of its issuer. */
interface Responsible {
  readonly compiled: CompiledAuthenticator;
  readonly keys: IssuerKeys;
}

/** The authenticators of a configuration, which may be replaced while requests come. */
export class JwtAuthentication implements FileAuthentication {
  readonly #now: () => number;
  readonly #observe: (problem: string) => void;
  readonly #pauseMs: number | undefined;
  #responsible: readonly Responsible[] = [];
  #anonymous: ReadonlySet<string> | "every path" | undefined;

  constructor({ now = Date.now, observe = () => {}, pauseMs }: JwtAuthenticationOptions = {}) {
    this.#now = now;
    this.#observe = observe;
    this.#pauseMs = pauseMs;
  }

  /** Puts a valid configuration in force. Issuers that stay keep their keys; the keys of others are read in the background. */
  use({ configuration, authenticators }: CompiledAuthentication): void {
    const known = this.#responsible;
    this.#responsible = authenticators.map((compiled) => {
      const issuer = compiled.authenticator.issuer ?? {};
      const same = known.find(({ keys }) => JSON.stringify(keys.issuer) === JSON.stringify(issuer));
      return { compiled, keys: same?.keys ?? new IssuerKeys(issuer, this.#keyHosts()) };
    });
    const { enabled = false, conditions } = configuration.anonymous ?? {};
    const paths = (conditions ?? []).map(({ path = "" }) => path);
    this.#anonymous = enabled ? (paths.length === 0 ? "every path" : new Set(paths)) : undefined;
    for (const { keys } of this.#responsible) {
      void keys.ready().then((problem) => problem !== undefined && this.#observe(problem));
    }
  }

  isAnonymous(path: string): boolean {
    return this.#anonymous === "every path" || (this.#anonymous?.has(path) ?? false);
  }

  async user(token: string): Promise<UserInfo | undefined> {
    const named = claimsOfToken(token);
    if (named === undefined) return undefined;
    const responsible = this.#responsible.find(({ compiled }) => isIssuerOf(compiled, named));
    if (responsible === undefined) return undefined;
    const { compiled, keys } = responsible;
    const payload = await keys.payload(token);
    // From here on the signed claims count.
    const claims = payload && claimsIn(payload);
    if (claims === undefined || !isIssuerOf(compiled, claims)) {
      this.#observe(`oidc: verify token: no key of ${compiled.authenticator.issuer?.url} has signed it`);
      return undefined;
    }
    const { user, problem } = userOfClaims(compiled, claims, Math.floor(this.#now() / 1000));
    if (user === undefined) {
      this.#observe(problem ?? "");
      return undefined;
    }
    const { username, uid, groups, extra } = user;
    return { username, groups, ...(uid !== "" && { uid }), ...(Object.keys(extra).length > 0 && { extra }) };
  }

  #keyHosts(): ConstructorParameters<typeof IssuerKeys>[1] {
    return { now: this.#now, ...(this.#pauseMs !== undefined && { pauseMs: this.#pauseMs }) };
  }
}
