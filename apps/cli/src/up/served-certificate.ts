// The certificate that `--cert-dir` asks for where there is none, as kube-apiserver makes it: that of the server, with the authority that
// signed it behind it in the same file, so that the file is also what clients trust.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { issueCertificate, keyPem } from "@celadon/pki";
import { makeDirectory } from "@celadon/storage/directory";
import { unwritable } from "../output/write.ts";

const NAMES = ["localhost", "127.0.0.1", "::1", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
const DAYS = 365;

export function servedCertificate(
  directory: string,
  names: readonly string[],
): { readonly certificate: string; readonly key: string } {
  const subject = { commonName: "celadon-ca" };
  const authority = issueCertificate({ subject, days: DAYS, usage: "authority" });
  const issuer = { subject, key: authority.key };
  const own = { commonName: "kube-apiserver" };
  const server = issueCertificate({ subject: own, days: DAYS, usage: "server", names: [...NAMES, ...names], issuer });
  const certificate = `${server.certificate}${authority.certificate}`;
  const key = keyPem(server.key);
  try {
    makeDirectory(directory);
    writeFileSync(join(directory, "apiserver.crt"), certificate);
    writeFileSync(join(directory, "apiserver.key"), key, { mode: 0o600 });
  } catch (error) {
    throw unwritable(error, directory) ?? error;
  }
  return { certificate, key };
}
