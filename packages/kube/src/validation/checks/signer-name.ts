// Names of signers: `example.com/signer-name`.

import { quoteGo, utf8Length } from "@celadon/base";
import { checkDns1123Label, checkDns1123Subdomain, type TextCheck } from "../../names.ts";
import type { ValidatedField } from "../field.ts";

const MAX_DOMAIN = 253;
const MAX_NAME = MAX_DOMAIN + 1 + 253 + 63 + 1;

export function signerName(name: string | undefined, at: ValidatedField): void {
  const [domain, path, ...rest] = (name ?? "").split("/");
  if (!name) {
    at.required();
    return;
  }
  if (domain === undefined || path === undefined || rest.length > 0) {
    at.invalid(name, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
    return;
  }
  if (utf8Length(domain) > MAX_DOMAIN) at.tooLong(MAX_DOMAIN);
  firstBadLabel(domain, checkDns1123Label, at);
  if (!domain.includes(".")) at.invalid(domain, "should be a domain with at least two segments separated by dots");
  firstBadLabel(path, checkDns1123Subdomain, at);
  if (utf8Length(name) > MAX_NAME) at.tooLong(MAX_NAME);
}

function firstBadLabel(text: string, check: TextCheck, at: ValidatedField): void {
  const label = text.split(".").find((part) => check(part).length > 0);
  if (label === undefined) return;
  at.check(text, () => check(label).map((problem) => `validating label ${quoteGo(label)}: ${problem}`));
}
