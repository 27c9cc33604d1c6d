// The public key: its algorithm and size. A key of an algorithm the reference does not know is no error, a malformed key of
// one it knows is.

import { Invalid } from "@celadon/kube/errors";
import { isOnCurve, NAMED_CURVES } from "./curves.ts";
import {
  firstElement,
  isUniversal,
  mismatch,
  type Part,
  readBitString,
  readInteger,
  readOid,
  readParts,
  TAG,
} from "./der.ts";
import { readDer } from "./der-tree.ts";

/** An algorithm that policies can name. */
export type KeyAlgorithm = "RSA" | "ECDSA" | "Ed25519";

/** The public key of a request: its algorithm and size. */
export interface PublicKey {
  /** Null for an algorithm that no policy can name. */
  readonly algorithm: KeyAlgorithm | null;
  readonly oid: string;
  /** Bits of the modulus or of the curve's field; -1 where a key has one size only, null where it is not known. */
  readonly size: number | null;
  /** The name that the reference gives a key type that it does not measure. */
  readonly unrecognised?: "<nil>" | "*dsa.PublicKey";
}

export function readPublicKey(info: Part | undefined): PublicKey | Invalid {
  if (!isUniversal(info, TAG.sequence, true)) return mismatch("public key info", "SEQUENCE", info);
  const parts = readParts(info.content, 2);
  if (parts instanceof Invalid) return parts;
  const [identifier, bits] = parts;
  if (!isUniversal(identifier, TAG.sequence, true)) return mismatch("public key algorithm", "SEQUENCE", identifier);
  const inner = readParts(identifier.content, 2);
  if (inner instanceof Invalid) return inner;
  const [type, parameters] = inner;
  if (!isUniversal(type, TAG.oid)) return mismatch("public key algorithm's identifier", "OBJECT IDENTIFIER", type);
  const oid = readOid(type.content);
  if (oid instanceof Invalid) return oid;
  if (!isUniversal(bits, TAG.bitString)) return mismatch("public key", "BIT STRING", bits);
  const key = readBitString(bits.content);
  if (key instanceof Invalid) return key;
  const read = READERS.get(oid);
  return read === undefined ? { algorithm: null, oid, size: null, unrecognised: "<nil>" } : read(key, parameters, oid);
}

type Reader = (key: Uint8Array, parameters: Part | undefined, oid: string) => PublicKey | Invalid;

const READERS: ReadonlyMap<string, Reader> = new Map([
  ["1.2.840.113549.1.1.1", readRsa],
  ["1.2.840.10045.2.1", readEc],
  ["1.3.101.112", readEd25519],
  ["1.2.840.10040.4.1", readDsa],
]);

const MAX_INT = (1n << 63n) - 1n;

function readRsa(key: Uint8Array, parameters: Part | undefined, oid: string): PublicKey | Invalid {
  if (!isUniversal(parameters, TAG.null) || parameters.content.length > 0) {
    return new Invalid("x509: RSA key missing NULL parameters");
  }
  // The reference does not look behind the sequence.
  const sequence = readDer(firstElement(key));
  if (!(sequence instanceof Invalid) && isUniversal(sequence, TAG.sequence, true)) {
    const modulus = positive(sequence.children[0]);
    if (modulus === undefined) return new Invalid("x509: invalid RSA modulus");
    const exponent = positive(sequence.children[1]);
    if (exponent === undefined || exponent > MAX_INT) return new Invalid("x509: invalid RSA public exponent");
    if (modulus <= 0n) return new Invalid("x509: RSA modulus is not a positive number");
    if (exponent <= 0n) return new Invalid("x509: RSA public exponent is not a positive number");
    return { algorithm: "RSA", oid, size: modulus.toString(2).length };
  }
  return new Invalid("x509: invalid RSA public key");
}

function readEc(key: Uint8Array, parameters: Part | undefined, oid: string): PublicKey | Invalid {
  if (!isUniversal(parameters, TAG.oid)) return new Invalid("x509: invalid ECDSA parameters");
  const name = readOid(parameters.content);
  if (name instanceof Invalid) return new Invalid("x509: invalid ECDSA parameters");
  const curve = NAMED_CURVES.get(name);
  if (curve === undefined) return new Invalid("x509: unsupported elliptic curve");
  return isOnCurve(curve, key)
    ? { algorithm: "ECDSA", oid, size: curve.bits }
    : new Invalid("x509: the ECDSA key is not an uncompressed point of its curve");
}

function readEd25519(key: Uint8Array, parameters: Part | undefined, oid: string): PublicKey | Invalid {
  if (parameters !== undefined) return new Invalid("x509: Ed25519 key encoded with illegal parameters");
  return key.length === 32
    ? { algorithm: "Ed25519", oid, size: -1 }
    : new Invalid("x509: wrong Ed25519 public key size");
}

function readDsa(key: Uint8Array, parameters: Part | undefined, oid: string): PublicKey | Invalid {
  const y = readDer(firstElement(key));
  const value = y instanceof Invalid ? undefined : positive(y);
  if (value === undefined) return new Invalid("x509: invalid DSA public key");
  const list = isUniversal(parameters, TAG.sequence, true) ? readDer(parameters.raw) : undefined;
  const given = list === undefined || list instanceof Invalid ? [] : list.children;
  const numbers = [0, 1, 2].map((i) => positive(given[i]));
  if (numbers.includes(undefined)) return new Invalid("x509: invalid DSA parameters");
  if ([value, ...numbers].some((number) => number! <= 0n)) return new Invalid("x509: zero or negative DSA parameter");
  return { algorithm: null, oid, size: null, unrecognised: "*dsa.PublicKey" };
}

function positive(element: Part | undefined): bigint | undefined {
  if (!isUniversal(element, TAG.integer)) return undefined;
  const value = readInteger(element.content);
  return value instanceof Invalid ? undefined : value;
}
