// One request on its way through the registry: its resource, its user, and notes for the answer.

import type { UserInfo } from "@celadon/admission";
import type { Permitted } from "../authz/permitted.ts";
import type { ServedResource } from "../kinds/resource.ts";
import type { Sent } from "../wire/call.ts";

export interface Exchange {
  /** The request that was authorized: nothing makes an exchange without one. */
  readonly permitted: Permitted;
  readonly call: Sent;
  /** Without selectors, which were authorized. */
  readonly query: URLSearchParams;
  readonly resource: ServedResource;
  readonly subresource: string;
  /** Empty for a cluster-scoped object; for a Namespace its own name. */
  readonly namespace: string;
  /** Empty for collections. */
  readonly name: string;
  readonly user: UserInfo;
  readonly notes: Notes;
}

/** The body and options of a request, beside its attributes. */
export interface Received {
  readonly call: Sent;
  readonly query: URLSearchParams;
  readonly notes: Notes;
}

export function exchangeOf(permitted: Permitted, resource: ServedResource, received: Received): Exchange {
  const { user, info } = permitted;
  const { subresource, namespace, name } = info;
  if (info.group !== resource.group || info.version !== resource.version || info.resource !== resource.resource) {
    throw new Error(`${resource.resource} is not the authorized resource, ${info.resource}`);
  }
  return { permitted, resource, subresource, namespace, name, user, ...received };
}

/** Characters of warnings, of all and of each, after which no further one can be sent; twice the size of the header. */
const MAX_WARNED = 8192;
const MAX_WARNING = 256;

/** The remarks of admission and strategies beside the answer. */
export class Notes {
  // Made with the first remark: most requests have none.
  #warnings: Set<string> | undefined;
  #warned = 0;
  #annotations: Map<string, string> | undefined;
  #patches: Map<string, string> | undefined;
  #sent: unknown;

  /** Each text is sent once, and none after the header is full. */
  warn(text: string): void {
    this.#warnings ??= new Set();
    if (this.#warned > MAX_WARNED || this.#warnings.has(text)) return;
    this.#warnings.add(text);
    this.#warned += Math.min(text.length, MAX_WARNING);
  }

  /** The decoded request body, for the audit log. */
  get sent(): unknown {
    return this.#sent;
  }

  received(sent: unknown): void {
    this.#sent = sent;
  }

  /** A key keeps the first value it got. */
  annotate(key: string, value: string): void {
    this.#annotations ??= new Map();
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  /** The same for what shows the object itself, which only detailed audit levels write down. */
  annotatePatch(key: string, value: string): void {
    this.#patches ??= new Map();
    if (!this.#patches.has(key)) this.#patches.set(key, value);
  }

  get warnings(): readonly string[] {
    return [...(this.#warnings ?? [])];
  }

  get hasWarnings(): boolean {
    return this.#warnings !== undefined;
  }

  get patchAnnotations(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#patches ?? []);
  }

  get annotations(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#annotations ?? []);
  }
}
