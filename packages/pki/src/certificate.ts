// X.509 certificates for a server of one's own: an authority, and the certificates it signs. Keys are on the curve P-256 unless others are
// given.

import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";
import { bits, bool, der, integer, octets, oid, sequence, set, tagged, time, utf8 } from "./der.ts";

/** A certificate and its key. */
export interface KeyPair {
  readonly key: KeyObject;
  /** PEM. */
  readonly certificate: string;
}

/** The subject of a certificate. */
export interface Subject {
  readonly commonName: string;
  /** In a client certificate: the groups of the user. */
  readonly organizations?: readonly string[];
}

/** The contents of a certificate, and its issuer. */
export interface CertificateOptions {
  readonly subject: Subject;
  readonly days: number;
  readonly usage: "authority" | "server" | "client";
  /** The private key; a new one when absent. */
  readonly key?: KeyObject;
  /** Host names and IP addresses. */
  readonly names?: readonly string[];
  /** The issuer; the certificate signs itself when absent. */
  readonly issuer?: Issuer;
  readonly now?: number;
  /** Milliseconds since 1970 from when it is valid; an hour before now when absent. */
  readonly from?: number;
}

/** The issuer: a certificate and its key. */
export interface Issuer {
  readonly subject: Subject;
  readonly key: KeyObject;
}

const ECDSA_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));
const DAY = 86_400_000;
/** Clocks differ. */
const BACKDATED = 3_600_000;

/** Makes a key and a certificate for it, signed by the issuer or by itself. */
export function issueCertificate(options: CertificateOptions): KeyPair {
  const key = options.key ?? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const now = options.now ?? Date.now();
  const issuer = options.issuer ?? { subject: options.subject, key };
  const publicKey = publicKeyOf(key);
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_SHA256,
    nameOf(issuer.subject),
    sequence(time(new Date(options.from ?? now - BACKDATED)), time(new Date(now + options.days * DAY))),
    nameOf(options.subject),
    publicKey,
    tagged(3, sequence(...extensions(options, publicKey, publicKeyOf(issuer.key)))),
  );
  const signature = sign("sha256", body, issuer.key);
  return { key, certificate: pem("CERTIFICATE", sequence(body, ECDSA_SHA256, bits(signature))) };
}

function publicKeyOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: "spki", format: "der" });
}

function nameOf({ commonName, organizations = [] }: Subject): Buffer {
  const part = (type: string, text: string): Buffer => set(sequence(oid(type), utf8(text)));
  return sequence(...organizations.map((name) => part("2.5.4.10", name)), part("2.5.4.3", commonName));
}

function extensions({ usage, names = [] }: CertificateOptions, own: Buffer, issuer: Buffer): Buffer[] {
  const isAuthority = usage === "authority";
  const purpose = usage === "server" ? "1.3.6.1.5.5.7.3.1" : "1.3.6.1.5.5.7.3.2";
  const list = [
    extension("2.5.29.15", true, keyUsage(isAuthority)),
    extension("2.5.29.19", true, isAuthority ? sequence(bool(true)) : sequence()),
    extension("2.5.29.14", false, octets(keyId(own))),
    extension("2.5.29.35", false, sequence(der(0x80, keyId(issuer)))),
  ];
  if (!isAuthority) list.push(extension("2.5.29.37", false, sequence(oid(purpose))));
  if (names.length > 0) list.push(extension("2.5.29.17", false, sequence(...names.map(alternativeName))));
  return list;
}

function extension(id: string, critical: boolean, value: Uint8Array): Buffer {
  return critical ? sequence(oid(id), bool(true), octets(value)) : sequence(oid(id), octets(value));
}

/** Signing certificates and revocations, or signing what TLS signs. */
function keyUsage(isAuthority: boolean): Buffer {
  return isAuthority ? bits(Buffer.from([0xa6]), 1) : bits(Buffer.from([0xa0]), 5);
}

/** The hash of an elliptic key itself, and of the end of others. Authorities that were kept name themselves by it. */
function keyId(spki: Buffer): Buffer {
  return createHash("sha1")
    .update(spki.subarray(spki.length - 65))
    .digest();
}

function alternativeName(name: string): Buffer {
  const address = isIPv4(name) ? Buffer.from(name.split(".").map(Number)) : ipv6Bytes(name);
  return address === undefined ? der(0x82, Buffer.from(name)) : der(0x87, address);
}

/** Undefined when it is none. The expression of Node's isIPv6 takes longer to compile than all certificates of a server to make. */
function ipv6Bytes(text: string): Buffer | undefined {
  const [left = [], right, ...more] = text.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - left.length - (right?.length ?? 0);
  if (more.length > 0 || (right === undefined ? missing !== 0 : missing < 1)) return undefined;
  const groups = [...left, ...Array.from({ length: missing }, () => "0"), ...(right ?? [])];
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]));
}

function pem(label: string, content: Uint8Array): string {
  const lines =
    Buffer.from(content)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/** A private key as PEM. RSA keys have the older form, which every client reads. */
export function keyPem(key: KeyObject): string {
  const type = key.asymmetricKeyType === "rsa" ? "pkcs1" : "pkcs8";
  return key.export({ type, format: "pem" }) as string;
}
