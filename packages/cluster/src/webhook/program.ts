// The webhook as one program: watches, snapshot, reviews, configurations, certificates and leadership put together. A host gives it a
// connection and somewhere to log, and ends it.

import type { Gates } from "@celadon/admission/proposals";
import { thrownText, toJson } from "@celadon/base";
import { Metrics } from "@celadon/base/metrics";
import { type Api, EventRecorder, LeaderElection } from "@celadon/client";
import { type KubeObject, nameOf } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import type { Minor } from "@celadon/kube-cel";
import type { ServingCertificates } from "../program/certificates.ts";
import { ConfigurationWriter } from "../program/configuration-writer.ts";
import { ManagedCertificates } from "../program/managed-certificates.ts";
import { ProgramMetrics } from "../program/program-metrics.ts";
import { type HandledRequest, type HandledResponse, Serving } from "../program/serving.ts";
import { type AuthorizerSource, ClusterView } from "./cluster-view.ts";
import { type ConfigurationSettings, configuration, excludedNamespaces, POLICIES_PATH } from "./configuration.ts";
import { Enforcements } from "./enforcements.ts";
import { entryShapes } from "./entries.ts";
import { reviewPolicy } from "./policy-admission.ts";
import { OWN_GROUP, type PolicyGroup } from "./policy-objects.ts";
import { PolicyStatus } from "./policy-status.ts";
import { answerAt, type ReviewedRequest } from "./review.ts";
import { logFields } from "./review-log.ts";
import { ReviewMetrics } from "./review-metrics.ts";

/** Options for running the webhook. */
export interface WebhookOptions {
  readonly host: string;
  readonly port: number;
  /** The groups of policies. */
  readonly groups: readonly PolicyGroup[];
  readonly configuration: Omit<ConfigurationSettings, "caBundle" | "ownKinds">;
  /** The place of the certificates; or files that the host replaces. */
  /** Authorities, in PEM, whose clients alone may send reviews: the issuer of the API server's certificate for webhooks. */
  readonly clientCa?: string;
  readonly certificates: { readonly secret: string; readonly names: readonly string[] } | ServingCertificates;
  readonly lease: string;
  /** The source of answers for `authorizer` in expressions; access reviews unless given. */
  readonly authorizer?: AuthorizerSource;
  readonly identity?: string;
  readonly gates?: Gates;
  readonly kubeVersion?: Minor;
  /** Milliseconds one review may take. */
  readonly deadlineMs?: number;
  /** Events for denied requests. */
  readonly events?: boolean;
  /** A line for every review; denials have one anyway. */
  readonly logRequests?: boolean;
  readonly log: (level: "info" | "warn" | "error", message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Every review with its answer, as it came. */
  readonly record?: (body: unknown, reviewed: ReviewedRequest) => void;
  /** The time for which it keeps serving after a stop is requested. */
  readonly drainMs?: number;
}

/** The webhook that enforces policies in a cluster. */
export class WebhookProgram {
  readonly metrics: Metrics = new Metrics();
  readonly #api: Api;
  readonly #options: WebhookOptions;
  readonly #view: ClusterView;
  readonly #writer: ConfigurationWriter;
  readonly #election: LeaderElection;
  readonly #events: EventRecorder;
  readonly #reviews: ReviewMetrics;
  readonly #status: PolicyStatus;
  readonly #enforcement = new Enforcements();
  readonly #certificates: ManagedCertificates;
  readonly #state: ProgramMetrics;
  #serving: Serving | undefined;
  #ready = false;
  #recordFails = false;

  constructor(api: Api, options: WebhookOptions) {
    this.#api = api;
    this.#options = options;
    const failed = (what: string, error: unknown): void => options.log("warn", `${what}: ${thrownText(error)}`);
    this.#reviews = new ReviewMetrics(this.metrics);
    this.#events = new EventRecorder(api, { component: "celadon-webhook" });
    this.#view = new ClusterView(api, {
      groups: options.groups,
      excludedNamespaces: excludedNamespaces(options.configuration),
      ...(options.authorizer && { authorizer: options.authorizer }),
      ...(options.gates && { gates: options.gates }),
      ...(options.kubeVersion && { kubeVersion: options.kubeVersion }),
      changed: ({ sets }) => {
        this.#reviews.policies(
          sets.reduce((sum, { validating, mutating }) => sum + validating.size + mutating.size, 0),
        );
        this.#writer.changed();
        this.#status.changed();
      },
      read: (object, { resource, rejected }) => {
        const effect = resource === undefined ? "so it is not enforced" : "so its failure policy decides";
        if (rejected !== undefined)
          options.log("error", `${object.kind} ${nameOf(object)} was rejected, ${effect}: ${rejected}`);
        this.#status.read(object, rejected);
      },
      annotated: (object) => this.#status.annotated(object),
      failed,
    });
    this.#status = new PolicyStatus(api, {
      view: this.#view,
      failed,
      enforcement: (policy) => this.#enforcement.of(policy),
    });
    this.#writer = new ConfigurationWriter(api, {
      name: options.configuration.name,
      kinds: ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"],
      wanted: (kind) => this.#wanted(kind),
      failed: (kind, error) => {
        failed(kind, error);
        this.#enforcement.failed(kind, thrownText(error));
        this.#status.changed();
      },
      confirmed: (kind, wanted) => {
        if (this.#enforcement.confirmed(kind, wanted)) this.#status.changed();
      },
      wrote: (kind, object) =>
        options.log("info", `wrote ${kind}`, { entries: (object.webhooks as readonly unknown[]).length }),
    });
    const kept = options.certificates;
    this.#certificates = new ManagedCertificates(
      api,
      "certificate" in kept ? kept : { namespace: options.configuration.ownNamespace, ...kept },
      {
        changed: (certificates) => {
          this.#serving?.replaceCertificate(certificates);
          this.#writer.changed();
        },
        failed,
      },
    );
    this.#election = new LeaderElection(api, {
      namespace: options.configuration.ownNamespace,
      name: options.lease,
      ...(options.identity !== undefined && { identity: options.identity }),
      started: () => this.#lead(true),
      stopped: () => this.#lead(false),
      failed: (error) => failed("leader election", error),
    });
    this.#state = new ProgramMetrics(this.metrics, {
      leads: () => this.#election.leads,
      certificate: () => this.#certificates.current?.certificate,
      inFlight: () => this.#serving?.inFlight ?? 0,
      droppedEvents: () => this.#events.dropped,
      paramKinds: () => this.#view.paramCounts,
    });
  }

  /** Resolves when it is ready: everything that decides is known, and it listens. */
  async start(): Promise<{ readonly url: string; readonly port: number }> {
    const { host, port } = this.#options;
    const tls = await this.#certificates.start();
    await this.#view.start();
    this.#serving = new Serving({
      host,
      port,
      tls: this.#certificates.current ?? tls,
      ...(this.#options.clientCa !== undefined && { clientCa: this.#options.clientCa }),
      handler: (request) => this.handle(request),
      timeoutMs: this.#deadlineMs,
      failed: (error) => this.#options.log("error", thrownText(error)),
    });
    const listening = await this.#serving.listen();
    this.#ready = true;
    this.#writer.start();
    this.#election.start();
    return listening;
  }

  /** Certificates of files that were replaced. */
  replaceCertificates(certificates: ServingCertificates): void {
    this.#certificates.replace(certificates);
  }

  async stop(): Promise<void> {
    this.#ready = false;
    await this.#election.stop();
    await Promise.all([this.#writer.stop(), this.#status.stop()]);
    await this.#serving?.close(this.#options.drainMs ?? 0);
    await Promise.all([this.#view.stop(), this.#certificates.stop()]);
    await this.#events.flush();
  }

  get #deadlineMs(): number {
    return this.#options.deadlineMs ?? this.#options.configuration.timeoutSeconds * 1000;
  }

  async handle(request: HandledRequest): Promise<HandledResponse> {
    const { method, path } = request;
    if (method === "POST") return path === POLICIES_PATH ? this.#reviewPolicy(request) : this.#review(request);
    switch (path) {
      case "/healthz":
      case "/livez":
        return OK;
      case "/readyz":
        return this.#ready && this.#view.isSynced ? OK : { status: 503, body: "not in sync\n" };
      case "/metrics":
        this.#state.update();
        return { status: 200, body: this.metrics.text(), contentType: "text/plain; version=0.0.4; charset=utf-8" };
      default:
        return NOT_FOUND;
    }
  }

  async #review({ path, body, signal }: HandledRequest): Promise<HandledResponse> {
    const started = performance.now();
    const parsed = this.#parsed(body);
    if (parsed === undefined) return NOT_JSON;
    // One snapshot from the beginning to the end.
    const reviewed = await answerAt(path, parsed, this.#view.snapshot, {
      signal,
      // The deadline of the API server: a replica that gets little time must not deny what policies allow.
      deadline: Date.now() + this.#deadlineMs,
    });
    if (reviewed === undefined) return NOT_FOUND;
    if (reviewed instanceof Invalid) return { status: 400, body: `${reviewed.message}\n` };
    const seconds = (performance.now() - started) / 1000;
    this.#reviews.reviewed(reviewed, seconds);
    if (!reviewed.allowed || this.#options.logRequests === true)
      this.#options.log("info", reviewed.allowed ? "allowed" : "denied", logFields(reviewed, seconds));
    this.#record(parsed, reviewed);
    if (!reviewed.allowed) this.#denied(reviewed);
    return json(reviewed.answer);
  }

  /** A review that cannot be recorded must not fail: a full disk would otherwise stop every write of the cluster. */
  #record(body: unknown, reviewed: ReviewedRequest): void {
    try {
      this.#options.record?.(body, reviewed);
      this.#recordFails = false;
    } catch (error) {
      if (!this.#recordFails) this.#options.log("error", `a review was not recorded: ${thrownText(error)}`);
      this.#recordFails = true;
    }
  }

  async #reviewPolicy({ body }: HandledRequest): Promise<HandledResponse> {
    const parsed = this.#parsed(body);
    if (parsed === undefined) return NOT_JSON;
    const answer = await reviewPolicy(parsed, this.#options.gates ?? {}, this.#view.definitions.schemas);
    return answer instanceof Invalid ? { status: 400, body: `${answer.message}\n` } : json(answer);
  }

  #parsed(body: string): unknown {
    try {
      return this.#api.parse(body);
    } catch {
      return undefined;
    }
  }

  #denied({ review, request, status, deniedBy }: ReviewedRequest): void {
    const { operation, resource, namespace = "", name = "" } = request;
    const message = status?.message ?? "";
    // A dry run leaves nothing behind, and an event needs a name to point at.
    if (this.#options.events !== true || request.dryRun === true || name === "") return;
    const policies = review === "validate" ? "validatingadmissionpolicies" : "mutatingadmissionpolicies";
    for (const { group, policy } of deniedBy) {
      const object = this.#view.policies.objects(group, policies).get(policy);
      if (object === undefined) continue;
      const about = `${operation} ${resource.resource} ${namespace === "" ? "" : `${namespace}/`}${name}`;
      this.#events.record({ object, type: "Warning", reason: "Denied", message: `${about}: ${message}` });
    }
  }

  #wanted(kind: "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration"): KubeObject | undefined {
    const certificates = this.#certificates.current;
    if (certificates === undefined || !this.#view.isSynced) return undefined;
    const review = kind === "ValidatingWebhookConfiguration" ? "validate" : "mutate";
    const matched = this.#view.matched().filter(({ class: of }) => of.review === review);
    const plan = entryShapes(matched);
    const ownKinds = this.#view.policies.serves(OWN_GROUP);
    const wanted = configuration(kind, plan.shapes, {
      ...this.#options.configuration,
      caBundle: certificates.caBundle,
      ownKinds,
    });
    this.#enforcement.planned(wanted, matched, plan);
    return wanted;
  }

  #lead(leads: boolean): void {
    this.#options.log("info", leads ? "became leader: writes configurations and certificates" : "is no longer leader");
    this.#writer.lead(leads);
    this.#status.lead(leads);
    this.#certificates.lead(leads);
  }
}

const OK: HandledResponse = { status: 200, body: "ok\n" };
const NOT_FOUND: HandledResponse = { status: 404, body: "not found\n" };

const NOT_JSON: HandledResponse = { status: 400, body: "the body is not JSON\n" };

const json = (value: unknown): HandledResponse => ({
  status: 200,
  body: toJson(value),
  contentType: "application/json",
});
