// Names of controllers: a domain and a path.

import { checkDns1123Subdomain, patternProblem } from "../../names.ts";
import type { Field } from "../field.ts";

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathPattern = new RegExp(`^${PATH}$`);

export function domainPrefixedPath(name: string, at: Field): void {
  const slash = name.indexOf("/");
  const [host, path] = [name.slice(0, Math.max(0, slash)), name.slice(slash + 1)];
  if (name === "") at.required();
  else if (host === "" || path === "") at.invalid(name, 'must be a domain-prefixed path (such as "acme.io/foo")');
  else {
    at.check(host, checkDns1123Subdomain);
    if (!pathPattern.test(path)) at.invalid(path, patternProblem("Invalid path", PATH));
  }
}
