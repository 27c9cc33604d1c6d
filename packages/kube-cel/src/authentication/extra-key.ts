// Keys of a user's extra: a domain of one's own and a path, in lower case. Upstream: apimachinery pkg/util/validation/validation.go.

import { type FieldError, type FieldPath, invalidValue, requiredValue } from "@celadon/kube/errors";
import { checkDns1123Subdomain, patternProblem } from "@celadon/kube/names";

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathPattern = new RegExp(`^${PATH}$`);
const RESERVED = /(^|\.)(k8s|kubernetes)\.io$/;

/** The errors of a key, all of them. */
export function extraKeyErrors(key: string, path: FieldPath): FieldError[] {
  const slash = key.indexOf("/");
  const domain = slash < 0 ? "" : key.slice(0, slash);
  const errors = domainPathErrors(key, domain, key.slice(slash + 1), path);
  if (key !== key.toLowerCase()) errors.push(invalidValue(path, key, "must be lowercase"));
  if (RESERVED.test(domain)) {
    errors.push(invalidValue(path, key, "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use"));
  }
  return errors;
}

function domainPathErrors(key: string, domain: string, rest: string, path: FieldPath): FieldError[] {
  if (key === "") return [requiredValue(path)];
  if (domain === "" || rest === "") {
    return [invalidValue(path, key, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = checkDns1123Subdomain(domain).map((problem) => invalidValue(path, domain, problem));
  if (!pathPattern.test(rest)) errors.push(invalidValue(path, rest, patternProblem("Invalid path", PATH)));
  return errors;
}
