// Why this server refuses a request with another code than kube-apiserver, or refuses one that kube-apiserver answers.

import type { GeneratedRequest } from "./requests.ts";

interface Reason {
  readonly reason: string;
  readonly here: readonly number[];
  /** Empty for any. */
  readonly there: readonly number[];
  /** Matches the bytes of the request. */
  readonly request?: RegExp;
}

// biome-ignore format: one reason per line
const REASONS: readonly Reason[] = [
  { reason: "there is no anonymous user here: a request without good credentials is 401 before anything else is looked at", here: [401], there: [] },
  { reason: "Node's parser rejects transfer codings other than chunked as malformed", here: [400], there: [501], request: /Transfer-Encoding: identity/ },
  { reason: "a watch path without a resource is an internal error of kube-apiserver", here: [400, 403, 404, 405], there: [500], request: /\/(?:watch|\S*%\S*)[ ?/]/ },
  { reason: "more than one Host header is rejected before or after credentials are looked at", here: [400], there: [], request: /Host: other/ },
  { reason: "other methods than GET are refused here before it is known whether there is anything at a path, and at documents that kube-apiserver answers to any method", here: [405], there: [200, 302, 400, 404], request: /^(?!GET )/ },
  { reason: "old watch and proxy paths of custom resources: kube-apiserver answers to any method and tells proxies apart by it", here: [404, 405], there: [200, 400, 404, 405], request: /\/(?:watch|proxy)\// },
  { reason: "more path behind a subresource: kube-apiserver ignores it for custom resources", here: [404], there: [200, 400, 404, 405, 415, 422], request: /\/status\/more/ },
  { reason: "a timeout that cannot be read is rejected here before authorization", here: [400], there: [401, 403, 404, 405], request: /[?&]timeout=x/ },
  { reason: "several things are wrong with a request, and another is found first", here: [400, 404, 405, 406, 415], there: [400, 403, 404, 405, 406, 409, 415, 422] },
  { reason: "a write to a missing object is authorized as a creation here before the object is looked at", here: [403], there: [404, 409, 422], request: /^(?:PUT|PATCH) / },
  { reason: "profiling and the server's own settings are not served", here: [404], there: [200, 302], request: /\/(?:debug|configz|logs)/ },
];

export function reasonOf({ bytes }: GeneratedRequest, here: number, there: number): string | undefined {
  return REASONS.find(
    ({ here: own, there: other, request }) =>
      own.includes(here) &&
      (other.length === 0 || other.includes(there)) &&
      (request === undefined || request.test(bytes)),
  )?.reason;
}
