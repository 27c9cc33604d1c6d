// Selects the policies that apply to a request: those whose issuer and namespace selectors match, which the author may use, and which are
// ready. Each one that does not apply says why. Upstream: approver-policy pkg/internal/approver/manager/predicate/predicate.go.

import { quoteGo, thrownText } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import {
  type CertificateRequest,
  type CertificateRequestPolicy,
  type NamespaceSelector,
  POLICY_GROUP,
  POLICY_RESOURCE,
} from "../resource.ts";
import { matchesWildcard } from "../wildcard.ts";
import type { NamespaceLookup, SelectionHost, UseAuthorizer } from "./host.ts";

/** The reason why a policy does not apply: the field or permission, the requirement, and the value of the request. */
export interface SelectionRefusal {
  readonly by: "issuerRef" | "namespace" | "rbac" | "ready";
  /** The selector's path, or the permission that is missing. */
  readonly what: string;
  readonly wanted: string;
  readonly got: string;
  readonly message: string;
}

/** Undefined when the policy passes. */
export type SelectorAnswer = SelectionRefusal | undefined;

function refusal(
  by: SelectionRefusal["by"],
  what: string,
  wanted: string,
  got: string,
  message: string,
): SelectionRefusal {
  return { by, what, wanted, got, message };
}

/** Kind and group that a request leaves out are the defaults of cert-manager; a policy's are never completed. */
export function matchIssuer(policy: CertificateRequestPolicy, request: CertificateRequest): SelectorAnswer {
  const selector = policy.spec.selector?.issuerRef ?? undefined;
  if (selector === undefined) return undefined;
  const issuer = request.spec.issuerRef ?? {};
  const given = { name: issuer.name ?? "", kind: issuer.kind || "Issuer", group: issuer.group || "cert-manager.io" };
  for (const part of ["name", "kind", "group"] as const) {
    const pattern = selector[part] ?? undefined;
    if (pattern === undefined || matchesWildcard(pattern, given[part])) continue;
    const what = `spec.selector.issuerRef.${part}`;
    const message = `${what} ${quoteGo(pattern)} does not match the issuer's ${part} ${quoteGo(given[part])}`;
    return refusal("issuerRef", what, pattern, given[part], message);
  }
  return undefined;
}

/** Reads a namespace at most once, and only if a policy that matches by name also selects labels. */
export class NamespaceMatcher {
  readonly #namespaces: NamespaceLookup;
  #labels: Promise<Readonly<Record<string, string>> | Invalid> | undefined;

  constructor(namespaces: NamespaceLookup) {
    this.#namespaces = namespaces;
  }

  async match(policy: CertificateRequestPolicy, request: CertificateRequest): Promise<SelectorAnswer | Invalid> {
    const selector = policy.spec.selector?.namespace ?? undefined;
    if (selector === undefined) return undefined;
    const namespace = request.metadata?.namespace ?? "";
    return matchNames(selector, namespace) ?? (await this.#matchLabels(selector, namespace));
  }

  async #matchLabels(selector: NamespaceSelector, namespace: string): Promise<SelectorAnswer | Invalid> {
    const wanted = selector.matchLabels ?? undefined;
    if (wanted === undefined) return undefined;
    const labels = await (this.#labels ??= this.#read(namespace));
    if (labels instanceof Invalid) return labels;
    const parsed = toLabelSelector({ matchLabels: wanted });
    if (parsed instanceof Invalid) return new Invalid(`failed to parse namespace label selector: ${parsed.message}`);
    if (parsed.matches(labels)) return undefined;
    const missing = Object.keys(wanted).find((key) => !Object.hasOwn(labels, key) || labels[key] !== wanted[key]) ?? "";
    const got = Object.hasOwn(labels, missing) ? labels[missing]! : "";
    const message = `spec.selector.namespace.matchLabels wants ${missing}=${wanted[missing]}, namespace ${quoteGo(namespace)} has ${
      Object.hasOwn(labels, missing) ? `${missing}=${got}` : "no such label"
    }`;
    return refusal("namespace", `spec.selector.namespace.matchLabels[${missing}]`, wanted[missing] ?? "", got, message);
  }

  async #read(namespace: string): Promise<Readonly<Record<string, string>> | Invalid> {
    const failed = "failed to get request's namespace to determine namespace selector";
    try {
      const labels = await this.#namespaces.labelsOf(namespace);
      return labels ?? new Invalid(`${failed}: namespaces ${quoteGo(namespace)} not found`);
    } catch (error) {
      return new Invalid(`${failed}: ${thrownText(error)}`);
    }
  }
}

function matchNames({ matchNames }: NamespaceSelector, namespace: string): SelectorAnswer {
  const patterns = matchNames ?? [];
  if (patterns.length === 0 || patterns.some((pattern) => matchesWildcard(pattern, namespace))) return undefined;
  const what = "spec.selector.namespace.matchNames";
  const wanted = patterns.join(", ");
  return refusal(
    "namespace",
    what,
    wanted,
    namespace,
    `${what} [${wanted}] does not match namespace ${quoteGo(namespace)}`,
  );
}

/** Whether the author of the request may `use` the policy in the request's namespace. */
export async function checkUse(
  policy: CertificateRequestPolicy,
  request: CertificateRequest,
  authorizer: UseAuthorizer,
): Promise<SelectorAnswer | Invalid> {
  const { username = "", uid, groups, extra } = request.spec;
  const name = policy.metadata?.name ?? "";
  const namespace = request.metadata?.namespace ?? "";
  try {
    const decision = await authorizer.authorize({
      user: { name: username, ...(uid ? { uid } : {}), groups: groups ?? [], extra: extra ?? {} },
      verb: "use",
      resourceRequest: true,
      apiGroup: POLICY_GROUP,
      apiVersion: "*",
      resource: POLICY_RESOURCE,
      namespace,
      name,
    });
    if (decision.error !== undefined) return new Invalid(`failed to create subjectaccessreview: ${decision.error}`);
    if (decision.decision === "allow") return undefined;
    const what = `use ${POLICY_RESOURCE}.${POLICY_GROUP}/${name}`;
    const where = namespace === "" ? "" : ` in namespace ${quoteGo(namespace)}`;
    const message = `user ${quoteGo(username)} may not use ${POLICY_RESOURCE}.${POLICY_GROUP} ${quoteGo(name)}${where}`;
    return refusal("rbac", what, "allow", decision.reason || decision.decision, message);
  } catch (error) {
    return new Invalid(`failed to create subjectaccessreview: ${thrownText(error)}`);
  }
}

/** Whether the policy's controller has processed it. */
export function isReconciled(policy: CertificateRequestPolicy): boolean {
  return (policy.status?.conditions ?? []).some(({ type }) => type === "Ready");
}

/** Whether a policy is ready, by the conditions of its status. */
export function checkReady(policy: CertificateRequestPolicy): SelectorAnswer {
  const conditions = (policy.status?.conditions ?? []).filter(({ type }) => type === "Ready");
  if (conditions.some(({ status }) => status === "True")) return undefined;
  const got = conditions[0]?.status ?? "no Ready condition";
  const message = isReconciled(policy) ? "the policy is not ready" : "the policy has no Ready condition yet";
  return refusal("ready", "status.conditions[Ready]", "True", got, message);
}

/** The policies that apply to a request, and the reasons why the others do not. */
export interface PolicySelection {
  /** Policies that apply, in list order. */
  readonly selected: readonly CertificateRequestPolicy[];
  /** All others by position in the list, with what refused them. */
  readonly refused: ReadonlyMap<CertificateRequestPolicy, SelectionRefusal>;
  /** Whether a policy that would apply has no Ready condition at all. */
  readonly unreconciled: boolean;
}

/** Step by step over all policies, as the reference does: a failing step ends the selection. */
export async function selectPolicies(
  policies: readonly CertificateRequestPolicy[],
  request: CertificateRequest,
  host: SelectionHost,
): Promise<PolicySelection | Invalid> {
  const refused = new Map<CertificateRequestPolicy, SelectionRefusal>();
  const namespaces = new NamespaceMatcher(host.namespaces);
  const steps: readonly ((policy: CertificateRequestPolicy) => SelectorAnswer | Promise<SelectorAnswer | Invalid>)[] = [
    (policy) => matchIssuer(policy, request),
    (policy) => namespaces.match(policy, request),
    (policy) => checkUse(policy, request, host.authorizer),
  ];
  let left = policies;
  for (const step of steps) {
    const passed: CertificateRequestPolicy[] = [];
    for (const policy of left) {
      const answer = await step(policy);
      if (answer instanceof Invalid) return answer;
      if (answer === undefined) passed.push(policy);
      else refused.set(policy, answer);
    }
    left = passed;
  }
  const selected = left.filter((policy) => {
    const answer = checkReady(policy);
    if (answer !== undefined) refused.set(policy, answer);
    return answer === undefined;
  });
  return { selected, refused, unreconciled: left.some((policy) => !isReconciled(policy)) };
}
