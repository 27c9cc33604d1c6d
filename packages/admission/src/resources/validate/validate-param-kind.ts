// The kind of params. A policy may be written before its kind exists, so that is not checked.

import { parseGroupVersion } from "@celadon/kube";
import { type FieldError, type FieldPath, Invalid, invalidValue, requiredValue } from "@celadon/kube/errors";
import { checkDns1035Label, checkDns1123Subdomain } from "@celadon/kube/names";
import type { ParamKind } from "../../policy.ts";

export function validateParamKind({ apiVersion = "", kind = "" }: ParamKind, path: FieldPath): FieldError[] {
  return [...apiVersionErrors(apiVersion, path.child("apiVersion")), ...kindErrors(kind, path.child("kind"))];
}

// The value shown is the part that is wrong.
function apiVersionErrors(apiVersion: string, path: FieldPath): FieldError[] {
  if (apiVersion === "") return [requiredValue(path)];
  const parsed = parseGroupVersion(apiVersion);
  if (parsed instanceof Invalid) return [invalidValue(path, apiVersion, parsed.message)];
  const { group, version } = parsed;
  const errors: FieldError[] = [];
  const inGroup = group === "" ? [] : checkDns1123Subdomain(group);
  if (inGroup.length > 0) errors.push(invalidValue(path, group, inGroup.join(",")));
  if (version === "") errors.push(invalidValue(path, apiVersion, "version must be specified"));
  else {
    const inVersion = checkDns1035Label(version);
    if (inVersion.length > 0) errors.push(invalidValue(path, version, inVersion.join(",")));
  }
  return errors;
}

function kindErrors(kind: string, path: FieldPath): FieldError[] {
  if (kind === "") return [requiredValue(path)];
  const problems = checkDns1035Label(kind.toLowerCase());
  if (problems.length === 0) return [];
  return [invalidValue(path, kind, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
}
