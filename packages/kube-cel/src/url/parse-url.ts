// URLs as Go's net/url reads and writes them, which is what Kubernetes means by a URL. Upstream: go src/net/url/url.go (1.26).

import { ParseFailure, parseIpAddress } from "@celadon/cel/net";
import { walk } from "@celadon/cel/values";
import { fromBytes, quoteBytes, toBytes } from "./byte-text.ts";
import { isValidEncoding, percentDecode, percentEncode, UrlFailure } from "./percent.ts";
import { parseQuery, type Query } from "./query.ts";

interface Userinfo {
  readonly name: string;
  readonly password: string | undefined;
}

/** The parsed parts; all of it byte strings. */
interface Parts {
  readonly scheme: string;
  readonly opaque: string;
  readonly user: Userinfo | undefined;
  readonly host: string;
  readonly path: string;
  readonly writtenPath: string;
  readonly query: string;
  /** A question mark with nothing after it. */
  readonly emptyQuery: boolean;
  /** A scheme, then a path without `//`. */
  readonly hostOmitted: boolean;
  readonly fragment: string;
  readonly writtenFragment: string;
}

const NOTHING: Parts = {
  scheme: "",
  opaque: "",
  user: undefined,
  host: "",
  path: "",
  writtenPath: "",
  query: "",
  emptyQuery: false,
  hostOmitted: false,
  fragment: "",
  writtenFragment: "",
};

/** A URL as Go's net/url has it. */
export class GoUrl {
  readonly #parts: Parts;
  constructor(parts: Parts) {
    this.#parts = parts;
  }
  get scheme(): string {
    return this.#parts.scheme;
  }
  /** Host and port, brackets of IPv6 addresses included. */
  get host(): string {
    return fromBytes(this.#parts.host);
  }
  get hostname(): string {
    return fromBytes(splitHostPort(this.#parts.host).host);
  }
  get port(): string {
    return splitHostPort(this.#parts.host).port;
  }
  get escapedPath(): string {
    return fromBytes(escapedPath(this.#parts));
  }
  /** User name and password as written in a URL; undefined when there is no `@`. */
  get user(): string | undefined {
    const { user } = this.#parts;
    return user === undefined ? undefined : fromBytes(formatUser(user));
  }
  get fragment(): string {
    return fromBytes(this.#parts.fragment);
  }
  get rawQuery(): string {
    return fromBytes(this.#parts.query);
  }
  query(): Query {
    return parseQuery(this.#parts.query);
  }
  toString(): string {
    return fromBytes(format(this.#parts));
  }
}

/** url.Parse. */
export function parseUrl(text: string, strictPorts = true): GoUrl | UrlFailure {
  const bytes = toBytes(text);
  const [before, fragment] = cut(bytes, "#");
  const parts = parse(before, false, strictPorts);
  if (parts instanceof UrlFailure) return failure(before, parts);
  if (fragment === "") return new GoUrl(parts);
  const unescaped = percentDecode(fragment, "fragment");
  if (unescaped instanceof UrlFailure) return failure(bytes, unescaped);
  return new GoUrl({ ...parts, fragment: unescaped, writtenFragment: fragment });
}

/** url.ParseRequestURI: an absolute URI or an absolute path, without a fragment. */
export function parseRequestUri(text: string, strictPorts = true): GoUrl | UrlFailure {
  const bytes = toBytes(text);
  const parts = parse(bytes, true, strictPorts);
  return parts instanceof UrlFailure ? failure(bytes, parts) : new GoUrl(parts);
}

const failure = (bytes: string, cause: UrlFailure): UrlFailure =>
  new UrlFailure(() => `parse ${quoteBytes(bytes)}: ${cause.reason}`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/;

function parse(bytes: string, isRequest: boolean, strictPorts: boolean): Parts | UrlFailure {
  if (CONTROL.test(bytes)) return new UrlFailure(() => "net/url: invalid control character in URL");
  if (bytes === "" && isRequest) return new UrlFailure(() => "empty url");
  if (bytes === "*") return { ...NOTHING, path: "*", writtenPath: "*" };

  if (bytes.startsWith(":")) return new UrlFailure(() => "missing protocol scheme");
  const first = /^[A-Za-z][A-Za-z0-9+.-]*/.exec(bytes)?.[0] ?? "";
  const hasScheme = bytes.charAt(first.length) === ":";
  const scheme = hasScheme ? first.toLowerCase() : "";
  const afterScheme = hasScheme ? bytes.slice(first.length + 1) : bytes;

  const emptyQuery = afterScheme.indexOf("?") === afterScheme.length - 1 && afterScheme !== "";
  let [rest, query] = cut(afterScheme, "?");
  const begun: Parts = { ...NOTHING, scheme, query, emptyQuery };

  if (!rest.startsWith("/")) {
    if (scheme !== "") return { ...begun, opaque: rest };
    if (isRequest) return new UrlFailure(() => "invalid URI for request");
    if (cut(rest, "/")[0].includes(":")) return new UrlFailure(() => "first path segment in URL cannot contain colon");
  }

  let authority: Pick<Parts, "user" | "host"> = NOTHING;
  let hostOmitted = false;
  if (rest.startsWith("//") && (scheme !== "" || (!isRequest && !rest.startsWith("///")))) {
    const end = rest.indexOf("/", 2);
    const parsed = parseAuthority(scheme, strictPorts, end < 0 ? rest.slice(2) : rest.slice(2, end));
    if (parsed instanceof UrlFailure) return parsed;
    authority = parsed;
    rest = end < 0 ? "" : rest.slice(end);
  } else {
    hostOmitted = scheme !== "" && rest.startsWith("/");
  }

  const path = percentDecode(rest, "path");
  if (path instanceof UrlFailure) return path;
  return { ...begun, user: authority.user, host: authority.host, hostOmitted, path, writtenPath: rest };
}

/** Around the first separator; the second part is empty without one. */
function cut(bytes: string, separator: string): [before: string, after: string] {
  const at = bytes.indexOf(separator);
  return at < 0 ? [bytes, ""] : [bytes.slice(0, at), bytes.slice(at + separator.length)];
}

function parseAuthority(
  scheme: string,
  strictPorts: boolean,
  authority: string,
): Pick<Parts, "user" | "host"> | UrlFailure {
  const at = authority.lastIndexOf("@");
  const host = parseHost(strictPorts && (scheme === "http" || scheme === "https"), authority.slice(at + 1));
  if (host instanceof UrlFailure) return host;
  if (at < 0) return { user: undefined, host };
  const userinfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) return new UrlFailure(() => "net/url: invalid userinfo");
  const [rawName, rawPassword] = cut(userinfo, ":");
  const name = percentDecode(rawName, "userinfo");
  if (name instanceof UrlFailure) return name;
  const password = percentDecode(rawPassword, "userinfo");
  if (password instanceof UrlFailure) return password;
  return { user: { name, password: userinfo.includes(":") ? password : undefined }, host };
}

function parseHost(firstColon: boolean, host: string): string | UrlFailure {
  const bracket = host.lastIndexOf("[");
  if (bracket > 0) return new UrlFailure(() => "invalid IP-literal");
  if (bracket === 0) return parseIpLiteral(host);
  // In http and https a second colon is never part of a name.
  const colon = firstColon ? host.indexOf(":") : host.lastIndexOf(":");
  const port = colon < 0 ? "" : host.slice(colon);
  return isOptionalPort(port) ? percentDecode(host, "host") : invalidPort(port);
}

const invalidPort = (port: string): UrlFailure => new UrlFailure(() => `invalid port ${quoteBytes(port)} after host`);
const isOptionalPort = (port: string): boolean => port === "" || /^:[0-9]*$/.test(port);

/** `[::1]:80`, `[fe80::1%25en0]`. */
function parseIpLiteral(host: string): string | UrlFailure {
  const close = host.lastIndexOf("]");
  if (close < 0) return new UrlFailure(() => "missing ']' in host");
  const port = host.slice(close + 1);
  if (!isOptionalPort(port)) return invalidPort(port);
  const inner = host.slice(1, close);
  const zone = inner.indexOf("%25");
  const address = percentDecode(zone < 0 ? inner : inner.slice(0, zone), "host");
  if (address instanceof UrlFailure) return address;
  const zoneText = percentDecode(zone < 0 ? "" : inner.slice(zone), "zone");
  if (zoneText instanceof UrlFailure) return zoneText;
  const hostname = address + zoneText;
  const ip = parseIpAddress(hostname);
  if (ip instanceof ParseFailure) return new UrlFailure(() => `invalid host: ${ip.messageWith(quoteBytes)}`);
  return ip.family === 4 ? new UrlFailure(() => "invalid IP-literal") : `[${hostname}]${port}`;
}

function splitHostPort(hostPort: string): { readonly host: string; readonly port: string } {
  walk(hostPort.length);
  const colon = hostPort.lastIndexOf(":");
  const hasPort = colon >= 0 && isOptionalPort(hostPort.slice(colon));
  const host = hasPort ? hostPort.slice(0, colon) : hostPort;
  const port = hasPort ? hostPort.slice(colon + 1) : "";
  return { host: host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host, port };
}

function escapedPath({ path, writtenPath }: Parts): string {
  const escaped = percentEncode(path, "path");
  if (writtenPath !== escaped && isValidEncoding(writtenPath, "path")) return writtenPath;
  return path === "*" ? "*" : escaped;
}

function escapedFragment({ fragment, writtenFragment }: Parts): string {
  return isValidEncoding(writtenFragment, "fragment") ? writtenFragment : percentEncode(fragment, "fragment");
}

function format(parts: Parts): string {
  const { scheme, opaque, user, host, query, emptyQuery, hostOmitted, fragment } = parts;
  let out = scheme === "" ? "" : `${scheme}:`;
  if (opaque !== "") {
    out += opaque;
  } else {
    const path = escapedPath(parts);
    const hasHost = host !== "" || user !== undefined;
    if (hasHost || (scheme !== "" && !hostOmitted && parts.path !== "")) out += "//";
    if (user !== undefined) out += `${formatUser(user)}@`;
    out += percentEncode(host, "host");
    if (path !== "" && !path.startsWith("/") && host !== "") out += "/";
    // A colon in the first segment would read as a scheme.
    if (out === "" && cut(path, "/")[0].includes(":")) out = "./";
    out += path;
  }
  if (emptyQuery || query !== "") out += `?${query}`;
  if (fragment !== "") out += `#${escapedFragment(parts)}`;
  return out;
}

function formatUser({ name, password }: Userinfo): string {
  const shown = percentEncode(name, "userinfo");
  return password === undefined ? shown : `${shown}:${percentEncode(password, "userinfo")}`;
}

export { UrlFailure };
