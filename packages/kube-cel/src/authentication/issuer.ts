// The checks of an issuer: its address, whom its tokens are for, and the authority of its certificate. Upstream: apiserver
// pkg/apis/apiserver/validation/validation.go.

import {
  duplicateValue,
  type FieldError,
  type FieldPath,
  invalidValue,
  JsonShown,
  requiredValue,
} from "@celadon/kube/errors";
import { listOf, textOf } from "../configuration/values.ts";
import { parseUrl, UrlFailure } from "../url/index.ts";
import { certificateProblem } from "./certificates.ts";
import type { TokenIssuer } from "./configuration.ts";

const MATCH_ANY = "MatchAny";
const EGRESS_SELECTORS: ReadonlySet<string> = new Set(["controlplane", "cluster"]);

/** The errors of an issuer; `disallowed` are issuers that the server has for itself. */
export function issuerErrors(issuer: TokenIssuer, path: FieldPath, disallowed: readonly string[]): FieldError[] {
  const [url, discoveryUrl] = [textOf(issuer.url), textOf(issuer.discoveryURL)];
  const authority = textOf(issuer.certificateAuthority);
  const problem = authority === "" ? undefined : certificateProblem(authority);
  const egress = textOf(issuer.egressSelectorType);
  return [
    ...(url === "" ? [requiredValue(path.child("url"))] : urlErrors(url, path.child("url"), disallowed)),
    ...discoveryErrors(url, discoveryUrl, path.child("discoveryURL")),
    ...audienceErrors(issuer, path),
    ...(problem === undefined ? [] : [invalidValue(path.child("certificateAuthority"), "<omitted>", problem)]),
    ...(egress === "" || EGRESS_SELECTORS.has(egress)
      ? []
      : [
          invalidValue(
            path.child("egressSelectorType"),
            new JsonShown(egress),
            "egress selector must be either controlplane or cluster",
          ),
        ]),
  ];
}

function discoveryErrors(url: string, discoveryUrl: string, path: FieldPath): FieldError[] {
  if (discoveryUrl === "") return [];
  const bare = (text: string): string => text.replace(/\/+$/, "");
  const isSame = url !== "" && bare(url) === bare(discoveryUrl);
  return [
    ...(isSame ? [invalidValue(path, discoveryUrl, "discoveryURL must be different from URL")] : []),
    ...urlErrors(discoveryUrl, path, []),
  ];
}

function urlErrors(text: string, path: FieldPath, disallowed: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const invalid = (detail: string): number => errors.push(invalidValue(path, text, detail));
  if (disallowed.includes(text)) {
    invalid(`URL must not overlap with disallowed issuers: [${[...new Set(disallowed)].sort().join(" ")}]`);
  }
  const url = parseUrl(text);
  if (url instanceof UrlFailure) {
    invalid(url.reason);
    return errors;
  }
  if (url.scheme !== "https") invalid("URL scheme must be https");
  if (url.user !== undefined) invalid("URL must not contain a username or password");
  if (url.rawQuery !== "") invalid("URL must not contain a query");
  if (url.fragment !== "") invalid("URL must not contain a fragment");
  return errors;
}

function audienceErrors({ audiences, audienceMatchPolicy }: TokenIssuer, issuer: FieldPath): FieldError[] {
  const path = issuer.child("audiences");
  const list = listOf(audiences);
  if (list.length === 0) return [requiredValue(path, `at least one ${path} is required`)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, audience] of list.entries()) {
    if (audience === "") errors.push(requiredValue(path.index(i)));
    if (seen.has(audience)) errors.push(duplicateValue(path.index(i), audience));
    seen.add(audience);
  }
  const policy = textOf(audienceMatchPolicy);
  if (policy === MATCH_ANY) return errors;
  const invalid = (detail: string): number =>
    errors.push(invalidValue(issuer.child("audienceMatchPolicy"), new JsonShown(policy), detail));
  if (list.length > 1) invalid("audienceMatchPolicy must be MatchAny for multiple audiences");
  else if (policy !== "") invalid("audienceMatchPolicy must be empty or MatchAny for single audience");
  return errors;
}
