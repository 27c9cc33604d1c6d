// The CertificateRequest that cert-manager would create for a Certificate, so that policies can be evaluated in
// advance. Its key is a throwaway one with the algorithm and size of the Certificate.

import { encodeBase64, encodeUtf8 } from "@celadon/base";
import { ParseFailure, parseIpAddress } from "@celadon/cel/net";
import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { EXTENDED_KEY_USAGES, KEY_USAGES } from "../csr/extensions.ts";
import { OID } from "../csr/subject.ts";
import {
  type Bytes,
  csr,
  der,
  ED25519,
  ecKey,
  extension,
  name,
  oid,
  pem,
  rsaKey,
  SEQUENCE,
  SET,
  UTF8,
} from "../csr/write.ts";
import type { CertificateRequest } from "../resource.ts";
import { parseLiteralSubject } from "./literal-subject.ts";

type Optional<T> = T | null | undefined;
type Texts = Optional<readonly string[]>;

/** The fields of a cert-manager.io/v1 Certificate that policies can use. */
export interface CertificateSpec {
  readonly commonName?: Optional<string>;
  readonly literalSubject?: Optional<string>;
  readonly subject?: Optional<{
    readonly organizations?: Texts;
    readonly countries?: Texts;
    readonly organizationalUnits?: Texts;
    readonly localities?: Texts;
    readonly provinces?: Texts;
    readonly streetAddresses?: Texts;
    readonly postalCodes?: Texts;
    readonly serialNumber?: Optional<string>;
  }>;
  readonly dnsNames?: Texts;
  readonly emailAddresses?: Texts;
  readonly ipAddresses?: Texts;
  readonly uris?: Texts;
  readonly otherNames?: Optional<readonly { readonly oid?: string; readonly utf8Value?: string }[]>;
  readonly duration?: Optional<string>;
  readonly isCA?: Optional<boolean>;
  readonly usages?: Texts;
  readonly encodeUsagesInRequest?: Optional<boolean>;
  readonly privateKey?: Optional<{ readonly algorithm?: Optional<string>; readonly size?: Optional<number> }>;
  readonly issuerRef?: CertificateRequest["spec"]["issuerRef"];
}

/** The author of the request: the controller, not the author of the Certificate. */
export const CERTIFICATE_CONTROLLER = {
  username: "system:serviceaccount:cert-manager:cert-manager",
  groups: ["system:serviceaccounts", "system:serviceaccounts:cert-manager", "system:authenticated"],
} as const;

/** Invalid when cert-manager could make no request of it. */
export function requestOfCertificate(certificate: KubeObject): CertificateRequest | Invalid {
  const spec = (certificate.spec ?? {}) as CertificateSpec;
  const subject = subjectOf(spec);
  const key = keyOf(spec);
  const names = alternativeNames(spec);
  for (const part of [subject, key, names]) if (part instanceof Invalid) return part;
  const extensions = [...(names as readonly Bytes[]), ...usageExtensions(spec)];
  const request = encodeBase64(encodeUtf8(pem(csr({ subject: subject as Bytes, key: key as Bytes, extensions }))));
  const { duration, isCA, usages, issuerRef } = spec;
  return {
    apiVersion: "cert-manager.io/v1",
    kind: "CertificateRequest",
    metadata: {
      name: `${nameOf(certificate)}-1`,
      namespace: namespaceOf(certificate),
      annotations: { "cert-manager.io/certificate-name": nameOf(certificate) },
    },
    spec: {
      request,
      ...(issuerRef && { issuerRef }),
      ...(duration && { duration }),
      ...(isCA && { isCA }),
      ...(usages && { usages }),
      username: CERTIFICATE_CONTROLLER.username,
      groups: CERTIFICATE_CONTROLLER.groups,
    },
  };
}

function subjectOf({ commonName, literalSubject, subject }: CertificateSpec): Bytes | Invalid {
  if (literalSubject) {
    const sets = parseLiteralSubject(literalSubject);
    if (sets instanceof Invalid) return sets;
    const attribute = ([type, value]: readonly [string, string]): Bytes => der(SEQUENCE, oid(type), der(UTF8, value));
    return der(SEQUENCE, ...sets.map((set) => der(SET, ...set.map(attribute))));
  }
  // The order in which Go's pkix.Name writes them.
  const lists: readonly (readonly [string, Texts])[] = [
    [OID.country, subject?.countries],
    [OID.organization, subject?.organizations],
    [OID.organizationalUnit, subject?.organizationalUnits],
    [OID.locality, subject?.localities],
    [OID.province, subject?.provinces],
    [OID.streetAddress, subject?.streetAddresses],
    [OID.postalCode, subject?.postalCodes],
    [OID.commonName, commonName ? [commonName] : []],
    [OID.serialNumber, subject?.serialNumber ? [subject.serialNumber] : []],
  ];
  return name(...lists.flatMap(([type, values]) => (values ?? []).map((value): [string, string] => [type, value])));
}

function keyOf({ privateKey }: CertificateSpec): Bytes | Invalid {
  const algorithm = privateKey?.algorithm || "RSA";
  const size = privateKey?.size || undefined;
  switch (algorithm) {
    case "RSA": {
      const bits = size ?? 2048;
      if (bits < 2048 || bits > 8192 || bits % 8 !== 0)
        return new Invalid(`spec.privateKey.size ${bits} is not between 2048 and 8192 bits`);
      return rsaKey(bits);
    }
    case "ECDSA":
      return ecKey(size ?? 256) ?? new Invalid(`spec.privateKey.size ${size} is not 256, 384 or 521`);
    case "Ed25519":
      return ED25519;
    default:
      return new Invalid(`spec.privateKey.algorithm "${algorithm}" is not RSA, ECDSA or Ed25519`);
  }
}

function alternativeNames(spec: CertificateSpec): readonly Bytes[] | Invalid {
  const addresses: Bytes[] = [];
  for (const text of spec.ipAddresses ?? []) {
    const address = parseIpAddress(text);
    if (address instanceof ParseFailure) return new Invalid(`spec.ipAddresses: "${text}" is no IP address`);
    addresses.push(der(0x87, [...address.bytes]));
  }
  const names = [
    ...(spec.dnsNames ?? []).map((text) => der(0x82, text)),
    ...(spec.emailAddresses ?? []).map((text) => der(0x81, text)),
    ...addresses,
    ...(spec.uris ?? []).map((text) => der(0x86, text)),
    ...(spec.otherNames ?? []).map((other) =>
      der(0xa0, oid(other.oid ?? ""), der(0xa0, der(UTF8, other.utf8Value ?? ""))),
    ),
  ];
  return names.length === 0 ? [] : [extension("2.5.29.17", der(SEQUENCE, ...names), isEmptySubject(spec))];
}

function isEmptySubject({ commonName, literalSubject, subject }: CertificateSpec): boolean {
  return !commonName && !literalSubject && !subject;
}

function usageExtensions({ usages, isCA, encodeUsagesInRequest }: CertificateSpec): readonly Bytes[] {
  if (encodeUsagesInRequest === false) return [];
  const asked = usages && usages.length > 0 ? usages : ["digital signature", "key encipherment"];
  const named = new Set([...asked.map((usage) => SAME[usage] ?? usage), ...(isCA ? ["cert sign"] : [])]);
  const bits = KEY_USAGES.flatMap((usage, i) => (named.has(usage) ? [i] : []));
  const extended = [...EXTENDED_KEY_USAGES].flatMap(([type, usage]) => (named.has(usage) ? [oid(type)] : []));
  return [
    ...(bits.length > 0 ? [extension("2.5.29.15", bitString(bits), true)] : []),
    ...(extended.length > 0 ? [extension("2.5.29.37", der(SEQUENCE, ...extended))] : []),
  ];
}

/** Two names of one usage. */
const SAME: Readonly<Record<string, string>> = { signing: "digital signature", "s/mime": "email protection" };

function bitString(bits: readonly number[]): Bytes {
  const last = Math.max(...bits);
  const bytes = new Array<number>((last >> 3) + 1).fill(0);
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7);
  return der(3, [7 - (last & 7)], bytes);
}
