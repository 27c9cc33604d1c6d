// The interfaces of the engine to the outside. The engine itself reads no file, socket or clock: the CLI answers from files, a webhook from
// informers, an API server from its store.
//
// A host may answer at once or with a promise. One that throws or rejects fails the policy, binding or lookup that needed it, as its
// failurePolicy says; it never ends the engine. One that never answers is waited for until the caller's AbortSignal says otherwise
// (deadline.ts), and then has failed like any other.

import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@celadon/kube";
import type { Schema } from "@celadon/kube/schemas";
import type { LabelSelector } from "@celadon/kube/selectors";
import type { Status } from "@celadon/kube/status";
import type { Attributes, AuthorizerDecision } from "@celadon/kube-cel";
import type { ParamKind } from "./policy.ts";

/** A value now or later. Hosts that know the answer give it at once, and nothing waits. */
export type Maybe<T> = T | Promise<T>;

/** Looks up namespaces. */
export interface NamespaceSource {
  /** The Namespace, or undefined if it does not exist. */
  namespace(name: string): Maybe<KubeObject | undefined>;
}

/** Looks up params of policies. */
export interface ParamSource {
  /** The scope of a kind; undefined when the kind is not known. */
  scope(kind: ParamKind): Maybe<"Namespaced" | "Cluster" | undefined>;
  /** One object; `namespace` is empty for kinds that are not in namespaces. */
  get(kind: ParamKind, namespace: string, name: string): Maybe<KubeObject | undefined>;
  /** Every object that matches; `namespace` is empty for kinds that are not in namespaces. */
  list(kind: ParamKind, namespace: string, selector: LabelSelector): Maybe<readonly KubeObject[]>;
}

/** Decides whether a user may do something; the host of the variable `authorizer`. No opinion counts as no. */
export interface Authorizer {
  authorize(attributes: Attributes): Maybe<AuthorizerDecision>;
}

/** Knows the resources that are the same under other names, and their kinds. */
export interface ResourceMapper {
  /** Every resource that serves the same objects, the given one among them or not, in order of registration. */
  equivalents(resource: GroupVersionResource, subresource: string): readonly GroupVersionResource[];
  kind(resource: GroupVersionResource, subresource: string): GroupVersionKind | undefined;
}

/**
 * The strictness of reading an object after a patch: a JSON patch of a policy does not tolerate unknown fields, a JSON patch of a webhook
 * does, and a merged object was never JSON.
 */
export type Reading = "strict" | "lenient" | "merged";

/** Objects in another version of their kind. */
export interface Converter {
  convert(object: KubeObject, to: GroupVersionKind): Maybe<KubeObject>;
}

/** Schemas of kinds, for type checking. */
export interface SchemaSource {
  schema(kind: GroupVersionKind): Maybe<Schema | undefined>;
  /** The kinds of a resource, for every requested version. */
  kinds(resource: GroupVersionResource): Maybe<readonly GroupVersionKind[]>;
}

/** The interfaces of admission to the outside; each is optional. */
export interface Hosts {
  readonly namespaces?: NamespaceSource;
  readonly params?: ParamSource;
  readonly authorizer?: Authorizer;
  readonly resources?: ResourceMapper;
  readonly converter?: Converter;
}

/** Thrown by hosts that know the Status their failure is. */
export class HostError extends Error {
  readonly status: Status;
  constructor(status: Status) {
    super(status.message ?? "");
    this.name = "HostError";
    this.status = status;
  }
}

export function isPromise<T>(value: Maybe<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
