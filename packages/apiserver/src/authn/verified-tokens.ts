// Tokens with verified signatures, so that each is verified once: by digest, and within a bound of bytes, because holders of many tokens
// could fill the memory otherwise.

import { createHash } from "node:crypto";
import type { Claims } from "./jwt.ts";

/** The greatest size of the texts of tokens, whose claims take about as much. */
const MOST_BYTES = 8 * 1024 * 1024;

interface Verified {
  readonly claims: Claims;
  readonly bytes: number;
}

export class VerifiedTokens {
  readonly #byDigest = new Map<string, Verified>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** Bytes of the tokens that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The claims of a token; `verify` is called for unknown tokens. */
  claims(token: string, verify: () => Claims | undefined): Claims | undefined {
    const digest = createHash("sha256").update(token).digest("base64");
    const known = this.#byDigest.get(digest);
    if (known !== undefined) return known.claims;
    const claims = verify();
    if (claims === undefined) return undefined;
    this.#keep(digest, { claims, bytes: token.length });
    return claims;
  }

  /** The oldest make room. */
  #keep(digest: string, verified: Verified): void {
    if (verified.bytes > this.#mostBytes) return;
    this.#byDigest.set(digest, verified);
    this.#bytes += verified.bytes;
    for (const [oldest, { bytes }] of this.#byDigest) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#byDigest.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
