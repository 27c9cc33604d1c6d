// A file with a certificate signing request, as openssl and cfssl write it: taken as the CertificateRequest that would carry it.

import { posix } from "node:path";
import { encodeBase64, encodeUtf8 } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { Origin } from "@celadon/simulator";
import type { SourceText } from "./source-text.ts";

/** A signing request does not say who shall sign it. */
export const ISSUER = "issuer";

const PEM = /^-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----/m;

/** YAML has its requests in base64, so that the marks of PEM stand in a line of their own only here. */
export const isSigningRequest = (text: string): boolean => PEM.test(text) && !/^\s*(?:apiVersion|kind)\s*:/m.test(text);

/** Named after the file, in the namespace of the run, for every policy: an issuer is not known. */
export function requestAround({ file, text }: SourceText): KubeObject {
  const name = posix
    .basename(file)
    .replace(/\.[^.]*$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "-");
  return {
    apiVersion: "cert-manager.io/v1",
    kind: "CertificateRequest",
    metadata: { name: name.replace(/^[.-]+|[.-]+$/g, "") || "request" },
    spec: { request: encodeBase64(encodeUtf8(text)), issuerRef: { name: ISSUER } },
  };
}

/** All of it stands at the beginning of the file. */
export function originOfText(source: SourceText): Origin {
  const start = { file: source.file, line: 1, column: 1, offset: 0 };
  return {
    file: source.file,
    positionOf: () => start,
    positionIn: () => start,
    lineText: (line) => source.lineText(line),
  };
}
