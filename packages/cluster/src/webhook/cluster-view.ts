// The cluster as the webhook knows it: policies, bindings, params, namespaces and kinds, each watched. Every change makes a new snapshot,
// shortly after; requests never wait for one and nothing is fetched for them.

import type { PolicyEntry } from "@celadon/admission";
import type { MutatingHosts, MutatingPolicyEntry } from "@celadon/admission/mutating";
import type { ParamKind } from "@celadon/admission/policy";
import type { Gates } from "@celadon/admission/proposals";
import {
  AccessReviews,
  type Api,
  Backoff,
  type Discovered,
  type DiscoveredResource,
  discover,
  type Reflector,
  sleep,
} from "@celadon/client";
import { apiVersionOf, type KubeObject } from "@celadon/kube";
import type { Attributes, AuthorizerDecision, Minor } from "@celadon/kube-cel";
import { accessReviewSpec } from "@celadon/kube-cel/access";
import { WatchedDefinitions } from "./definitions.ts";
import { type MatchedPolicy, policyKey } from "./entries.ts";
import { ServedKinds } from "./kinds.ts";
import { WatchedParams } from "./params.ts";
import { classOf } from "./policy-class.ts";
import { OWN_GROUP, POLICY_KINDS, type PolicyGroup, type ReadPolicy } from "./policy-objects.ts";
import type { Snapshot } from "./review.ts";
import { WatchedNamespaces } from "./watched-namespaces.ts";
import { WatchedPolicies } from "./watched-policies.ts";
import { WatchedRoles } from "./watched-roles.ts";

export interface ClusterViewOptions {
  /** The groups of policies. */
  readonly groups: readonly PolicyGroup[];
  /** Namespaces in which nothing is enforced. */
  readonly excludedNamespaces: ReadonlySet<string>;
  /** The source of answers for `authorizer` in expressions: the API server, or the cluster's roles. */
  readonly authorizer?: AuthorizerSource;
  readonly gates?: Gates;
  readonly kubeVersion?: Minor;
  /** Something that decides has changed. */
  readonly changed: (snapshot: Snapshot) => void;
  /** A policy or binding that was read, and its errors. */
  readonly read: (object: KubeObject, read: ReadPolicy) => void;
  /** One whose status, labels or annotations alone have changed. */
  readonly annotated: (object: KubeObject) => void;
  readonly failed: (what: string, error: unknown) => void;
}

/** Access reviews use the API server's own authorization; `rbac` watches roles and bindings and sends no requests. */
export const AUTHORIZER_SOURCES = ["access-reviews", "rbac"] as const;
/** The source of answers for `authorizer` in expressions. */
export type AuthorizerSource = (typeof AUTHORIZER_SOURCES)[number];

/** Kinds of aggregated servers come and go without a definition. */
const DISCOVER_MS = 300_000;
/** The times after which wanted kinds that are not served are looked for again. */
const MISSING = { firstMs: 1_000, mostMs: 30_000 };

/** The longest that requests wait for policies to be compiled. */
const SLICE_MS = 20;

/** Between looking at all policies: short beside the second in which a policy has to be enforced, and longer where there are many. */
const TELL_MS = { least: 100, most: 400, times: 4 };

export class ClusterView {
  readonly #api: Api;
  readonly #options: ClusterViewOptions;
  readonly #access: AccessReviews;
  readonly #roles: WatchedRoles | undefined;
  readonly #params: WatchedParams;
  readonly #namespaces: WatchedNamespaces;
  readonly #definitions: WatchedDefinitions;
  readonly #policies: WatchedPolicies;
  readonly #hosts: MutatingHosts;
  readonly #missing = new Backoff(MISSING);
  readonly #stop = new AbortController();
  #served: readonly DiscoveredResource[] = [];
  #kinds: ServedKinds = new ServedKinds([]);
  #discovering: Promise<void> | undefined;
  #discoverAgain = false;
  #discovered = false;
  #unseen = false;
  #timer: NodeJS.Timeout | undefined;
  /** The timer looks for missing ones. */
  #soon = false;
  #pending: NodeJS.Immediate | undefined;
  #notifying: NodeJS.Timeout | undefined;
  /** Not before. */
  #reportAt = 0;
  #snapshot: Snapshot;

  constructor(api: Api, options: ClusterViewOptions) {
    this.#api = api;
    this.#options = options;
    this.#access = new AccessReviews(api);
    const { failed, gates, kubeVersion } = options;
    this.#roles = options.authorizer === "rbac" ? new WatchedRoles(api, { failed }) : undefined;
    this.#params = new WatchedParams(api, { changed: () => {}, failed });
    this.#namespaces = new WatchedNamespaces(api, { failed: (error) => failed("namespaces", error) });
    this.#definitions = new WatchedDefinitions(api, { changed: () => void this.#rediscover(), failed });
    this.#policies = new WatchedPolicies(api, {
      groups: options.groups,
      ...(gates && { gates }),
      ...(kubeVersion && { kubeVersion }),
      changed: () => {
        this.#pending ??= setImmediate(() => this.#flush());
      },
      read: options.read,
      annotated: options.annotated,
      failed,
    });
    this.#hosts = {
      namespaces: this.#namespaces,
      params: this.#params,
      authorizer: this.#roles ?? { authorize: (attributes) => this.#authorize(attributes) },
      mergeType: (kind) => this.#definitions.mergeType(kind),
      complete: (object, kind, reading) => this.#definitions.complete(object, kind, reading),
    };
    this.#snapshot = this.#current();
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  get definitions(): WatchedDefinitions {
    return this.#definitions;
  }

  get policies(): WatchedPolicies {
    return this.#policies;
  }

  /** Resolves when everything that decides has been read once. */
  async start(): Promise<void> {
    for (const reflector of this.#reflectors) reflector.start();
    await Promise.all(this.#reflectors.map(({ synced }) => synced));
    await this.#discover();
    while (!this.#discovered) {
      await sleep(1_000, this.#stop.signal);
      this.#stop.signal.throwIfAborted();
      await this.#discover();
    }
    await this.#policies.synced();
    this.#policies.settle();
    this.#flush();
    this.#tell();
    await this.#params.synced(10_000);
    this.#schedule();
  }

  get isSynced(): boolean {
    return this.#discovered && this.#policies.isSynced && this.#reflectors.every(({ isSynced }) => isSynced);
  }

  /** Kinds of params: those that policies in force need, and those of them that are in sync. */
  get paramCounts(): { readonly wanted: number; readonly synced: number } {
    return { wanted: this.#paramKinds().length, synced: this.#params.syncedCount };
  }

  /** The bound policies, for which requests must be sent. */
  matched(): readonly MatchedPolicy[] {
    return this.#policies.sets.flatMap(({ group, validating, mutating }) =>
      [...validating.bound(), ...mutating.bound()].map((entry) => matchedOf(entry, group)),
    );
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    clearImmediate(this.#pending);
    clearTimeout(this.#notifying);
    await Promise.all([
      ...this.#reflectors.map((reflector) => reflector.stop()),
      this.#policies.stop(),
      this.#params.stop(),
    ]);
  }

  get #reflectors(): readonly Reflector[] {
    return [this.#namespaces.reflector, this.#definitions.reflector, ...(this.#roles?.reflectors ?? [])];
  }

  /**
   * Changes that came together make one snapshot, at once; many are worked on in slices, so that requests are answered in between. Work
   * over all policies is done a few times a second.
   */
  #flush(): void {
    clearImmediate(this.#pending);
    const isSettled = this.#policies.settle(SLICE_MS);
    this.#pending = isSettled ? undefined : setImmediate(() => this.#flush());
    this.#snapshot = this.#current();
    const wait = this.#reportAt - performance.now();
    if (wait <= 0) this.#tell();
    else this.#notifying ??= setTimeout(() => this.#tell(), wait);
  }

  #current(): Snapshot {
    const { excludedNamespaces } = this.#options;
    return { sets: this.#policies.sets, hosts: this.#hosts, kinds: this.#kinds, excludedNamespaces };
  }

  #tell(): void {
    clearTimeout(this.#notifying);
    this.#notifying = undefined;
    const started = performance.now();
    const paramKinds = this.#paramKinds();
    void this.#params.watch(paramKinds, this.#kinds);
    // A policy may have come before the kind of its params.
    if (this.#timer !== undefined && !this.#soon && this.#isIncomplete(paramKinds)) this.#schedule();
    this.#options.changed(this.#snapshot);
    const ended = performance.now();
    const { least, most, times } = TELL_MS;
    this.#reportAt = ended + Math.min(most, Math.max(least, times * (ended - started)));
  }

  #paramKinds(): readonly ParamKind[] {
    const kinds = new Map<string, ParamKind>();
    for (const { policy } of this.#bound())
      if (policy.paramKind) kinds.set(`${policy.paramKind.apiVersion} ${policy.paramKind.kind}`, policy.paramKind);
    return [...kinds.values()];
  }

  *#bound(): Generator<PolicyEntry | MutatingPolicyEntry> {
    for (const { validating, mutating } of this.#policies.sets) {
      yield* validating.bound();
      yield* mutating.bound();
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#soon = this.#isIncomplete();
    if (!this.#soon) this.#missing.reset();
    const wait = this.#soon ? this.#missing.next() : DISCOVER_MS;
    this.#timer = setTimeout(() => void this.#rediscover(), wait);
    this.#timer.unref();
  }

  /** Once it has started, discovery goes on for as long as something is missing. */
  async #rediscover(): Promise<void> {
    await this.#discover();
    if (this.#timer !== undefined) this.#schedule();
  }

  /** Something is wanted that discovery did not show. */
  #isIncomplete(paramKinds: readonly ParamKind[] = this.#paramKinds()): boolean {
    return this.#unseen || paramKinds.some((kind) => this.#kinds.resourceOf(kind) === undefined);
  }

  async #discover(): Promise<void> {
    if (this.#discovering !== undefined) {
      this.#discoverAgain = true;
      return this.#discovering;
    }
    this.#discovering = this.#discoverNow();
    await this.#discovering;
    this.#discovering = undefined;
    if (!this.#discoverAgain) return;
    this.#discoverAgain = false;
    await this.#discover();
  }

  async #discoverNow(): Promise<void> {
    try {
      const discovered = await discover(this.#api);
      for (const group of discovered.failed)
        this.#options.failed(`discovery of ${group}`, new Error("the server does not respond"));
      this.#served = this.#stillServed(discovered);
      this.#unseen = this.#lacksPolicies(discovered);
      this.#kinds = new ServedKinds(this.#served);
      this.#policies.watch(this.#served);
      this.#snapshot = { ...this.#snapshot, kinds: this.#kinds };
      // Before policies are known, no kind of them may be overlooked.
      this.#discovered ||= !this.#unseen;
      await this.#params.watch(this.#paramKinds(), this.#kinds);
    } catch (error) {
      this.#options.failed("discovery", error);
    }
  }

  /**
   * Keeps the resources that were known before and are not gone: an API server that has just started shows its own definitions late, and a
   * group may fail to answer. Forgetting them would stop watches that policies are decided by.
   */
  #stillServed({ resources, failed }: Discovered): readonly DiscoveredResource[] {
    const keyOf = (kind: DiscoveredResource): string => `${apiVersionOf(kind)} ${kind.resource}`;
    const shown = new Set(resources.map(keyOf));
    const kept = this.#served.filter(
      (kind) => !shown.has(keyOf(kind)) && (failed.includes(apiVersionOf(kind)) || this.#definitions.serves(kind)),
    );
    return [...resources, ...kept];
  }

  /** Whether kinds of policies may be there that discovery did not show. */
  #lacksPolicies({ resources, failed }: Discovered): boolean {
    const { groups } = this.#options;
    if (failed.some((groupVersion) => groups.some((group) => groupVersion.startsWith(`${group}/`)))) return true;
    if (!groups.includes(OWN_GROUP)) return false;
    return POLICY_KINDS.some(
      ({ resource }) =>
        this.#definitions.serves({ group: OWN_GROUP, version: "v1", resource }) &&
        !resources.some((kind) => kind.group === OWN_GROUP && kind.resource === resource),
    );
  }

  async #authorize(attributes: Attributes): Promise<AuthorizerDecision> {
    const { allowed, denied, reason, error } = await this.#access.review(accessReviewSpec(attributes));
    return { decision: denied ? "deny" : allowed ? "allow" : "noOpinion", reason, ...(error !== "" && { error }) };
  }
}

const matched = new WeakMap<object, MatchedPolicy>();

/** Computed once for an entry: most are the same in the next snapshot. */
function matchedOf(entry: PolicyEntry | MutatingPolicyEntry, group: PolicyGroup): MatchedPolicy {
  const known = matched.get(entry);
  if (known !== undefined) return known;
  const { policy, bindings } = entry;
  const metadata: KubeObject["metadata"] = policy.policy.metadata;
  const made: MatchedPolicy = {
    key: policyKey(policy.policy.kind ?? "", metadata?.name ?? ""),
    group,
    generation: metadata?.generation ?? 0,
    since: metadata?.creationTimestamp ?? "",
    class: classOf(policy.policy),
    rules: policy.policy.spec.matchConstraints?.resourceRules ?? [],
    namespacedOnly: bindings.every(({ namespace }) => namespace !== undefined),
  };
  matched.set(entry, made);
  return made;
}
