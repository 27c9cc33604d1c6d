// Real-world policies for pods, derived for workloads: every pod of their cases gets the verdict in a template that it gets by
// itself. Policies that match more than pods are tried as if they matched pods alone: their expressions tell kinds apart.

import { createPolicySet } from "@celadon/admission";
import { deriveWorkloadPolicies, type SkipCode, type WorkloadKind } from "@celadon/admission/autogen";
import type { NamedRuleWithOperations, ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import { gvkOf, type KubeObject } from "@celadon/kube";
import { afterAll, describe, expect, test } from "vitest";
import { corpusCaseNames, hasCorpus } from "./corpus-directory.ts";
import { askCase, loadCase, type PolicyCase } from "./policy-cases.ts";

const cases = corpusCaseNames("policies");
const KINDS = ["Deployment", "CronJob"] as const;

/** The reasons for which a policy cannot be derived, as its text shows. */
const ACCEPTED_REASONS: ReadonlySet<SkipCode> = new Set<SkipCode>([
  "no_pods",
  "does_not_compile",
  "no_counterpart",
  "unknown_field",
  "whole_object",
]);

const tried = { policies: 0, pods: 0, denied: 0 };

describe.skipIf(!hasCorpus)("pods of the corpus inside of workloads", () => {
  test.for(cases)("%s", async (name, { skip }): Promise<void> => {
    const policyCase = loadCase(name);
    const pods = policyCase.objects.filter(({ file, expected }) => isPodRequest(policyCase, file, expected));
    if (pods.length === 0) return skip("no pods");
    const entries = policyCase.policies.entries().map(({ policy, bindings }) => ({
      policy: forPodsAlone(policy.policy),
      bindings: bindings.map(({ binding }) => binding),
    }));
    const original = createPolicySet(entries.flatMap(({ policy, bindings }) => [policy, ...bindings]));
    for (const kind of KINDS) {
      const made = entries.map(({ policy, bindings }) => deriveWorkloadPolicies(policy, { kinds: [kind], bindings }));
      const reasons = made.flatMap(({ skipped }) => skipped);
      for (const { code, expression } of reasons) expect({ code, expression }).toSatisfy(isAccepted);
      if (reasons.length > 0) continue;
      const derived = createPolicySet(
        made.flatMap((each) => each.derived.flatMap(({ policy, bindings }) => [policy, ...bindings])),
      );
      tried.policies += entries.length;
      for (const { file, expected } of pods) {
        const alone = await askCase({ ...policyCase, policies: original }, file, expected, true);
        const asked = {
          ...policyCase,
          policies: derived,
          object: (at: string) => inTemplate(kind, policyCase.object(at)),
        };
        const inside = await askCase(asked, file, expected, true);
        expect([file, verdict(inside)]).toEqual([file, verdict(alone)]);
        tried.pods++;
        if (alone?.allowed === false) tried.denied++;
      }
    }
  });

  afterAll(() => {
    expect(tried.policies).toBeGreaterThan(200);
    expect(tried.denied).toBeGreaterThan(200);
  });
});

const isAccepted = ({ code }: { code: SkipCode }): boolean => ACCEPTED_REASONS.has(code);

function isPodRequest(
  policyCase: PolicyCase,
  file: string,
  expected: PolicyCase["objects"][number]["expected"],
): boolean {
  if (expected.operation === "CONNECT" || expected.subresource !== undefined) return false;
  const object = policyCase.object(file);
  return object !== undefined && gvkOf(object).kind === "Pod" && gvkOf(object).group === "";
}

function forPodsAlone(policy: ValidatingAdmissionPolicy): ValidatingAdmissionPolicy {
  const match = policy.spec.matchConstraints ?? {};
  const resourceRules = (match.resourceRules ?? [])
    .filter(({ resources = [] }) => resources.some((name) => name === "pods" || name === "*" || name === "*/*"))
    .map((rule): NamedRuleWithOperations => ({ ...rule, apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }));
  return { ...policy, spec: { ...policy.spec, matchConstraints: { ...match, resourceRules } } };
}

function inTemplate(kind: WorkloadKind, object: KubeObject | undefined): KubeObject | undefined {
  if (object === undefined) return undefined;
  const { spec } = object as KubeObject & { readonly spec?: unknown };
  const { labels, annotations, finalizers, ...own } = object.metadata ?? {};
  const moved = Object.entries({ labels, annotations, finalizers }).filter(([, value]) => value !== undefined);
  const template = { metadata: Object.fromEntries(moved), spec };
  const head = { apiVersion: kind === "CronJob" ? "batch/v1" : "apps/v1", kind, metadata: own };
  return { ...head, spec: kind === "CronJob" ? { jobTemplate: { spec: { template } } } : { template } } as KubeObject;
}

function verdict(report: Awaited<ReturnType<typeof askCase>>): unknown {
  return {
    allowed: report?.allowed,
    failures: report?.failures.map(({ source, kind, index, actions }) => ({ source, kind, index, actions })),
    annotations: report?.auditAnnotations.size,
  };
}
