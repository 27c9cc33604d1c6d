// Errors of `clientConfig`: where a webhook is called.

import {
  checkDns1123Subdomain,
  checkPortNumber,
  type FieldError,
  type FieldPath,
  invalidValue,
  requiredValue,
} from "@celadon/kube";
import { parseUrl, UrlFailure } from "@celadon/kube-cel/url";
import type { ClientConfig, ServiceReference } from "./configuration.ts";

export function validateClient({ url, service }: ClientConfig, path: FieldPath): FieldError[] {
  const hasUrl = url !== undefined && url !== null;
  const hasService = service !== undefined && service !== null;
  if (hasUrl === hasService) return [requiredValue(path, "exactly one of url or service is required")];
  return hasUrl ? validateUrl(url, path.child("url")) : validateService(service!, path.child("service"));
}

const FORM = "; desired format: https://host[/path]";

function validateUrl(text: string, path: FieldPath): FieldError[] {
  const url = parseUrl(text);
  if (url instanceof UrlFailure) return [requiredValue(path, `url must be a valid URL: ${url.reason}${FORM}`)];
  const errors: FieldError[] = [];
  if (url.scheme !== "https") {
    errors.push(invalidValue(path, url.scheme, `'https' is the only allowed URL scheme${FORM}`));
  }
  if (url.host === "") errors.push(invalidValue(path, "", `host must be specified${FORM}`));
  if (url.user !== undefined) errors.push(invalidValue(path, url.user, "user information is not permitted in the URL"));
  if (url.fragment !== "") errors.push(invalidValue(path, url.fragment, "fragments are not permitted in the URL"));
  if (url.rawQuery !== "")
    errors.push(invalidValue(path, url.rawQuery, "query parameters are not permitted in the URL"));
  return errors;
}

/** The API server confuses the two fields: a missing name is reported for the namespace. */
function validateService(
  { name = "", namespace = "", path: urlPath, port = 0 }: ServiceReference,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (namespace === "") errors.push(requiredValue(path.child("name")));
  if (name === "") errors.push(requiredValue(path.child("namespace")));
  const problems = checkPortNumber(port);
  if (problems.length > 0)
    errors.push(invalidValue(path.child("port"), port, `port is not valid: ${problems.join(", ")}`));
  return urlPath ? [...errors, ...validatePath(urlPath, path.child("path"))] : errors;
}

function validatePath(text: string, path: FieldPath): FieldError[] {
  if (text === "/") return [];
  if (text === "//") return [invalidValue(path, text, "segment[0] may not be empty")];
  const errors = text.startsWith("/") ? [] : [invalidValue(path, text, "must start with a '/'")];
  // The first character is taken for the slash, whatever it is.
  for (const [i, segment] of text.slice(1).replace(/\/$/, "").split("/").entries()) {
    if (segment === "") errors.push(invalidValue(path, text, `segment[${i}] may not be empty`));
    else
      errors.push(
        ...checkDns1123Subdomain(segment).map((problem) => invalidValue(path, text, `segment[${i}]: ${problem}`)),
      );
  }
  return errors;
}
