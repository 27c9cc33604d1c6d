// All objects of a resource, page by page, so that memory holds one page. A list that takes longer than the server keeps its version goes
// on from where it was, over objects as they are by then. A refusal is an answer too.

import { pushAll } from "@celadon/base";
import { type Api, ApiError } from "@celadon/client";
import type { GroupVersionResource, KubeObject } from "@celadon/kube";

/** The objects to list, and the size of a page. */
export interface ListAllOptions {
  readonly namespace?: string;
  readonly pageSize?: number;
  readonly labelSelector?: string;
  readonly signal?: AbortSignal;
}

/** Why a resource was not read, or not to its end. */
export interface Unread {
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly why: "forbidden" | "not served" | "failed";
  readonly message: string;
}

export const PAGE_SIZE = 500;

/** Gives pages, and in the end why not all of them came. */
export async function* listAll(
  api: Api,
  resource: GroupVersionResource,
  options: ListAllOptions = {},
): AsyncGenerator<readonly KubeObject[], Unread | undefined> {
  const { namespace, labelSelector, signal, pageSize: limit = PAGE_SIZE } = options;
  const scope = {
    limit,
    ...(namespace && { namespace }),
    ...(labelSelector && { labelSelector }),
    ...(signal && { signal }),
  };
  let from = "";
  do {
    try {
      const page = await api.list(resource, { ...scope, ...(from !== "" && { continue: from }) });
      yield page.items;
      from = page.continue;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const next = error.code === 410 ? continueOf(error) : "";
      if (next === "") return unreadOf(resource, namespace, error);
      from = next;
    }
  } while (from !== "");
  return undefined;
}

/** The answer that a token is too old has a new token, which continues at the current version. */
function continueOf({ status }: ApiError): string {
  const { metadata } = status as { readonly metadata?: { readonly continue?: string } };
  return metadata?.continue ?? "";
}

function unreadOf(
  { group, resource }: GroupVersionResource,
  namespace: string | undefined,
  { code, message }: ApiError,
): Unread {
  const why = code === 403 || code === 401 ? "forbidden" : code === 404 || code === 405 ? "not served" : "failed";
  return { group, resource, ...(namespace && { namespace }), why, message };
}

/** All at once, for resources with few objects. */
export async function listWhole(
  api: Api,
  resource: GroupVersionResource,
  options: ListAllOptions = {},
): Promise<{ readonly objects: readonly KubeObject[]; readonly unread?: Unread }> {
  const objects: KubeObject[] = [];
  const pages = listAll(api, resource, options);
  for (;;) {
    const { value, done } = await pages.next();
    if (done) return { objects, ...(value && { unread: value }) };
    pushAll(objects, value);
  }
}
