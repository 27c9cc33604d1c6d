// One request through the whole admission chain, and for a CertificateRequest the approver after it. Where the API server stops
// at the first refusal, this goes on: people want to see everything that is wrong. The refusal that would be returned is marked.

import {
  type AdmissionRequest,
  type EvaluationObserver,
  type ExpressionPlace,
  expressionPath,
  type Failure,
  headerTexts,
  type Report,
  type Signal,
} from "@celadon/admission";
import {
  admitRequest,
  type Chain,
  type ChainOptions,
  type ChainReport,
  type Finish,
  type MutatedRequest,
} from "@celadon/admission/chain";
import { createMutatingPolicySet, type MutatingPolicyReport } from "@celadon/admission/mutating";
import { type DispatchReport, type Selection, statusOf } from "@celadon/admission/webhook";
import { valueAt } from "@celadon/base";
import {
  type RuleObserver as CertificateObserver,
  type CertificateRequest,
  type Review,
  Reviewer,
  requestOfCertificate,
} from "@celadon/certpolicy";
import type { ResourceVersion, RuleObserver } from "@celadon/crd";
import { Invalid, type KubeObject, labelsOf, nameOf } from "@celadon/kube";
import { type Ask, requestOf } from "./ask.ts";
import { type DecodedStage, decodeStage, type FinishedStage } from "./object-stage.ts";
import type { FailureLevel, Outcome, Problem } from "./outcome.ts";
import { withParamAccess } from "./param-access.ts";
import { roleOf } from "./roles.ts";
import { problemsOf } from "./status-problems.ts";
import type { World } from "./world.ts";

export interface ReviewOptions {
  readonly signal?: Signal;
  /** Watches every expression of policies and match conditions. */
  readonly observer?: EvaluationObserver;
  /** Watches the rules of the object's definition, of one version of it. */
  readonly ruleObserver?: (version: ResourceVersion) => RuleObserver;
  /** Watches the rules of certificate policies. */
  readonly certificateObserver?: CertificateObserver;
  /** Ask every policy, also those an index leaves out, so that each says what refused the request. */
  readonly everyPolicy?: boolean;
}

export async function review(world: World, ask: Ask, options: ReviewOptions): Promise<Outcome> {
  const { request, assumptions } = requestOf(ask, world.resources, (kind) => world.reasonUnknown(kind));
  const decoded = decodeStage(world, request, options.ruleObserver);
  return judge(world, world.chain, request, decoded, assumptions, options);
}

/** The same for a request as admission met it: its object was decoded, mutated and validated already. */
export function reviewRequest(world: World, request: AdmissionRequest, options: ReviewOptions): Promise<Outcome> {
  const { object = null, oldObject = null } = request;
  const said = { problems: [], warnings: [] };
  const decoded: DecodedStage = {
    object,
    oldObject,
    ...said,
    finish: (mutated) => ({ object: mutated, oldObject, ...said }),
  };
  return judge(world, { ...world.chain, mutatingPolicies: NO_MUTATION }, request, decoded, [], options);
}

const NO_MUTATION = createMutatingPolicySet();

async function judge(
  world: World,
  chain: Chain,
  asked: AdmissionRequest,
  decoded: DecodedStage,
  assumptions: readonly string[],
  options: ReviewOptions,
): Promise<Outcome> {
  let finished: FinishedStage = { object: decoded.object, oldObject: decoded.oldObject, problems: [], warnings: [] };
  const finish: Finish = async (object) => {
    finished = await withParamAccess(world, asked, decoded.finish(object));
    // The server names what has only the beginning of a name before policies see it.
    const name = asked.name || (finished.object === null ? "" : nameOf(finished.object));
    return { ...finished, name };
  };
  const sent = { ...asked, object: decoded.object, oldObject: decoded.oldObject };
  const report = decoded.unreadable ? NOTHING : await admitRequest(sent, chain, finish, chainOptions(options));
  const { mutated, policies = NO_REPORT, webhooks = NO_CALLS } = report;
  const name = asked.name || (finished.object === null ? "" : nameOf(finished.object));
  const request: AdmissionRequest = { ...sent, name, object: finished.object };
  const statuses = [decoded.status, mutated.status, finished.status, policies.status, webhooks.status];
  const first = statuses.findIndex((status) => status !== undefined);
  const status = statuses[first];
  const reached = (stage: number): boolean => first === -1 || first >= stage;
  const certificate = decoded.unreadable ? undefined : await certificateReview(world, request, options);
  const asking = mutated.passes.flatMap((pass) => pass.webhooks ?? []);
  return {
    request,
    allowed: status === undefined,
    ...(status && { status }),
    object: request.object ?? null,
    received: decoded.object,
    mutated,
    problems: [
      ...only(decoded.problems, first <= 0),
      ...only(mutationProblems(world, mutated), first === 1),
      ...only(finished.problems, first === 2 || first === -1),
      ...only(policyProblems(world, policies), first === 3 || first === -1),
      ...webhookProblems([webhooks], first === 4),
      ...(certificate === undefined ? [] : certificateFailures(certificate, first === -1)),
    ],
    // Only what ran on the server is heard of.
    warnings: headerTexts([
      ...decoded.warnings,
      ...(reached(1) ? mutated.warnings : []),
      ...(reached(2) ? finished.warnings : []),
      ...(reached(3) ? policies.warnings : []),
      ...(reached(4) ? webhooks.warnings : []),
    ]),
    auditAnnotations: {
      ...(reached(4) ? webhooks.auditAnnotations : {}),
      ...(reached(3) ? policies.auditAnnotations : {}),
      ...(reached(1) ? mutated.auditAnnotations : {}),
    },
    policies,
    webhooks: [...eachOnce(asking), ...webhooks.selections],
    ...(certificate && { certificate }),
    assumptions: [
      ...assumptions,
      ...assumedNamespaces(world, request),
      ...assumedUse(world, request),
      ...unknownPatches(asking),
    ],
  };
}

function chainOptions({ signal, observer, everyPolicy = false }: ReviewOptions): ChainOptions {
  return { ...(signal && { signal }), ...(observer && { observer }), everyPolicy, goOn: true };
}

const NO_REPORT: Report = {
  allowed: true,
  warnings: [],
  auditAnnotations: {},
  failures: [],
  verdicts: { policies: [] },
};
const NO_CALLS: DispatchReport = { allowed: true, warnings: [], auditAnnotations: {}, selections: [], calls: [] };
const NOTHING: Pick<ChainReport, "mutated" | "policies" | "webhooks"> = {
  mutated: { object: null, passes: [], warnings: [], auditAnnotations: {}, patchAnnotations: {} },
};

async function certificateReview(
  world: World,
  request: AdmissionRequest,
  { certificateObserver: observer }: ReviewOptions,
): Promise<Review | undefined> {
  const { object, userInfo = {} } = request;
  if (!object || request.operation !== "CREATE" || world.certificatePolicies.length === 0) return undefined;
  const judged = judgedRequest(world, object, request);
  if (judged === undefined) return undefined;
  if (judged instanceof Invalid) return { result: "Error", error: judged.message };
  const { authorizer, namespaces } = world.hosts;
  const labels = async (name: string) => {
    const namespace = await namespaces.namespace(name);
    return namespace && labelsOf(namespace);
  };
  const asked = requestedBy(judged, userInfo);
  const host = { authorizer, namespaces: { labelsOf: labels } };
  const reviewer = observer === undefined ? world.reviewer : new Reviewer({ rules: world.reviewer.rules, observer });
  return reviewer.review(asked, world.certificatePolicies, host);
}

/** The request that an approver will see: this one, or what cert-manager makes of a Certificate. */
function judgedRequest(
  world: World,
  object: KubeObject,
  { namespace = "" }: AdmissionRequest,
): CertificateRequest | Invalid | undefined {
  switch (roleOf(object)) {
    case "certificateRequest":
      return object as unknown as CertificateRequest;
    case "certificate": {
      const made = requestOfCertificate({ ...object, metadata: { ...object.metadata, namespace } });
      if (made instanceof Invalid || world.manifests("rbac").length > 0) return made;
      return { ...made, spec: { ...made.spec, groups: [...(made.spec.groups ?? []), "system:masters"] } };
    }
    default:
      return undefined;
  }
}

function assumedUse(world: World, { object }: AdmissionRequest): string[] {
  if (!object || roleOf(object) !== "certificate") return [];
  if (world.certificatePolicies.length === 0 || world.manifests("rbac").length > 0) return [];
  return ["no roles in the inputs; assuming that cert-manager may use every CertificateRequestPolicy"];
}

/** cert-manager's webhook writes down who asks. */
export function requestedBy(
  request: CertificateRequest,
  user: NonNullable<AdmissionRequest["userInfo"]>,
): CertificateRequest {
  const { spec } = request;
  if (spec?.username) return request;
  const { username = "", groups = [], uid } = user;
  return { ...request, spec: { ...spec, username, groups, ...(uid !== undefined && { uid }) } } as CertificateRequest;
}

type Asked = Pick<DispatchReport, "selections" | "calls">;

/** Of webhooks that were asked in two passes, the pass that would call them. */
function eachOnce(reports: readonly Asked[]): readonly Selection[] {
  const found = new Map<string, Selection>();
  for (const one of reports.flatMap(({ selections }) => selections)) {
    const { id } = one.webhook;
    if (found.get(id)?.outcome !== "call") found.set(id, one);
  }
  return [...found.values()];
}

/** Webhooks that could not be decided on, that denied, or that failed. */
function webhookProblems(reports: readonly Asked[], returned: boolean): Problem[] {
  let first = returned;
  return reports.flatMap(({ selections, calls }) => {
    const refusals = [
      ...selections.flatMap((one) =>
        one.outcome === "rejected" ? [{ webhook: one.webhook, status: one.status, error: true }] : [],
      ),
      ...calls.flatMap(({ webhook, outcome }) => {
        const status = statusOf(outcome, webhook);
        return status === undefined ? [] : [{ webhook, status, error: outcome.outcome !== "denied" }];
      }),
    ];
    return refusals.flatMap(({ webhook: { configuration, mutating, webhook }, status, error }) => {
      const kind = mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
      const by = { kind, name: configuration, binding: webhook.name, error };
      const problems = problemsOf(status, "webhook", null, by).map((one) => ({ ...one, returned: first }));
      first = false;
      return problems;
    });
  });
}

/** What mutating policies and webhooks failed at, pass after pass. */
function mutationProblems(world: World, { passes, status }: MutatedRequest): Problem[] {
  return passes.flatMap((pass, i): Problem[] => {
    const isLast = i === passes.length - 1 && status !== undefined;
    const { policies, webhooks } = pass;
    return [
      ...mutatingPolicyProblems(world, policies).map((one) => (isLast ? one : { ...one, returned: false })),
      ...webhookProblems(webhooks === undefined ? [] : [webhooks], isLast && policies.status === undefined),
    ];
  });
}

function mutatingPolicyProblems(world: World, { failures, status }: MutatingPolicyReport): Problem[] {
  // The request ended with an error that no failure policy has a say in.
  if (status !== undefined && failures.length === 0) return problemsOf(status, "mutation", null);
  return failures.map(({ policy, binding, params, source, index, message, enforced, returned }): Problem => {
    const spec = world.mutatingPolicies.policy(policy)?.policy.spec;
    const path =
      source === "configuration"
        ? undefined
        : source === "matchConditions"
          ? expressionPath("matchCondition", index)
          : expressionPath(spec?.mutations?.[index]?.jsonPatch ? "jsonPatch" : "applyConfiguration", index);
    const expression = path && valueAt({ spec }, path);
    return {
      system: "mutation",
      level: enforced ? "deny" : "ignored",
      message,
      by: {
        kind: "MutatingAdmissionPolicy",
        name: policy,
        ...(binding !== undefined && { binding }),
        ...(params !== undefined && { params }),
        ...(path && { path }),
        ...(typeof expression === "string" && { expression }),
        error: true,
      },
      returned,
    };
  });
}

// A later system's refusal is not the one that is returned.
function only(problems: readonly Problem[], returned: boolean): readonly Problem[] {
  return returned
    ? problems
    : problems.map((problem) => (problem.returned ? { ...problem, returned: false } : problem));
}

/** Of failures that an expression of its own stands behind; the others failed as a whole. */
const EXPRESSION_KINDS: Readonly<Partial<Record<Failure["source"], ExpressionPlace["kind"]>>> = {
  validation: "validation",
  matchConditions: "matchCondition",
  auditAnnotation: "auditAnnotation",
};

function policyProblems(world: World, { failures, status }: Report): Problem[] {
  // The request ended because its namespace is not known.
  if (status !== undefined && !failures.some(({ returned }) => returned)) return problemsOf(status, "policy", null);
  return failures.map((failure): Problem => {
    const { policy, binding, params, source, index, message, reason } = failure;
    const kind = EXPRESSION_KINDS[source];
    const path = kind && expressionPath(kind, index);
    const expression = path && valueAt(world.policies.policy(policy)?.policy, path);
    return {
      system: "policy",
      level: levelOf(failure),
      message,
      reason,
      by: {
        kind: "ValidatingAdmissionPolicy",
        name: policy,
        ...(binding !== undefined && { binding }),
        ...(params !== undefined && { params }),
        ...(path && { path }),
        ...(typeof expression === "string" && { expression }),
        error: failure.kind === "error",
      },
      returned: failure.returned,
    };
  });
}

function levelOf({ enforced, actions }: Failure): FailureLevel {
  if (!enforced) return "ignored";
  if (actions.includes("Deny")) return "deny";
  return actions.includes("Warn") ? "warn" : "audit";
}

function certificateFailures(review: Review, returned: boolean): Problem[] {
  if (review.result === "Error") {
    return [{ system: "certificate", level: "deny", message: review.error, returned }];
  }
  if (review.result === "Unprocessed") return [unprocessed(review)];
  if (review.result !== "Denied") return [];
  return review.policies.flatMap((outcome): Problem[] => {
    if (outcome.outcome !== "denies") return [];
    const by = { kind: "CertificateRequestPolicy", name: outcome.policy };
    return outcome.answers.flatMap(({ evaluation }): Problem[] =>
      evaluation.result === "Denied"
        ? [{ system: "certificate", level: "deny", message: evaluation.message, by, returned }]
        : [],
    );
  });
}

/** Nobody says no to such a request, and nobody will say yes. */
function unprocessed({ message, policies }: Exclude<Review, { result: "Error" }>): Problem {
  const refused = policies.flatMap((one) =>
    one.outcome === "not applicable" ? [`${one.policy} does not apply: ${one.refusal.message}`] : [],
  );
  return { system: "certificate", level: "warning", message: [message, ...refused].join("\n"), returned: false };
}

function assumedNamespaces(world: World, { namespace = "", kind }: AdmissionRequest): string[] {
  if (namespace === "" || kind.kind === "Namespace" || namespace === "default" || world.hasNamespace(namespace))
    return [];
  return [`namespace "${namespace}" is not among the inputs: taken to exist, without labels of its own`];
}

/** Nobody but the webhook knows what it makes of the object. */
function unknownPatches(reports: readonly Asked[]): string[] {
  const called = new Set(reports.flatMap(({ calls }) => calls.map(({ webhook }) => webhook.id)));
  const uncalled = reports.flatMap(({ selections }) =>
    selections.flatMap(({ outcome, webhook }) =>
      outcome === "call" && !called.has(webhook.id) ? [webhook.webhook.name] : [],
    ),
  );
  return [...new Set(uncalled)].map(
    (name) => `webhook "${name}" is not called: what it would change in the object is not known`,
  );
}
