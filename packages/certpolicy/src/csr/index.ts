// Certificate signing requests, for hosts that want to look at one without a policy.

export { type DecodedCsr, decodeCsr, decodeCsrDer } from "./decode.ts";
export type { BasicConstraints, RequestedExtension } from "./extensions.ts";
export type { AlternativeNames, ForbiddenKind, OtherName } from "./general-names.ts";
export { firstPemBlock, latin1, type PemBlock } from "./pem.ts";
export type { KeyAlgorithm, PublicKey } from "./public-key.ts";
