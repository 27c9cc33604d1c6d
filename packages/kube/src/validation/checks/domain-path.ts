// Domains, and names of controllers: a domain and a path.

import { checkDns1123Label, checkDns1123Subdomain, patternProblem } from "../../names.ts";
import type { ValidatedField } from "../field.ts";

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathPattern = new RegExp(`^${PATH}$`);

export function domainPrefixedPath(name: string, at: ValidatedField): void {
  const slash = name.indexOf("/");
  const [host, path] = [name.slice(0, Math.max(0, slash)), name.slice(slash + 1)];
  if (name === "") at.required();
  else if (host === "" || path === "") at.invalid(name, 'must be a domain-prefixed path (such as "acme.io/foo")');
  else {
    at.check(host, checkDns1123Subdomain);
    if (!pathPattern.test(path)) at.invalid(path, patternProblem("Invalid path", PATH));
  }
}

/** A domain with at least two labels, with or without a dot at its end. */
export function fullyQualifiedDomain(given: string, at: ValidatedField): void {
  if (given === "") {
    at.required();
    return;
  }
  const name = given.endsWith(".") ? given.slice(0, -1) : given;
  const labels = name.split(".");
  const problems = checkDns1123Subdomain(name);
  const long = labels.find((label) => checkDns1123Label(label).length > 0);
  if (problems.length > 0) at.invalid(name, problems.join(","));
  else if (labels.length < 2) at.invalid(name, "should be a domain with at least two segments separated by dots");
  else if (long !== undefined) at.invalid(long, checkDns1123Label(long).join(","));
}
