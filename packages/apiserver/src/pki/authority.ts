// The keys and certificates of one server: an authority, the server's certificate, an administrator's, and the key that signs tokens.

import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { issueCertificate, type KeyPair, keyPem } from "@celadon/pki";

/** All PEM. */
export interface Pki {
  readonly caCertificate: string;
  readonly caKey: string;
  readonly serverCertificate: string;
  readonly serverKey: string;
  readonly adminCertificate: string;
  readonly adminKey: string;
  /** Signs service account tokens. */
  readonly tokenKey: string;
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
  const admin = clientCertificate(authority.key, "celadon-admin", ["system:masters"]);
  return {
    caCertificate: authority.certificate,
    caKey: keyPem(authority.key),
    serverCertificate: server.certificate,
    serverKey: keyPem(server.key),
    adminCertificate: admin.certificate,
    adminKey: keyPem(admin.key),
    tokenKey: keyPem(createTokenKey()),
  };
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
export function clientCertificate(authority: KeyObject | string, user: string, groups: readonly string[]): KeyPair {
  const subject = { commonName: user, organizations: groups };
  return issueCertificate({ subject, days: LEAF_DAYS, usage: "client", issuer: issuerOf(authority) });
}

function issuerOf(key: KeyObject | string): { subject: typeof AUTHORITY; key: KeyObject } {
  return { subject: AUTHORITY, key: typeof key === "string" ? createPrivateKey(key) : key };
}
