// The webhook's own certificates: an authority and a leaf in a Secret that all replicas share. The leader makes them and makes new ones
// in time; an old authority stays in the bundle until nothing signed by it can still be in use. Replicas serve whatever the Secret has.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { type Api, ApiError } from "@celadon/client";
import type { GroupVersionResource, KubeObject } from "@celadon/kube";
import { issueCertificate, keyPem } from "@celadon/pki";

export const SECRETS: GroupVersionResource = { group: "", version: "v1", resource: "secrets" };

/** All PEM. */
export interface ServingCertificates {
  readonly certificate: string;
  readonly key: string;
  /** Those whose leaves may be in use: the authority at hand, and the one before it. */
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

/** What the Secret has; undefined when it has nothing that can be served. */
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

/** Makes what is missing or ends soon, and writes it. Only for the replica that leads. */
export async function ensureCertificates(api: Api, settings: CertificateSettings): Promise<ServingCertificates> {
  const { namespace, secret: name } = settings;
  const secret = await api.find(SECRETS, { namespace, name });
  const next = renewed(textsOf(secret), settings);
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
    // Another replica was faster; what it made serves.
    if (!(error instanceof ApiError) || error.code !== 409) throw error;
    const current = readCertificates(await api.find(SECRETS, { namespace, name }));
    if (current === undefined) throw error;
    return current;
  }
}

type Texts = Readonly<Partial<Record<string, string>>>;

/** The new content of the Secret; undefined when it is good as it is. */
export function renewed(texts: Texts, settings: CertificateSettings): Readonly<Record<string, string>> | undefined {
  const { names, authorityDays = 3650, leafDays = 90, now = Date.now } = settings;
  const at = now();
  const authority = validAuthority(texts, at);
  const leaf = texts["tls.crt"];
  if (
    authority !== undefined &&
    leaf !== undefined &&
    isGoodLeaf(leaf, texts["tls.key"], authority.certificate, names, at)
  )
    return undefined;
  const issuer = authority ?? newAuthority(authorityDays, at);
  const made = issueCertificate({
    subject: { commonName: names[0] ?? "celadon-webhook" },
    days: leafDays,
    usage: "server",
    names,
    issuer: { subject: AUTHORITY, key: issuer.key },
    now: at,
  });
  const old = authority === undefined ? texts["ca.crt"] : texts["old-ca.crt"];
  return {
    "ca.crt": issuer.certificate,
    "ca.key": keyPem(issuer.key),
    "tls.crt": made.certificate,
    "tls.key": keyPem(made.key),
    // API servers may trust the old one for a moment longer than this serves the new leaf, and the other way round.
    ...(old !== undefined &&
      isReadable(old) &&
      Date.parse(new X509Certificate(old).validTo) > at && { "old-ca.crt": old }),
  };
}

function newAuthority(days: number, now: number): ReturnType<typeof issueCertificate> {
  return issueCertificate({ subject: AUTHORITY, days, usage: "authority", now });
}

function validAuthority(
  texts: Texts,
  at: number,
): { readonly certificate: string; readonly key: ReturnType<typeof createPrivateKey> } | undefined {
  const { "ca.crt": certificate, "ca.key": pem } = texts;
  if (certificate === undefined || pem === undefined || !isReadable(certificate)) return undefined;
  try {
    const [parsed, key] = [new X509Certificate(certificate), createPrivateKey(pem)];
    return parsed.checkPrivateKey(key) && !isDue(parsed, at) ? { certificate, key } : undefined;
  } catch {
    return undefined;
  }
}

function isGoodLeaf(
  certificate: string,
  key: string | undefined,
  ca: string,
  names: readonly string[],
  at: number,
): boolean {
  if (key === undefined || !isReadable(certificate)) return false;
  try {
    const leaf = new X509Certificate(certificate);
    return (
      !isDue(leaf, at) &&
      leaf.verify(new X509Certificate(ca).publicKey) &&
      leaf.checkPrivateKey(createPrivateKey(key)) &&
      names.every((name) => leaf.checkHost(name) !== undefined || leaf.checkIP(name) !== undefined)
    );
  } catch {
    return false;
  }
}

function isDue(certificate: X509Certificate, at: number): boolean {
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  return at < from || at > to - (to - from) * EARLY;
}

/** When to look again. */
export const CHECK_MS: number = DAY / 24;

function isReadable(certificate: string): boolean {
  try {
    new X509Certificate(certificate);
    return true;
  } catch {
    return false;
  }
}

function textsOf(secret: KubeObject | undefined): Texts {
  const data = (secret?.data ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) =>
      typeof value === "string" && value !== "" ? [[key, Buffer.from(value, "base64").toString("utf8")]] : [],
    ),
  );
}
