// The verbs of the Kubernetes API on any resource. A failure is an ApiError with the server's Status; a server that cannot be reached
// is a ConnectionError.

import { toExactJson } from "@celadon/base";
import type { GroupVersionResource, KubeObject } from "@celadon/kube";
import { readJson } from "@celadon/kube/read";
import { failure, type Status } from "@celadon/kube/status";
import type { Connection } from "./connection.ts";
import { collectionPath, objectPath, type Query, queryText, type Scope, type Target } from "./resource.ts";
import { ConnectionError, openTransport, type Transport, type TransportResponse } from "./transport.ts";

/** The server answered with a Status. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? `${status.code ?? 0} ${status.reason ?? ""}`.trim());
    this.status = status;
  }

  get code(): number {
    return this.status.code ?? 0;
  }
}

/** Objects, and where the next page begins. */
export interface ListPage {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  /** Empty for the last page. */
  readonly continue: string;
  readonly remaining?: number;
}

/** Options of every request. */
export interface Options {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** The objects to list. */
export interface ListOptions extends Options, Scope {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
}

/** Options of writes. */
export interface WriteOptions extends Options {
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
  /** Takes fields from other managers; for apply. */
  readonly force?: boolean;
}

/** The type of a patch. */
export type PatchFormat = "json" | "merge" | "strategic" | "apply";

const PATCH_TYPES: Readonly<Record<PatchFormat, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  // The server reads YAML here, and JSON is YAML.
  apply: "application/apply-patch+yaml",
};

/** Options of a client. */
export interface ApiOptions {
  readonly userAgent?: string;
  /** For tests, and for servers in the same process. */
  readonly transport?: Transport;
}

/** An API server, with the verbs on its resources. */
export class Api {
  readonly connection: Connection;
  readonly #transport: Transport;

  constructor(connection: Connection, options: ApiOptions = {}) {
    this.connection = connection;
    this.#transport = options.transport ?? openTransport(connection, options.userAgent ?? "celadon");
  }

  get(resource: GroupVersionResource, target: Target, options: Options = {}): Promise<KubeObject> {
    return this.#object("GET", objectPath(resource, target), undefined, options);
  }

  /** Undefined where there is no such object. */
  async find(resource: GroupVersionResource, target: Target, options: Options = {}): Promise<KubeObject | undefined> {
    try {
      return await this.get(resource, target, options);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  async list(resource: GroupVersionResource, options: ListOptions = {}): Promise<ListPage> {
    const { labelSelector, fieldSelector, limit, continue: from, resourceVersion, ...rest } = options;
    const query = queryText({ labelSelector, fieldSelector, limit, continue: from, resourceVersion });
    const list = await this.#object("GET", `${collectionPath(resource, options)}${query}`, undefined, rest);
    return pageOf(list as RawList);
  }

  /** All objects, page by page; memory holds one page. */
  async *pages(resource: GroupVersionResource, options: ListOptions = {}): AsyncGenerator<ListPage> {
    const limit = options.limit ?? 500;
    let from = "";
    do {
      const page = await this.list(resource, { ...options, limit, ...(from !== "" && { continue: from }) });
      yield page;
      from = page.continue;
    } while (from !== "");
  }

  create(
    resource: GroupVersionResource,
    object: KubeObject,
    scope: Scope & Partial<Target> & WriteOptions = {},
  ): Promise<KubeObject> {
    const { name, subresource } = scope;
    const path =
      name === undefined
        ? collectionPath(resource, scope)
        : objectPath(resource, { name, namespace: scope.namespace, ...(subresource !== undefined && { subresource }) });
    return this.#object("POST", `${path}${queryText(writeQuery(scope))}`, object, scope);
  }

  update(
    resource: GroupVersionResource,
    target: Target,
    object: KubeObject,
    options: WriteOptions = {},
  ): Promise<KubeObject> {
    return this.#object("PUT", `${objectPath(resource, target)}${queryText(writeQuery(options))}`, object, options);
  }

  patch(
    resource: GroupVersionResource,
    target: Target,
    type: PatchFormat,
    patch: unknown,
    options: WriteOptions = {},
  ): Promise<KubeObject> {
    const query = queryText({ ...writeQuery(options), force: type === "apply" ? options.force : undefined });
    const headers = { "content-type": PATCH_TYPES[type] };
    return this.#object("PATCH", `${objectPath(resource, target)}${query}`, patch, options, headers);
  }

  /** Server-side apply of the object under its own name. */
  apply(
    resource: GroupVersionResource,
    target: Target,
    object: KubeObject,
    options: WriteOptions & { readonly fieldManager: string },
  ): Promise<KubeObject> {
    return this.patch(resource, target, "apply", object, options);
  }

  async delete(
    resource: GroupVersionResource,
    target: Target,
    options: Options & { readonly uid?: string } = {},
  ): Promise<void> {
    const body = options.uid === undefined ? undefined : { preconditions: { uid: options.uid } };
    await this.#object("DELETE", objectPath(resource, target), body, options);
  }

  async deleteCollection(resource: GroupVersionResource, options: ListOptions = {}): Promise<void> {
    const { labelSelector, fieldSelector } = options;
    await this.#object(
      "DELETE",
      `${collectionPath(resource, options)}${queryText({ labelSelector, fieldSelector })}`,
      undefined,
      options,
    );
  }

  /** Any path of the server that answers JSON: discovery, versions. */
  raw(path: string, options: Options & { readonly accept?: string } = {}): Promise<unknown> {
    const { accept, ...rest } = options;
    return this.#object("GET", path, undefined, rest, accept === undefined ? undefined : { accept });
  }

  /** An answer that goes on: a watch. The caller reads or cancels it. */
  async stream(path: string, query: Query, options: Options = {}): Promise<TransportResponse> {
    const response = await this.#transport.send({ method: "GET", path: `${path}${queryText(query)}`, ...options });
    if (response.status === 200) return response;
    throw new ApiError(statusOf(response.status, await response.text()));
  }

  /** JSON as this client reads it. */
  parse(text: string): unknown {
    return readJson(text);
  }

  close(): void {
    this.#transport.close();
  }

  async #object(
    method: string,
    path: string,
    body: unknown,
    { signal, timeoutMs }: Options,
    headers?: Readonly<Record<string, string>>,
  ): Promise<KubeObject> {
    const response = await this.#transport.send({
      method,
      path,
      ...(body !== undefined && { body: toExactJson(body) }),
      ...(headers && { headers }),
      ...(signal && { signal }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    const text = await response.text();
    if (response.status < 200 || response.status > 299) throw new ApiError(statusOf(response.status, text));
    return this.#answered(text);
  }

  #answered(text: string): KubeObject {
    let value: unknown;
    try {
      value = this.parse(text);
    } catch (error) {
      throw new ConnectionError(`${this.connection.server}: the answer is not JSON`, { cause: error });
    }
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as KubeObject;
    throw new ConnectionError(`${this.connection.server}: the answer is not an object`);
  }
}

function writeQuery({ fieldManager, dryRun }: WriteOptions): Query {
  return { fieldManager, dryRun: dryRun === true ? "All" : undefined };
}

/** The received Status, or one for a response that is not a Status: a proxy's page, an empty body. */
function statusOf(code: number, text: string): Status {
  try {
    const value = readJson(text) as Status;
    if (value?.kind === "Status") return value;
  } catch {
    // Not JSON: the message quotes its beginning.
  }
  const shown = text.trim().slice(0, 200);
  const message = shown === "" ? `the server answered ${code}` : `the server answered ${code}: ${shown}`;
  return failure(undefined, message, undefined, code);
}

interface RawList {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly items?: readonly KubeObject[] | null;
}

/** Items of typed lists omit their kind. */
function pageOf(list: RawList): ListPage {
  const { metadata = {}, apiVersion, kind = "" } = list;
  const own =
    kind.endsWith("List") && kind !== "List" ? { apiVersion, kind: kind.slice(0, -"List".length) } : undefined;
  const items = (list.items ?? []).map((item) =>
    own && item.kind === undefined ? ({ ...own, ...item } as KubeObject) : item,
  );
  return {
    items,
    resourceVersion: metadata.resourceVersion ?? "",
    continue: metadata.continue ?? "",
    ...(metadata.remainingItemCount !== undefined && { remaining: metadata.remainingItemCount }),
  };
}
