// What the webhook knows of its cluster: policies, bindings, params, namespaces and kinds, each watched. Every change makes a new
// snapshot, shortly after; requests never wait for one and nothing is fetched for them.

import { createPolicySet, type Gates, type Hosts, type ParamKind, type PolicySet } from "@celadon/admission";
import { AccessReviews, type Api, type Change, discover, Reflector } from "@celadon/client";
import { type GroupVersionResource, type KubeObject, nameOf } from "@celadon/kube";
import type { Attributes, Decision, Minor } from "@celadon/kube-cel";
import { accessReviewSpec } from "../program/access-review-spec.ts";
import type { MatchedPolicy } from "./entries.ts";
import { ServedKinds } from "./kinds.ts";
import { WatchedParams } from "./params.ts";
import { type PolicyGroup, policyResource, readValidatingBinding, readValidatingPolicy } from "./policy-objects.ts";
import type { Snapshot } from "./review.ts";

export interface ClusterViewOptions {
  /** Where policies come from; several groups at once are one set. */
  readonly sources: readonly { readonly group: PolicyGroup; readonly version: string }[];
  readonly gates?: Gates;
  readonly kubeVersion?: Minor;
  /** Something that decides has changed. */
  readonly changed: (snapshot: Snapshot) => void;
  /** A policy or binding that cannot be enforced, and why; undefined when it can be again. */
  readonly rejected: (object: KubeObject, why: string | undefined) => void;
  readonly failed: (what: string, error: unknown) => void;
}

const NAMESPACES: GroupVersionResource = { group: "", version: "v1", resource: "namespaces" };
const DEFINITIONS: GroupVersionResource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
};
/** Kinds of aggregated servers come and go without a definition. */
const DISCOVER_MS = 300_000;

export class ClusterView {
  readonly #api: Api;
  readonly #options: ClusterViewOptions;
  readonly #access: AccessReviews;
  readonly #params: WatchedParams;
  readonly #namespaces: Reflector;
  readonly #definitions: Reflector;
  readonly #policies: readonly Reflector[];
  readonly #hosts: Hosts;
  #validating: PolicySet;
  #kinds: ServedKinds = new ServedKinds([]);
  #discovering: Promise<void> | undefined;
  #discoverAgain = false;
  #timer: NodeJS.Timeout | undefined;
  #pending: NodeJS.Immediate | undefined;
  #snapshot: Snapshot;

  constructor(api: Api, options: ClusterViewOptions) {
    this.#api = api;
    this.#options = options;
    this.#access = new AccessReviews(api);
    const { failed, gates, kubeVersion } = options;
    this.#validating = createPolicySet([], { ...(gates && { gates }), ...(kubeVersion && { kubeVersion }) });
    this.#params = new WatchedParams(api, { changed: () => {}, failed });
    this.#namespaces = new Reflector(api, NAMESPACES, {
      changed: () => {},
      failed: (error) => failed("namespaces", error),
    });
    this.#definitions = new Reflector(api, DEFINITIONS, {
      changed: () => void this.#discover(),
      // Only that something changed matters; schemas are large.
      transform: ({ apiVersion = "", kind = "", metadata }) => ({
        apiVersion,
        kind,
        metadata: { name: metadata?.name ?? "", resourceVersion: metadata?.resourceVersion ?? "" },
      }),
      failed: (error) => failed("customresourcedefinitions", error),
    });
    this.#policies = options.sources.flatMap(({ group, version }) =>
      (["validatingadmissionpolicies", "validatingadmissionpolicybindings"] as const).map(
        (name) =>
          new Reflector(api, policyResource(group, version, name), {
            changed: (changes) => this.#policiesChanged(changes),
            failed: (error) => failed(`${name}.${group}`, error),
          }),
      ),
    );
    this.#hosts = {
      namespaces: { namespace: (name) => this.#namespaces.objects.get(name) },
      params: this.#params,
      authorizer: { authorize: (attributes) => this.#authorize(attributes) },
    };
    this.#snapshot = { validating: this.#validating, hosts: this.#hosts };
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** Resolves when everything that decides has been read once. */
  async start(): Promise<void> {
    await this.#discover();
    for (const reflector of this.#reflectors) reflector.start();
    await Promise.all(this.#reflectors.map(({ synced }) => synced));
    this.#flush();
    await this.#params.synced(10_000);
    this.#timer = setInterval(() => void this.#discover(), DISCOVER_MS);
    this.#timer.unref();
  }

  get isSynced(): boolean {
    return this.#reflectors.every(({ isSynced }) => isSynced);
  }

  /** What the cluster has to ask about: policies that are bound. */
  matched(): readonly MatchedPolicy[] {
    return this.#validating.entries().flatMap(({ policy, bindings }) => {
      if (bindings.length === 0) return [];
      const { failurePolicy = "Fail", matchConstraints } = policy.policy.spec;
      return [
        {
          name: policy.name,
          failurePolicy,
          matchPolicy: matchConstraints?.matchPolicy ?? "Equivalent",
          rules: matchConstraints?.resourceRules ?? [],
          namespacedOnly: bindings.every(({ namespace }) => namespace !== undefined),
        },
      ];
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearImmediate(this.#pending);
    await Promise.all([...this.#reflectors.map((reflector) => reflector.stop()), this.#params.stop()]);
  }

  get #reflectors(): readonly Reflector[] {
    return [...this.#policies, this.#namespaces, this.#definitions];
  }

  #policiesChanged(changes: readonly Change[]): void {
    const put: Parameters<PolicySet["with"]>[0]["put"] = changes.flatMap(({ object, deleted }) => {
      if (deleted) return [];
      const read =
        object.kind === "ValidatingAdmissionPolicy" ? readValidatingPolicy(object) : readValidatingBinding(object);
      this.#options.rejected(object, "rejected" in read ? read.rejected : undefined);
      return "resource" in read ? [read.resource] : [];
    });
    const kept = new Set(
      [...put].map(({ kind, metadata }) => `${kind} ${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`),
    );
    const remove = changes.flatMap(({ object }) => {
      const { namespace } = object.metadata ?? {};
      const key = `${object.kind} ${namespace ?? ""}/${nameOf(object)}`;
      // What was written badly is no longer what it was.
      return kept.has(key)
        ? []
        : [{ kind: object.kind as "ValidatingAdmissionPolicy", name: nameOf(object), ...(namespace && { namespace }) }];
    });
    this.#validating = this.#validating.with({ put, remove });
    this.#pending ??= setImmediate(() => this.#flush());
  }

  /** Changes that came together make one snapshot. */
  #flush(): void {
    clearImmediate(this.#pending);
    this.#pending = undefined;
    void this.#params.watch(this.#paramKinds(), this.#kinds);
    this.#snapshot = { validating: this.#validating, hosts: this.#hosts };
    this.#options.changed(this.#snapshot);
  }

  #paramKinds(): readonly ParamKind[] {
    const kinds = this.#validating
      .entries()
      .flatMap(({ policy, bindings }) => (bindings.length > 0 && policy.paramKind ? [policy.paramKind] : []));
    return [...new Map(kinds.map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind])).values()];
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
      const { resources, failed } = await discover(this.#api);
      this.#kinds = new ServedKinds(resources);
      for (const group of failed)
        this.#options.failed(`discovery of ${group}`, new Error("its server does not answer"));
      await this.#params.watch(this.#paramKinds(), this.#kinds);
    } catch (error) {
      this.#options.failed("discovery", error);
    }
  }

  async #authorize(attributes: Attributes): Promise<Decision> {
    const { allowed, denied, reason, error } = await this.#access.review(accessReviewSpec(attributes));
    return { decision: allowed ? "allow" : denied ? "deny" : "noOpinion", reason, ...(error !== "" && { error }) };
  }
}
