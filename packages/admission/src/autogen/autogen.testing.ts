// Pod policies for tests, and pods wrapped into workloads.

import type { KubeObject } from "@celadon/kube";
import { admit } from "../admit.ts";
import { bindingOf, podRequest, policyOf } from "../policies.testing.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicySpec } from "../policy.ts";
import type { Operation } from "../request.ts";
import { createPolicySet, type PolicyResource } from "../set/policy-set.ts";
import type { WorkloadKind } from "./workloads.ts";

export const PODS = {
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["pods"],
  operations: ["CREATE", "UPDATE"],
} as const;

export function podPolicy(spec: Partial<ValidatingAdmissionPolicySpec>): ValidatingAdmissionPolicy {
  return policyOf("p", { failurePolicy: "Fail", matchConstraints: { resourceRules: [PODS] }, ...spec });
}

export type Pod = { readonly metadata?: Record<string, unknown>; readonly spec?: unknown };

const GROUPS: Readonly<Record<string, string>> = {
  Deployment: "apps",
  StatefulSet: "apps",
  DaemonSet: "apps",
  ReplicaSet: "apps",
  Job: "batch",
  CronJob: "batch",
};

/** A workload that makes such pods; labels, annotations and finalizers move to the template, the rest stays its own. */
export function workloadOf(kind: WorkloadKind, { metadata = {}, spec }: Pod): KubeObject {
  const { labels, annotations, finalizers, ...own } = metadata;
  const moved = {
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
    ...(finalizers !== undefined && { finalizers }),
  };
  const template = {
    ...(Object.keys(moved).length > 0 && { metadata: moved }),
    ...(spec !== undefined && { spec }),
  };
  const group = Object.hasOwn(GROUPS, kind) ? `${GROUPS[kind]}/v1` : "v1";
  const head = { apiVersion: group, kind, metadata: { name: "p", ...own } };
  if (kind === "PodTemplate") return { ...head, template } as KubeObject;
  return { ...head, spec: kind === "CronJob" ? { jobTemplate: { spec: { template } } } : { template } } as KubeObject;
}

export interface TestRequest {
  readonly operation?: Operation;
  readonly object: Pod | null;
  readonly oldObject?: Pod | null;
}

/** The decisions of policies, and the failures of each. */
export async function decision(
  resources: readonly PolicyResource[],
  { operation = "CREATE", object, oldObject = null }: TestRequest,
  kind: WorkloadKind | "Pod" = "Pod",
): Promise<{ allowed: boolean; failed: readonly string[] }> {
  const bound = resources.some((resource) => resource.kind === "ValidatingAdmissionPolicyBinding")
    ? resources
    : [...resources, ...resources.map(({ metadata: { name = "" } }) => bindingOf(`${name}-b`, name))];
  const wrap = (pod: Pod | null): KubeObject | null => {
    if (pod === null) return null;
    if (kind !== "Pod") return workloadOf(kind, pod);
    return { apiVersion: "v1", kind: "Pod", ...pod, metadata: { name: "p", ...pod.metadata } } as KubeObject;
  };
  const group = Object.hasOwn(GROUPS, kind) ? (GROUPS[kind] as string) : "";
  const request = podRequest(
    {},
    {
      operation,
      kind: { group, version: "v1", kind },
      resource: { group, version: "v1", resource: `${kind.toLowerCase()}s` },
      object: wrap(object),
      oldObject: wrap(oldObject),
    },
  );
  const report = await admit(request, createPolicySet(bound));
  const failed = report.failures.map(({ source, kind: how, index }) => `${source} ${index} ${how}`);
  return { allowed: report.allowed, failed };
}
