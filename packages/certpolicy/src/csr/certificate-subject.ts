// The subject of an X.509 certificate as Go reads it: another reader could take another name or group from the same certificate than the one
// that was checked when it was signed.

import { Invalid } from "@celadon/kube/errors";
import { CONTEXT, isUniversal, mismatch, readParts, TAG } from "./der.ts";
import { readName, type SubjectAttribute } from "./subject.ts";

/** The subject of a certificate in DER. */
export function certificateSubject(der: Uint8Array): readonly SubjectAttribute[] | Invalid {
  const outer = readParts(der);
  if (outer instanceof Invalid) return outer;
  const [certificate] = outer;
  if (outer.length !== 1 || !isUniversal(certificate, TAG.sequence, true)) {
    return mismatch("the certificate", "SEQUENCE", certificate);
  }
  const parts = readParts(certificate.content, 1);
  if (parts instanceof Invalid) return parts;
  const [signed] = parts;
  if (!isUniversal(signed, TAG.sequence, true)) return mismatch("the signed part", "SEQUENCE", signed);
  // version, serial number, algorithm, issuer, validity, subject
  const fields = readParts(signed.content, 6);
  if (fields instanceof Invalid) return fields;
  const hasVersion = fields[0]?.tagClass === CONTEXT;
  const subject = readName(fields[hasVersion ? 5 : 4]);
  if (subject instanceof Invalid) return subject;
  const odd = subject.find(({ value }) => value === null);
  return odd === undefined ? subject : new Invalid(`x509: invalid RDNSequence: attribute ${odd.oid} is no text`);
}
