// The keys and certificates of one server: an authority, the server's certificate, an administrator's, and the key that signs tokens.

import { createPrivateKey, generateKeyPair, generateKeyPairSync, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { issueCertificate, type KeyPair, keyPem } from "@celadon/pki";

/** All PEM. */
export interface Pki {
  readonly caCertificate: string;
  readonly caKey: string;
  readonly serverCertificate: string;
  readonly serverKey: string;
  /** Signs service account tokens. */
  readonly tokenKey: string;
}

/** The certificate and key in the administrator's kubeconfig, as PEM. */
export interface AdminPki {
  readonly adminCertificate: string;
  readonly adminKey: string;
}

const AUTHORITY = { commonName: "celadon-ca" };
/** The subject as OpenSSL writes it. */
export const AUTHORITY_SUBJECT: string = `CN=${AUTHORITY.commonName}`;
const AUTHORITY_DAYS = 3_650;
const LEAF_DAYS = 365;

/** Names under which clients in a cluster know the server. */
const CLUSTER_NAMES = [
  "localhost",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
];

export function createPki(addresses: readonly string[]): Pki {
  const authority = issueCertificate({ subject: AUTHORITY, days: AUTHORITY_DAYS, usage: "authority" });
  const server = serverCertificate(authority.key, addresses);
  return {
    caCertificate: authority.certificate,
    caKey: keyPem(authority.key),
    serverCertificate: server.certificate,
    serverKey: keyPem(server.key),
    tokenKey: keyPem(createTokenKey()),
  };
}

/**
 * The administrator's key is RSA: clients in Java need more libraries for other keys. Another thread makes it, as that takes up to a fifth
 * of a second.
 */
export async function createAdmin(authority: string): Promise<AdminPki> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const { certificate, key } = clientCertificate(authority, "celadon-admin", ["system:masters"], privateKey);
  return { adminCertificate: certificate, adminKey: keyPem(key) };
}

export function createTokenKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

/** A certificate for the addresses the server listens at. */
export function serverCertificate(authority: KeyObject | string, addresses: readonly string[]): KeyPair {
  const names = [...new Set([...CLUSTER_NAMES, "127.0.0.1", "::1", ...addresses])];
  const subject = { commonName: "celadon" };
  return issueCertificate({ subject, days: LEAF_DAYS, usage: "server", names, issuer: issuerOf(authority) });
}

/** A certificate by which a user authenticates; organizations are groups. */
export function clientCertificate(
  authority: KeyObject | string,
  user: string,
  groups: readonly string[],
  key?: KeyObject,
): KeyPair {
  const subject = { commonName: user, organizations: groups };
  const issuer = issuerOf(authority);
  return issueCertificate({ subject, days: LEAF_DAYS, usage: "client", issuer, ...(key && { key }) });
}

function issuerOf(key: KeyObject | string): { subject: typeof AUTHORITY; key: KeyObject } {
  return { subject: AUTHORITY, key: typeof key === "string" ? createPrivateKey(key) : key };
}
