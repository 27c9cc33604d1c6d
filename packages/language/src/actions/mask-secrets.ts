// Masks the secrets in an object that is shared: the data of Secrets, tokens, names in certificate requests. The shape stays, so that most
// policies decide the same; the masked places are listed.

import type { JsonPath } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";

/** An object with its secrets masked. */
export interface Masked {
  readonly object: KubeObject;
  readonly masked: readonly JsonPath[];
}

const MASK = "masked";
const BASE64_MASK = "bWFza2Vk";

/** Names of fields and variables that hold secrets. */
const SECRET_NAME = /pass(word|wd)?$|secret$|token$|api_?key$|private_?key$|credential/i;
/** JSON web tokens, and keys in PEM. */
const SECRET_TEXT = /^eyJ[\w-]+\.[\w-]+\.|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** Masks the data of secrets. */
export function masked(object: KubeObject): Masked {
  const found: JsonPath[] = [];
  const isSecret = object.kind === "Secret";
  const isRequest = object.kind === "CertificateRequest" || object.kind === "CertificateSigningRequest";
  const walk = (value: unknown, path: JsonPath): unknown => {
    if (Array.isArray(value)) {
      return value.map((item, i) => walk(item, [...path, i]));
    }
    if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
      const isNamed = "name" in value && "value" in value && SECRET_NAME.test(String(value.name));
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          key,
          isNamed && key === "value" ? mask([...path, key], MASK) : walk(item, [...path, key]),
        ]),
      );
    }
    if (typeof value !== "string" || value === "") return value;
    if (isSecret && path[0] === "data") return mask(path, BASE64_MASK);
    if (isSecret && path[0] === "stringData") return mask(path, MASK);
    if (isRequest && (path.join(".") === "spec.request" || path.join(".") === "spec.username")) return mask(path, MASK);
    return SECRET_TEXT.test(value) || SECRET_NAME.test(String(path.at(-1))) ? mask(path, MASK) : value;
  };
  const mask = (path: JsonPath, text: string): string => {
    found.push(path);
    return text;
  };
  return { object: walk(object, []) as KubeObject, masked: found };
}
