// Keys and certificates in a directory: made once, used from then on. Servers over one etcd share an authority when their directories hold the
// same ca.crt, ca.key and tokens.key; what else is missing is made. The certificates of the server and the administrator are made anew when they end
// soon, do not belong to their key, or do not name an address the server listens at.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { closeSync, fsync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { keyPem } from "@celadon/pki";
import { makeDirectory } from "@celadon/storage/directory";
import {
  type AdminPki,
  AUTHORITY_SUBJECT,
  createAdmin,
  createPki,
  createTokenKey,
  type Pki,
  serverCertificate,
} from "./authority.ts";

type KeptPki = Pki & AdminPki;

/** In the order of writing: nothing counts without the authority's certificate, so that a first start that is killed starts over. */
const FILES: Readonly<Record<keyof KeptPki, string>> = {
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

/** Keys and certificates. The administrator's come once all of them are kept for certain. */
export interface OpenedPki {
  readonly pki: Pki;
  readonly admin: Promise<AdminPki>;
}

export function openPki(directory: string, addresses: readonly string[]): OpenedPki {
  makeDirectory(directory);
  const found = readPki(directory);
  const { caCertificate, caKey } = found;
  if (caCertificate === undefined) {
    const pki = createPki(addresses);
    return { pki, admin: keeping(directory, pki, createAdmin(pki.caKey), found) };
  }
  if (caKey === undefined) throw new PkiError(`${directory} has ca.crt and no ca.key, which belongs to it`);
  if (!isPair(caCertificate, caKey)) throw new PkiError(`ca.crt and ca.key in ${directory} do not belong together`);
  const authority = new X509Certificate(caCertificate);
  if (authority.subject !== AUTHORITY_SUBJECT)
    throw new PkiError(`ca.crt in ${directory} is not an authority of celadon`);
  const pki: Pki = {
    caCertificate,
    caKey,
    tokenKey: found.tokenKey ?? keyPem(createTokenKey()),
    ...(serverOf(found, authority, addresses) ?? newServer(caKey, addresses)),
  };
  return { pki, admin: keeping(directory, pki, adminOf(found, authority) ?? createAdmin(caKey), found) };
}

function readPki(directory: string): Partial<KeptPki> {
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

async function keeping(
  directory: string,
  pki: Pki,
  admin: AdminPki | Promise<AdminPki>,
  before: Partial<KeptPki>,
): Promise<AdminPki> {
  const identity = await admin;
  await writePki(directory, { ...pki, ...identity }, before);
  return identity;
}

/** Files that cannot be replaced. Others are written again if a crash of the machine left them incomplete. */
const FLUSHED: readonly string[] = ["tokenKey", "caKey", "caCertificate"] satisfies (keyof KeptPki)[];

/** Each file is the old one or the new one, even if the process dies meanwhile. The disk takes them all at once. */
async function writePki(directory: string, pki: KeptPki, before: Partial<KeptPki>): Promise<void> {
  const changed = (Object.keys(FILES) as (keyof KeptPki)[]).filter((name) => pki[name] !== before[name]);
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

function isGood(certificate: string, key: string, authority: X509Certificate, addresses: readonly string[]): boolean {
  if (!isPair(certificate, key)) return false;
  const read = new X509Certificate(certificate);
  if (!read.checkIssued(authority) || !read.verify(authority.publicKey)) return false;
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

type ServerPki = Pick<Pki, "serverCertificate" | "serverKey">;

/** The server's certificate and key as they were found; undefined where they do not do. */
function serverOf(
  { serverCertificate, serverKey }: Partial<KeptPki>,
  authority: X509Certificate,
  addresses: readonly string[],
): ServerPki | undefined {
  if (serverCertificate === undefined || serverKey === undefined) return undefined;
  return isGood(serverCertificate, serverKey, authority, addresses) ? { serverCertificate, serverKey } : undefined;
}

/** The administrator's, likewise; keys of earlier versions are not RSA. */
function adminOf({ adminCertificate, adminKey }: Partial<KeptPki>, authority: X509Certificate): AdminPki | undefined {
  if (adminCertificate === undefined || adminKey === undefined) return undefined;
  if (!isGood(adminCertificate, adminKey, authority, [])) return undefined;
  return createPrivateKey(adminKey).asymmetricKeyType === "rsa" ? { adminCertificate, adminKey } : undefined;
}

function newServer(caKey: string, addresses: readonly string[]): ServerPki {
  const { certificate, key } = serverCertificate(caKey, addresses);
  return { serverCertificate: certificate, serverKey: keyPem(key) };
}
