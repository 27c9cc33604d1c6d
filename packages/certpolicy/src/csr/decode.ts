// A certificate signing request (PKCS#10, RFC 2986) as data. Decoding never throws; a request that cannot be read is an
// Invalid with the reason. The signature is not verified: the issuer does that.

import { utf8Length } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import {
  CONTEXT,
  firstElement,
  isUniversal,
  mismatch,
  type Part,
  readBitString,
  readInteger,
  readOid,
  readParts,
  TAG,
} from "./der.ts";
import {
  type BasicConstraints,
  basicConstraints,
  extendedKeyUsages,
  keyUsages,
  type RequestedExtension,
  readExtensions,
} from "./extensions.ts";
import { type AlternativeNames, NO_NAMES, readAlternativeNames } from "./general-names.ts";
import { decodePem, latin1 } from "./pem.ts";
import { type PublicKey, readPublicKey } from "./public-key.ts";
import { readName, type SubjectAttribute } from "./subject.ts";

/** A decoded certificate signing request: its subject, names and key. */
export interface DecodedCsr {
  readonly subject: readonly SubjectAttribute[];
  readonly names: AlternativeNames;
  readonly publicKey: PublicKey;
  readonly extensions: readonly RequestedExtension[];
  /** The basic constraints of the request itself. No policy looks at it: policies read isCA and usages of the CertificateRequest. */
  readonly basicConstraints: BasicConstraints | undefined;
  readonly keyUsages: readonly string[];
  readonly extendedKeyUsages: readonly string[];
}

/** Largest PEM text, and largest DER, that is decoded. */
export const MAX_CSR_BYTES = 36_500;

const SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
const NO_PEM = "error decoding certificate request PEM block";

/** A request in PEM: the first block that decodes, with any label. */
export function decodeCsr(pem: string | Uint8Array): DecodedCsr | Invalid {
  const size = typeof pem === "string" ? utf8Length(pem) : pem.length;
  if (size > MAX_CSR_BYTES) {
    return new Invalid(`${NO_PEM}: provided PEM data was larger than the maximum ${MAX_CSR_BYTES}B`);
  }
  const der = decodePem(typeof pem === "string" ? pem : latin1(pem));
  return der === undefined ? new Invalid(`${NO_PEM}: no PEM data was found in given input`) : decodeCsrDer(der);
}

/** A request in DER. */
export function decodeCsrDer(der: Uint8Array): DecodedCsr | Invalid {
  if (der.length > MAX_CSR_BYTES) return new Invalid(`the request is larger than the maximum ${MAX_CSR_BYTES}B`);
  const outer = readOne(der);
  if (outer instanceof Invalid) return outer;
  const [info, signatureAlgorithm, signature] = outer;
  if (!isUniversal(info, TAG.sequence, true)) return mismatch("certification request info", "SEQUENCE", info);
  const inner = readParts(info.content, 4);
  if (inner instanceof Invalid) return inner;
  const [version, subject, key, attributes] = inner;
  const problem = checkOuter(version, attributes, signatureAlgorithm, signature);
  if (problem !== undefined) return problem;

  const publicKey = readPublicKey(key);
  if (publicKey instanceof Invalid) return publicKey;
  const name = readName(subject);
  if (name instanceof Invalid) return name;
  const requested = readParts(attributes!.content);
  if (requested instanceof Invalid) return requested;
  const extensions = readExtensions(requested);
  if (extensions instanceof Invalid) return extensions;
  const extension = extensions.find(({ oid }) => oid === SUBJECT_ALTERNATIVE_NAME);
  const names = extension === undefined ? NO_NAMES : readAlternativeNames(extension.value);
  if (names instanceof Invalid) return names;
  return {
    subject: name,
    names,
    publicKey,
    extensions,
    basicConstraints: basicConstraints(extensions),
    keyUsages: keyUsages(extensions),
    extendedKeyUsages: extendedKeyUsages(extensions),
  };
}

/** The parts of the one SEQUENCE that fills the bytes. */
function readOne(der: Uint8Array): readonly Part[] | Invalid {
  if (der.length === 0) return new Invalid("asn1: syntax error: sequence truncated");
  const parts = readParts(firstElement(der));
  if (parts instanceof Invalid) return parts;
  const [request] = parts;
  if (!isUniversal(request, TAG.sequence, true)) return mismatch("the request", "SEQUENCE", request);
  if (request.raw.length < der.length) return new Invalid("asn1: syntax error: trailing data");
  return readParts(request.content, 3);
}

/** Checks the parts that must be present and well-formed, though no policy reads them. */
function checkOuter(
  version: Part | undefined,
  attributes: Part | undefined,
  algorithm: Part | undefined,
  signature: Part | undefined,
): Invalid | undefined {
  if (!isUniversal(version, TAG.integer)) return mismatch("version", "INTEGER", version);
  const number = readInteger(version.content);
  if (number instanceof Invalid) return number;
  if (version.content.length > 8) return new Invalid("asn1: structure error: integer too large");
  if (attributes?.tagClass !== CONTEXT || attributes.tag !== 0 || !attributes.constructed) {
    return mismatch("attributes", "constructed [0]", attributes);
  }
  if (!isUniversal(algorithm, TAG.sequence, true)) return mismatch("signature algorithm", "SEQUENCE", algorithm);
  const parts = readParts(algorithm.content, 2);
  if (parts instanceof Invalid) return parts;
  const [type] = parts;
  if (!isUniversal(type, TAG.oid)) return mismatch("signature algorithm's identifier", "OBJECT IDENTIFIER", type);
  const oid = readOid(type.content);
  if (oid instanceof Invalid) return oid;
  if (!isUniversal(signature, TAG.bitString)) return mismatch("signature", "BIT STRING", signature);
  const bits = readBitString(signature.content);
  return bits instanceof Invalid ? bits : undefined;
}
