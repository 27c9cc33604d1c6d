// The target of a path, a method and selectors, as the API server reads them: verb, group, version, resource, namespace, name. It is read
// once per request: the authorizer and the handlers get the same values. Nothing is looked up: an unserved resource has a RequestInfo too,
// because authorization comes before "not found". Upstream: apiserver pkg/endpoints/request/requestinfo.go.

import { Invalid } from "@celadon/kube/errors";
import { checkPathSegmentName } from "@celadon/kube/names";
import {
  type FieldSelector,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
} from "@celadon/kube/selectors";

export interface RequestInfo {
  readonly method: string;
  /** The verb of a resource: get, list, watch, create, update, patch, delete, deletecollection, proxy. Else the method in lower case. */
  readonly verb: string;
  readonly isResource: boolean;
  /** Decoded. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** For a list or watch, the one object that its field selector names. */
  readonly name: string;
  /** The selectors of a list, watch or deletecollection. */
  readonly selectors: Selectors;
  /** The verb is in the path, as in old watch paths. The authorizer sees no selectors of such requests. */
  readonly isOldPath: boolean;
  /** The parts of the path after the version: more than resource, name and subresource for proxies. */
  readonly parts: readonly string[];
}

/** The selectors of a request, or why they cannot be read; absent if it has none. */
export interface Selectors {
  readonly fields?: FieldSelector | Invalid;
  readonly labels?: LabelSelector | Invalid;
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
const NO_SELECTORS: Selectors = {};

export function requestInfo(method: string, encodedPath: string, query: URLSearchParams): RequestInfo {
  const path = decodePath(encodedPath) ?? encodedPath;
  const parts = segments(path);
  const api = parts[0];
  const start = api === "api" ? 1 : 2;
  if (!(api === "api" || api === "apis") || parts.length < start + 2) return otherPath(method, path, parts);
  const group = api === "api" ? "" : parts[1]!;
  // The core group is served at /api alone.
  const version = api === "apis" && group === "" ? "" : parts[start]!;
  let rest = parts.slice(start + 1);
  let verb = VERBS[method] ?? "";
  const isOldPath = SPECIAL_VERBS.has(rest[0]!);
  if (isOldPath) {
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
  const subresource = isOldPath && verb === "proxy" ? "" : (rest[2] ?? "");
  let selectors = NO_SELECTORS;
  if (name === "" && verb === "get") {
    verb = isTrue(query.get("watch")) ? "watch" : "list";
    selectors = selectorsOf(query);
    name = selectedName(selectors, query);
  } else if (name === "" && verb === "delete") verb = "deletecollection";
  if (selectors === NO_SELECTORS && COLLECTION_VERBS.has(verb)) selectors = selectorsOf(query);
  return {
    method,
    verb,
    isResource: true,
    path,
    group,
    version,
    namespace,
    resource,
    subresource,
    name,
    selectors,
    isOldPath,
    parts: rest,
  };
}

function otherPath(method: string, path: string, parts: readonly string[]): RequestInfo {
  const none = { group: "", version: "", namespace: "", resource: "", subresource: "", name: "" };
  const verb = method.toLowerCase();
  return { method, verb, isResource: false, path, ...none, selectors: NO_SELECTORS, isOldPath: false, parts };
}

function selectorsOf(query: URLSearchParams): Selectors {
  const fields = query.get("fieldSelector") ?? "";
  const labels = query.get("labelSelector") ?? "";
  if (fields === "" && labels === "") return NO_SELECTORS;
  return {
    ...(fields !== "" && { fields: parseFieldSelector(fields) }),
    ...(labels !== "" && { labels: parseLabelSelector(labels) }),
  };
}

/** The one object a list or watch can hold, for authorization by name. If any option cannot be read, there is no name. */
function selectedName({ fields, labels }: Selectors, query: URLSearchParams): string {
  if (fields === undefined || fields instanceof Invalid || labels instanceof Invalid) return "";
  if (!NUMBERS.every((option) => INTEGER.test(query.get(option) ?? "0"))) return "";
  const name = fields.exactValue("metadata.name");
  return name !== undefined && checkPathSegmentName(name).length === 0 ? name : "";
}

const NUMBERS = ["limit", "timeoutSeconds"];
const INTEGER = /^[+-]?\d+$/;

function segments(path: string): string[] {
  let from = 0;
  let to = path.length;
  while (from < to && path.charCodeAt(from) === 47) from++;
  while (to > from && path.charCodeAt(to - 1) === 47) to--;
  return from === to ? [] : path.slice(from, to).split("/");
}

/** Undefined where an escape is broken. Bytes that are no UTF-8 become replacement characters. */
export function decodePath(path: string): string | undefined {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    if (/%(?![0-9A-Fa-f]{2})/.test(path)) return undefined;
    const bytes = path.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, "latin1").toString("utf8");
  }
}

/** A flag as the API's query decoding reads it: everything but 0 and false is true, also the empty text. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}
