// kubernetes.urls: URLs as Go's net/url reads them. Upstream: apiserver pkg/cel/library/urls.go, pkg/cel/url.go.

import {
  BOOL,
  type CelError,
  celError,
  fn,
  type Library,
  listOf,
  mapOf,
  method,
  Opaque,
  STRING,
  type Type,
  type Value,
} from "@celadon/cel";
import { fixed } from "@celadon/cel/cost";
import { specialized } from "@celadon/cel/lib";
import { abstractStruct } from "@celadon/cel/types";
import { grow, notFromHost } from "@celadon/cel/values";
import { type GoUrl, parseRequestUri, parseUrl, UrlFailure } from "../url/parse-url.ts";
import { constantText } from "./constant-text.ts";
import { scanSame } from "./costs.ts";
import { equalityUnsupported } from "./unlike.ts";

/** The type of URLs. */
export const URL_TYPE: Type<Url> = abstractStruct("kubernetes.URL");

/** A `kubernetes.URL`. */
export class Url extends Opaque {
  override readonly type: Type = URL_TYPE;
  override readonly goType = "cel.URL";
  override readonly equalityCost = 1;
  readonly url: GoUrl;
  constructor(url: GoUrl) {
    super();
    this.url = url;
  }
  override equals(other: Value): boolean | CelError {
    return other instanceof Url ? this.url.toString() === other.url.toString() : equalityUnsupported(other);
  }
  override get hostName(): string {
    return "URL";
  }
  override get hostText(): string {
    return this.toString();
  }
  override throughHost(): CelError {
    return notFromHost("*url.URL", this.toString());
  }
  override toString(): string {
    return this.url.toString();
  }
}

const QUERY = mapOf(STRING, listOf(STRING));

/**
 * `url` and its methods. With `strictPorts` a second colon is never part of a name in http and https, as since Go 1.26, with which servers
 * are built since 1.36.
 */
// biome-ignore format: one overload per line
export const urlsLibrary = (strictPorts: boolean): Library => ({
  name: "kubernetes.urls", costBy: "function",
  overloads: [
    //     name              overload id             arguments   result    cost         implementation
    specialized(
      fn(  "url",            "string_to_url",        [STRING],   URL_TYPE, scanSame(0), toUrl(strictPorts)), constantText(toUrl(strictPorts))),
    method("getScheme",      "url_get_scheme",       [URL_TYPE], STRING,   fixed(1),    ({ url }) => url.scheme),
    method("getHost",        "url_get_host",         [URL_TYPE], STRING,   fixed(1),    ({ url }) => url.host),
    method("getHostname",    "url_get_hostname",     [URL_TYPE], STRING,   fixed(1),    ({ url }) => url.hostname),
    method("getPort",        "url_get_port",         [URL_TYPE], STRING,   fixed(1),    ({ url }) => url.port),
    method("getEscapedPath", "url_get_escaped_path", [URL_TYPE], STRING,   fixed(1),    ({ url }) => url.escapedPath),
    method("getQuery",       "url_get_query",        [URL_TYPE], QUERY,    fixed(1),    getQuery),
    fn(    "isURL",          "is_url_string",        [STRING],   BOOL,     fixed(1),    (text) => isUrl(text, strictPorts)),
  ],
});

/** The memory of the parts of a URL beside their text, in characters. */
const PARTS_GROWTH = 512;

/** Must be a request URI, that is absolute, and is then read again because only the second reader knows fragments. */
const toUrl =
  (strictPorts: boolean) =>
  (text: string): Url | CelError => {
    grow(PARTS_GROWTH + text.length);
    const request = parseRequestUri(text, strictPorts);
    const url = request instanceof UrlFailure ? request : parseUrl(text, strictPorts);
    if (url instanceof UrlFailure) {
      return celError("invalid_argument", `URL parse error during conversion from string: ${url.reason}`);
    }
    return new Url(url);
  };

export function isUrl(text: string, strictPorts = true): boolean {
  return !(parseRequestUri(text, strictPorts) instanceof UrlFailure);
}

function getQuery({ url }: Url): Readonly<Record<string, readonly string[]>> {
  const map: Record<string, readonly string[]> = Object.create(null);
  for (const [key, values] of url.query()) map[key] = values;
  return map;
}
