// JSON web tokens with ES256, as far as service accounts need them.

import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

export type Claims = Readonly<Record<string, unknown>>;

export class TokenSigner {
  readonly #key: KeyObject;
  readonly #public: KeyObject;
  readonly keyId: string;

  constructor(key: KeyObject) {
    this.#key = key;
    this.#public = createPublicKey(key);
    const der = this.#public.export({ type: "spki", format: "der" });
    this.keyId = createHash("sha256").update(der).digest("base64url");
  }

  sign(claims: Claims): string {
    const head = encode({ alg: "ES256", kid: this.keyId });
    const signed = `${head}.${encode(claims)}`;
    const signature = sign("sha256", Buffer.from(signed), { key: this.#key, dsaEncoding: "ieee-p1363" });
    return `${signed}.${signature.toString("base64url")}`;
  }

  /** The claims of a token this key has signed; undefined for any other. Checks the signature, not the claims. */
  verify(token: string): Claims | undefined {
    const parts = token.split(".");
    const [head = "", body = "", signature = ""] = parts;
    if (parts.length !== 3) return undefined;
    try {
      const bytes = exactly(signature);
      if (bytes === undefined || (decode(head) as { alg?: unknown }).alg !== "ES256") return undefined;
      const key = { key: this.#public, dsaEncoding: "ieee-p1363" } as const;
      return verify("sha256", Buffer.from(`${head}.${body}`), key, bytes) ? (decode(body) as Claims) : undefined;
    } catch {
      return undefined;
    }
  }

  /** For clients that verify tokens themselves. */
  jwks(): unknown {
    return { keys: [{ use: "sig", kid: this.keyId, alg: "ES256", ...this.#public.export({ format: "jwk" }) }] };
  }
}

/** The bytes of base64url in its only spelling: Node's reader stops at an unknown character, and ignores the rest. */
function exactly(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const decode = (text: string): unknown => JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
