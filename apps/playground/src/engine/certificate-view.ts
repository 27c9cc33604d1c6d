// A certificate signing request as a table.

import { type CertificateRequest, csrOf } from "@celadon/certpolicy";
import type { DecodedCsr, PublicKey } from "@celadon/certpolicy/csr";
import { OID, textsOf } from "@celadon/certpolicy/subject";
import type { KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import type { DecodedRequest } from "../model/answer.ts";

/** The content of a CertificateRequest's request. */
export function decodedRequest(object: KubeObject): DecodedRequest {
  const spec = object.spec as { request?: unknown } | undefined;
  if (typeof spec?.request !== "string") return { problem: "spec.request is missing", rows: [] };
  const csr = csrOf(object as unknown as CertificateRequest);
  return csr instanceof Invalid ? { problem: csr.message, rows: [] } : { rows: rowsOf(csr) };
}

const SUBJECT: Readonly<Record<string, string>> = {
  "Common name": OID.commonName,
  Organization: OID.organization,
  "Organizational unit": OID.organizationalUnit,
  Country: OID.country,
  Province: OID.province,
  Locality: OID.locality,
  "Street address": OID.streetAddress,
  "Postal code": OID.postalCode,
  "Serial number": OID.serialNumber,
};

function rowsOf(csr: DecodedCsr): DecodedRequest["rows"] {
  const { subject, names, publicKey, basicConstraints } = csr;
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ...Object.entries(SUBJECT).map(([name, oid]): [string, readonly string[]] => [name, textsOf(subject, oid)]),
    ["DNS names", names.dnsNames],
    ["IP addresses", names.ipAddresses],
    ["URIs", names.uris],
    ["Email addresses", names.emailAddresses],
    ["Other names", names.otherNames.map(({ oid }) => oid)],
    ["Key", [keyText(publicKey)]],
    ["Key usages", csr.keyUsages],
    ["Extended key usages", csr.extendedKeyUsages],
    ["Certificate authority", basicConstraints?.ca === true ? ["yes"] : []],
  ];
  return rows.flatMap(([name, values]) => (values.length === 0 ? [] : [{ name, values }]));
}

function keyText({ algorithm, oid, size }: PublicKey): string {
  return `${algorithm ?? oid}${size === null || size === -1 ? "" : `, ${size} bits`}`;
}
