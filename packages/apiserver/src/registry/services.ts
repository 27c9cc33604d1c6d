// The services that verbs use.

import type { UserInfo } from "@celadon/admission";
import type { ScaleSubresource } from "@celadon/crd/write";
import type { KubeObject } from "@celadon/kube";
import type { Attributes, AuthorizerDecision } from "@celadon/kube-cel";
import type { MergeType } from "@celadon/merge";
import type { Draft, WriteHosts } from "@celadon/write";
import type { Deletion, Strategy } from "@celadon/write/strategy";
import type { TokenRequest } from "../authn/service-account-tokens.ts";
import type { Rule } from "../authz/rule-cover.ts";
import type { Codec } from "../codec/codec.ts";
import type { Presenters } from "../codec/presenter.ts";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ServedResource } from "../kinds/resource.ts";
import type { ObjectStore } from "../store/object-store.ts";
import type { ObjectTable } from "../store/object-table.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Exchange } from "./exchange.ts";

type Maybe<T> = T | Promise<T>;

/** All that belongs to one served resource. */
export interface ResourceHandler {
  readonly resource: ServedResource;
  readonly codec: Codec;
  readonly presenters: Presenters;
  /** The objects: as they are stored, or of this very version where a webhook converts them. */
  readonly cache: ObjectTable;
  readonly deletion: Deletion;
  /** For writes of the object itself, or of the named subresource that is of the same kind. */
  strategy(subresource: string): Maybe<Strategy>;
  /** The warning that every request for the resource gets. */
  readonly deprecation?: string;
  /** The paths of custom resources' replicas. */
  readonly scale?: ScaleSubresource;
  /** Fields that selectors may name, beside name and namespace. */
  readonly selectableFields: ReadonlySet<string>;
  /** Their values in an object of the storage version. */
  fieldsOf(object: KubeObject): Readonly<Record<string, string>>;
  /** For merging objects of a version of the kind; undefined where it is not served. */
  mergeType(apiVersion: string): MergeType | undefined;
  /** For field ownership, where a version before this one owns fields: an object of any version in another one that has a merge type. */
  inVersion(object: KubeObject, apiVersion: string): KubeObject;
  /** Converts an object of another version to this one by a webhook. */
  convert?(object: KubeObject): Promise<KubeObject>;
  /** The resource is no longer served this way: watches end. */
  retire?(): void;
  /** Seconds after which an object is deleted automatically. */
  readonly timeToLive: number | undefined;
}

/** The owners of fields: kept in `metadata.managedFields`. */
export interface FieldOwnership {
  /** The object with the managed fields a write by this manager leaves. */
  update(live: KubeObject | undefined, object: Draft, manager: Manager): Draft;
  /** The object an apply makes, or a StatusError with its conflicts. */
  apply(live: KubeObject | undefined, configuration: unknown, manager: Manager, force: boolean): Draft;
}

export interface Manager {
  readonly name: string;
  readonly resource: ServedResource;
  readonly subresource: string;
}

export interface Services {
  readonly kinds: KindTable;
  readonly objects: ObjectStore;
  /** The server as the write path sees it. */
  readonly writes: WriteHosts;
  readonly ownership: FieldOwnership;
  /** Delivers events to watchers. */
  readonly deliveries: Deliveries;
  handler(resource: ServedResource): ResourceHandler;
  /** Throws a StatusError when the user may not do it. */
  authorize(exchange: Exchange, verb: string): Promise<void> | undefined;
  /** The authorizer, for any user. */
  decide(attributes: Attributes): Maybe<AuthorizerDecision>;
  /** The rules of every role bound to a user, in the cluster and in a namespace; empty for the cluster alone. */
  grantedRules(
    user: UserInfo,
    namespace: string,
  ): { readonly rules: readonly Rule[]; readonly errors: readonly string[] };
  /** All a user may do in a namespace, as the status of a SelfSubjectRulesReview. */
  rulesFor(user: UserInfo, namespace: string): Maybe<unknown>;
  /** Finds the owner of a token, for one of the audiences; by default the server's own. */
  reviewToken(
    token: string,
    audiences: readonly string[] | undefined,
  ): Maybe<{ readonly user: UserInfo; readonly audiences: readonly string[] } | undefined>;
  issueToken(request: TokenRequest): string;
  /** The audiences of tokens that do not name one. */
  readonly audiences: readonly string[];
  /** Milliseconds. */
  now(): number;
}
