// The issuer of service account tokens, for programs that check them without asking the server: OpenID discovery.

import { JSON_TYPE } from "../wire/accept.ts";
import type { Content } from "../wire/call.ts";

const CONFIGURATION = "/.well-known/openid-configuration";
const KEYS = "/openid/v1/jwks";
export const OPENID_PATHS: readonly string[] = [CONFIGURATION, KEYS];

export class Issuer {
  readonly #issuer: string;
  readonly #jwks: unknown;
  readonly #address: () => string;

  constructor(issuer: string, jwks: unknown, address: () => string) {
    this.#issuer = issuer;
    this.#jwks = jwks;
    this.#address = address;
  }

  /** Undefined when the path is none of these. */
  answer(parts: readonly string[]): Content | undefined {
    const headers = { "cache-control": "public, max-age=3600" };
    switch (`/${parts.join("/")}`) {
      case CONFIGURATION: {
        const body = {
          issuer: this.#issuer,
          jwks_uri: `https://${this.#address()}${KEYS}`,
          response_types_supported: ["id_token"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["ES256"],
        };
        return { code: 200, type: JSON_TYPE, body: JSON.stringify(body), headers };
      }
      case KEYS:
        return { code: 200, type: "application/jwk-set+json", body: JSON.stringify(this.#jwks), headers };
      default:
        return undefined;
    }
  }
}
