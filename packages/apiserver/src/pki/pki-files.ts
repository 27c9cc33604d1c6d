// Keys and certificates in a directory: made once, used from then on. Servers over one etcd share an authority when their directories hold the
// same ca.crt, ca.key and tokens.key; what else is missing is made. The certificates of the server and the administrator are made anew when they end
// soon, do not belong to their key, or do not name an address the server listens at.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { closeSync, fsync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { keyPem } from "@celadon/pki";
import {
  AUTHORITY_SUBJECT,
  clientCertificate,
  createPki,
  createTokenKey,
  type Pki,
  serverCertificate,
} from "./authority.ts";
import { makeDirectory } from "./make-directory.ts";

/** In the order of writing: nothing counts without the authority's certificate, so that a first start that is killed starts over. */
const FILES: Readonly<Record<keyof Pki, string>> = {
  tokenKey: "tokens.key",
  adminKey: "admin.key",
  adminCertificate: "admin.crt",
  serverKey: "server.key",
  serverCertificate: "server.crt",
  caKey: "ca.key",
  caCertificate: "ca.crt",
};

const RENEW_BEFORE = 30 * 86_400_000;

/** Files that cannot be used. */
export class PkiError extends Error {
  override readonly name = "PkiError";
}

/** Keys and certificates, and when those that were made are kept for certain. */
export interface OpenedPki {
  readonly pki: Pki;
  readonly kept: Promise<void>;
}

export function openPki(directory: string, addresses: readonly string[]): OpenedPki {
  makeDirectory(directory);
  const found = readPki(directory);
  const { caCertificate, caKey } = found;
  if (caCertificate === undefined) return keeping(directory, createPki(addresses), found);
  if (caKey === undefined) throw new PkiError(`${directory} has ca.crt and no ca.key, which belongs to it`);
  if (!isPair(caCertificate, caKey)) throw new PkiError(`ca.crt and ca.key in ${directory} do not belong together`);
  const authority = new X509Certificate(caCertificate);
  if (authority.subject !== AUTHORITY_SUBJECT)
    throw new PkiError(`ca.crt in ${directory} is not an authority of celadon`);
  const complete = {
    tokenKey: keyPem(createTokenKey()),
    ...found,
    ...(isGood(found.serverCertificate, found.serverKey, authority, addresses) ? {} : newServer(caKey, addresses)),
    ...(isGood(found.adminCertificate, found.adminKey, authority, []) ? {} : newAdmin(caKey)),
  } as Pki;
  return keeping(directory, complete, found);
}

function readPki(directory: string): Partial<Pki> {
  const entries = Object.entries(FILES).map(([name, file]) => [name, readIfThere(join(directory, file))]);
  return Object.fromEntries(entries.filter(([, text]) => text !== undefined));
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function keeping(directory: string, pki: Pki, before: Partial<Pki>): OpenedPki {
  return { pki, kept: writePki(directory, pki, before) };
}

/** Files that cannot be replaced. Others are written again if a crash of the machine left them incomplete. */
const FLUSHED: readonly string[] = ["tokenKey", "caKey", "caCertificate"] satisfies (keyof Pki)[];

/** Each file is the old one or the new one, whatever happens to the process meanwhile. The disk takes them all at once. */
async function writePki(directory: string, pki: Pki, before: Partial<Pki>): Promise<void> {
  const changed = (Object.keys(FILES) as (keyof Pki)[]).filter((name) => pki[name] !== before[name]);
  const paths = changed.map((name) => join(directory, FILES[name]));
  try {
    await Promise.all(
      paths.map(async (path, at) => writeBeside(path, pki[changed[at]!], FLUSHED.includes(changed[at]!))),
    );
    for (const path of paths) renameSync(`${path}.new`, path);
  } catch (error) {
    for (const path of paths) rmSync(`${path}.new`, { force: true });
    throw error;
  }
}

function writeBeside(path: string, text: string, flushed: boolean): Promise<void> {
  const file = openSync(`${path}.new`, "w", path.endsWith(".key") ? 0o600 : 0o644);
  try {
    writeFileSync(file, text); // to the last byte, or with an error
  } catch (error) {
    closeSync(file);
    throw error;
  }
  if (!flushed) {
    closeSync(file);
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    fsync(file, (error) => {
      closeSync(file);
      if (error === null) resolve();
      else reject(error);
    });
  });
}

function isGood(
  certificate: string | undefined,
  key: string | undefined,
  authority: X509Certificate,
  addresses: readonly string[],
): boolean {
  if (certificate === undefined || key === undefined || !isPair(certificate, key)) return false;
  const read = new X509Certificate(certificate);
  if (!read.verify(authority.publicKey)) return false;
  if (Date.parse(read.validTo) < Date.now() + RENEW_BEFORE) return false;
  return addresses.every((name) => (isIP(name) === 0 ? read.checkHost(name) : read.checkIP(name)) !== undefined);
}

function isPair(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function newServer(caKey: string, addresses: readonly string[]): Partial<Pki> {
  const { certificate, key } = serverCertificate(caKey, addresses);
  return { serverCertificate: certificate, serverKey: keyPem(key) };
}

function newAdmin(caKey: string): Partial<Pki> {
  const { certificate, key } = clientCertificate(caKey, "celadon-admin", ["system:masters"]);
  return { adminCertificate: certificate, adminKey: keyPem(key) };
}
