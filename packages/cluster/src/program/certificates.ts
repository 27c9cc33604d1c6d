// The webhook's own certificates: an authority and a leaf in a Secret that all replicas share. The leader makes them and makes new ones in
// time. A new authority is in the bundle of the API server before any certificate signed by it is served, and the old one stays in it until
// no certificate signed by it can still be in use. So every new connection is trusted at any moment. Replicas serve the certificate of the
// Secret. A clock that is wrong makes certificates too early or too late, and never one that is not yet valid elsewhere.

import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { type Api, ApiError } from "@celadon/client";
import type { GroupVersionResource, KubeObject } from "@celadon/kube";
import { issueCertificate, keyPem } from "@celadon/pki";

export const SECRETS: GroupVersionResource = { group: "", version: "v1", resource: "secrets" };

/** All PEM. */
export interface ServingCertificates {
  readonly certificate: string;
  readonly key: string;
  /** Authorities whose certificates may be in use: the current one and the previous one. */
  readonly caBundle: string;
}

export interface CertificateSettings {
  readonly namespace: string;
  readonly secret: string;
  /** Names the API server calls this webhook by. */
  readonly names: readonly string[];
  readonly authorityDays?: number;
  readonly leafDays?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const AUTHORITY = { commonName: "celadon-webhook-ca" };
const DAY = 86_400_000;
/** A certificate is replaced when a third of its life is left. */
const EARLY = 1 / 3;
const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 90;
/** The age of an authority before it signs served certificates: it is dated an hour back, and bundles are written within minutes. */
const TRUSTED_MS = 3_600_000 + 600_000;

/** Reads the certificates in the Secret; undefined when it has nothing that can be served. */
export function readCertificates(secret: KubeObject | undefined): ServingCertificates | undefined {
  const texts = textsOf(secret);
  const { "tls.crt": certificate, "tls.key": key, "ca.crt": ca } = texts;
  if (certificate === undefined || key === undefined || ca === undefined) return undefined;
  try {
    if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) return undefined;
  } catch {
    return undefined;
  }
  return { certificate, key, caBundle: ca + (texts["old-ca.crt"] ?? "") };
}

/** Whether a client that trusts the bundle would accept the certificate now. */
export function isServable({ certificate, caBundle }: ServingCertificates, at: number): boolean {
  const leaf = certificatesOf(certificate)[0];
  return leaf !== undefined && !isOver(leaf, at) && certificatesOf(caBundle).some((ca) => isSignedBy(leaf, ca));
}

/**
 * Makes missing or soon ending certificates, and writes them. Only for the replica that leads. A `served` certificate is served further if
 * the Secret has lost it.
 */
export async function ensureCertificates(
  api: Api,
  settings: CertificateSettings,
  served?: ServingCertificates,
): Promise<ServingCertificates> {
  const { namespace, secret: name } = settings;
  const secret = await api.find(SECRETS, { namespace, name });
  const next = renewed(textsOf(secret), settings, served);
  if (next === undefined) return readCertificates(secret)!;
  const object: KubeObject = {
    apiVersion: "v1",
    kind: "Secret",
    type: "kubernetes.io/tls",
    ...(secret ?? {}),
    metadata: { ...secret?.metadata, name, namespace },
    data: Object.fromEntries(Object.entries(next).map(([key, text]) => [key, Buffer.from(text).toString("base64")])),
  };
  try {
    const written =
      secret === undefined
        ? await api.create(SECRETS, object, { namespace })
        : await api.update(SECRETS, { namespace, name }, object);
    return readCertificates(written)!;
  } catch (error) {
    // Another replica was faster; its certificate is served.
    if (!(error instanceof ApiError) || error.code !== 409) throw error;
    const current = readCertificates(await api.find(SECRETS, { namespace, name }));
    if (current === undefined) throw error;
    return current;
  }
}

type Texts = Readonly<Partial<Record<string, string>>>;

/** The new content of the Secret; undefined when it is good as it is. */
export function renewed(
  texts: Texts,
  settings: CertificateSettings,
  served?: ServingCertificates,
): Readonly<Record<string, string>> | undefined {
  const { names, authorityDays = AUTHORITY_DAYS, leafDays = LEAF_DAYS, now = Date.now } = settings;
  const at = now();
  const early = leafDays * DAY * EARLY;
  const authority = authorityOf(texts, authorityDays, at);
  const old = texts["old-ca.crt"] ?? "";
  const leaf = leafOf(texts["tls.crt"], texts["tls.key"]);
  if (authority !== undefined) {
    const trusted = isYoung(authority.parsed, at) ? [authority.parsed, ...certificatesOf(old)] : [authority.parsed];
    if (leaf !== undefined && isGood(leaf, trusted, names, at + early)) return undefined;
    return secretOf(authority, issued(settings, authority, at), stillValid(old, at, leaf));
  }
  const made = newAuthority(authorityDays, at);
  // The served certificate is signed by an authority that is leaving; it is served on until the new one is trusted everywhere.
  const known = `${texts["ca.crt"] ?? ""}\n${old}\n${served?.caBundle ?? ""}`;
  const kept = [leaf, leafOf(served?.certificate, served?.key)].find(
    (item) => item !== undefined && isGood(item, certificatesOf(known), names, at),
  );
  return secretOf(made, kept ?? issued(settings, made, at), stillValid(known, at, kept));
}

interface Authority {
  readonly certificate: string;
  readonly key: KeyObject;
  readonly parsed: X509Certificate;
}

interface Leaf {
  readonly certificate: string;
  readonly key: string;
}

function secretOf(authority: Authority, leaf: Leaf, old: string): Readonly<Record<string, string>> {
  return {
    "ca.crt": authority.certificate,
    "ca.key": keyPem(authority.key),
    "tls.crt": leaf.certificate,
    "tls.key": leaf.key,
    ...(old !== "" && { "old-ca.crt": old }),
  };
}

/** Valid from the start of its authority: a clock that was ahead when it was made must not matter to clients with right clocks. */
function issued({ names, leafDays = LEAF_DAYS }: CertificateSettings, issuer: Authority, at: number): Leaf {
  const { certificate, key } = issueCertificate({
    subject: { commonName: names[0] ?? "celadon-webhook" },
    days: leafDays,
    usage: "server",
    names,
    issuer: { subject: AUTHORITY, key: issuer.key },
    now: at,
    from: Math.min(Date.parse(issuer.parsed.validFrom), at),
  });
  return { certificate, key: keyPem(key) };
}

function newAuthority(days: number, now: number): Authority {
  const { certificate, key } = issueCertificate({ subject: AUTHORITY, days, usage: "authority", now });
  return { certificate, key, parsed: new X509Certificate(certificate) };
}

/** Undefined for a certificate that cannot be used or expires soon. */
function authorityOf({ "ca.crt": certificate, "ca.key": pem }: Texts, days: number, at: number): Authority | undefined {
  const parsed = certificatesOf(certificate)[0];
  const key = keyOf(pem);
  if (certificate === undefined || parsed === undefined || key === undefined || !parsed.checkPrivateKey(key))
    return undefined;
  const isDue = isOver(parsed, at + days * DAY * EARLY) || at < Date.parse(parsed.validFrom);
  return isDue ? undefined : { certificate, key, parsed };
}

function leafOf(certificate: string | undefined, key: string | undefined): Leaf | undefined {
  const parsed = certificatesOf(certificate)[0];
  const own = keyOf(key);
  if (certificate === undefined || key === undefined || parsed === undefined || own === undefined) return undefined;
  return parsed.checkPrivateKey(own) ? { certificate, key } : undefined;
}

function isGood(leaf: Leaf, trusted: readonly X509Certificate[], names: readonly string[], at: number): boolean {
  const parsed = certificatesOf(leaf.certificate)[0]!;
  return (
    !isOver(parsed, at) &&
    trusted.some((ca) => isSignedBy(parsed, ca)) &&
    names.every((name) => (isIP(name) === 0 ? parsed.checkHost(name) : parsed.checkIP(name)) !== undefined)
  );
}

function isSignedBy(leaf: X509Certificate, ca: X509Certificate): boolean {
  return leaf.checkIssued(ca) && leaf.verify(ca.publicKey);
}

function isOver(certificate: X509Certificate, at: number): boolean {
  return at > Date.parse(certificate.validTo);
}

function isYoung(authority: X509Certificate, at: number): boolean {
  return at - Date.parse(authority.validFrom) < TRUSTED_MS;
}

/** Past authorities that may still be needed: the issuer of the served certificate, and those of the last changes. */
function stillValid(pem: string, at: number, served?: Leaf): string {
  const valid = certificatesOf(pem).filter((certificate) => !isOver(certificate, at));
  const leaf = certificatesOf(served?.certificate)[0];
  const signed = leaf === undefined ? [] : valid.filter((authority) => isSignedBy(leaf, authority));
  return [...new Set([...signed, ...valid].map(String))].slice(0, 2).join("");
}

function certificatesOf(pem = ""): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

function keyOf(pem: string | undefined): KeyObject | undefined {
  try {
    return pem === undefined ? undefined : createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** When to look again. */
export const CHECK_MS: number = DAY / 24;

function textsOf(secret: KubeObject | undefined): Texts {
  const data = (secret?.data ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) =>
      typeof value === "string" && value !== "" ? [[key, Buffer.from(value, "base64").toString("utf8")]] : [],
    ),
  );
}
