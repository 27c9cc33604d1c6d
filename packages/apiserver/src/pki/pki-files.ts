// Keys and certificates in a directory: made once, used from then on. The server's certificate is made anew when it ends soon or does not name an
// address the server listens at.

import { X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { keyPem } from "@celadon/pki";
import { clientCertificate, createPki, type Pki, serverCertificate } from "./authority.ts";

const FILES: Readonly<Record<keyof Pki, string>> = {
  caCertificate: "ca.crt",
  caKey: "ca.key",
  serverCertificate: "server.crt",
  serverKey: "server.key",
  adminCertificate: "admin.crt",
  adminKey: "admin.key",
  tokenKey: "tokens.key",
};

const RENEW_BEFORE = 30 * 86_400_000;

export function openPki(directory: string, addresses: readonly string[]): Pki {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const found = readPki(directory);
  if (found === undefined) return writePki(directory, createPki(addresses));
  const renewed = {
    ...found,
    ...(isGood(found.serverCertificate, addresses) ? {} : renewedServer(found, addresses)),
    ...(isGood(found.adminCertificate, []) ? {} : renewedAdmin(found)),
  };
  return writePki(directory, renewed);
}

function readPki(directory: string): Pki | undefined {
  try {
    const read = (file: string): string => readFileSync(join(directory, file), "utf8");
    return Object.fromEntries(Object.entries(FILES).map(([name, file]) => [name, read(file)])) as unknown as Pki;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function writePki(directory: string, pki: Pki): Pki {
  for (const [name, file] of Object.entries(FILES)) {
    const mode = file.endsWith(".key") ? 0o600 : 0o644;
    writeFileSync(join(directory, file), pki[name as keyof Pki], { mode });
  }
  return pki;
}

function isGood(certificate: string, addresses: readonly string[]): boolean {
  const read = new X509Certificate(certificate);
  if (Date.parse(read.validTo) < Date.now() + RENEW_BEFORE) return false;
  return addresses.every((name) => (isIP(name) === 0 ? read.checkHost(name) : read.checkIP(name)) !== undefined);
}

function renewedServer({ caKey }: Pki, addresses: readonly string[]): Partial<Pki> {
  const { certificate, key } = serverCertificate(caKey, addresses);
  return { serverCertificate: certificate, serverKey: keyPem(key) };
}

function renewedAdmin({ caKey }: Pki): Partial<Pki> {
  const { certificate, key } = clientCertificate(caKey, "celadon-admin", ["system:masters"]);
  return { adminCertificate: certificate, adminKey: keyPem(key) };
}
