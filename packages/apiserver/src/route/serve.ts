// One call from its bytes to its answer: authentication, authorization, and the handler of the resource.

import type { UserInfo } from "@celadon/admission";
import { quoteGo } from "@celadon/base";
import { isError, parseDuration } from "@celadon/cel";
import { checkPathSegmentName } from "@celadon/kube/names";
import { badRequest, failure, notFound, type Status } from "@celadon/kube/status";
import type { Authenticator } from "../authn/authenticator.ts";
import { type Impersonated, Impersonation } from "../authn/impersonation.ts";
import { type Access, attributesOf, forbiddenAccess } from "../authz/access.ts";
import { Permitted } from "../authz/permitted.ts";
import { type Negotiated, negotiate, OFFERED } from "../codec/forms.ts";
import type { Discovery } from "../discovery/discovery.ts";
import { isFlowTable } from "../flow/dump.ts";
import type { FlowControl } from "../flow/flow-control.ts";
import type { RequestSeat } from "../flow/request-seat.ts";
import type { Health } from "../health/health.ts";
import { type Issuer, OPENID_PATHS } from "../health/issuer.ts";
import type { KindTable } from "../kinds/kind-table.ts";
import { keyOf, type ServedResource } from "../kinds/resource.ts";
import { LargeRefusal, type LargeRequests } from "../large/large-requests.ts";
import type { Stored } from "../large/work.ts";
import type { ServerMetrics } from "../metrics/server-metrics.ts";
import type { OpenApi } from "../openapi/openapi.ts";
import { verbOf } from "../registry/dispatch.ts";
import { exchangeOf, Notes, type Received } from "../registry/exchange.ts";
import { contentOf } from "../registry/respond.ts";
import type { Services } from "../registry/services.ts";
import { JSON_TYPE } from "../wire/accept.ts";
import { indentedAnswer, PAGE_NOT_FOUND, statusAnswer, textAnswer } from "../wire/answers.ts";
import { type Answer, type Call, type Content, isStream, type Sent, type Sink } from "../wire/call.ts";
import { indented, prettied } from "../wire/pretty.ts";
import { parseQuery } from "../wire/query.ts";
import { decodePath, type RequestInfo, requestInfo } from "../wire/request-info.ts";
import { StatusError, statusOf } from "../wire/status-error.ts";
import { checkAccepted, checkConsumed, checkOpenApiAccepted, LISTED } from "./accepted.ts";

export interface Served {
  readonly answer: Answer;
  readonly info: RequestInfo;
  readonly notes: Notes;
  /** Whether the user may make the request. */
  readonly isAuthorized: boolean;
  /** The authenticated user; absent if unknown. */
  readonly authenticated?: UserInfo;
  /** The impersonated user, if there is one. */
  readonly impersonated?: UserInfo;
  /** The verb that allowed it, where it is not the old one. */
  readonly impersonationConstraint?: string;
  /** The answer, where it is a refusal. */
  readonly failure?: Status;
}

export interface Parts {
  readonly kinds: KindTable;
  /** The answer to `/version`. */
  readonly version: Content;
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly access: Access;
  readonly discovery: Discovery;
  readonly health: Health;
  readonly issuer: Issuer;
  /** Loaded with the first request for a document. */
  openapi(): Promise<OpenApi>;
  readonly metrics: ServerMetrics;
  readonly flows: FlowControl;
  /** Answers requests with large bodies, where there is a thread for them. */
  readonly large: LargeRequests | undefined;
}

const NO_QUERY = new URLSearchParams();

export class Router {
  readonly #parts: Parts;
  readonly #impersonation: Impersonation;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#impersonation = new Impersonation({
      require: (attributes) => parts.access.require(attributes),
      forbidden: forbiddenAccess,
    });
  }

  async serve(call: Call): Promise<Served> {
    const { requests } = this.#parts.metrics;
    const started = performance.now();
    const end = requests.begin(call.method);
    const served = await this.#serve(call);
    end();
    const { answer, info } = served;
    const counted = {
      info,
      isServed: info.isResource && this.#parts.kinds.resource(info.group, info.version, info.resource) !== undefined,
      isApply: call.method === "PATCH" && (call.header("content-type") ?? "").startsWith("application/apply-patch"),
      isDryRun: call.query.includes("dryRun="),
    };
    requests.answered(
      counted,
      answer.code,
      (performance.now() - started) / 1000,
      "body" in answer ? answer.body.length : undefined,
    );
    if (!isStream(answer)) return served;
    const open = (sink: Sink): void => {
      sink.onClose(requests.beginLong(counted));
      answer.open(sink);
    };
    return { ...served, answer: { ...answer, open } };
  }

  async #serve(call: Call): Promise<Served> {
    const query = call.query === "" ? NO_QUERY : parseQuery(call.query);
    const info = requestInfo(call.method, call.path, query);
    const notes = new Notes();
    let authenticated: UserInfo | undefined;
    let impersonating: Impersonated | undefined;
    let isAuthorized = false;
    let seat: RequestSeat | undefined;
    const who = (): Pick<Served, "authenticated" | "impersonated" | "impersonationConstraint"> => ({
      ...(authenticated !== undefined && { authenticated }),
      ...(impersonating !== undefined && {
        impersonated: impersonating.user,
        impersonationConstraint: impersonating.constraint,
      }),
    });
    try {
      if (decodePath(call.path) === undefined)
        throw new StatusError(badRequest("malformed HTTP request: broken escape"));
      const timeout = info.verb === "watch" ? undefined : timeoutOf(query);
      const { access, authenticator, flows } = this.#parts;
      authenticated = await authenticator.authenticate(call, (text) => notes.warn(text));
      if (hasImpersonation(call)) {
        impersonating = await this.#impersonation.impersonated(call, attributesOf(authenticated, info));
      }
      const user = impersonating?.user ?? authenticated;
      seat = flows.seatOf({ user, info, query, timeout, signal: () => call.signal });
      const mayWork = seat?.take() ?? true;
      if (mayWork !== true && !(await mayWork)) {
        return { answer: tooManyRequests(seat!), info, notes, isAuthorized, ...who() };
      }
      call.seat = seat;
      const permitted = await Permitted.check(access, user, info);
      isAuthorized = true;
      const here = (): Promise<Answer> => this.#permitted(permitted, call, query, notes);
      const { large } = this.#parts;
      const stored = () => this.#stored(info);
      const answer = await (large === undefined ? here() : large.answer({ call, user, info, notes, stored }, here));
      return { answer: withHeaders(answer, seat?.headers), info, notes, isAuthorized, ...who() };
    } catch (error) {
      const refusal = error instanceof LargeRefusal ? error.content : refusalOf(statusOf(error), call, query);
      return {
        answer: withHeaders(refusal, seat?.headers),
        info,
        notes,
        isAuthorized,
        failure: statusOf(error),
        ...who(),
      };
    } finally {
      // A watch has its seat until it begins to stream.
      seat?.leave();
    }
  }

  #stored({ group, version, resource: plural, namespace, name }: RequestInfo): Stored | undefined {
    const { kinds, services } = this.#parts;
    const resource = kinds.resource(group, version, plural);
    if (resource === undefined) return undefined;
    return { table: services.handler(resource).cache, key: keyOf(resource.storage, namespace, name) };
  }

  /** For requests whose user another server over the same store knows. */
  async serveAs(user: UserInfo, call: Call): Promise<Pick<Served, "answer" | "notes" | "failure">> {
    const query = parseQuery(call.query);
    const notes = new Notes();
    try {
      const permitted = await Permitted.check(this.#parts.access, user, requestInfo(call.method, call.path, query));
      return { answer: await this.#permitted(permitted, call, query, notes), notes };
    } catch (error) {
      const failure = statusOf(error);
      return { answer: refusalOf(failure, call, query), notes, failure };
    }
  }

  async #permitted(permitted: Permitted, call: Call, query: URLSearchParams, notes: Notes): Promise<Answer> {
    return prettied(await this.#answer(permitted, { call, query: withoutSelectors(query), notes }), call, query);
  }

  #answer(permitted: Permitted, received: Received): Answer | Promise<Answer> {
    const { info } = permitted;
    if (info.path.startsWith("//")) return PAGE_NOT_FOUND;
    if (!info.isResource) return this.#otherPath(info, received);
    const { call, notes } = received;
    const { kinds, services } = this.#parts;
    const { group, version, subresource, name } = info;
    const resource = kinds.resource(group, version, info.resource);
    if (resource === undefined) return this.#notServed(group);
    const verbs = subresource === "" ? resource.verbs : resource.subresources.get(subresource)?.verbs;
    if (verbs === undefined && resource.storage.custom && name !== "") {
      throw new StatusError(notFound(resource, name));
    }
    if (verbs === undefined || !isPathOf(resource, info) || info.verb === "proxy") return this.#notServed(group);
    if (info.method === "HEAD" || (info.isOldPath && info.method !== "GET")) throw new StatusError(methodNotAllowed());
    if (!resource.storage.custom && !ANY_ANSWER.has(subresource)) checkAccepted(call, isList(info) ? LISTED : OFFERED);
    const handle = verbOf({ resource, subresource }, info.verb);
    const isAtPlace =
      info.verb === "create"
        ? (name !== "") === (subresource !== "")
        : info.verb === "watch" || NAMED.has(info.verb) === (name !== "" && info.parts.length > 1);
    if (handle === undefined || !verbs.includes(info.verb) || !isAtPlace || isAcrossNamespaces(resource, info)) {
      throw new StatusError(methodNotAllowed());
    }
    if (name !== "" && NAMED.has(info.verb)) checkNameParameter(name);
    const { deprecation } = services.handler(resource);
    if (deprecation !== undefined) notes.warn(deprecation);
    return handle(services, exchangeOf(permitted, resource, received));
  }

  /** The paths that a client may ask for beside objects. */
  #paths(): readonly string[] {
    const { kinds, health } = this.#parts;
    const groups = [...kinds.all()].flatMap(({ group, version }) =>
      group === "" ? [] : [`/apis/${group}`, `/apis/${group}/${version}`],
    );
    return [...new Set([...PATHS, ...groups, ...health.paths()])].sort();
  }

  /** Groups of the server itself answer with a Status. */
  #notServed(group: string): Answer {
    const isBuiltin = group === "" || this.#parts.kinds.hasBuiltin(group);
    if (isBuiltin) throw new StatusError(NOT_FOUND);
    return PAGE_NOT_FOUND;
  }

  async #openapi(parts: readonly string[], call: Sent): Promise<Answer> {
    checkOpenApiAccepted(parts, call);
    return (await this.#parts.openapi()).answer(parts, call.header("accept")) ?? PAGE_NOT_FOUND;
  }

  #exactPath(parts: readonly string[], call: Sent): Answer | Promise<Answer> | undefined {
    const [first, second] = parts;
    if (parts.length === 0) return indentedAnswer(200, { paths: this.#paths() });
    if (first === "metrics" && parts.length === 1) return this.#parts.metrics.answer();
    if (first === "metrics" && second === "slis" && parts.length === 2) return this.#parts.health.metrics();
    return first === "openapi" ? this.#openapi(parts, call) : undefined;
  }

  /** Lists of groups have no route of their own: they check the accepted types when they are answered. */
  #isDiscoveryRoute(parts: readonly string[]): boolean {
    if (parts[0] === "api") return parts.length === 1 || (parts.length === 2 && parts[1] === "v1");
    if (parts[0] !== "apis" || parts.length !== 3) return false;
    const served = ({ group, version, storage }: ServedResource): boolean =>
      group === parts[1] && version === parts[2] && !storage.custom;
    return [...this.#parts.kinds.all()].some(served);
  }

  #otherPath({ method, path, parts }: RequestInfo, { call, query }: Received): Answer | Promise<Answer> {
    const { discovery, flows, health, issuer } = this.#parts;
    // Some paths are served as they are written, others with slashes at their end too: rules about paths tell them apart.
    if (EXACT.has(parts[0] ?? "") && path !== `/${parts.join("/")}`) return PAGE_NOT_FOUND;
    if (parts[0] === "apis" && parts.length === 1 && path.length > "/apis/".length) return PAGE_NOT_FOUND;
    const healthy = health.answer(parts, query);
    if (healthy !== undefined) return healthy;
    if (method !== "GET" && method !== "HEAD") throw new StatusError(methodNotAllowed());
    const exact = this.#exactPath(parts, call);
    if (exact !== undefined) return exact;
    if (method === "HEAD") throw new StatusError(methodNotAllowed());
    if (parts[0] === "version" && parts.length === 1) {
      checkAccepted(call, [JSON_TYPE]);
      checkConsumed(call);
      return this.#parts.version;
    }
    if (parts[0] === "debug" && parts[1] === "api_priority_and_fairness" && parts.length === 3) {
      const [, , table = ""] = parts;
      if (isFlowTable(table)) return textAnswer(200, flows.dump(table, Boolean(query.get("includeRequestDetails"))));
    }
    if (this.#isDiscoveryRoute(parts)) checkAccepted(call, OFFERED);
    const signing = issuer.answer(parts);
    if (signing !== undefined) checkAccepted(call, [signing.type]);
    const answer = signing ?? discovery.answer(call, parts) ?? PAGE_NOT_FOUND;
    if (answer !== PAGE_NOT_FOUND || parts.length < 2) return answer;
    return parts[0] === "api" || parts[0] === "apis" ? this.#notServed(parts[0] === "api" ? "" : parts[1]!) : answer;
  }
}

const EXACT: ReadonlySet<string> = new Set(["", "debug", "healthz", "livez", "readyz", "metrics", "openapi"]);

const NOT_FOUND = failure("NotFound", "the server could not find the requested resource", {});

/** Verbs about one object; all others but create are about collections. */
const NAMED: ReadonlySet<string> = new Set(["get", "update", "patch", "delete"]);

const isNamed = ({ parts }: RequestInfo): boolean => parts.length > 1;
const isNamespaced = ({ namespace, resource }: RequestInfo): boolean => namespace !== "" && resource !== "namespaces";
const isList = ({ verb }: RequestInfo): boolean => verb === "list" || verb === "watch";

/** Whether the path is served, with any method. */
function isPathOf(resource: ServedResource, info: RequestInfo): boolean {
  if (info.parts.length > 3 && info.subresource !== "proxy") return false;
  if (isNamed(info) && info.subresource === "" && !resource.verbs.some((verb) => NAMED.has(verb))) return false;
  if (isNamespaced(info)) return resource.namespaced;
  return !resource.namespaced || (!isNamed(info) && (isList(info) || !resource.storage.custom));
}

/** Objects of all namespaces can only be listed and watched. */
function isAcrossNamespaces(resource: ServedResource, info: RequestInfo): boolean {
  return resource.namespaced && !isNamespaced(info) && !isList(info);
}

/** Beside the groups and the health checks. */
const PATHS = [
  ...OPENID_PATHS,
  "/api",
  "/api/v1",
  "/apis",
  "/apis/",
  "/metrics",
  "/metrics/slis",
  "/openapi/v2",
  "/openapi/v3",
  "/version",
];

/** The milliseconds a client gives a request, written in Go's notation; undefined if it does not say. */
function timeoutOf(query: URLSearchParams): number | undefined {
  const text = query.size === 0 ? "" : (query.get("timeout") ?? "");
  if (text === "") return undefined;
  const duration = parseDuration(text);
  if (isError(duration)) {
    const problem = `invalid timeout specified in the request URL - time: invalid duration ${quoteGo(text)}`;
    throw new StatusError(badRequest(problem));
  }
  const milliseconds = duration.seconds * 1e3 + duration.nanos / 1e6;
  return milliseconds > 0 ? milliseconds : undefined;
}

/** Selectors were authorized; handlers do not read them again. */
function withoutSelectors(query: URLSearchParams): URLSearchParams {
  if (query.size === 0) return query;
  query.delete("fieldSelector");
  query.delete("labelSelector");
  return query;
}

function withHeaders<A extends Answer>(answer: A, headers: Readonly<Record<string, string>> | undefined): A {
  return headers === undefined ? answer : { ...answer, headers: { ...answer.headers, ...headers } };
}

/** No Status, as upstream. */
function tooManyRequests({ headers, retryAfter }: RequestSeat): Content {
  const answer = textAnswer(429, "Too many requests, please try again later.\n");
  return withHeaders(answer, { ...headers, "retry-after": String(retryAfter) });
}

function refusalOf(status: Status, call: Call, query: URLSearchParams): Answer {
  return prettied(inAcceptedType(statusAnswer(status), call, query), call, query);
}

/** A refusal in the type that an object would have been answered in, or in JSON. */
function inAcceptedType(refusal: Content, call: Call, query: URLSearchParams): Content {
  const accept = call.header("accept");
  if (accept === undefined || accept.includes(JSON_TYPE)) return refusal;
  let type: Negotiated["type"];
  try {
    ({ type } = negotiate(call, query));
  } catch {
    return { ...refusal, body: indented(String(refusal.body)) };
  }
  return { ...refusal, ...contentOf(refusal.code, Buffer.from(refusal.body), type) };
}

function hasImpersonation(call: Call): boolean {
  return call.headerNames().some((name) => name.startsWith("impersonate-"));
}

/** Subresources that pass on the answer of a kubelet or another server. */
const ANY_ANSWER: ReadonlySet<string> = new Set(["exec", "attach", "portforward", "proxy", "log"]);

function checkNameParameter(name: string): void {
  const [problem] = checkPathSegmentName(name);
  if (problem !== undefined) throw new StatusError(badRequest(`Name parameter invalid: ${quoteGo(name)}: ${problem}`));
}

function methodNotAllowed(): ReturnType<typeof failure> {
  return failure("MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}
