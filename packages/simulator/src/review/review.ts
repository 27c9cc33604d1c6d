// One request on the write path, with the decoding of manifests before it and, for a CertificateRequest, the approver after it. The API server
// stops at the first denial; this continues, because people want to see all problems. The denial that would be returned is marked.

import { type AdmissionReport, type AdmissionRequest, headerTexts, type Signal } from "@celadon/admission";
import type { ChainOptions, MutatedRequest } from "@celadon/admission/chain";
import type { EvaluationObserver } from "@celadon/admission/explain";
import { createMutatingPolicySet } from "@celadon/admission/mutating";
import type { DispatchReport, WebhookSelection } from "@celadon/admission/webhook";
import { isRecord } from "@celadon/base";
import type { CertificateRuleObserver as CertificateObserver, CertificateReview } from "@celadon/certpolicy";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { Status } from "@celadon/kube/status";
import { PluginChain, type PolicyReports, policyPlugins } from "@celadon/write";
import { type MutatingPoliciesIn, mutatingPolicyProblems } from "../outcome/mutation-problems.ts";
import type { Outcome, OutcomeStep, Problem } from "../outcome/outcome.ts";
import { policyProblems } from "../outcome/policy-problems.ts";
import { withoutReturned } from "../outcome/problems.ts";
import { selectedOnce, unknownPatches, webhookProblems } from "../outcome/webhook-problems.ts";
import { type BuiltRequest, type IntendedRequest, requestOf } from "../request/intended-request.ts";
import type { ReviewHost } from "../review-host.ts";
import { type ObserverOf, stageOf } from "../stages/object-stage.ts";
import { type Findings, type ObjectStage, passing } from "../stages/stage.ts";
import { pathOf, writtenResource } from "../stages/write-hosts.ts";
import { assumedUse, certificateProblems, certificateReview } from "./certificates.ts";
import { findingsOf, writtenBy } from "./written.ts";

/** Options for reviewing a request. */
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

export async function review(cluster: ReviewHost, ask: IntendedRequest, options: ReviewOptions): Promise<Outcome> {
  const built = requestOf(ask, cluster.resources);
  return reviewStaged(cluster, built, stageOf(cluster, built.request, options.ruleObserver), options);
}

/** The same where the request and the way of its object are known. */
export function reviewStaged(
  cluster: ReviewHost,
  { request, assumptions }: BuiltRequest,
  stage: ObjectStage,
  options: ReviewOptions = {},
): Promise<Outcome> {
  return new ReviewedWrite(cluster, request, options).run(stage, assumptions);
}

/** The same for a request as validating admission met it: its object was decoded, mutated and validated already. */
export function reviewRequest(
  cluster: ReviewHost,
  request: AdmissionRequest,
  options: ReviewOptions,
): Promise<Outcome> {
  const { object = null, oldObject = null } = request;
  return new ReviewedWrite(cluster, request, options, NO_MUTATION).run(
    passing(object, () => oldObject),
    [],
  );
}

const NO_MUTATION = createMutatingPolicySet();

/** The result of a step. With a status the server would have ended the request there. */
interface Step {
  readonly name: OutcomeStep;
  readonly status?: Status | undefined;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  readonly auditAnnotations?: AdmissionReport["auditAnnotations"];
}

/** One request on its way. Every step runs, as long as the previous one left an object. */
class ReviewedWrite {
  readonly #cluster: ReviewHost;
  readonly #asked: AdmissionRequest;
  readonly #options: ReviewOptions;
  readonly #mutatingPolicies: ReviewHost["mutatingPolicies"];
  readonly #steps: Step[] = [];

  constructor(
    cluster: ReviewHost,
    asked: AdmissionRequest,
    options: ReviewOptions,
    mutatingPolicies: ReviewHost["mutatingPolicies"] = cluster.mutatingPolicies,
  ) {
    this.#cluster = cluster;
    this.#asked = asked;
    this.#options = options;
    this.#mutatingPolicies = mutatingPolicies;
  }

  async run(stage: ObjectStage, assumptions: readonly string[]): Promise<Outcome> {
    const decoded = stage.decode();
    const { object: received } = decoded;
    this.#steps.push({ name: "decoding", ...decoded });
    if (decoded.isFile) {
      return this.#outcome({ ...this.#asked, object: received }, [], { ...NOTHING_SEEN, received });
    }
    if (decoded.unreadable) {
      const request = this.#seen(received, this.#asked.oldObject ?? null);
      return this.#outcome(request, assumptions, { ...NOTHING_SEEN, received });
    }
    const oldObject = await stage.old();
    const reports: PolicyReports = {};
    const { findings, ...seen } = await this.#write(stage, received, oldObject, reports);
    const { mutated = unmutated(received), policies = NO_REPORT, webhooks = NO_CALLS } = reports;
    this.#mutationSteps(mutated);
    this.#steps.push({ name: "validation", ...findings, warnings: [...mutated.warnings, ...findings.warnings] });
    const request = this.#seen(seen.object, seen.oldObject);
    this.#steps.push(
      { name: "validating policies", ...policies, problems: policyProblems(this.#cluster, policies) },
      { name: "validating webhooks", ...webhooks, problems: webhookProblems(webhooks) },
    );
    const certificate = await certificateReview(this.#cluster, request, this.#options.certificateObserver);
    const mutating = mutated.passes.flatMap((pass) => pass.webhooks ?? []);
    return this.#outcome(request, [...assumptions, ...unknownPatches(mutating)], {
      received,
      mutated,
      report: policies,
      webhooks: [...selectedOnce(mutating), ...webhooks.selections],
      ...certificate,
    });
  }

  /** The path of a write, on which every step runs. */
  async #write(
    stage: ObjectStage,
    received: KubeObject | null,
    oldObject: KubeObject | null,
    reports: PolicyReports,
  ): Promise<Written> {
    const { operation, name = "" } = this.#asked;
    const { hosts, policies, webhooks } = this.#cluster;
    const plugins = { mutatingPolicies: this.#mutatingPolicies, policies, webhooks, hosts };
    const chain = new PluginChain(policyPlugins(plugins, this.#chainOptions, reports));
    if (received === null || stage.writing === undefined || !isRecord(received.metadata ?? {})) {
      const asked = { ...this.#asked, object: received, oldObject };
      await pathOf(asked, writtenResource(this.#cluster, asked), chain).pass({
        operation,
        name,
        object: received,
        oldObject,
      });
      return { object: received, oldObject, findings: NO_FINDINGS };
    }
    const writing = await stage.writing();
    const path = pathOf(this.#asked, writing.resource, chain);
    const { object, oldObject: old } = await writtenBy(path, writing, this.#asked, received, oldObject);
    return { object, oldObject: old, findings: findingsOf(path, writing, object) };
  }

  get #mutating(): MutatingPoliciesIn {
    const { resources } = this.#cluster;
    const rejectedDefinition = this.#cluster.rejectedDefinition.bind(this.#cluster);
    return { policies: this.#mutatingPolicies, resources, rejectedDefinition };
  }

  /** Two for every pass: policies, then webhooks. */
  #mutationSteps({ passes }: MutatedRequest): void {
    for (const { policies, webhooks = NO_CALLS } of passes) {
      const problems = mutatingPolicyProblems(this.#mutating, policies);
      this.#steps.push(
        { name: "mutating policies", status: policies.status, problems, warnings: [] },
        { name: "mutating webhooks", ...webhooks, problems: webhookProblems(webhooks) },
      );
    }
  }

  /** The server completes a generated name before validating admission sees it. */
  #nameOf(object: KubeObject | null): string {
    return this.#asked.name || (object === null ? "" : nameOf(object));
  }

  #seen(object: KubeObject | null, oldObject: KubeObject | null): AdmissionRequest {
    return { ...this.#asked, name: this.#nameOf(object), object, oldObject };
  }

  get #chainOptions(): ChainOptions {
    const { signal, observer, everyPolicy = false } = this.#options;
    return { ...(signal && { signal }), ...(observer && { observer }), everyPolicy, goOn: true };
  }

  #outcome(request: AdmissionRequest, assumptions: readonly string[], seen: Seen): Outcome {
    const ended = this.#steps.find(({ status }) => status !== undefined);
    // Only what ran on the server is heard of.
    const ran = ended === undefined ? this.#steps : this.#steps.slice(0, this.#steps.indexOf(ended) + 1);
    const { received, mutated, report, webhooks, certificate } = seen;
    return {
      request,
      allowed: ended === undefined,
      ...(ended && { status: ended.status!, endedBy: ended.name }),
      object: request.object ?? null,
      received,
      mutated,
      problems: [
        ...this.#steps.flatMap((step) =>
          ended === undefined || step === ended ? step.problems : withoutReturned(step.problems),
        ),
        ...(certificate === undefined ? [] : certificateProblems(certificate, ended === undefined)),
      ],
      warnings: headerTexts(ran.flatMap(({ warnings }) => warnings)),
      // An annotation keeps the first value it got.
      auditAnnotations: Object.assign({}, ...ran.map((step) => step.auditAnnotations ?? {}).reverse()) as Record<
        string,
        string
      >,
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

function unmutated(object: KubeObject | null): MutatedRequest {
  return { object, passes: [], warnings: [], auditAnnotations: {}, patchAnnotations: {} };
}

/** The result of the path, as validating admission sees it. */
interface Written {
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
  readonly findings: Findings;
}

const NO_FINDINGS: Findings = { problems: [], warnings: [] };

/** The findings of the steps. */
interface Seen {
  readonly received: KubeObject | null;
  readonly mutated: MutatedRequest;
  readonly report: AdmissionReport;
  readonly webhooks: readonly WebhookSelection[];
  readonly certificate?: CertificateReview;
}

const NO_REPORT: AdmissionReport = {
  allowed: true,
  warnings: [],
  auditAnnotations: {},
  failures: [],
  verdicts: { policies: [] },
};
const NO_CALLS: DispatchReport = { allowed: true, warnings: [], auditAnnotations: {}, selections: [], calls: [] };
const NOTHING_SEEN: Omit<Seen, "received"> = {
  mutated: unmutated(null),
  report: NO_REPORT,
  webhooks: [],
};

function assumedNamespaces(cluster: ReviewHost, { namespace = "", kind }: AdmissionRequest): string[] {
  if (namespace === "" || kind.kind === "Namespace" || namespace === "default" || cluster.hasNamespace(namespace))
    return [];
  return [`namespace "${namespace}" is not in the inputs; assuming it exists, without labels`];
}
