// Whether a text has certificates. Blocks are found as Go's encoding/pem finds them; of a certificate only its outermost element is read,
// because the server that trusts it parses it anyway. Upstream: client-go util/cert/pem.go.

import { decodeBase64 } from "@celadon/base";

const BLOCK =
  /^-----BEGIN CERTIFICATE-----[ \t\r]*\n((?:[A-Za-z0-9+/=]+[ \t\r]*\n)*)-----END CERTIFICATE-----[ \t\r]*$/gm;
const NO_CERTIFICATES = "data does not contain any valid RSA or ECDSA certificates";
const SEQUENCE = 0x30;

/** The problem of a text of certificates; undefined when it has only good ones. */
export function certificateProblem(pem: string): string | undefined {
  const blocks = [...pem.matchAll(BLOCK)].flatMap(([, body = ""]) => {
    const bytes = decodeBase64(body.replace(/[ \t\r\n]+/g, ""));
    return typeof bytes === "number" ? [] : [bytes];
  });
  if (blocks.length === 0) return NO_CERTIFICATES;
  return blocks.every(isElement) ? undefined : "x509: malformed certificate";
}

/** One DER sequence and nothing after it. */
function isElement(bytes: Uint8Array): boolean {
  const [tag, first = 0] = bytes;
  if (tag !== SEQUENCE) return false;
  if (first < 0x80) return bytes.length === first + 2;
  const digits = first - 0x80;
  if (digits < 1 || digits > 3) return false;
  const length = bytes.subarray(2, 2 + digits).reduce((sum, byte) => sum * 256 + byte, 0);
  return bytes.length === length + 2 + digits;
}
