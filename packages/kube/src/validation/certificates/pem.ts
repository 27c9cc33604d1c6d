// The PEM form of requests and certificates. Their contents and signatures are not checked.

import { quoteGo } from "@celadon/base";
import { byteText } from "../checks/bytes.ts";
import { isDerSequences, pemBlocks } from "../checks/pem.ts";

/** The problem of a certificate request, in base64 of PEM. */
export function requestProblem(base64: string): string | undefined {
  const [block] = pemBlocks(byteText(base64));
  if (block?.type !== "CERTIFICATE REQUEST") return "PEM block type must be CERTIFICATE REQUEST";
  return isDerSequences(block.bytes) ? undefined : "asn1: syntax error: data truncated";
}

/** The problem of a chain of certificates, in base64 of PEM. An empty chain is valid, too. */
export function certificateProblem(base64: string | undefined): string | undefined {
  if (!base64) return undefined;
  const blocks = pemBlocks(byteText(base64));
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== "CERTIFICATE") return `only CERTIFICATE PEM blocks are allowed, found ${quoteGo(type)}`;
    if (hasHeaders) return "no PEM block headers are permitted";
    if (bytes.length === 0) return "found CERTIFICATE PEM block containing 0 certificates";
    if (!isDerSequences(bytes)) return "x509: malformed certificate";
  }
  return blocks.length > 0 ? undefined : "must contain at least one CERTIFICATE PEM block";
}
