// The keys of an issuer: found through its discovery document, read again when a token has a key that is not among them, and when they are
// old. Unknown keys make one request in a while, however many tokens name them.

import type { TokenIssuer } from "@celadon/kube-cel/access";
import { type CryptoKey, compactVerify, decodeProtectedHeader, importJWK, type JWK, type KeyObject } from "jose";
import { httpsDocument } from "./https-transport.ts";

/** The algorithms that kube-apiserver accepts with a configuration file: signatures by public keys alone. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512"];
const KEY_TYPES: ReadonlySet<string | undefined> = new Set(["RSA", "EC"]);

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
/** More keys than an issuer has; each may be tried for a token without a key id. */
const MOST_KEYS = 64;
/** Milliseconds between two readings, and after which keys are read again or are too old for use. */
const PAUSE_MS = 10_000;
const OLD_MS = 5 * 60_000;
const TOO_OLD_MS = 60 * 60_000;

/** The time in milliseconds, and documents by their address. */
export interface KeyHosts {
  now(): number;
  /** Replaced in tests. */
  readonly pauseMs?: number;
}

/** The keys of one issuer. */
export class IssuerKeys {
  readonly issuer: TokenIssuer;
  readonly #hosts: KeyHosts;
  #keys: readonly JWK[] = [];
  #readAt: number | undefined;
  #triedAt: number | undefined;
  #reading: Promise<string | undefined> | undefined;
  readonly #imported = new WeakMap<JWK, Map<string, Promise<CryptoKey | KeyObject | Uint8Array>>>();

  constructor(issuer: TokenIssuer, hosts: KeyHosts) {
    this.issuer = issuer;
    this.#hosts = hosts;
  }

  /** Reads the keys unless that was just tried; the problem if there are none. */
  async ready(): Promise<string | undefined> {
    return this.#readAt === undefined ? this.#read() : undefined;
  }

  /** The payload of a token that one of the keys has signed; undefined for any other. */
  async payload(token: string): Promise<Uint8Array | undefined> {
    const header = headerOf(token);
    if (header === undefined || !ALGORITHMS.includes(header.alg)) return undefined;
    if (this.#age() > TOO_OLD_MS) await this.#read();
    if (this.#age() > TOO_OLD_MS) return undefined;
    // Nobody waits for an issuer that is slow while its keys still count.
    if (this.#age() > OLD_MS) void this.#read();
    const known = await this.#verified(token, header);
    if (known !== undefined) return known;
    const before = this.#keys;
    await this.#read();
    return this.#keys === before ? undefined : this.#verified(token, header);
  }

  #age(): number {
    return this.#readAt === undefined ? Number.POSITIVE_INFINITY : this.#hosts.now() - this.#readAt;
  }

  async #verified(token: string, { alg, kid }: TokenHeader): Promise<Uint8Array | undefined> {
    const candidates = this.#keys.filter((key) => isFor(key, alg) && (kid === undefined || key.kid === kid));
    for (const key of candidates) {
      try {
        const { payload } = await compactVerify(token, await this.#import(key, alg), { algorithms: ALGORITHMS });
        return payload;
      } catch {
        // Another key of the same name may have signed it.
      }
    }
    return undefined;
  }

  #import(key: JWK, alg: string): Promise<CryptoKey | KeyObject | Uint8Array> {
    let byAlgorithm = this.#imported.get(key);
    if (byAlgorithm === undefined) this.#imported.set(key, (byAlgorithm = new Map()));
    let imported = byAlgorithm.get(alg);
    if (imported === undefined) byAlgorithm.set(alg, (imported = importJWK(key, alg)));
    return imported;
  }

  /** One reading at a time, and not too soon after another. */
  #read(): Promise<string | undefined> {
    const { pauseMs = PAUSE_MS } = this.#hosts;
    if (this.#reading !== undefined) return this.#reading;
    if (this.#triedAt !== undefined && this.#hosts.now() - this.#triedAt < pauseMs) return Promise.resolve(undefined);
    this.#triedAt = this.#hosts.now();
    this.#reading = this.#discover()
      .then(
        (keys) => {
          this.#keys = keys;
          this.#readAt = this.#hosts.now();
          return undefined;
        },
        (error: Error) => error.message,
      )
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #discover(): Promise<readonly JWK[]> {
    const { url = "", discoveryURL, certificateAuthority } = this.issuer;
    const options = { ca: certificateAuthority, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
    const address = discoveryURL ? discoveryURL : `${url.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const found = objectOf(await httpsDocument(address, options), address);
    if (found.issuer !== url) {
      throw new Error(
        `oidc: issuer did not match the issuer returned by provider, expected "${url}" got "${found.issuer}"`,
      );
    }
    const { jwks_uri: place } = found;
    if (typeof place !== "string" || !place.startsWith("https://"))
      throw new Error(`${address} has no jwks_uri with https`);
    const { keys } = objectOf(await httpsDocument(place, options), place);
    if (!Array.isArray(keys) || keys.length > MOST_KEYS)
      throw new Error(`${place} has no list of up to ${MOST_KEYS} keys`);
    return keys.filter((key) => typeof key === "object" && key !== null);
  }
}

interface TokenHeader {
  readonly alg: string;
  readonly kid: string | undefined;
}

function headerOf(token: string): TokenHeader | undefined {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return typeof alg === "string" && (kid === undefined || typeof kid === "string") ? { alg, kid } : undefined;
  } catch {
    return undefined;
  }
}

/** A key for signatures by the algorithm, if it states one. */
function isFor({ kty, use, alg }: JWK, wanted: string): boolean {
  return KEY_TYPES.has(kty) && (use === undefined || use === "sig") && (alg === undefined || alg === wanted);
}

function objectOf(text: string, address: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${address} is not JSON`);
  }
  return Object(value) as Readonly<Record<string, unknown>>;
}
