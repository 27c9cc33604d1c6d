// One request through the whole chain, in the API server's order: decoding and defaults, mutating webhooks, validation by schema
// and rules, validating policies, validating webhooks; for a CertificateRequest the approver after it. Where the API server stops
// at the first refusal, this goes on: people want to see everything that is wrong. The refusal that would be returned is marked.

import {
  type AdmissionRequest,
  admit,
  admitEntries,
  type EvaluationObserver,
  type Failure,
  headerTexts,
  type Report,
  type Signal,
} from "@celadon/admission";
import { type Selection, selectWebhooks } from "@celadon/admission/webhook";
import {
  type RuleObserver as CertificateObserver,
  type CertificateRequest,
  type Review,
  Reviewer,
  requestOfCertificate,
} from "@celadon/certpolicy";
import type { ResourceVersion, RuleObserver } from "@celadon/crd";
import { Invalid, type KubeObject, labelsOf, nameOf, type Status } from "@celadon/kube";
import { type Ask, requestOf } from "./ask.ts";
import { type Staged, stageObject } from "./object-stage.ts";
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
  const staged = await withParamAccess(world, request, stageObject(world, request, options.ruleObserver));
  return judge(world, request, staged, assumptions, options);
}

/** The same for a request as admission met it: its object was decoded, defaulted and validated already. */
export function reviewRequest(world: World, request: AdmissionRequest, options: ReviewOptions): Promise<Outcome> {
  const { object = null, oldObject = null } = request;
  return judge(world, request, { object, oldObject, problems: [], warnings: [] }, [], options);
}

async function judge(
  world: World,
  asked: AdmissionRequest,
  staged: Staged,
  assumptions: readonly string[],
  options: ReviewOptions,
): Promise<Outcome> {
  const { object, oldObject } = staged;
  // The server names what has only the beginning of a name before policies see it.
  const name = asked.name || (object === null ? "" : nameOf(object));
  const request: AdmissionRequest = { ...asked, name, object, oldObject };
  const sent: AdmissionRequest = { ...asked, object: staged.decoded ?? object, oldObject };
  const rest = staged.unreadable ? NOTHING : await admission(world, request, sent, options);
  const { mutating, report, validating, certificate } = rest;
  const statuses = [
    staged.undecoded ? staged.status : undefined,
    rejectionOf(mutating),
    staged.status,
    report.status,
    rejectionOf(validating),
  ];
  const first = statuses.findIndex((status) => status !== undefined);
  const status = statuses[first];
  const reached = (stage: number): boolean => first === -1 || first >= stage;
  const certificateProblems = certificate === undefined ? [] : certificateFailures(certificate, first === -1);
  return {
    request,
    allowed: status === undefined,
    ...(status && { status }),
    object: request.object ?? null,
    problems: [
      ...webhookProblems(mutating, first === 1),
      ...only(staged.problems, first === 0 || first === 2 || first === -1),
      ...only(policyProblems(world, report), first === 3 || first === -1),
      ...webhookProblems(validating, first === 4),
      ...certificateProblems,
    ],
    // Only what ran on the server is heard of.
    warnings: headerTexts([...staged.warnings, ...(reached(3) ? report.warnings : [])]),
    auditAnnotations: reached(3) ? report.auditAnnotations : {},
    policies: report,
    webhooks: [...mutating, ...validating],
    ...(certificate && { certificate }),
    assumptions: [
      ...assumptions,
      ...assumedNamespaces(world, request),
      ...assumedUse(world, request),
      ...unknownPatches(mutating),
    ],
  };
}

interface Admission {
  readonly mutating: readonly Selection[];
  readonly report: Report;
  readonly validating: readonly Selection[];
  readonly certificate?: Review;
}

const NO_REPORT: Report = {
  allowed: true,
  warnings: [],
  auditAnnotations: {},
  failures: [],
  verdicts: { policies: [] },
};
const NOTHING: Admission = { mutating: [], report: NO_REPORT, validating: [] };

async function admission(
  world: World,
  request: AdmissionRequest,
  sent: AdmissionRequest,
  options: ReviewOptions,
): Promise<Admission> {
  const { hosts, webhooks } = world;
  const { everyPolicy = false, certificateObserver, signal, observer } = options;
  const watching = { ...(signal && { signal }), ...(observer && { observer }) };
  const select = (list: typeof webhooks.validating, seen: AdmissionRequest): Promise<readonly Selection[]> =>
    list.length === 0 ? NO_SELECTIONS : selectWebhooks(seen, list, hosts, watching);
  return {
    mutating: await select(webhooks.mutating, sent),
    report: everyPolicy
      ? await admitEntries(request, world.policies.entries(), hosts, watching)
      : await admit(request, world.policies, hosts, watching),
    validating: await select(webhooks.validating, request),
    ...(await certificateReview(world, request, certificateObserver)),
  };
}

const NO_SELECTIONS: Promise<readonly Selection[]> = Promise.resolve([]);

async function certificateReview(
  world: World,
  request: AdmissionRequest,
  observer: CertificateObserver | undefined,
): Promise<{ certificate?: Review }> {
  const { object, userInfo = {} } = request;
  if (!object || request.operation !== "CREATE" || world.certificatePolicies.length === 0) return {};
  const judged = judgedRequest(world, object, request);
  if (judged === undefined) return {};
  if (judged instanceof Invalid) return { certificate: { result: "Error", error: judged.message } };
  const { authorizer, namespaces } = world.hosts;
  const labels = async (name: string) => {
    const namespace = await namespaces.namespace(name);
    return namespace && labelsOf(namespace);
  };
  const asked = requestedBy(judged, userInfo);
  const host = { authorizer, namespaces: { labelsOf: labels } };
  const reviewer = observer === undefined ? world.reviewer : new Reviewer({ rules: world.reviewer.rules, observer });
  return { certificate: await reviewer.review(asked, world.certificatePolicies, host) };
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

function rejectionOf(selections: readonly Selection[]): Status | undefined {
  return selections.flatMap((one) => (one.outcome === "rejected" ? [one.status] : []))[0];
}

function webhookProblems(selections: readonly Selection[], returned: boolean): Problem[] {
  let first = returned;
  return selections.flatMap((selection) => {
    if (selection.outcome !== "rejected") return [];
    const { configuration, mutating, webhook } = selection.webhook;
    const kind = mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
    const by = { kind, name: configuration, binding: webhook.name, error: true };
    const problems = problemsOf(selection.status, "webhook", null, by).map((one) => ({ ...one, returned: first }));
    first = false;
    return problems;
  });
}

// A later system's refusal is not the one that is returned.
function only(problems: readonly Problem[], returned: boolean): readonly Problem[] {
  return returned
    ? problems
    : problems.map((problem) => (problem.returned ? { ...problem, returned: false } : problem));
}

const EXPRESSION_FIELDS: Readonly<Record<Failure["source"], readonly [string, string] | undefined>> = {
  validation: ["validations", "expression"],
  matchConditions: ["matchConditions", "expression"],
  auditAnnotation: ["auditAnnotations", "valueExpression"],
  // These failed as a whole.
  auditAnnotations: undefined,
  budget: undefined,
  configuration: undefined,
};

function policyProblems(world: World, { failures, status }: Report): Problem[] {
  // The request ended because its namespace is not known.
  if (status !== undefined && !failures.some(({ returned }) => returned)) return problemsOf(status, "policy", null);
  return failures.map((failure): Problem => {
    const { policy, binding, params, source, index, message, reason } = failure;
    const field = EXPRESSION_FIELDS[source];
    const expression = field && expressionAt(world, policy, field, index);
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
        ...(field && { path: ["spec", field[0], index, field[1]] }),
        ...(expression !== undefined && { expression }),
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

function expressionAt(
  world: World,
  policy: string,
  [list, member]: readonly [string, string],
  index: number,
): string | undefined {
  const found = world.policies.policy(policy)?.policy.spec as unknown as Record<
    string,
    readonly Record<string, unknown>[]
  >;
  const text = found?.[list]?.[index]?.[member];
  return typeof text === "string" ? text : undefined;
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
function unknownPatches(mutating: readonly Selection[]): string[] {
  return mutating.flatMap(({ outcome, webhook }) =>
    outcome === "call"
      ? [`webhook "${webhook.webhook.name}" is not called: what it would change in the object is not known`]
      : [],
  );
}
