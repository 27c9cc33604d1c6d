// A certificate in files, as cert-manager and others mount them: read at the start, and again whenever they changed.

import { createPrivateKey, X509Certificate } from "node:crypto";
import type { ServingCertificates } from "@celadon/cluster/webhook";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
  /** The authority; the certificate's own chain without one. */
  readonly ca: string | undefined;
}

/** Mounted Secrets are replaced through links, which no watch of a file sees. */
const POLL_MS = 10_000;

async function readPem(path: string, io: Io): Promise<string> {
  try {
    return new TextDecoder().decode(await io.files.read(path));
  } catch (error) {
    throw new UsageError(`cannot read "${path}": ${(error as Error).message}`);
  }
}

/** The certificate of an authority. */
export async function readAuthority(path: string, io: Io): Promise<string> {
  const pem = await readPem(path, io);
  try {
    new X509Certificate(pem);
    return pem;
  } catch (error) {
    throw new UsageError(`"${path}" is not a certificate in PEM: ${(error as Error).message}`);
  }
}

export async function readCertificateFiles(files: CertificateFiles, io: Io): Promise<ServingCertificates> {
  const read = (path: string): Promise<string> => readPem(path, io);
  const [certificate, key] = [await read(files.certificate), await read(files.key)];
  const caBundle = files.ca === undefined ? certificate : await read(files.ca);
  try {
    if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) return { certificate, key, caBundle };
  } catch (error) {
    throw new UsageError(`"${files.certificate}" and "${files.key}" are not usable: ${(error as Error).message}`);
  }
  throw new UsageError(`"${files.key}" is not the key of "${files.certificate}"`);
}

/**
 * Calls back with new certificates until the signal aborts. Incomplete files are tried again. A new authority is announced before anything
 * signed by it is served, and the old one stays trusted: replicas see new files at different times.
 */
export function watchCertificateFiles(
  files: CertificateFiles,
  first: ServingCertificates,
  io: Io,
  changed: (certificates: ServingCertificates) => void,
): void {
  let served = first;
  let announced: string | undefined;
  const look = async (): Promise<void> => {
    const now = await readCertificateFiles(files, io).catch(() => undefined);
    if (now === undefined || (now.certificate === served.certificate && now.caBundle === served.caBundle)) return;
    const caBundle = joined(now.caBundle, served.caBundle);
    if (now.caBundle !== served.caBundle && announced !== caBundle) {
      announced = caBundle;
      changed({ ...served, caBundle });
      return;
    }
    served = now;
    changed({ ...now, caBundle });
  };
  const timer = setInterval(() => void look(), POLL_MS);
  io.signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/** Each certificate once. */
function joined(...bundles: readonly string[]): string {
  const blocks = bundles.flatMap(
    (pem) => pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [],
  );
  return `${[...new Set(blocks)].join("\n")}\n`;
}
