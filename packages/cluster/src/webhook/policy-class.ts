// The call of the API server in which a policy is evaluated. A webhook entry has one failure policy, one match policy and one reinvocation
// policy, and a call carries an object in one version: policies that differ in one of these cannot share an entry. The class of a policy
// follows from the policy alone, so that an entry written for an older set of policies still covers the right ones, each just once.

import { createHash } from "node:crypto";
import type {
  MutatingAdmissionPolicy,
  NamedRuleWithOperations,
  ValidatingAdmissionPolicy,
} from "@celadon/admission/policy";
import { compareStrings } from "@celadon/base";

export type FailurePolicy = "Fail" | "Ignore";
export type MatchPolicy = "Exact" | "Equivalent";
export type ReviewKind = "validate" | "mutate";

/** The parts of a class in the order of its path: `validate/fail/equivalent/v1`. */
export interface PolicyClass {
  readonly review: ReviewKind;
  readonly failurePolicy: FailurePolicy;
  readonly matchPolicy: MatchPolicy;
  readonly reinvocationPolicy: "Never" | "IfNeeded";
  /** The matched versions, as a word of a DNS name. */
  readonly versions: string;
}

export function classOf(policy: ValidatingAdmissionPolicy | MutatingAdmissionPolicy): PolicyClass {
  const { failurePolicy = "Fail", matchConstraints } = policy.spec;
  const matchPolicy = matchConstraints?.matchPolicy ?? "Equivalent";
  const rules = matchConstraints?.resourceRules ?? [];
  const mutates = policy.kind === "MutatingAdmissionPolicy";
  return {
    review: mutates ? "mutate" : "validate",
    failurePolicy,
    matchPolicy,
    reinvocationPolicy: mutates ? (policy.spec.reinvocationPolicy ?? "Never") : "Never",
    // Exact entries never convert.
    versions: matchPolicy === "Exact" ? "as-sent" : versionsOf(rules),
  };
}

/** The path below the address of the webhook, which identifies the class. */
export function classPath({ review, failurePolicy, matchPolicy, reinvocationPolicy, versions }: PolicyClass): string {
  const parts = [review, failurePolicy, matchPolicy, ...(review === "mutate" ? [reinvocationPolicy] : []), versions];
  return `/${parts.join("/").toLowerCase()}`;
}

const paths = new WeakMap<object, string>();

/** The path of a policy's class; computed once, because every request needs it. */
export function pathOf(policy: Parameters<typeof classOf>[0]): string {
  let path = paths.get(policy);
  if (path === undefined) paths.set(policy, (path = classPath(classOf(policy))));
  return path;
}

/** `fail-equivalent-v1.validate.celadon.dev` */
export function className(of: PolicyClass): string {
  const { review, failurePolicy, matchPolicy, reinvocationPolicy, versions } = of;
  const words = [failurePolicy, matchPolicy, ...(reinvocationPolicy === "IfNeeded" ? ["again"] : []), versions];
  return `${words.join("-").toLowerCase()}.${review}.celadon.dev`;
}

/** Policies that ask for the same versions of everything share a call; nearly all ask for one version. */
function versionsOf(rules: readonly NamedRuleWithOperations[]): string {
  const size = rules.reduce(
    (sum, { apiGroups = [], apiVersions = [], resources = [] }) =>
      sum + apiGroups.length * resources.length * Math.max(1, apiVersions.length),
    0,
  );
  // So many that comparing them one by one would hold up everything: such a policy shares a call with its like only.
  if (size > MOST_COMPARED) return hashOf(JSON.stringify(rules));
  const byResource = new Map<string, Set<string>>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of rules) {
    for (const group of apiGroups) {
      for (const resource of resources) {
        // Subresources are converted with their resource.
        const key = `${group}/${resource.split("/")[0]}`;
        const known = byResource.get(key) ?? new Set();
        for (const version of apiVersions) known.add(versionText(group, version));
        byResource.set(key, known);
      }
    }
  }
  const lists = new Map([...byResource].map(([key, set]) => [key, [...set].sort(compareStrings)] as const));
  const texts = new Set([...lists.values()].map((list) => list.join("-")));
  const [text = "none"] = texts;
  if (texts.size <= 1 && /^[a-z0-9*-]{1,40}$/.test(text)) return text.replaceAll("*", "any");
  const whole = [...lists].sort(([a], [b]) => compareStrings(a, b)).map(([key, list]) => `${key}=${list.join(",")}`);
  return hashOf(whole.join(" "));
}

const MOST_COMPARED = 100_000;

const hashOf = (text: string): string => `x${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;

/** Events are served by two groups as the same objects, so that the group is part of the requested version. */
const versionText = (group: string, version: string): string =>
  group === "events.k8s.io" ? `events-${version}` : version;
