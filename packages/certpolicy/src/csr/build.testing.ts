// Parts of requests made by hand: names of every kind, and forms that no tool would write.

import { type Bytes, type CsrParts, csr, der, extension, oid, pem, SEQUENCE } from "./write.ts";

export {
  type Bytes,
  type CsrParts,
  csr,
  der,
  ED25519,
  extension,
  name,
  oid,
  P256,
  pem,
  rsaKey,
  SEQUENCE,
  SET,
  UTF8,
} from "./write.ts";

export const dns = (text: string): Bytes => der(0x82, text);
export const email = (text: string): Bytes => der(0x81, text);
export const uri = (text: string): Bytes => der(0x86, text);
export const ip = (...bytes: number[]): Bytes => der(0x87, bytes);
export const otherName = (type: string, value: Uint8Array): Bytes => der(0xa0, oid(type), der(0xa0, value));

export const san = (...names: readonly Uint8Array[]): Bytes => extension("2.5.29.17", der(SEQUENCE, ...names));

/** `spec.request` of a CertificateRequest. */
export const specRequest = (parts: CsrParts): string => btoa(pem(csr(parts)));
