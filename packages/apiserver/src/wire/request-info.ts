// What a path and method ask for, as the API server reads them: verb, group, version, resource, namespace, name. Nothing is looked up:
// a resource that is not served has a RequestInfo too, because authorization comes before "not found".
// Upstream: apiserver pkg/endpoints/request/requestinfo.go.

import { checkPathSegmentName, Invalid, parseFieldSelector } from "@celadon/kube";

export interface RequestInfo {
  /** Of a resource: get, list, watch, create, update, patch, delete, deletecollection, proxy. Else the method in lower case. */
  readonly verb: string;
  readonly isResource: boolean;
  /** Decoded. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Of a list, watch or deletecollection, as it is written. */
  readonly fieldSelector?: string;
  /** Of the path after the version: more than resource, name and subresource for proxies. */
  readonly parts: readonly string[];
}

const VERBS: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** Paths below a namespace that belong to the Namespace object itself. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(["status", "finalize"]);
const COLLECTION_VERBS: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);
const SPECIAL_VERBS: ReadonlySet<string> = new Set(["proxy", "watch"]);

export function requestInfo(method: string, encodedPath: string, query: URLSearchParams): RequestInfo {
  const path = decodePath(encodedPath);
  const parts = segments(path);
  const api = parts[0];
  const start = api === "api" ? 1 : 2;
  if (!(api === "api" || api === "apis") || parts.length < start + 2) return otherPath(method, path, parts);
  const group = api === "api" ? "" : parts[1]!;
  // The core group is served at /api alone.
  const version = api === "apis" && group === "" ? "" : parts[start]!;
  let rest = parts.slice(start + 1);
  let verb = VERBS[method] ?? "";
  const special = SPECIAL_VERBS.has(rest[0]!);
  if (special) {
    if (rest.length < 2) return otherPath(method, path, parts);
    verb = rest[0]!;
    rest = rest.slice(1);
  }
  let namespace = "";
  if (rest[0] === "namespaces" && rest.length > 1) {
    namespace = rest[1]!;
    if (rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2]!)) rest = rest.slice(2);
  }
  const resource = rest[0] ?? "";
  let name = rest[1] ?? "";
  const subresource = special && verb === "proxy" ? "" : (rest[2] ?? "");
  if (name === "" && (verb === "get" || verb === "watch")) {
    if (verb === "get") verb = isTrue(query.get("watch")) ? "watch" : "list";
    name = selectedName(query);
  }
  if (name === "" && verb === "delete") verb = "deletecollection";
  const fieldSelector = COLLECTION_VERBS.has(verb) ? query.get("fieldSelector") : null;
  const info = { verb, isResource: true, path, group, version, namespace, resource, subresource, name, parts: rest };
  return fieldSelector === null ? info : { ...info, fieldSelector };
}

function otherPath(method: string, path: string, parts: readonly string[]): RequestInfo {
  const none = { group: "", version: "", namespace: "", resource: "", subresource: "", name: "" };
  return { verb: method.toLowerCase(), isResource: false, path, ...none, parts };
}

/** The one object a list or watch can hold, for authorization by name. */
function selectedName(query: URLSearchParams): string {
  const text = query.get("fieldSelector");
  if (text === null || !text.includes("metadata.name")) return "";
  const selector = parseFieldSelector(text);
  const name = selector instanceof Invalid ? undefined : selector.exactValue("metadata.name");
  return name !== undefined && checkPathSegmentName(name).length === 0 ? name : "";
}

function segments(path: string): string[] {
  let from = 0;
  let to = path.length;
  while (from < to && path.charCodeAt(from) === 47) from++;
  while (to > from && path.charCodeAt(to - 1) === 47) to--;
  return from === to ? [] : path.slice(from, to).split("/");
}

function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** As Go's strconv.ParseBool and the API's query decoding take it: present without a value is true. */
export function isTrue(value: string | null): boolean {
  if (value === null) return false;
  return !["0", "f", "F", "FALSE", "false", "False"].includes(value);
}
