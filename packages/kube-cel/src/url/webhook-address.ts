// The address that a webhook is called at, of admission and of conversion: a URL, or a service of the cluster.
// Upstream: apiserver pkg/util/webhook/client.go and validation.go, client-go rest/url_utils.go.

import { utf8Length } from "@celadon/base";
import { type FieldError, type FieldPath, invalidValue, oncePut, requiredValue } from "@celadon/kube/errors";
import { checkDns1123Subdomain, checkPortNumber } from "@celadon/kube/names";
import { fromBytes, toBytes } from "./byte-text.ts";
import { parseUrl } from "./parse-url.ts";
import { percentDecode, percentEncode, UrlFailure } from "./percent.ts";

const FORM = "; desired format: https://host[/path]";

/** Errors of a webhook's URL. */
export function validateWebhookUrl(text: string, path: FieldPath): FieldError[] {
  const url = parseUrl(text);
  if (url instanceof UrlFailure) return [requiredValue(path, `url must be a valid URL: ${url.reason}${FORM}`)];
  const errors: FieldError[] = [];
  if (url.scheme !== "https") {
    errors.push(invalidValue(path, url.scheme, `'https' is the only allowed URL scheme${FORM}`));
  }
  if (url.host === "") errors.push(invalidValue(path, "", `host must be specified${FORM}`));
  if (url.user !== undefined) errors.push(invalidValue(path, url.user, "user information is not permitted in the URL"));
  if (url.fragment !== "") errors.push(invalidValue(path, url.fragment, "fragments are not permitted in the URL"));
  if (url.rawQuery !== "") {
    errors.push(invalidValue(path, url.rawQuery, "query parameters are not permitted in the URL"));
  }
  return errors;
}

/** A service that serves a webhook, with the port that defaulting gave it. */
export interface WebhookService {
  readonly name?: string;
  readonly namespace?: string;
  readonly path?: string;
  readonly port?: number;
}

/** The address to which the API server sends a review. */
export interface WebhookAddress {
  readonly url: string;
  /** The name a service's certificate must have. */
  readonly serverName?: string;
}

/** Port 443 unless the service names another. */
const DEFAULT_PORT = 443;

/** The address of a review; undefined when neither a URL nor a service is given. The path is cleaned, as client-go does. */
export function webhookAddress(
  { url, service }: { readonly url?: string | undefined; readonly service?: WebhookService | undefined },
  timeoutSeconds: number,
): WebhookAddress | undefined {
  const query = `?timeout=${timeoutSeconds}s`;
  if (url !== undefined) {
    const read = parseUrl(url);
    if (read instanceof UrlFailure) return { url: `${url}${query}` };
    return { url: `${read.scheme}://${read.host}${cleanPath(read.escapedPath)}${query}` };
  }
  if (service === undefined) return undefined;
  const serverName = `${service.name ?? ""}.${service.namespace ?? ""}.svc`;
  const path = percentEncode(cleanSegments(toBytes(service.path ?? "")), "path");
  return { url: `https://${serverName}:${service.port ?? DEFAULT_PORT}${fromBytes(path)}${query}`, serverName };
}

/** The path without empty segments, dots and the slash at its end, escaped anew. */
function cleanPath(escaped: string): string {
  const path = percentDecode(toBytes(escaped), "path");
  return path instanceof UrlFailure ? escaped : fromBytes(percentEncode(cleanSegments(path), "path"));
}

function cleanSegments(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}`;
}

/** Errors of a webhook's service. The API server confuses two fields: a missing name is reported for the namespace. */
export function validateWebhookService(service: WebhookService, path: FieldPath): FieldError[] {
  const { name = "", namespace = "", path: urlPath = "", port = 0 } = service;
  const errors: FieldError[] = [];
  if (namespace === "") errors.push(oncePut(requiredValue(path.child("name")), "service name is required"));
  if (name === "") errors.push(oncePut(requiredValue(path.child("namespace")), "service namespace is required"));
  const problems = checkPortNumber(port);
  if (problems.length > 0) {
    errors.push(invalidValue(path.child("port"), port, `port is not valid: ${problems.join(", ")}`));
  }
  return [...errors, ...pathErrors(urlPath, path.child("path"))];
}

function pathErrors(text: string, path: FieldPath): FieldError[] {
  if (text === "/" || text === "") return [];
  if (text === "//") return [invalidValue(path, text, "segment[0] may not be empty")];
  const errors = text.startsWith("/") ? [] : [invalidValue(path, text, "must start with a '/'")];
  for (const [i, segment] of withoutFirstByte(text).replace(/\/$/, "").split("/").entries()) {
    if (segment === "") errors.push(invalidValue(path, text, `segment[${i}] may not be empty`));
    for (const problem of segment === "" ? [] : checkDns1123Subdomain(segment)) {
      errors.push(invalidValue(path, text, `segment[${i}]: ${problem}`));
    }
  }
  return errors;
}

/** The first byte counts as the slash, even if it is another. The rest of a longer character is no name, but its bytes count. */
function withoutFirstByte(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0)!);
  return "\0".repeat(utf8Length(first) - 1) + text.slice(first.length);
}
