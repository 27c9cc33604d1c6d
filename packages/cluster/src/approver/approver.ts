// Decides CertificateRequests by CertificateRequestPolicies: watches both, reviews undecided requests, writes one condition. A request is
// decided once: a decision is final, it is written only on a request that is undecided on the server, and an error decides nothing.

import { compareStrings } from "@celadon/base";
import type { Counter, Metrics } from "@celadon/base/metrics";
import {
  type CertificateRequest,
  type CertificateRequestPolicy,
  isDecided,
  type Plugin,
  policyStatus,
  type RequestStatus,
  Reviewer,
  requestStatus,
  type SelectionHost,
} from "@celadon/certpolicy";
import { AccessReviews, type Api, ApiError, EventRecorder, type ReflectedChange, Reflector } from "@celadon/client";
import { WorkQueue } from "@celadon/client/queue";
import { type GroupVersionResource, type KubeObject, labelsOf, metadataOf, nameOf, namespaceOf } from "@celadon/kube";
import type { Attributes, AuthorizerDecision } from "@celadon/kube-cel";
import { accessReviewSpec } from "@celadon/kube-cel/access";
import { NAMESPACES, POLICIES, RBAC, REQUESTS } from "./resources.ts";

/** Options for running the approver. */
export interface ApproverOptions {
  readonly plugins?: readonly Plugin[];
  readonly metrics: Metrics;
  /** The field manager; the reference's own unless another is given. */
  readonly fieldManager?: string;
  /** Requests that are reviewed at once. */
  readonly workers?: number;
  /** A list, watch, review or write that failed and is tried again. */
  readonly failed?: (what: string, error: unknown) => void;
  /** Receives decisions after they were written. */
  readonly decided?: (request: string, status: RequestStatus) => void;
}

/** Requests that another program has decided in the meantime. */
const CONFLICT = new Set([409, 422, 403]);

/** Approves or denies certificate requests of a cluster by its policies. */
export class CertificateApprover {
  readonly #api: Api;
  readonly #options: ApproverOptions;
  readonly #reviewer: Reviewer;
  readonly #events: EventRecorder;
  readonly #access: AccessReviews;
  readonly #requests: Reflector;
  readonly #policies: Reflector;
  readonly #namespaces: Reflector;
  readonly #others: readonly Reflector[];
  readonly #requestQueue: WorkQueue;
  readonly #policyQueue: WorkQueue;
  readonly #approval: Counter;
  #leads = false;

  constructor(api: Api, options: ApproverOptions) {
    this.#api = api;
    this.#options = options;
    this.#reviewer = new Reviewer({ ...(options.plugins && { plugins: options.plugins }) });
    this.#events = new EventRecorder(api, { component: "policy.cert-manager.io" });
    // Answers are cached for one review only: a removed role must count at once.
    this.#access = new AccessReviews(api, { allowedMs: 0, deniedMs: 0, timeoutMs: 10_000 });
    this.#approval = options.metrics.gauge(
      "certmanager_approverpolicy_certificaterequests_approval",
      "Number of CertificateRequests by approval status",
    );
    const failed = (what: string) => (error: unknown) => options.failed?.(what, error);
    this.#requestQueue = new WorkQueue((key) => this.#reviewOne(key), {
      workers: options.workers ?? 1,
      failed: (key, error) => options.failed?.(`CertificateRequest ${key}`, error),
    });
    this.#policyQueue = new WorkQueue((key) => this.#policyOne(key), {
      failed: (key, error) => options.failed?.(`CertificateRequestPolicy ${key}`, error),
    });
    const reflect = (
      resource: GroupVersionResource,
      changed: (changes: readonly ReflectedChange[]) => void,
    ): Reflector => new Reflector(api, resource, { changed, failed: failed(resource.resource) });
    this.#requests = reflect(REQUESTS, (changes) => {
      for (const { key, object, deleted } of changes) if (!deleted && this.#isOpen(object)) this.#requestQueue.add(key);
    });
    this.#policies = reflect(POLICIES, (changes) => {
      for (const { key, deleted } of changes) if (!deleted) this.#policyQueue.add(key);
      this.#reviewOpen();
    });
    this.#namespaces = reflect(NAMESPACES, () => this.#reviewOpen());
    this.#others = RBAC.map((resource) =>
      reflect(resource, (changes) => {
        const namespaces = new Set(changes.map(({ object }) => namespaceOf(object)));
        this.#reviewOpen(namespaces.has("") ? undefined : namespaces);
      }),
    );
  }

  /** Watches begin; nothing is decided before `lead`. */
  start(): void {
    for (const reflector of this.#reflectors) reflector.start();
  }

  /** Resolves when everything that decides is known. */
  async synced(): Promise<void> {
    await Promise.all(this.#reflectors.map((reflector) => reflector.synced));
  }

  get isSynced(): boolean {
    return this.#reflectors.every((reflector) => reflector.isSynced);
  }

  /** From now on this replica writes, or no longer does. */
  lead(leads: boolean): void {
    this.#leads = leads;
    if (!leads) return;
    for (const key of this.#policies.objects.keys()) this.#policyQueue.add(key);
    this.#reviewOpen();
  }

  /** Resolves when nothing waits to be decided. */
  async idle(): Promise<void> {
    await Promise.all([this.#policyQueue.idle(), this.#requestQueue.idle()]);
    await this.#events.flush();
  }

  async stop(): Promise<void> {
    this.#leads = false;
    await Promise.all([this.#requestQueue.stop(), this.#policyQueue.stop()]);
    await Promise.all(this.#reflectors.map((reflector) => reflector.stop()));
    await this.#events.flush();
  }

  /** The gauge is computed when metrics are read. */
  countRequests(): void {
    this.#approval.reset();
    for (const object of this.#requests.objects.values()) {
      const conditions = (object as unknown as CertificateRequest).status?.conditions ?? [];
      const is = (type: string): boolean =>
        conditions.some((condition) => condition.type === type && condition.status === "True");
      const status = is("Approved") ? "approved" : is("Denied") ? "denied" : "unmatched";
      this.#approval.add({ namespace: namespaceOf(object), status });
    }
  }

  get #reflectors(): readonly Reflector[] {
    return [this.#requests, this.#policies, this.#namespaces, ...this.#others];
  }

  #isOpen(object: KubeObject): boolean {
    return !isDecided(object as unknown as CertificateRequest) && !metadataOf(object).deletionTimestamp;
  }

  #reviewOpen(namespaces?: ReadonlySet<string>): void {
    if (!this.isSynced) return;
    for (const [key, object] of this.#requests.objects) {
      if (this.#isOpen(object) && (namespaces?.has(namespaceOf(object)) ?? true)) this.#requestQueue.add(key);
    }
  }

  async #reviewOne(key: string): Promise<{ againMs: number } | undefined> {
    if (!this.#leads || !this.isSynced) return undefined;
    const known = this.#requests.objects.get(key);
    if (known === undefined || !this.#isOpen(known)) return undefined;
    const target = { namespace: namespaceOf(known), name: nameOf(known) };
    // The copy may be behind: the API server knows whether the request is decided.
    const object = await this.#current(target);
    if (object === undefined || object.metadata?.uid !== known.metadata?.uid || !this.#isOpen(object)) return undefined;
    const review = await this.#reviewer.review(
      object as unknown as CertificateRequest,
      this.#listPolicies(),
      this.#host(),
    );
    const status = requestStatus(review, now());
    if (status.condition !== undefined) {
      if (!this.#leads) return undefined; // lost meanwhile: who leads now decides
      const written = await this.#write(target, object, status.condition);
      if (!written) return undefined;
    }
    this.#events.record({ object, ...status.event });
    this.#options.decided?.(key, status);
    if (status.error !== undefined) throw new Error(status.error);
    return status.requeueAfterSeconds === undefined ? undefined : { againMs: status.requeueAfterSeconds * 1000 };
  }

  /** The request on the server. approver-policy's roles allow to list and watch requests, not to get one. */
  async #current({ namespace, name }: { namespace: string; name: string }): Promise<KubeObject | undefined> {
    const { items } = await this.#api.list(REQUESTS, { namespace, fieldSelector: `metadata.name=${name}` });
    return items[0];
  }

  /** False when another program decided it first. */
  async #write(target: { namespace: string; name: string }, object: KubeObject, condition: object): Promise<boolean> {
    const patch: KubeObject = {
      apiVersion: "cert-manager.io/v1",
      kind: "CertificateRequest",
      // With its version, so that only the reviewed state is decided: a change meanwhile is a conflict, and leads to another review.
      metadata: { ...target, resourceVersion: object.metadata?.resourceVersion ?? "", uid: object.metadata?.uid ?? "" },
      status: { conditions: [condition] },
    };
    const fieldManager = this.#options.fieldManager ?? "approver-policy";
    try {
      await this.#api.apply(REQUESTS, { ...target, subresource: "status" }, patch, { fieldManager, force: true });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || !CONFLICT.has(error.code)) throw error;
      const current = await this.#current(target);
      if (current === undefined || !this.#isOpen(current)) return false;
      throw error;
    }
  }

  /** In the order of their names, as a server lists them. */
  #listPolicies(): readonly CertificateRequestPolicy[] {
    const objects = [...this.#policies.objects.values()];
    return objects.sort((a, b) =>
      compareStrings(nameOf(a), nameOf(b)),
    ) as unknown as readonly CertificateRequestPolicy[];
  }

  #host(): SelectionHost {
    return {
      namespaces: {
        labelsOf: (name) => {
          const namespace = this.#namespaces.objects.get(name);
          return namespace && labelsOf(namespace);
        },
      },
      authorizer: { authorize: (attributes) => this.#authorize(attributes) },
    };
  }

  async #authorize(attributes: Attributes): Promise<AuthorizerDecision> {
    const { allowed, denied, reason, error } = await this.#access.review(accessReviewSpec(attributes));
    return { decision: denied ? "deny" : allowed ? "allow" : "noOpinion", reason, ...(error !== "" && { error }) };
  }

  async #policyOne(key: string): Promise<{ againMs: number } | undefined> {
    if (!this.#leads) return undefined;
    const policy = this.#policies.objects.get(key) as CertificateRequestPolicy | undefined;
    if (policy === undefined) return undefined;
    const status = await policyStatus(policy, this.#options.plugins ?? [], now());
    if ("error" in status) throw new Error(status.error);
    const { condition, event, requeueAfterSeconds } = status;
    const old = (policy.status?.conditions ?? []).find(({ type }) => type === "Ready");
    const isNew =
      old?.status !== condition.status ||
      old.observedGeneration !== condition.observedGeneration ||
      old.message !== condition.message;
    if (isNew) {
      const object: KubeObject = {
        apiVersion: "policy.cert-manager.io/v1alpha1",
        kind: "CertificateRequestPolicy",
        metadata: { name: key },
        status: { conditions: [condition] },
      };
      const fieldManager = this.#options.fieldManager ?? "approver-policy";
      await this.#api.apply(POLICIES, { name: key, subresource: "status" }, object, { fieldManager, force: true });
      this.#events.record({ object: policy as unknown as KubeObject, ...event });
    }
    return requeueAfterSeconds === undefined ? undefined : { againMs: requeueAfterSeconds * 1000 };
  }
}

/** The time in the form of `metav1.Time`. */
function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, "Z");
}
