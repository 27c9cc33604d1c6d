// A large request as the server of the thread sees it.

import type { Call } from "../wire/call.ts";
import type { LargeRequest } from "./messages.ts";

export class ThreadCall implements Call {
  readonly #request: LargeRequest;
  readonly #abort = new AbortController();
  /** The user is known already. */
  readonly peer = undefined;

  constructor(request: LargeRequest) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  get path(): string {
    return this.#request.path;
  }

  get query(): string {
    return this.#request.query;
  }

  get remoteAddress(): string {
    return this.#request.remoteAddress;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  header(name: string): string | undefined {
    return this.headerValues(name)[0];
  }

  headerValues(name: string): readonly string[] {
    const { headers } = this.#request;
    return Object.hasOwn(headers, name) ? headers[name]! : [];
  }

  headerNames(): readonly string[] {
    return Object.keys(this.#request.headers);
  }

  body(): Promise<Uint8Array> {
    return Promise.resolve(this.#request.body);
  }

  abort(): void {
    this.#abort.abort();
  }
}
