// Policies and bindings of a cluster, watched wherever it serves their kinds: an informer for each resource, started when discovery shows
// it and stopped when it is gone for certain. Until then the known policies stay in force: a forgotten policy allows everything. Each group
// has sets of its own, because names may be the same in both.

import { createPolicySet, type PolicySet } from "@celadon/admission";
import { createMutatingPolicySet, type MutatingPolicySet } from "@celadon/admission/mutating";
import type { Gates } from "@celadon/admission/proposals";
import { PolicyCompiler } from "@celadon/admission/steps";
import { type Api, type DiscoveredResource, type ReflectedChange, Reflector } from "@celadon/client";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import {
  OWN_GROUP,
  POLICY_KINDS,
  type PolicyGroup,
  type PolicyKindSource,
  type PolicyObject,
  type ReadPolicy,
  readPolicyObject,
} from "./policy-objects.ts";

/** The policies of one group. Never changed: another takes its place. */
export interface PolicySets {
  readonly group: PolicyGroup;
  readonly validating: PolicySet;
  readonly mutating: MutatingPolicySet;
}

export interface WatchedPoliciesOptions {
  readonly groups: readonly PolicyGroup[];
  readonly gates?: Gates;
  readonly kubeVersion?: Minor;
  /** The sets are no longer the same. */
  readonly changed: () => void;
  /** Every object that was read, and its errors. */
  readonly read: (object: KubeObject, read: ReadPolicy) => void;
  /** An object whose status, labels or annotations alone have changed. */
  readonly annotated: (object: KubeObject) => void;
  readonly failed: (what: string, error: unknown) => void;
}

interface PendingChanges {
  readonly group: PolicyGroup;
  readonly source: PolicyKindSource;
  readonly changes: Map<string, ReflectedChange>;
}

const NO_OBJECTS: ReadonlyMap<string, KubeObject> = new Map();
/** The newest first. */
const VERSIONS = ["v1", "v1beta1", "v1alpha1"];

export class WatchedPolicies {
  readonly #api: Api;
  readonly #options: WatchedPoliciesOptions;
  /** By group and resource. */
  readonly #reflectors = new Map<string, Reflector>();
  /** The same under another version, until it has listed everything. */
  readonly #coming = new Map<string, Reflector>();
  readonly #sets: Map<PolicyGroup, PolicySets>;
  /** The last change of each object that is in no set yet, by group and resource. */
  readonly #pending = new Map<string, PendingChanges>();
  readonly #compiler = new PolicyCompiler();

  constructor(api: Api, options: WatchedPoliciesOptions) {
    this.#api = api;
    this.#options = options;
    this.#sets = new Map(
      options.groups.map((group) => {
        const { kubeVersion } = options;
        const compiler = this.#compiler;
        const settings = { gates: this.#gates(group), compiler, ...(kubeVersion && { kubeVersion }) };
        return [
          group,
          { group, validating: createPolicySet([], settings), mutating: createMutatingPolicySet([], settings) },
        ];
      }),
    );
  }

  /** A binding of a namespace never applies to another, under any gates. */
  #gates(group: PolicyGroup): Gates {
    return group === OWN_GROUP ? { ...this.#options.gates, NamespacedBindings: true } : (this.#options.gates ?? {});
  }

  /** With all changes that `settle` has processed. */
  get sets(): readonly PolicySets[] {
    return [...this.#sets.values()];
  }

  /**
   * Works on changes that have come, for some milliseconds; true when none is left. Events come in floods, and thousands of policies take
   * seconds to compile: requests are answered in between.
   */
  settle(ms: number = Number.POSITIVE_INFINITY): boolean {
    const end = performance.now() + ms;
    const size = Number.isFinite(ms) ? PART : START_PART;
    for (const [key, { group, source, changes }] of this.#pending) {
      const list = [...changes.values()];
      for (let from = 0; from < list.length; from += size) {
        if (from > 0 && performance.now() >= end) return false;
        const part = list.slice(from, from + size);
        for (const change of part) changes.delete(change.key);
        this.#put(group, source, part);
      }
      this.#pending.delete(key);
      if (performance.now() >= end) break;
    }
    return this.#pending.size === 0;
  }

  get isSynced(): boolean {
    return [...this.#reflectors.values()].every(({ isSynced }) => isSynced);
  }

  async synced(): Promise<void> {
    await Promise.all([...this.#reflectors.values()].map(({ synced }) => synced));
  }

  /** The objects of a resource as the cluster has them, by key; empty when it is not served. */
  objects(group: PolicyGroup, resource: string): ReadonlyMap<string, KubeObject> {
    for (const { resource: of, objects } of this.#reflectors.values())
      if (of.group === group && of.resource === resource) return objects;
    return NO_OBJECTS;
  }

  /** Whether the cluster has kinds of the group. */
  serves(group: PolicyGroup): boolean {
    return [...this.#reflectors.values()].some(({ resource }) => resource.group === group);
  }

  /** Watches the served resources of the groups. A definition of ours that is gone takes its policies along; built-in kinds stay. */
  watch(served: readonly DiscoveredResource[]): void {
    const wanted = new Map<string, { readonly resource: DiscoveredResource; readonly source: PolicyKindSource }>();
    for (const group of this.#options.groups) {
      for (const source of POLICY_KINDS) {
        if (source.ownOnly && group !== OWN_GROUP) continue;
        const all = served.filter((kind) => kind.group === group && kind.resource === source.resource);
        const resource = VERSIONS.flatMap((version) => all.filter((kind) => kind.version === version))[0];
        if (resource !== undefined) wanted.set(`${group}/${source.resource}`, { resource, source });
      }
    }
    for (const [key, reflector] of this.#reflectors) {
      // An API server of another version may not show a built-in kind; its objects exist all the same.
      if (wanted.has(key) || reflector.resource.group !== OWN_GROUP) continue;
      this.#reflectors.delete(key);
      this.#forget(reflector, NO_OBJECTS);
    }
    for (const [key, { resource, source }] of wanted) this.#follow(key, resource, source);
  }

  async stop(): Promise<void> {
    const all = [...this.#reflectors.values(), ...this.#coming.values()];
    await Promise.all(all.map((reflector) => reflector.stop()));
  }

  #follow(key: string, resource: DiscoveredResource, source: PolicyKindSource): void {
    const current = this.#reflectors.get(key);
    const coming = this.#coming.get(key);
    if ((coming ?? current)?.resource.version === resource.version) return;
    this.#coming.delete(key);
    void coming?.stop();
    if (current?.resource.version === resource.version) return;
    const next = new Reflector(this.#api, resource, {
      changed: (changes) => this.#take(resource.group as PolicyGroup, source, changes),
      failed: (error) => this.#options.failed(`${resource.resource}.${resource.group}`, error),
    });
    next.start();
    if (current === undefined) {
      this.#reflectors.set(key, next);
      return;
    }
    this.#coming.set(key, next);
    void next.synced.then(() => {
      if (this.#coming.get(key) !== next) return;
      this.#coming.delete(key);
      this.#reflectors.set(key, next);
      this.#forget(current, next.objects);
    });
  }

  /** Ends a watch; objects outside `kept` no longer exist. */
  #forget(reflector: Reflector, kept: ReadonlyMap<string, KubeObject>): void {
    void reflector.stop();
    const { group, resource } = reflector.resource;
    const source = POLICY_KINDS.find((policyKind) => policyKind.resource === resource);
    const gone = [...reflector.objects].filter(([key]) => !kept.has(key));
    const changes = gone.map(([key, object]) => ({ key, object, deleted: true }));
    if (source !== undefined) this.#take(group as PolicyGroup, source, changes);
  }

  #take(group: PolicyGroup, source: PolicyKindSource, changes: readonly ReflectedChange[]): void {
    const key = `${group}/${source.resource}`;
    const { changes: pending } = this.#pending.get(key) ?? { changes: new Map<string, ReflectedChange>() };
    for (const change of changes) {
      if (isSameSpec(change)) this.#options.annotated(change.object);
      else pending.set(change.key, change);
    }
    if (pending.size === 0) return;
    this.#pending.set(key, { group, source, changes: pending });
    this.#options.changed();
  }

  #put(group: PolicyGroup, source: PolicyKindSource, changes: readonly ReflectedChange[]): void {
    const gates = this.#gates(group);
    const put: PolicyObject[] = [];
    const remove: { kind: PolicyKindSource["as"]; name: string; namespace?: string }[] = [];
    for (const { object, deleted } of changes) {
      const { namespace } = object.metadata ?? {};
      const read = deleted ? undefined : readPolicyObject(object, source.as, gates, this.#compiler);
      if (read !== undefined) this.#options.read(object, read);
      if (read?.resource !== undefined) put.push(read.resource);
      // A policy that was written badly is no longer the former one.
      else remove.push({ kind: source.as, name: nameOf(object), ...(namespace && { namespace }) });
    }
    const sets = this.#sets.get(group)!;
    const change = { put, remove } as never;
    this.#sets.set(
      group,
      source.as.startsWith("Validating")
        ? { ...sets, validating: sets.validating.with(change) }
        : { ...sets, mutating: sets.mutating.with(change) },
    );
  }
}

/** Policies that are read together and make a new set: few enough to take some milliseconds, many enough that sets cost little. */
const PART = 20;
/** The same in the background: a validated policy is compiled while the compiler still has it. */
const START_PART = 500;

/** Status, labels and annotations decide nothing; API servers count generations of all the rest. */
function isSameSpec({ object, old, deleted }: ReflectedChange): boolean {
  const { uid, generation } = object.metadata ?? {};
  return (
    !deleted &&
    uid !== undefined &&
    generation !== undefined &&
    uid === old?.metadata?.uid &&
    generation === old?.metadata?.generation
  );
}
