// A file with a certificate signing request, as openssl and cfssl write it, read as the CertificateRequest that would
// contain it.

import { encodeBase64, encodeUtf8 } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";

/** The issuer of a signing request, which does not name one. */
export const UNKNOWN_ISSUER = "issuer";

const PEM = /^-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----/m;

/** Whether a text is a signing request in PEM. YAML has its requests in base64: only here are the marks on a line of their own. */
export const isSigningRequest = (text: string): boolean =>
  PEM.test(text) && !/^[ \t]*(?:apiVersion|kind)[ \t]*:/m.test(text);

/** The CertificateRequest that carries a signing request: named after the file, without a known issuer. */
export function requestAround({ file, text }: { readonly file: string; readonly text: string }): KubeObject {
  const name = file
    .slice(file.lastIndexOf("/") + 1)
    .replace(/\.[^.]*$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "-");
  return {
    apiVersion: "cert-manager.io/v1",
    kind: "CertificateRequest",
    metadata: { name: name.replace(/^[.-]+|[.-]+$/g, "") || "request" },
    spec: { request: encodeBase64(encodeUtf8(text)), issuerRef: { name: UNKNOWN_ISSUER } },
  };
}
