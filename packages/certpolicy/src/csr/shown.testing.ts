// A decoded request in the shape the corpus writes requests in.

import type { DecodedCsr } from "./decode.ts";
import { OID, textsOf } from "./subject.ts";

export function shown({ subject, names, publicKey, ...rest }: DecodedCsr): Record<string, unknown> {
  const texts = (oid: string): readonly string[] => textsOf(subject, oid);
  const forbidden = Object.fromEntries(Object.entries(names.forbidden).filter(([, count]) => count > 0));
  return {
    commonName: texts(OID.commonName).at(-1) ?? "",
    commonNames: texts(OID.commonName),
    dnsNames: names.dnsNames,
    ipAddresses: names.ipAddresses,
    uris: names.uris,
    emailAddresses: names.emailAddresses,
    subject: {
      countries: texts(OID.country),
      localities: texts(OID.locality),
      organizationalUnits: texts(OID.organizationalUnit),
      organizations: texts(OID.organization),
      postalCodes: texts(OID.postalCode),
      provinces: texts(OID.province),
      serialNumber: texts(OID.serialNumber).at(-1) ?? "",
      streetAddresses: texts(OID.streetAddress),
    },
    publicKeyAlgorithm: publicKey.algorithm,
    publicKeySize: publicKey.size,
    rdns: subject,
    ...(names.otherNames.length > 0 ? { otherNames: names.otherNames } : {}),
    ...(Object.keys(forbidden).length > 0 ? { forbiddenSans: forbidden } : {}),
    extensions: rest.extensions.map(({ oid, critical }) => ({ oid, critical })),
    basicConstraints: rest.basicConstraints ?? null,
    keyUsages: rest.keyUsages,
    extKeyUsages: rest.extendedKeyUsages,
  };
}
