// Subject alternative names. Two readers of the same extension, because the reference has two. One makes the lists that a policy checks
// (Go's crypto/x509, which reads only entries tagged exactly as DNS, email, URI and IP names), and a stricter one reads everything else:
// its failure denies the request instead of making it unreadable.

import { decodeUtf8, quoteGo } from "@celadon/base";
import { IpAddress } from "@celadon/cel/net";
import { Invalid } from "@celadon/kube/errors";
import { parseUrl } from "@celadon/kube-cel/url";
import { CONTEXT, firstElement, isUniversal, mismatch, type Part, readOid, readParts, TAG, UNIVERSAL } from "./der.ts";
import { latin1 } from "./pem.ts";
import { readRdns } from "./subject.ts";
import { attributeText, isAscii } from "./text.ts";

/** An alternative name whose kind is an object identifier. */
export interface OtherName {
  readonly oid: string;
  /** The text, or the hexadecimal DER of a value that is no text. */
  readonly value: string;
}

/** Kinds of names that no policy can allow, in the order they are reported. */
export const FORBIDDEN_KINDS = ["directoryName", "x400Address", "ediPartyName", "registeredID"] as const;
/** A kind of alternative name that no policy can allow. */
export type ForbiddenKind = (typeof FORBIDDEN_KINDS)[number];

/** The subject alternative names of a request. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly otherNames: readonly OtherName[];
  readonly forbidden: Readonly<Record<ForbiddenKind, number>>;
  /** Why the stricter reader gave up. */
  readonly error?: string;
}

export const NO_NAMES: AlternativeNames = {
  dnsNames: [],
  emailAddresses: [],
  uris: [],
  ipAddresses: [],
  otherNames: [],
  forbidden: { directoryName: 0, x400Address: 0, ediPartyName: 0, registeredID: 0 },
};

/** The names in the value of a SAN extension. */
export function readAlternativeNames(value: Uint8Array): AlternativeNames | Invalid {
  const parts = readParts(firstElement(value));
  if (parts instanceof Invalid) return parts;
  const [list] = parts;
  if (!isUniversal(list, TAG.sequence, true)) return new Invalid("x509: invalid subject alternative names");
  const entries = readParts(list.content);
  if (entries instanceof Invalid) return new Invalid("x509: invalid subject alternative name");
  const listed = listedNames(entries);
  if (listed instanceof Invalid) return listed;
  if (list.raw.length < value.length) {
    return { ...NO_NAMES, ...listed, error: "x509: trailing data after X.509 extension" };
  }
  const other = otherKinds(entries);
  return other instanceof Invalid ? { ...NO_NAMES, ...listed, error: other.message } : { ...listed, ...other };
}

type Listed = Pick<AlternativeNames, "dnsNames" | "emailAddresses" | "uris" | "ipAddresses">;

function listedNames(entries: readonly Part[]): Listed | Invalid {
  const names: { readonly [K in keyof Listed]: string[] } = {
    dnsNames: [],
    emailAddresses: [],
    uris: [],
    ipAddresses: [],
  };
  for (const entry of entries) {
    if (entry.tag >= 31) return new Invalid("x509: invalid subject alternative name");
    if (entry.tagClass !== CONTEXT || entry.constructed) continue;
    const reader = LISTED.get(entry.tag);
    if (reader === undefined) continue;
    const text = reader.read(entry.content);
    if (text instanceof Invalid) return text;
    names[reader.list].push(text);
  }
  return names;
}

interface ListReader {
  readonly list: keyof Listed;
  read(content: Uint8Array): string | Invalid;
}

const LISTED: ReadonlyMap<number, ListReader> = new Map<number, ListReader>([
  [1, { list: "emailAddresses", read: (content) => asciiName(content, "rfc822Name") }],
  [2, { list: "dnsNames", read: (content) => asciiName(content, "dNSName") }],
  [6, { list: "uris", read: uriText }],
  [7, { list: "ipAddresses", read: ipText }],
]);

function asciiName(content: Uint8Array, kind: string): string | Invalid {
  return isAscii(content) ? latin1(content) : new Invalid(`x509: SAN ${kind} is malformed`);
}

/** Parsed and printed again, so that the scheme is in lower case and escapes are as Go writes them. */
function uriText(content: Uint8Array): string | Invalid {
  const text = asciiName(content, "uniformResourceIdentifier");
  if (text instanceof Invalid) return text;
  const url = parseUrl(text);
  if ("reason" in url) return new Invalid(`x509: cannot parse URI ${quoteGo(text)}: ${url.reason}`);
  if (url.host !== "" && !isDomain(url.host)) {
    return new Invalid(`x509: cannot parse URI ${quoteGo(text)}: invalid domain`);
  }
  return url.toString();
}

/** Non-empty labels of visible ASCII. */
function isDomain(host: string): boolean {
  return /^[!-~]+$/.test(host) && host.split(".").every((label) => label !== "");
}

/** An IPv4 address in IPv6 clothing prints as IPv4. */
function ipText(content: Uint8Array): string | Invalid {
  if (content.length !== 4 && content.length !== 16) return badIpLength(content);
  const address = new IpAddress(content);
  return address.isMapped ? new IpAddress(content.subarray(12)).toString() : address.toString();
}

const badIpLength = (content: Uint8Array): Invalid =>
  new Invalid(`x509: cannot parse IP address of length ${content.length}`);

type OtherKinds = Pick<AlternativeNames, "otherNames" | "forbidden">;

/** Reads every entry by its tag number alone, of any class. */
function otherKinds(entries: readonly Part[]): OtherKinds | Invalid {
  const otherNames: OtherName[] = [];
  const forbidden = { ...NO_NAMES.forbidden };
  for (const entry of entries) {
    const problem = checkEntry(entry, otherNames, forbidden);
    if (problem !== undefined) return problem;
  }
  return { otherNames, forbidden };
}

function checkEntry(
  entry: Part,
  otherNames: OtherName[],
  forbidden: Record<ForbiddenKind, number>,
): Invalid | undefined {
  switch (entry.tag) {
    case 0: {
      const name = readOtherName(entry);
      if (name instanceof Invalid) return name;
      otherNames.push(name);
      return undefined;
    }
    case 1:
      return isAscii(entry.content) ? undefined : new Invalid("x509: SAN rfc822Name is malformed");
    case 2:
      return isAscii(entry.content) ? undefined : new Invalid("x509: SAN dNSName is malformed");
    case 3:
      forbidden.x400Address++;
      return undefined;
    case 4: {
      // Implicitly tagged, which is not how a choice is tagged: names as OpenSSL writes them fail here.
      if (!isTagged(entry, true)) return mismatch("a directoryName SAN", "constructed [4]", entry);
      const name = readRdns(entry.content);
      if (name instanceof Invalid) return name;
      forbidden.directoryName++;
      return undefined;
    }
    case 5:
      forbidden.ediPartyName++;
      return checkEdiPartyName(entry);
    case 6:
      return isAscii(entry.content) ? undefined : new Invalid("x509: SAN uniformResourceIdentifier is malformed");
    case 7:
      return entry.content.length === 4 || entry.content.length === 16 ? undefined : badIpLength(entry.content);
    case 8: {
      forbidden.registeredID++;
      if (!isTagged(entry, false)) return mismatch("a registeredID SAN", "primitive [8]", entry);
      const oid = readOid(entry.content);
      return oid instanceof Invalid ? oid : undefined;
    }
    default:
      return new Invalid("asn1: structure error: bad SAN choice");
  }
}

function isTagged(entry: Part, constructed: boolean): boolean {
  return entry.tagClass === CONTEXT && entry.constructed === constructed;
}

/** An optional nameAssigner and a partyName, both printable. */
function checkEdiPartyName(entry: Part): Invalid | undefined {
  if (!isTagged(entry, true)) return mismatch("an ediPartyName SAN", "constructed [5]", entry);
  const isPart = (element: Part | undefined, tag: number): element is Part =>
    element?.tagClass === CONTEXT && element.tag === tag && !element.constructed;
  const inside = readParts(entry.content, 2);
  if (inside instanceof Invalid) return inside;
  const [first, second] = inside;
  const assigner = isPart(first, 0) ? first : undefined;
  const party = assigner === undefined ? first : second;
  if (!isPart(party, 1)) return mismatch("partyName of an ediPartyName SAN", "primitive [1]", party);
  for (const part of assigner === undefined ? [party] : [assigner, party]) {
    const text = attributeText({ ...part, tagClass: UNIVERSAL, tag: TAG.printableString });
    if (text instanceof Invalid) return text;
  }
  return undefined;
}

function readOtherName(entry: Part): OtherName | Invalid {
  if (!isTagged(entry, true)) return mismatch("an otherName SAN", "constructed [0]", entry);
  const parts = readParts(entry.content, 2);
  if (parts instanceof Invalid) return parts;
  const [type, value] = parts;
  if (!isUniversal(type, TAG.oid)) return mismatch("an otherName SAN's type", "OBJECT IDENTIFIER", type);
  const oid = readOid(type.content);
  if (oid instanceof Invalid) return oid;
  if (value?.tagClass !== CONTEXT || value.tag !== 0 || !value.constructed) {
    return mismatch(`value of otherName SAN ${oid}`, "constructed [0]", value);
  }
  // If there is nothing readable inside, the wrapper itself is shown.
  const inner = readParts(firstElement(value.content));
  return { oid, value: otherNameText(inner instanceof Invalid ? value : (inner[0] ?? value)) };
}

const TEXT_TAGS: ReadonlySet<number> = new Set([TAG.utf8String, TAG.printableString, TAG.ia5String, TAG.t61String]);

/** Text types are taken byte for byte, unlike in a Subject; bytes that are no UTF-8 show as U+FFFD. */
function otherNameText(value: Part): string {
  if (value.tagClass === UNIVERSAL && TEXT_TAGS.has(value.tag)) {
    return decodeUtf8(value.content) ?? lossyUtf8(value.content);
  }
  return Array.from(value.raw, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Every byte that is not part of UTF-8 becomes one U+FFFD. */
function lossyUtf8(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const size = [1, 2, 3, 4].find(
      (length) => at + length <= bytes.length && decodeUtf8(bytes.subarray(at, at + length)) !== undefined,
    );
    text += size === undefined ? "\ufffd" : decodeUtf8(bytes.subarray(at, at + size));
    at += size ?? 1;
  }
  return text;
}
