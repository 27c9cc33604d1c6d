// Certificate signing requests, for hosts that want to look at one without a policy.

export { type DecodedCsr, decodeCsr, decodeCsrDer, MAX_CSR_BYTES } from "./decode.ts";
export { type BasicConstraints, EXTENDED_KEY_USAGES, KEY_USAGES, type RequestedExtension } from "./extensions.ts";
export { type AlternativeNames, FORBIDDEN_KINDS, type ForbiddenKind, type OtherName } from "./general-names.ts";
export type { KeyAlgorithm, PublicKey } from "./public-key.ts";
export { NAMED_OIDS, OID, type SubjectAttribute, textsOf } from "./subject.ts";
