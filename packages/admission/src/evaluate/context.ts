// The values that policies share for one request: its namespace, its objects in other versions, results of the authorizer, and the values
// that expressions read. Each is computed once for all policies.

import { isRecord, thrownText } from "@celadon/base";
import type { EvaluateOptions, Program } from "@celadon/cel";
import {
  apiVersionOf,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubeObject,
  labelsOf,
} from "@celadon/kube";
import { internalError, notFound, type Status } from "@celadon/kube/status";
import { AuthorizerValue, type RequestResource, type User } from "@celadon/kube-cel";
import { HostError, type Hosts, isPromise, type Maybe } from "../hosts.ts";
import type { CompiledMatch, MatchOutcome, NamespaceLabels } from "../match/match-resources.ts";
import { type AdmissionRequest, isNamespaceKind, requestValue } from "../request.ts";
import { AuthorizerCache } from "./authorizer-cache.ts";
import { hostsBefore, type Signal } from "./deadline.ts";
import type { EvaluationObserver, ExpressionResult } from "./expressions.ts";
import { namespaceValue } from "./namespace-value.ts";
import type { Activation } from "./variables.ts";

/** Options for deciding a request: its deadline, and observers. */
export interface AdmitOptions {
  /**
   * Ends long evaluations, as when the client has gone away. An AbortSignal also ends waiting for hosts: one that has not answered
   * by then has failed.
   */
  readonly signal?: Signal;
  /**
   * Ends evaluations at a time in milliseconds as `Date.now()` counts: an AbortSignal cannot, because nothing else runs meanwhile. An
   * expression that is not done by then has failed, and the failure policy answers for it.
   */
  readonly deadline?: number;
  /** Watches every evaluation. */
  readonly observer?: EvaluationObserver;
}

/** The objects of a request in the version a policy matched. */
export interface VersionedObjects {
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
}

/** The values that policies share while they are evaluated for one request. */
export class RequestContext {
  readonly request: AdmissionRequest;
  readonly hosts: Hosts;
  readonly evaluateOptions: EvaluateOptions | undefined = undefined;
  readonly observer: EvaluationObserver | undefined;
  readonly authorization: AuthorizerCache;
  /** The conditions that were matched already. */
  readonly matches: Map<CompiledMatch, MatchOutcome> = new Map();
  #sharedActivation: Activation | undefined;
  /** Results over the shared activation: policies repeat each other, and old ones stand beside new ones. */
  readonly sharedResults: Map<Program, ExpressionResult> = new Map();
  #own: VersionedObjects | undefined;
  #namespace: { readonly object: KubeObject } | { readonly status: Status } | undefined;
  #namespaceObject: ShownNamespace | undefined;
  #versions: Map<string, VersionedObjects | string> | undefined;
  #values: Map<string, RequestFields> | undefined;
  /** The value that was read last: nearly always the next one too. */
  #lastValue: { readonly resource: unknown; readonly kind: unknown; readonly value: RequestFields } | undefined;
  #authorizer: { readonly authorizer: AuthorizerValue; readonly requestResource: unknown } | undefined;

  constructor(request: AdmissionRequest, hosts: Hosts, { signal, deadline, observer }: AdmitOptions = {}) {
    this.request = request;
    this.hosts = hostsBefore(hosts, signal);
    if (signal !== undefined || deadline !== undefined) {
      this.evaluateOptions = { ...(signal && { signal }), ...(deadline !== undefined && { deadline }) };
    }
    this.observer = observer;
    this.authorization = new AuthorizerCache(this.hosts.authorizer);
  }

  /** Shared with the last policy that reads the same values. */
  get sharedActivation(): Activation | undefined {
    return this.#sharedActivation;
  }

  /** Has another activation shared; without one, nothing that was evaluated so far counts. */
  share(activation: Activation | undefined): void {
    this.#sharedActivation = activation;
    this.sharedResults.clear();
  }

  /** Gets the request's namespace, for selectors and for `namespaceObject`. */
  loadNamespace(): Maybe<void> {
    const { namespace } = this.request;
    if (!namespace || this.#namespace !== undefined) return;
    const keep = (object: unknown): void => {
      this.#namespace = isRecord(object) ? { object } : { status: missing(namespace, object) };
    };
    const fail = (thrown: unknown): void => {
      const status = thrown instanceof HostError ? thrown.status : internalError(thrownText(thrown));
      this.#namespace = { status };
    };
    try {
      const found = this.hosts.namespaces?.namespace(namespace);
      if (isPromise(found)) return found.then(keep, fail);
      keep(found);
    } catch (thrown) {
      fail(thrown);
    }
  }

  /** The labels that namespace selectors match. For a Namespace that is being written, its new labels. */
  namespaceLabels(): NamespaceLabels {
    const { resource, subresource, operation, object } = this.request;
    if (resource.resource === "namespaces" && !subresource && (operation === "CREATE" || operation === "UPDATE")) {
      return { labels: labelsOf(object) };
    }
    const found = this.#namespace ?? { status: notFound(NAMESPACES, this.request.namespace ?? "") };
    return "status" in found ? found : { labels: labelsOf(found.object) };
  }

  /** The namespace as expressions see it, null if it does not exist, or why it is not known. */
  namespaceObject(): ShownNamespace {
    if (!this.request.namespace || isNamespaceKind(this.request.kind)) return NO_NAMESPACE;
    const found = this.#namespace ?? { status: notFound(NAMESPACES, this.request.namespace) };
    if ("status" in found) return found;
    this.#namespaceObject ??= shownNamespace(found.object);
    return this.#namespaceObject;
  }

  /** Both objects in the version of a kind; a text says why they could not be converted. */
  objects(kind: GroupVersionKind): Maybe<VersionedObjects | string> {
    const { object, oldObject } = this.request;
    if (sameKind(kind, this.request.kind)) {
      this.#own ??= { object: object ?? null, oldObject: oldObject ?? null };
      return this.#own;
    }
    const key = `${kind.group}/${kind.version}/${kind.kind}`;
    const known = this.#versions?.get(key);
    if (known !== undefined) return known;
    const keep = (result: VersionedObjects | string): VersionedObjects | string => {
      this.#versions ??= new Map();
      this.#versions.set(key, result);
      return result;
    };
    const converted = this.#convertBoth(object ?? null, oldObject ?? null, kind);
    return isPromise(converted) ? converted.then(keep) : keep(converted);
  }

  #convertBoth(
    object: KubeObject | null,
    oldObject: KubeObject | null,
    kind: GroupVersionKind,
  ): Maybe<VersionedObjects | string> {
    const { converter } = this.hosts;
    if (converter === undefined) return `no converter to ${apiVersionOf(kind)}, Kind=${kind.kind}`;
    const convert = (kubeObject: KubeObject | null): Maybe<KubeObject | null> =>
      kubeObject === null ? null : converter.convert(kubeObject, kind);
    try {
      const first = convert(object);
      const second = convert(oldObject);
      if (!isPromise(first) && !isPromise(second)) return both(first, second);
      return Promise.all([first, second]).then(([a, b]) => both(a, b), thrownText);
    } catch (thrown) {
      return thrownText(thrown);
    }
  }

  /** `request` as a policy sees it that matched this resource and kind. */
  requestValue(resource: GroupVersionResource, kind: GroupVersionKind): RequestFields {
    const last = this.#lastValue;
    if (last !== undefined && last.resource === resource && last.kind === kind) return last.value;
    const key = `${resource.group}/${resource.version}/${resource.resource} ${kind.group}/${kind.version}/${kind.kind}`;
    this.#values ??= new Map();
    let value = this.#values.get(key);
    if (value === undefined) {
      value = requestValue(this.request, resource, kind);
      this.#values.set(key, value);
    }
    this.#lastValue = { resource, kind, value };
    return value;
  }

  /** `authorizer` and `authorizer.requestResource`; the latter is about the request as it was made. */
  authorizerValues(): { readonly authorizer: AuthorizerValue; readonly requestResource: unknown } {
    if (this.#authorizer === undefined) {
      const authorizer = new AuthorizerValue(userOf(this.request), this.authorization);
      this.#authorizer = { authorizer, requestResource: authorizer.forResource(resourceOf(this.request)) };
    }
    return this.#authorizer;
  }
}

type RequestFields = Readonly<Record<string, unknown>>;
type ShownNamespace = { readonly value: unknown; readonly full: unknown } | { readonly status: Status };

// Hosts may hand out objects that fail when they are read.
function shownNamespace(object: KubeObject): ShownNamespace {
  try {
    return namespaceValue(object);
  } catch (thrown) {
    return { status: internalError(thrownText(thrown)) };
  }
}

const NAMESPACES = { group: "", resource: "namespaces" };
const NO_NAMESPACE = { value: null, full: null };

function missing(namespace: string, found: unknown): Status {
  if (found === undefined || found === null) return notFound(NAMESPACES, namespace);
  return internalError(`namespace ${JSON.stringify(namespace)} is not an object`);
}

function both(object: unknown, oldObject: unknown): VersionedObjects | string {
  const fine = (value: unknown): value is KubeObject | null => value === null || isRecord(value);
  return fine(object) && fine(oldObject) ? { object, oldObject } : "the converter did not return an object";
}

function sameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a === b || (a.kind === b.kind && a.version === b.version && a.group === b.group);
}

function userOf({ userInfo = {} }: AdmissionRequest): User {
  const { username = "", uid, groups, extra } = userInfo;
  return { name: username, ...(uid !== undefined && { uid }), ...(groups && { groups }), ...(extra && { extra }) };
}

function resourceOf({ resource, subresource, namespace, name }: AdmissionRequest): RequestResource {
  return {
    group: resource.group,
    resource: resource.resource,
    ...(subresource && { subresource }),
    ...(namespace && { namespace }),
    ...(name && { name }),
  };
}
