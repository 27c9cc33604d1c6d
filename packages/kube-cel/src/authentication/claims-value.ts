// Claims as expressions see them. The API server reads every number as a double, and finds a name also in its escaped form, such as
// `claims.example__dot__com`. All claims together are no map there: they have fields, and neither a size nor keys. Upstream: apiserver
// pkg/cel/lazy/lazy.go, plugin/pkg/authenticator/token/oidc/oidc.go.

import { own } from "@celadon/base";
import { type CelError, Double, isError, MapValue, StructValue, struct, type Type, type Value } from "@celadon/cel";
import { noSuchKey, noSuchOverload } from "@celadon/cel/values";
import { unescapeName } from "../schema/escape.ts";

/** The claims of a token, decoded. */
export type Claims = Readonly<Record<string, unknown>>;

const CLAIMS: Type = struct("kubernetes.claims");

/** The variable `claims`. */
export class ClaimsValue extends StructValue {
  override readonly type: Type = CLAIMS;
  readonly #claims: Claims;

  constructor(claims: Claims) {
    super();
    this.#claims = claims;
  }

  override get(field: string): Value | CelError {
    const value = this.#find(field);
    return value === undefined ? noSuchKey(field) : claimValue(value);
  }

  override has(field: string): boolean {
    return this.#find(field) !== undefined;
  }

  override equals(other: Value): boolean {
    return this === other;
  }

  #find(field: string): unknown {
    const name = unescapeName(field);
    return name === undefined ? undefined : own(this.#claims, name);
  }
}

/** An object below a claim: an index finds its keys in both forms. */
class ClaimObject extends MapValue {
  override readonly data: Claims;

  constructor(data: Claims) {
    super();
    this.data = data;
  }

  override get size(): number {
    return Object.keys(this.data).length;
  }

  override find(key: Value): Value | CelError | undefined {
    if (typeof key !== "string") return isError(key) ? key : noSuchOverload();
    const value = own(this.data, unescapeName(key) ?? key);
    return value === undefined ? undefined : claimValue(value);
  }

  /** `in` finds the names themselves alone. */
  override contains(key: Value): boolean | CelError {
    if (typeof key !== "string") return isError(key) ? key : noSuchOverload();
    return own(this.data, key) !== undefined;
  }

  override keys(): readonly string[] {
    return Object.keys(this.data);
  }
}

/** A value of JSON as the API server's expressions have it. */
export function claimValue(value: unknown): Value {
  if (typeof value === "number" || typeof value === "bigint") return new Double(Number(value));
  if (Array.isArray(value)) return value.map(claimValue);
  if (typeof value !== "object" || value === null || value instanceof Double) return value;
  return new ClaimObject(value as Claims);
}
