// A file with a certificate signing request, as openssl and cfssl write it, read as the CertificateRequest that would
// contain it.

import { encodeBase64, encodeUtf8 } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";

/** An issuer as a CertificateRequest names it. */
export interface IssuerRef {
  readonly name: string;
  readonly kind?: string;
  readonly group?: string;
}

/** The issuer of a signing request, which does not name one. */
export const UNKNOWN_ISSUER: IssuerRef = { name: "issuer" };

/** `ca`, `ClusterIssuer/ca`, `AWSPCAIssuer.awspca.cert-manager.io/ca`; undefined for any other text. */
export function readIssuer(text: string): IssuerRef | undefined {
  const found = /^(?:([A-Za-z]+)(?:\.([a-z0-9.-]+))?\/)?([a-z0-9.-]+)$/.exec(text);
  if (found === null) return undefined;
  const [, kind, group, name = ""] = found;
  return { name, ...(kind !== undefined && { kind }), ...(group !== undefined && { group }) };
}

const PEM = /^-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----/m;

/** Whether a text is a signing request in PEM. YAML has its requests in base64: only here are the marks on a line of their own. */
export const isSigningRequest = (text: string): boolean =>
  PEM.test(text) && !/^[ \t]*(?:apiVersion|kind)[ \t]*:/m.test(text);

/** The CertificateRequest that carries a signing request: named after the file, for an issuer that the file does not name. */
export function requestAround(
  { file, text }: { readonly file: string; readonly text: string },
  issuer: IssuerRef = UNKNOWN_ISSUER,
): KubeObject {
  const name = file
    .slice(file.lastIndexOf("/") + 1)
    .replace(/\.[^.]*$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "-");
  return {
    apiVersion: "cert-manager.io/v1",
    kind: "CertificateRequest",
    metadata: { name: name.replace(/^[.-]+|[.-]+$/g, "") || "request" },
    spec: { request: encodeBase64(encodeUtf8(text)), issuerRef: issuer },
  };
}
