// Authenticates the user: a client certificate, a bearer token, or the program the server runs in; then the user they act as.

import type { UserInfo } from "@celadon/admission";
import { trimSpace } from "@celadon/kube";
import { unauthorized } from "@celadon/kube/status";
import type { Call } from "../wire/call.ts";
import { decodePath } from "../wire/request-info.ts";
import { StatusError } from "../wire/status-error.ts";
import { isWebSocketRequest, offeredProtocols } from "../wire/web-socket.ts";

/** Finds the owner of a token; undefined when it is not one of these. */
export interface TokenSource {
  user(token: string): Promise<UserInfo | undefined> | UserInfo | undefined;
}

/** Authentication by a file of the server. */
export interface FileAuthentication extends TokenSource {
  /** Whether a path is answered to people who do not say who they are. */
  isAnonymous(path: string): boolean;
}

export const AUTHENTICATED = "system:authenticated";
export const UNAUTHENTICATED = "system:unauthenticated";

const EXTRA_SPACE = /^bearer {2}/i;
const EXTRA_SPACE_WARNING =
  "the provided Authorization header contains extra space before the bearer token, and is ignored";

/** Paths that tell how the server is. */
const HEALTH: ReadonlySet<string> = new Set(["/healthz", "/livez", "/readyz"]);
const ANONYMOUS: UserInfo = { username: "system:anonymous", groups: [UNAUTHENTICATED] };

export class Authenticator {
  readonly #tokens: readonly TokenSource[];
  readonly #anonymousHealth: boolean;
  readonly #file: FileAuthentication | undefined;

  /** `anonymousHealth`: load balancers and test suites may ask how the server is without saying who they are. */
  constructor(tokens: readonly TokenSource[], anonymousHealth: boolean, file?: FileAuthentication) {
    this.#tokens = file === undefined ? tokens : [...tokens, file];
    this.#anonymousHealth = anonymousHealth;
    this.#file = file;
  }

  /** Throws a StatusError if the request does not authenticate a user. */
  async authenticate(call: Call, warn: (text: string) => void): Promise<UserInfo> {
    if (call.peer !== undefined) return withAuthenticated(call.peer);
    const header = call.header("authorization");
    if (header === undefined && this.#anonymousHealth && HEALTH.has(call.path)) return ANONYMOUS;
    if (header !== undefined && EXTRA_SPACE.test(trimSpace(header))) warn(EXTRA_SPACE_WARNING);
    const user = (await this.#userOf(bearerToken(header))) ?? (await this.#userOf(protocolToken(call)));
    if (user === undefined && header === undefined && !hasToken(call) && this.#isAnonymous(call.path)) {
      return ANONYMOUS;
    }
    if (user === undefined) throw new StatusError(unauthorized("Unauthorized"));
    return withAuthenticated(user);
  }

  /** Conditions are about the path that is authorized and served: the decoded one. */
  #isAnonymous(path: string): boolean {
    return this.#file?.isAnonymous(decodePath(path) ?? path) ?? false;
  }

  async #userOf(token: string | undefined): Promise<UserInfo | undefined> {
    if (token === undefined) return undefined;
    for (const source of this.#tokens) {
      const user = await source.user(token);
      if (user !== undefined) return user;
    }
    return undefined;
  }
}

/** The token of an Authorization header; undefined if it has none, or more than one space before it. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [scheme = "", token = ""] = trimSpace(header).split(" ");
  return scheme.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}

/** The token among the protocols of a request for a WebSocket. */
function protocolToken(call: Call): string | undefined {
  return isWebSocketRequest(call) ? offeredProtocols(call).token : undefined;
}

const hasToken = (call: Call): boolean => isWebSocketRequest(call) && offeredProtocols(call).hasToken;

export function withAuthenticated(user: UserInfo): UserInfo {
  const groups = user.groups ?? [];
  return groups.includes(AUTHENTICATED) ? user : { ...user, groups: [...groups, AUTHENTICATED] };
}
