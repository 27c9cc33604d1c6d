// One request through the whole chain, in the API server's order: decoding and defaults, mutating webhooks, validation by schema
// and rules, validating policies, validating webhooks; for a CertificateRequest the approver after it. Where the API server stops
// at the first refusal, this goes on: people want to see everything that is wrong. The refusal that would be returned is marked.

import {
  type AdmissionRequest,
  admit,
  admitEntries,
  type EvaluationObserver,
  headerTexts,
  type Report,
  type Signal,
} from "@celadon/admission";
import { type Selection, selectWebhooks, type WebhookSet } from "@celadon/admission/webhook";
import type { RuleObserver as CertificateObserver, Review } from "@celadon/certpolicy";
import { type KubeObject, nameOf, type Status } from "@celadon/kube";
import { type Ask, requestOf } from "./ask.ts";
import { assumedUse, certificateProblems, certificateReview } from "./certificates.ts";
import type { Cluster } from "./cluster.ts";
import { type ObserverOf, stageOf } from "./object-stage.ts";
import type { Outcome, Problem, StepName } from "./outcome.ts";
import { withParamAccess } from "./param-access.ts";
import { policyProblems } from "./policy-problems.ts";
import { notReturned, statusProblem } from "./problems.ts";
import { type ObjectStage, passing } from "./stages/stage.ts";

export interface ReviewOptions {
  readonly signal?: Signal;
  /** Watches every expression of policies and match conditions. */
  readonly observer?: EvaluationObserver;
  /** Watches the rules of the object's definition, of one version of it. */
  readonly ruleObserver?: ObserverOf;
  /** Watches the rules of certificate policies. */
  readonly certificateObserver?: CertificateObserver;
  /** Ask every policy, also those an index leaves out, so that each says what refused the request. */
  readonly everyPolicy?: boolean;
}

export async function review(cluster: Cluster, ask: Ask, options: ReviewOptions): Promise<Outcome> {
  const { request, assumptions } = requestOf(ask, cluster.resources);
  return new Chain(cluster, request, options).run(stageOf(cluster, request, options.ruleObserver), assumptions);
}

/** The same for a request as admission met it: its object was decoded, defaulted and validated already. */
export function reviewRequest(cluster: Cluster, request: AdmissionRequest, options: ReviewOptions): Promise<Outcome> {
  const { object = null, oldObject = null } = request;
  return new Chain(cluster, request, options).run(
    passing(object, () => oldObject),
    [],
  );
}

/** What a step came to. With a status the server would have ended the request there. */
interface Step {
  readonly name: StepName;
  readonly status?: Status | undefined;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  readonly auditAnnotations?: Report["auditAnnotations"];
}

/** One request on its way. Every step is taken, as far as the one before left something to look at. */
class Chain {
  readonly #cluster: Cluster;
  readonly #asked: AdmissionRequest;
  readonly #options: ReviewOptions;
  readonly #steps: Step[] = [];

  constructor(cluster: Cluster, asked: AdmissionRequest, options: ReviewOptions) {
    this.#cluster = cluster;
    this.#asked = asked;
    this.#options = options;
  }

  async run(stage: ObjectStage, assumptions: readonly string[]): Promise<Outcome> {
    const decoded = stage.decode();
    this.#steps.push({ name: "decoding", ...decoded });
    if (decoded.unreadable)
      return this.#outcome(this.#seen(decoded.object, this.#asked.oldObject ?? null), assumptions);

    const sent: AdmissionRequest = { ...this.#asked, object: decoded.object };
    const mutating = await this.#webhooks("mutating webhooks", this.#cluster.webhooks.mutating, sent);

    const finished = await withParamAccess(this.#cluster, this.#asked, await stage.finish(decoded.object));
    this.#steps.push({ name: "validation", ...finished });

    const request = this.#seen(finished.object, finished.oldObject);
    const report = await this.#policies(request);
    const validating = await this.#webhooks("validating webhooks", this.#cluster.webhooks.validating, request);
    const certificate = await certificateReview(this.#cluster, request, this.#options.certificateObserver);
    return this.#outcome(request, [...assumptions, ...unknownPatches(mutating)], {
      report,
      webhooks: [...mutating, ...validating],
      ...certificate,
    });
  }

  /** The request as validating admission sees it: the server has named what has only the beginning of a name. */
  #seen(object: KubeObject | null, oldObject: KubeObject | null): AdmissionRequest {
    const name = this.#asked.name || (object === null ? "" : nameOf(object));
    return { ...this.#asked, name, object, oldObject };
  }

  async #webhooks(
    name: StepName,
    list: WebhookSet["validating"],
    request: AdmissionRequest,
  ): Promise<readonly Selection[]> {
    const { hosts } = this.#cluster;
    const selections = list.length === 0 ? [] : await selectWebhooks(request, list, hosts, this.#watching);
    this.#steps.push({ name, status: rejectionOf(selections), problems: webhookProblems(selections), warnings: [] });
    return selections;
  }

  async #policies(request: AdmissionRequest): Promise<Report> {
    const { policies, hosts } = this.#cluster;
    const report = this.#options.everyPolicy
      ? await admitEntries(request, policies.entries(), hosts, this.#watching)
      : await admit(request, policies, hosts, this.#watching);
    const { status, warnings, auditAnnotations } = report;
    const problems = policyProblems(policies, report);
    this.#steps.push({ name: "validating policies", status, problems, warnings, auditAnnotations });
    return report;
  }

  get #watching(): Pick<ReviewOptions, "signal" | "observer"> {
    const { signal, observer } = this.#options;
    return { ...(signal && { signal }), ...(observer && { observer }) };
  }

  #outcome(request: AdmissionRequest, assumptions: readonly string[], seen: Seen = NOTHING_SEEN): Outcome {
    const ended = this.#steps.find(({ status }) => status !== undefined);
    // Only what ran on the server is heard of.
    const ran = ended === undefined ? this.#steps : this.#steps.slice(0, this.#steps.indexOf(ended) + 1);
    const { report, webhooks, certificate } = seen;
    return {
      request,
      allowed: ended === undefined,
      ...(ended && { status: ended.status!, endedBy: ended.name }),
      object: request.object ?? null,
      problems: [
        ...this.#steps.flatMap((step) =>
          ended === undefined || step === ended ? step.problems : notReturned(step.problems),
        ),
        ...(certificate === undefined ? [] : certificateProblems(certificate, ended === undefined)),
      ],
      warnings: headerTexts(ran.flatMap(({ warnings }) => warnings)),
      auditAnnotations: Object.assign({}, ...ran.map((step) => step.auditAnnotations ?? {})) as Record<string, string>,
      policies: report,
      webhooks,
      ...(certificate && { certificate }),
      assumptions: [
        ...assumptions,
        ...assumedNamespaces(this.#cluster, request),
        ...assumedUse(this.#cluster, request),
      ],
    };
  }
}

/** What the steps after decoding found, whole. */
interface Seen {
  readonly report: Report;
  readonly webhooks: readonly Selection[];
  readonly certificate?: Review;
}

const NOTHING_SEEN: Seen = {
  report: { allowed: true, warnings: [], auditAnnotations: {}, failures: [], verdicts: { policies: [] } },
  webhooks: [],
};

function rejectionOf(selections: readonly Selection[]): Status | undefined {
  return selections.flatMap((one) => (one.outcome === "rejected" ? [one.status] : []))[0];
}

/** The first that rejects is the one that is returned. */
function webhookProblems(selections: readonly Selection[]): Problem[] {
  const problems = selections.flatMap((selection): Problem[] => {
    if (selection.outcome !== "rejected") return [];
    const { configuration, mutating, webhook } = selection.webhook;
    const kind = mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
    const by = { kind, name: configuration, binding: webhook.name, error: true };
    return [statusProblem(selection.status, "webhook", by)];
  });
  return problems.map((problem, i) => ({ ...problem, returned: i === 0 }));
}

function assumedNamespaces(cluster: Cluster, { namespace = "", kind }: AdmissionRequest): string[] {
  if (namespace === "" || kind.kind === "Namespace" || namespace === "default" || cluster.hasNamespace(namespace))
    return [];
  return [`namespace "${namespace}" is not among the inputs: taken to exist, without labels of its own`];
}

/** Nobody but the webhook knows what it makes of the object. */
function unknownPatches(mutating: readonly Selection[]): string[] {
  return mutating.flatMap(({ outcome, webhook }) =>
    outcome === "call"
      ? [`webhook "${webhook.webhook.name}" is not called: what it would change in the object is not known`]
      : [],
  );
}
