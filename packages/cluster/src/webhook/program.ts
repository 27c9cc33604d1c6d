// The webhook as one program: watches, snapshot, reviews, configurations, certificates and leadership put together. A host gives it a
// connection and somewhere to log, and ends it.

import type { Gates, Report } from "@celadon/admission";
import { type Api, EventRecorder, LeaderElection, Reflector } from "@celadon/client";
import { Invalid, type KubeObject, nameOf } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import { Metrics } from "../program/metrics.ts";
import { type HandledRequest, type HandledResponse, Serving } from "../program/serving.ts";
import { CHECK_MS, ensureCertificates, readCertificates, SECRETS, type ServingCertificates } from "./certificates.ts";
import { ClusterView } from "./cluster-view.ts";
import { type ConfigurationSettings, configuration } from "./configuration.ts";
import { ConfigurationWriter } from "./configuration-writer.ts";
import { entryShapes, type FailurePolicy } from "./entries.ts";
import type { PolicyGroup } from "./policy-objects.ts";
import { type Reviewed, reviewValidating } from "./review.ts";
import { ReviewMetrics } from "./review-metrics.ts";

export interface WebhookOptions {
  readonly host: string;
  readonly port: number;
  readonly sources: readonly { readonly group: PolicyGroup; readonly version: string }[];
  readonly configuration: Omit<ConfigurationSettings, "caBundle">;
  /** Where the certificates are kept; or those of files, which the host replaces. */
  readonly certificates: { readonly secret: string; readonly names: readonly string[] } | ServingCertificates;
  readonly lease: string;
  readonly identity?: string;
  readonly gates?: Gates;
  readonly kubeVersion?: Minor;
  /** Milliseconds one review may take. */
  readonly deadlineMs?: number;
  /** Events for denied requests. */
  readonly events?: boolean;
  readonly log: (level: "info" | "warn" | "error", message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Every review with its answer, as it came. */
  readonly record?: (body: unknown, reviewed: Reviewed) => void;
  /** How long to serve on after the end is asked for. */
  readonly drainMs?: number;
}

export class WebhookProgram {
  readonly metrics: Metrics = new Metrics();
  readonly #api: Api;
  readonly #options: WebhookOptions;
  readonly #view: ClusterView;
  readonly #writer: ConfigurationWriter;
  readonly #election: LeaderElection;
  readonly #events: EventRecorder;
  readonly #reviews: ReviewMetrics;
  #serving: Serving | undefined;
  #certificates: ServingCertificates | undefined;
  #secretWatch: Reflector | undefined;
  #certificateTimer: NodeJS.Timeout | undefined;
  #ready = false;

  constructor(api: Api, options: WebhookOptions) {
    this.#api = api;
    this.#options = options;
    const failed = (what: string, error: unknown): void => options.log("warn", `${what}: ${textOf(error)}`);
    this.#reviews = new ReviewMetrics(this.metrics);
    this.#events = new EventRecorder(api, { component: "celadon-webhook" });
    this.#view = new ClusterView(api, {
      sources: options.sources,
      ...(options.gates && { gates: options.gates }),
      ...(options.kubeVersion && { kubeVersion: options.kubeVersion }),
      changed: ({ validating }) => {
        this.#reviews.policies(validating.entries().length);
        this.#writer.changed();
      },
      rejected: (object, why) => {
        if (why !== undefined)
          options.log("error", `${object.kind} ${nameOf(object)} was rejected, so it is not enforced: ${why}`);
      },
      failed,
    });
    this.#writer = new ConfigurationWriter(api, {
      name: options.configuration.name,
      wanted: (kind) => this.#wanted(kind),
      failed,
      wrote: (kind, object) =>
        options.log("info", `wrote ${kind}`, { entries: (object.webhooks as readonly unknown[]).length }),
    });
    this.#election = new LeaderElection(api, {
      namespace: options.configuration.ownNamespace,
      name: options.lease,
      ...(options.identity !== undefined && { identity: options.identity }),
      started: () => this.#lead(true),
      stopped: () => this.#lead(false),
      failed: (error) => failed("leader election", error),
    });
  }

  /** Resolves when it is ready: everything that decides is known, and it listens. */
  async start(): Promise<{ readonly url: string; readonly port: number }> {
    const { certificates, host, port } = this.#options;
    this.#certificates = "certificate" in certificates ? certificates : await this.#firstCertificates(certificates);
    await this.#view.start();
    this.#serving = new Serving({
      host,
      port,
      tls: this.#certificates,
      handler: (request) => this.handle(request),
      timeoutMs: this.#options.deadlineMs ?? 10_000,
      failed: (error) => this.#options.log("error", textOf(error)),
    });
    const listening = await this.#serving.listen();
    this.#ready = true;
    this.#writer.start();
    this.#election.start();
    return listening;
  }

  /** Certificates of files that were replaced. */
  replaceCertificates(certificates: ServingCertificates): void {
    this.#certificates = certificates;
    this.#serving?.replaceCertificate(certificates);
    this.#writer.changed();
  }

  async stop(): Promise<void> {
    this.#ready = false;
    clearInterval(this.#certificateTimer);
    await this.#election.stop();
    await this.#writer.stop();
    await this.#serving?.close(this.#options.drainMs ?? 0);
    await Promise.all([this.#view.stop(), this.#secretWatch?.stop()]);
    await this.#events.flush();
  }

  async handle(request: HandledRequest): Promise<HandledResponse> {
    const { method, path } = request;
    if (method === "POST") {
      const failure = REVIEW_PATHS.get(path);
      return failure === undefined ? NOT_FOUND : this.#review(request, failure);
    }
    switch (path) {
      case "/healthz":
      case "/livez":
        return OK;
      case "/readyz":
        return this.#ready && this.#view.isSynced ? OK : { status: 503, body: "not in sync\n" };
      case "/metrics":
        return { status: 200, body: this.metrics.text(), contentType: "text/plain; version=0.0.4; charset=utf-8" };
      default:
        return NOT_FOUND;
    }
  }

  async #review({ body, signal }: HandledRequest, failure: FailurePolicy): Promise<HandledResponse> {
    const started = performance.now();
    let parsed: unknown;
    try {
      parsed = this.#api.parse(body);
    } catch {
      return { status: 400, body: "the body is not JSON\n" };
    }
    // One snapshot from the beginning to the end.
    const reviewed = await reviewValidating(parsed, this.#view.snapshot, failure, { signal });
    if (reviewed instanceof Invalid) return { status: 400, body: `${reviewed.message}\n` };
    this.#reviews.reviewed(reviewed, (performance.now() - started) / 1000);
    this.#options.record?.(parsed, reviewed);
    if (!reviewed.report.allowed) this.#denied(reviewed);
    return { status: 200, body: JSON.stringify(reviewed.answer), contentType: "application/json" };
  }

  #denied({ request, report }: Reviewed): void {
    const { operation, resource, namespace = "", name = "", userInfo } = request;
    const message = report.status?.message ?? "";
    this.#options.log("info", "denied", {
      operation,
      resource: resource.resource,
      namespace,
      name,
      user: userInfo?.username,
      message,
    });
    // A dry run leaves nothing behind, and what has no name cannot be pointed at.
    if (this.#options.events !== true || request.dryRun === true || name === "") return;
    for (const policy of deniedBy(report)) {
      const object: KubeObject = {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingAdmissionPolicy",
        metadata: { name: policy },
      };
      const about = `${operation} ${resource.resource} ${namespace === "" ? "" : `${namespace}/`}${name}`;
      this.#events.record({ object, type: "Warning", reason: "Denied", message: `${about}: ${message}` });
    }
  }

  #wanted(kind: "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration"): KubeObject | undefined {
    const certificates = this.#certificates;
    if (certificates === undefined || !this.#view.isSynced) return undefined;
    const shapes = kind === "ValidatingWebhookConfiguration" ? entryShapes(this.#view.matched()) : [];
    return configuration(kind, shapes, { ...this.#options.configuration, caBundle: certificates.caBundle });
  }

  #lead(leads: boolean): void {
    this.#options.log("info", leads ? "leads: writes configurations and certificates" : "no longer leads");
    this.#writer.lead(leads);
    const { certificates } = this.#options;
    clearInterval(this.#certificateTimer);
    if (!leads || "certificate" in certificates) return;
    this.#certificateTimer = setInterval(() => void this.#renew(certificates), CHECK_MS);
    this.#certificateTimer.unref();
    void this.#renew(certificates);
  }

  /** Any replica may make the first ones: the API server takes one of them. */
  async #firstCertificates(settings: {
    readonly secret: string;
    readonly names: readonly string[];
  }): Promise<ServingCertificates> {
    const namespace = this.#options.configuration.ownNamespace;
    const made = await ensureCertificates(this.#api, { namespace, ...settings });
    this.#secretWatch = new Reflector(this.#api, SECRETS, {
      namespace,
      fieldSelector: `metadata.name=${settings.secret}`,
      changed: (changes) => {
        const last = changes.at(-1);
        const read = last?.deleted === false ? readCertificates(last.object) : undefined;
        if (read !== undefined && read.certificate !== this.#certificates?.certificate) this.replaceCertificates(read);
        else if (last?.deleted === true && this.#election.leads) void this.#renew(settings);
      },
      failed: (error) => this.#options.log("warn", `secret ${settings.secret}: ${textOf(error)}`),
    });
    this.#secretWatch.start();
    return made;
  }

  async #renew(settings: { readonly secret: string; readonly names: readonly string[] }): Promise<void> {
    try {
      const namespace = this.#options.configuration.ownNamespace;
      const made = await ensureCertificates(this.#api, { namespace, ...settings });
      if (made.certificate !== this.#certificates?.certificate) this.replaceCertificates(made);
    } catch (error) {
      this.#options.log("error", `certificates: ${textOf(error)}`);
    }
  }
}

const REVIEW_PATHS: ReadonlyMap<string, FailurePolicy> = new Map([
  ["/validate/fail", "Fail"],
  ["/validate/ignore", "Ignore"],
]);

const OK: HandledResponse = { status: 200, body: "ok\n" };
const NOT_FOUND: HandledResponse = { status: 404, body: "not found\n" };

function deniedBy({ failures }: Report): readonly string[] {
  return [...new Set(failures.flatMap(({ policy, returned }) => (returned ? [policy] : [])))];
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
