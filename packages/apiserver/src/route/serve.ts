// One call from its bytes to its answer: who asks, may they, what is asked for, and the handler that answers.

import type { UserInfo } from "@celadon/admission";
import { failure, type Status } from "@celadon/kube";
import type { Authenticator } from "../authn/authenticator.ts";
import { impersonated } from "../authn/impersonation.ts";
import { type Access, userOf } from "../authz/access.ts";
import type { Discovery } from "../discovery/discovery.ts";
import type { Health } from "../health/health.ts";
import { VERSION } from "../health/version.ts";
import type { KindTable } from "../kinds/kind-table.ts";
import type { OpenApi } from "../openapi/openapi.ts";
import { verbOf } from "../registry/dispatch.ts";
import { type Exchange, Notes } from "../registry/exchange.ts";
import type { Services } from "../registry/services.ts";
import { jsonAnswer, PAGE_NOT_FOUND, statusAnswer } from "../wire/answers.ts";
import type { Answer, Call } from "../wire/call.ts";
import { type RequestInfo, requestInfo } from "../wire/request-info.ts";
import { StatusError, statusOf } from "../wire/status-error.ts";

export interface Served {
  readonly answer: Answer;
  readonly info: RequestInfo;
  readonly notes: Notes;
  /** Who authenticated; absent when it is not known who asked. */
  readonly authenticated?: UserInfo;
  /** Who the request was made as, where that is somebody else. */
  readonly impersonated?: UserInfo;
  /** The answer, where it is a refusal. */
  readonly failure?: Status;
}

export interface Parts {
  readonly kinds: KindTable;
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly access: Access;
  readonly discovery: Discovery;
  readonly health: Health;
  readonly openapi: OpenApi;
}

const NO_QUERY = new URLSearchParams();

export class Router {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async serve(call: Call): Promise<Served> {
    const query = call.query === "" ? NO_QUERY : new URLSearchParams(call.query);
    const info = requestInfo(call.method, call.path, query);
    const notes = new Notes();
    let authenticated: UserInfo | undefined;
    let impersonating: UserInfo | undefined;
    const who = (): Pick<Served, "authenticated" | "impersonated"> => ({
      ...(authenticated !== undefined && { authenticated }),
      ...(impersonating !== undefined && { impersonated: impersonating }),
    });
    try {
      const { access, authenticator } = this.#parts;
      authenticated = await authenticator.authenticate(call);
      if (hasImpersonation(call)) {
        impersonating = await impersonated(call, userOf(authenticated), (attributes) => access.require(attributes));
      }
      const user = impersonating ?? authenticated;
      await access.check(user, info);
      const answer = await this.#answer(call, query, info, user, notes);
      return { answer, info, notes, ...who() };
    } catch (error) {
      const status = statusOf(error);
      return { answer: statusAnswer(status), info, notes, failure: status, ...who() };
    }
  }

  #answer(
    call: Call,
    query: URLSearchParams,
    info: RequestInfo,
    user: UserInfo,
    notes: Notes,
  ): Answer | Promise<Answer> {
    if (!info.isResource) return this.#otherPath(call, query, info);
    const { kinds, services } = this.#parts;
    const { group, version, subresource, namespace, name } = info;
    const resource = kinds.resource(group, version, info.resource);
    if (resource === undefined) return PAGE_NOT_FOUND;
    const isInNamespace = namespace !== "" && info.resource !== "namespaces";
    if (isInNamespace !== resource.namespaced && !(resource.namespaced && !isInNamespace && name === "")) {
      return PAGE_NOT_FOUND;
    }
    const verbs = subresource === "" ? resource.verbs : resource.subresources.get(subresource)?.verbs;
    if (verbs === undefined) return PAGE_NOT_FOUND;
    const handle = verbOf({ resource, subresource }, info.verb);
    const isAtPlace =
      info.verb === "create"
        ? (name !== "") === (subresource !== "")
        : NAMED.has(info.verb) === (name !== "" && info.parts.length > 1);
    if (handle === undefined || !verbs.includes(info.verb) || !isAtPlace) throw new StatusError(methodNotAllowed());
    const { deprecation } = services.handler(resource);
    if (deprecation !== undefined) notes.warn(deprecation);
    const exchange: Exchange = { call, query, resource, subresource, namespace, name, user, notes };
    return handle(services, exchange);
  }

  #otherPath(call: Call, query: URLSearchParams, info: RequestInfo): Answer {
    const { discovery, health, openapi } = this.#parts;
    const { parts } = info;
    if (call.method !== "GET" && call.method !== "HEAD") throw new StatusError(methodNotAllowed());
    if (parts[0] === "version" && parts.length === 1) return VERSION;
    if (parts.length === 0) return jsonAnswer(200, { paths: PATHS });
    return health.answer(parts, query) ?? openapi.answer(parts) ?? discovery.answer(call, parts) ?? PAGE_NOT_FOUND;
  }
}

/** Verbs about one object; all others but create are about collections. */
const NAMED: ReadonlySet<string> = new Set(["get", "update", "patch", "delete"]);

const PATHS = ["/api", "/apis", "/healthz", "/livez", "/metrics", "/openapi/v2", "/openapi/v3", "/readyz", "/version"];

function hasImpersonation(call: Call): boolean {
  return call.headerNames().some((name) => name.startsWith("impersonate-"));
}

function methodNotAllowed(): ReturnType<typeof failure> {
  return failure("MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}
