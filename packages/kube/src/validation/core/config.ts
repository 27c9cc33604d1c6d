// ConfigMaps, Secrets and ServiceAccounts.

import { compareStrings, decodeUtf8Lossy, utf8Length } from "@celadon/base";
import type { ConfigMap, Secret, ServiceAccount } from "../../api/generated/core-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { JsonShown } from "../../field-error.ts";
import { fieldPath } from "../../field-path.ts";
import { checkConfigMapKey, checkDns1123Subdomain } from "../../names.ts";
import { goJsonError } from "../../read/json/go-json-error.ts";
import { fieldWarning, type Warning } from "../../warning.ts";
import { byteLength, bytesOf, byteText } from "../checks/bytes.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { keyPairProblem } from "../checks/tls.ts";
import { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules } from "../rules.ts";
import { sameMap } from "../same-map.ts";

const MAX_SIZE = 1024 * 1024;
const SEALED = "field is immutable when `immutable` is set";
type Data = Readonly<Record<string, string>> | undefined;

export const configMap: AnyKindRules = kindRules<ConfigMap>({
  kind: { group: "", kind: "ConfigMap" },
  resource: "configmaps",
  namespaced: true,
  unconditionalUpdate: true,
  validate: wholeConfigMap,
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    sealed(object, old, ["data", "binaryData"], at);
    wholeConfigMap(object, at);
  },
});

function wholeConfigMap(object: ConfigMap, at: ValidatedField): void {
  const { data, binaryData } = object;
  metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  let size = 0;
  for (const key of keysOf(data)) {
    const place = at.child("data").key(key);
    place.check(key, checkConfigMapKey);
    if (Object.hasOwn(binaryData ?? {}, key)) place.invalid(key, "duplicate of key present in binaryData");
    size += utf8Length(data![key]!);
  }
  for (const key of keysOf(binaryData)) {
    at.child("binaryData").key(key).check(key, checkConfigMapKey);
    size += byteLength(binaryData![key]!);
  }
  if (size > MAX_SIZE) ValidatedField.root(at.by, at.errors).child("").tooLong(MAX_SIZE);
}

function keysOf(data: Data): string[] {
  return Object.keys(data ?? {}).sort(compareStrings);
}

/** Data that was declared immutable stays unchanged. */
function sealed<K extends string>(
  object: { readonly immutable?: boolean | undefined } & { readonly [key in K]?: Data },
  old: typeof object,
  fields: readonly K[],
  at: ValidatedField,
): void {
  if (old.immutable !== true) return;
  if (object.immutable !== true) at.child("immutable").forbidden(SEALED);
  for (const field of fields) if (!sameMap(object[field], old[field])) at.child(field).forbidden(SEALED);
}

export const secret: AnyKindRules = kindRules<Secret>({
  kind: { group: "", kind: "Secret" },
  resource: "secrets",
  namespaced: true,
  unconditionalUpdate: true,
  prepareUpdate: (object, old) => (object.type ? object : withField(object, ["type"], old.type)),
  validate: wholeSecret,
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    at.child("type").immutable(object.type, old.type, (value) => new JsonShown(value));
    sealed(object, old, ["data"], at);
    wholeSecret(object, at);
  },
  warnOnCreate: secretWarnings,
  warnOnUpdate: secretWarnings,
});

const ACCOUNT = "kubernetes.io/service-account.name";
const DOCKER_KEYS: Readonly<Record<string, string>> = {
  "kubernetes.io/dockercfg": ".dockercfg",
  "kubernetes.io/dockerconfigjson": ".dockerconfigjson",
};

function wholeSecret(object: Secret, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  const data = object.data ?? {};
  const place = at.child("data");
  let size = 0;
  for (const key of keysOf(data)) {
    place.key(key).check(key, checkConfigMapKey);
    size += byteLength(data[key]!);
  }
  if (size > MAX_SIZE) place.tooLong(MAX_SIZE);
  ofType(object, data, at);
}

/** The required data of each type of secret. */
function ofType(object: Secret, data: Readonly<Record<string, string>>, at: ValidatedField): void {
  const place = at.child("data");
  const need = (...keys: readonly string[]): void => {
    for (const key of keys) if (data[key] === undefined) place.key(key).required();
  };
  switch (object.type) {
    case "kubernetes.io/service-account-token":
      at.child("metadata", "annotations").key(ACCOUNT).mustExist(object.metadata?.annotations?.[ACCOUNT]);
      break;
    case "kubernetes.io/dockercfg":
    case "kubernetes.io/dockerconfigjson": {
      const key = DOCKER_KEYS[object.type]!;
      if (data[key] === undefined) place.key(key).required();
      else dockerConfig(bytesOf(data[key]), place.key(key));
      break;
    }
    case "kubernetes.io/basic-auth":
      if (data.username === undefined && data.password === undefined) need("username", "password");
      break;
    case "kubernetes.io/ssh-auth":
      place.key("ssh-privatekey").mustExist(data["ssh-privatekey"]);
      break;
    case "kubernetes.io/tls":
      need("tls.crt", "tls.key");
      break;
  }
}

function dockerConfig(bytes: Uint8Array, at: ValidatedField): void {
  const problem = goJsonError(bytes) ?? notAnObject(JSON.parse(decodeUtf8Lossy(bytes)));
  if (problem !== undefined) at.invalid("<secret contents redacted>", problem);
}

function notAnObject(value: unknown): string | undefined {
  if (value === null || (typeof value === "object" && !Array.isArray(value))) return undefined;
  const kind = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
}

function secretWarnings(object: Secret): Warning[] {
  if (object.type !== "kubernetes.io/tls") return [];
  const text = (key: string): string => byteText(object.data?.[key] ?? "");
  const problem = keyPairProblem(text("tls.crt"), text("tls.key"));
  return problem === undefined ? [] : [{ text: problem, path: fieldPath("data") }];
}

const MOUNTABLE = "kubernetes.io/enforce-mountable-secrets";

export const serviceAccount: AnyKindRules = kindRules<ServiceAccount>({
  kind: { group: "", kind: "ServiceAccount" },
  resource: "serviceaccounts",
  namespaced: true,
  unconditionalUpdate: true,
  prepareCreate: withPlainSecrets,
  prepareUpdate: withPlainSecrets,
  validate: (object, at) =>
    metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata")),
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  },
  warnOnCreate: accountWarnings,
  warnOnUpdate: (object, old, by) =>
    old.metadata?.annotations?.[MOUNTABLE] === undefined ? accountWarnings(object, by) : [],
});

function withPlainSecrets(object: ServiceAccount): ServiceAccount {
  if (!object.secrets) return object;
  return { ...object, secrets: object.secrets.map(({ name }) => (name === undefined ? {} : { name })) };
}

function accountWarnings(object: ServiceAccount, by: Emulation): Warning[] {
  if (by.before(32)) return [];
  if (object.metadata?.annotations?.[MOUNTABLE] === undefined) return [];
  return [
    fieldWarning(
      fieldPath("metadata", "annotations").key(MOUNTABLE),
      "deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets",
    ),
  ];
}
