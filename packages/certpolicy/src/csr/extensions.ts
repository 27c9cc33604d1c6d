// The requested extensions, and the contents of the well-known ones. Policies decide by the names (SAN) only; the rest
// is for explanations.

import { Invalid } from "@celadon/kube/errors";
import { isUniversal, mismatch, type Part, readBitString, readInteger, readOid, readParts, TAG } from "./der.ts";
import { readDer } from "./der-tree.ts";

/** A requested X.509 extension. */
export interface RequestedExtension {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Uint8Array;
}

const EXTENSION_REQUEST = "1.2.840.113549.1.9.14";

/**
 * The extensions in the first value of every extension-request attribute. Other attributes, Microsoft's own extension
 * request among them, are skipped, malformed ones too; the same extension twice is an error.
 */
export function readExtensions(attributes: readonly Part[]): readonly RequestedExtension[] | Invalid {
  const extensions: RequestedExtension[] = [];
  const seen = new Set<string>();
  for (const attribute of attributes) {
    const value = requestedValue(attribute);
    if (value === undefined) continue;
    if (!isUniversal(value, TAG.sequence, true)) return mismatch("extension request", "SEQUENCE", value);
    const requested = readParts(value.content);
    if (requested instanceof Invalid) return requested;
    for (const child of requested) {
      const extension = readExtension(child);
      if (extension instanceof Invalid) return extension;
      if (seen.has(extension.oid)) {
        return new Invalid("x509: certificate request contains duplicate requested extensions");
      }
      seen.add(extension.oid);
      extensions.push(extension);
    }
  }
  return extensions;
}

/** The first value of an extension-request attribute; undefined for any other, and for one that is malformed. */
function requestedValue(attribute: Part): Part | undefined {
  if (!isUniversal(attribute, TAG.sequence, true)) return undefined;
  const parts = readParts(attribute.content, 2);
  if (parts instanceof Invalid) return undefined;
  const [type, set] = parts;
  if (!isUniversal(type, TAG.oid) || readOid(type.content) !== EXTENSION_REQUEST) return undefined;
  const values = isUniversal(set, TAG.set, true) ? readParts(set.content) : [];
  return values instanceof Invalid ? undefined : values[0];
}

function readExtension(element: Part): RequestedExtension | Invalid {
  if (!isUniversal(element, TAG.sequence, true)) return new Invalid("asn1: structure error: sequence tag mismatch");
  const start = readParts(element.content, 2);
  if (start instanceof Invalid) return start;
  const [type, second] = start;
  if (!isUniversal(type, TAG.oid)) return mismatch("a requested extension's identifier", "OBJECT IDENTIFIER", type);
  const oid = readOid(type.content);
  if (oid instanceof Invalid) return oid;
  const flagged = isUniversal(second, TAG.boolean);
  if (flagged && !isBoolean(second)) return new Invalid("asn1: syntax error: invalid boolean");
  const all = flagged ? readParts(element.content, 3) : start;
  if (all instanceof Invalid) return all;
  const value = flagged ? all[2] : second;
  if (!isUniversal(value, TAG.octetString))
    return mismatch(`value of requested extension ${oid}`, "OCTET STRING", value);
  return { oid, critical: flagged && second.content[0] === 0xff, value: value.content };
}

function isBoolean({ content }: Part): boolean {
  return content.length === 1 && (content[0] === 0 || content[0] === 0xff);
}

/** Whether a certificate is to be an authority, and how long chains below it may be. */
export interface BasicConstraints {
  readonly ca: boolean;
  readonly pathLength: number | null;
  readonly critical: boolean;
}

/** Undefined when the request carries none or it cannot be read. */
export function basicConstraints(extensions: readonly RequestedExtension[]): BasicConstraints | undefined {
  const extension = extensions.find(({ oid }) => oid === "2.5.29.19");
  const element = extension && readDer(extension.value);
  if (element === undefined || element instanceof Invalid || !isUniversal(element, TAG.sequence, true))
    return undefined;
  const [first, second] = element.children;
  const flagged = isUniversal(first, TAG.boolean);
  const length = flagged ? second : first;
  const limit = isUniversal(length, TAG.integer) ? readInteger(length.content) : undefined;
  return {
    ca: flagged && first.content[0] !== 0,
    pathLength: typeof limit === "bigint" ? Number(limit) : null,
    critical: extension!.critical,
  };
}

/** Bits of the keyUsage extension from the first on, under cert-manager's names. */
export const KEY_USAGES: readonly string[] = [
  "digital signature",
  "content commitment",
  "key encipherment",
  "data encipherment",
  "key agreement",
  "cert sign",
  "crl sign",
  "encipher only",
  "decipher only",
];

/** Extended usages by OID, under cert-manager's names. */
export const EXTENDED_KEY_USAGES: ReadonlyMap<string, string> = new Map([
  ["2.5.29.37.0", "any"],
  ["1.3.6.1.5.5.7.3.1", "server auth"],
  ["1.3.6.1.5.5.7.3.2", "client auth"],
  ["1.3.6.1.5.5.7.3.3", "code signing"],
  ["1.3.6.1.5.5.7.3.4", "email protection"],
  ["1.3.6.1.5.5.7.3.5", "ipsec end system"],
  ["1.3.6.1.5.5.7.3.6", "ipsec tunnel"],
  ["1.3.6.1.5.5.7.3.7", "ipsec user"],
  ["1.3.6.1.5.5.7.3.8", "timestamping"],
  ["1.3.6.1.5.5.7.3.9", "ocsp signing"],
  ["1.3.6.1.4.1.311.10.3.3", "microsoft sgc"],
  ["2.16.840.1.113730.4.1", "netscape sgc"],
]);

export function keyUsages(extensions: readonly RequestedExtension[]): readonly string[] {
  const extension = extensions.find(({ oid }) => oid === "2.5.29.15");
  const element = extension && readDer(extension.value);
  if (element === undefined || element instanceof Invalid || !isUniversal(element, TAG.bitString)) return [];
  if (readBitString(element.content) instanceof Invalid) return [];
  const bits = element.content.subarray(1);
  return KEY_USAGES.filter((_, i) => ((bits[i >> 3] ?? 0) & (0x80 >> (i & 7))) !== 0);
}

/** Names of extended usages; one without a name is its OID. */
export function extendedKeyUsages(extensions: readonly RequestedExtension[]): readonly string[] {
  const extension = extensions.find(({ oid }) => oid === "2.5.29.37");
  const element = extension && readDer(extension.value);
  if (element === undefined || element instanceof Invalid) return [];
  return element.children.flatMap((child) => {
    const oid = isUniversal(child, TAG.oid) ? readOid(child.content) : undefined;
    return typeof oid === "string" ? [EXTENDED_KEY_USAGES.get(oid) ?? oid] : [];
  });
}
