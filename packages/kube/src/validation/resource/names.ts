// Names of drivers, pools, requests and attributes.

import { utf8Length } from "@celadon/base";
import { JsonShown } from "../../field-error.ts";
import { checkCIdentifier, checkDns1123Label, checkDns1123Subdomain } from "../../names.ts";
import { csiDriverName, declaredDriverName } from "../core/volume/sources.ts";
import type { ValidatedField } from "../field.ts";

const MAX_POOL_NAME = 253;
const MAX_ID = 32;
const MAX_PREFIX = 63;
const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UID_LENGTH = 36;

export { csiDriverName as driverName, declaredDriverName };

/** Subdomains with slashes between them. */
export function poolName(name: string | undefined, at: ValidatedField): void {
  if (!name) {
    at.required();
    return;
  }
  if (utf8Length(name) > MAX_POOL_NAME) at.tooLong(MAX_POOL_NAME);
  for (const part of name.split("/")) at.check(part, checkDns1123Subdomain);
}

/** The name of an attribute or capacity: with the domain of a driver, or within the slice's own. */
export function qualifiedName(name: string, at: ValidatedField): void {
  // Up to 1.34 an empty name is missing, not invalid.
  const isRequired = at.by.before(35);
  if (name === "" && isRequired) {
    at.required("name required");
    return;
  }
  const empty = (what: string): void => {
    const detail = `the ${what} must not be empty`;
    if (isRequired) at.required(detail);
    else at.invalid("", detail);
  };
  const parts = name.split("/");
  if (parts.length === 1) identifier(name, at);
  if (parts.length !== 2) return;
  const [domain, id] = parts as [string, string];
  if (domain === "") empty("domain");
  else csiDriverName(domain, at);
  if (id === "") empty("name");
  else identifier(id, at);
}

/** The name of an attribute with a domain, for a field whose type declares it. */
export function declaredName(name: string, at: ValidatedField): void {
  if (at.by.before(37)) {
    fullyQualifiedName(name, at);
    return;
  }
  const { declared } = at;
  const parts = name.split("/");
  const [first = "", second = ""] = parts;
  if (parts.length > 2)
    declared.invalid(name, "must be a C identifier, optionally prefixed with a DNS subdomain and a slash");
  if (parts.length === 1) identifier(first, declared);
  if (parts.length === 2) {
    if (first === "") declared.invalid("", "prefix must not be empty");
    else declaredPrefix(first, declared);
    if (second === "") declared.invalid("", "name must not be empty");
    else identifier(second, declared);
  }
  if (parts.length === 1) {
    declared.invalid(name, "a fully qualified name must be a domain and a name separated by a slash");
  }
}

function declaredPrefix(prefix: string, at: ValidatedField): void {
  if (utf8Length(prefix) > MAX_PREFIX) at.tooLong(MAX_PREFIX);
  for (const problem of checkDns1123Subdomain(prefix)) at.invalid(prefix, `prefix: ${problem}`);
}

export function fullyQualifiedName(name: string, at: ValidatedField): void {
  qualifiedName(name, at);
  if (at.by.before(35)) {
    if (name !== "" && !name.includes("/")) at.invalid(new JsonShown(name), "must include a domain");
  } else if (!name.includes("/")) {
    at.invalid(new JsonShown(name), "a fully qualified name must be a domain and a name separated by a slash");
  }
}

function identifier(id: string, at: ValidatedField): void {
  if (utf8Length(id) > MAX_ID) at.tooLong(MAX_ID);
  at.check(id, checkCIdentifier);
}

/** Names of requests in a claim, and below them those of the alternatives they list. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

/** `request`, or `request/alternative`. */
export function requestReference(name: string, known: RequestNames, at: ValidatedField): void {
  const unknown =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const parts = name.split("/");
  const [request = "", alternative] = parts;
  const found = known.get(request);
  if (parts.length <= 2) for (const part of parts) at.check(part, checkDns1123Label);
  if (parts.length > 2 || found === undefined || (alternative !== undefined && !found.has(alternative))) {
    at.invalid(name, unknown);
  }
}

/** The id of a share of a device: a UUID in its usual form. */
export function shareId(uid: string, at: ValidatedField): void {
  if (UID.test(uid)) return;
  const problem = uuidProblem(uid);
  if (problem !== undefined) at.invalid(uid, `error validating uid: ${problem}`);
  else {
    at.invalid(
      uid,
      "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters",
    );
  }
}

/** The problem of a text that Go's uuid package cannot read: it takes prefixes, braces, and no hyphens, too. */
function uuidProblem(text: string): string | undefined {
  const length = utf8Length(text);
  let plain = text;
  if (length === UID_LENGTH + 9) {
    if (!/^urn:uuid:/i.test(text)) return `invalid urn prefix: ${JSON.stringify(text.slice(0, 9))}`;
    plain = text.slice(9);
  } else if (length === UID_LENGTH + 2) {
    if (!text.startsWith("{") || !text.endsWith("}")) return "invalid bracketed UUID format";
    plain = text.slice(1, -1);
  } else if (length === 32) return /^[0-9a-fA-F]*$/.test(text) ? undefined : "invalid UUID format";
  else if (length !== UID_LENGTH) return `invalid UUID length: ${length}`;
  return UID.test(plain.toLowerCase()) ? undefined : "invalid UUID format";
}
