// The treatment of objects of one kind by the API server, as data: the fields that a request may touch, preparation, rules and warnings,
// for the resource itself and each of its subresources. `@celadon/write` carries it out.

import type { Emulation } from "../emulation.ts";
import type { GroupKind } from "../gvk.ts";
import type { KubeObject } from "../metadata.ts";
import type { Status } from "../status.ts";
import type { Minor } from "../versions.ts";
import type { Warning } from "../warning.ts";
import type { ServiceNetwork } from "./core/service/network.ts";
import type { ValidatedField } from "./field.ts";
import type { SelectorCompiler } from "./resource/selectors.ts";

/** A field of an object by its names: `["metadata", "labels"]`. */
export type FieldNames = readonly string[];

/** The facts about a request besides its objects. */
export interface Request {
  /** The namespace of the URL; empty for none. */
  readonly namespace: string;
  readonly user?: {
    readonly name: string;
    readonly groups?: readonly string[];
    readonly uid?: string;
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** Addresses and ports for services; an imaginary cluster's otherwise. */
  readonly services?: ServiceNetwork;
  /** Labels of that namespace. */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** Compiles expressions that select devices; without it they are taken as they are. */
  readonly compileSelector?: SelectorCompiler;
  /** The server that answers. */
  readonly by: Emulation;
  /** The current time as RFC 3339 text. */
  readonly now?: string;
  /** Takes warnings that arise before validation. */
  readonly warn: (warning: Warning) => void;
}

/** The rules of a resource, or of one of its subresources. `T` is the object as it is served. */
export interface EndpointRules<T> {
  /** The first step, which may reject alone. */
  begin?(object: T, old: T | undefined, request: Request): T | Status;
  /** Fields that a new object comes without. */
  readonly drops?: readonly FieldNames[];
  /** Fields that an update leaves as they were. */
  readonly keeps?: readonly FieldNames[];
  /** Fields whose change counts up `metadata.generation`; a new object starts with 1. Absent for kinds without a generation. */
  readonly generation?: readonly FieldNames[];
  /** The first minor, after `1.`, that keeps a generation of the kind. */
  readonly generationSince?: number;
  /** The changes that count: what `prepareUpdate` takes away counts too, or an empty list where there was none. */
  readonly generationCounts?: "given" | "empty";
  /** Sets other fields before validation. Must not change its argument. */
  prepareCreate?(object: T, request: Request): T;
  prepareUpdate?(object: T, old: T, request: Request): T;
  validate?(object: T, at: ValidatedField, request: Request): void;
  validateUpdate?(object: T, old: T, at: ValidatedField, request: Request): void;
  warnOnCreate?(object: T, by: Emulation): Warning[];
  warnOnUpdate?(object: T, old: T, by: Emulation): Warning[];
}

/** The rules for validating, creating and updating objects of a kind. */
export interface KindRules<T> extends EndpointRules<T> {
  readonly kind: GroupKind;
  /** The plural in URLs and some messages. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** An update without a resource version replaces any existing object. */
  readonly unconditionalUpdate: boolean;
  readonly subresources?: Readonly<Record<string, EndpointRules<T>>>;
  /** The versions of the kind, where the rules are about one: objects of others are read as that one. */
  readonly versions?: { read(object: T): T; served(object: T, apiVersion: string | undefined): T };
}

/** The rules for a kind that is answered and never stored: reviews, bindings, evictions, tokens, scales. */
export interface ActionRules<T> {
  readonly kind: GroupKind;
  /** Rejects the request before anything else is checked. */
  refuse(object: T, target: ActionTarget): Status | undefined;
}

/** The object that an action, such as an eviction, is about. */
export interface ActionTarget {
  /** The minor that the server emulates; the newest otherwise. */
  readonly minor?: Minor | undefined;
  /** The namespace of the URL; empty for none. */
  readonly namespace: string;
  /** The object with the requested subresource. */
  readonly name?: string;
}

/** Rules of a kind that is not known by its type. */
export type AnyKindRules = KindRules<KubeObject>;

/** Rules of an action, of whichever kind. */
export type AnyActionRules = ActionRules<KubeObject>;

/** Rules stand in tables of all kinds; each is only given objects of its own. */
export function kindRules<T>(rules: KindRules<T>): AnyKindRules {
  return rules as unknown as AnyKindRules;
}

export function actionRules<T>(rules: ActionRules<T>): AnyActionRules {
  return rules as unknown as AnyActionRules;
}

/** Metadata that updates of a status leave alone. */
export const STATUS_KEEPS_METADATA: readonly FieldNames[] = [
  ["metadata", "deletionTimestamp"],
  ["metadata", "generation"],
  ["metadata", "selfLink"],
  ["metadata", "labels"],
  ["metadata", "annotations"],
  ["metadata", "finalizers"],
  ["metadata", "ownerReferences"],
];

export const STATUS: FieldNames = ["status"];
export const SPEC: FieldNames = ["spec"];
