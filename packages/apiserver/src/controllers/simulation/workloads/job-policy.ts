// The meaning of its pods for a Job: rules for failures, rules for success, sets of indexes. Upstream: kubernetes pkg/controller/job
// {indexed_job_utils,pod_failure_policy,success_policy}.go.

import type { Job, PodFailurePolicyRule } from "@celadon/kube/api/batch-v1";
import type { Pod } from "@celadon/kube/api/core-v1";
import { metaOf } from "../frame/stand-in.ts";

export const INDEX = "batch.kubernetes.io/job-completion-index";

export const isIndexed = ({ spec }: Job): boolean => spec?.completionMode === "Indexed";

export function indexOf(pod: Pod): number | undefined {
  const text = metaOf(pod).annotations?.[INDEX];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** `0,2-5` as numbers. */
export function readIndexes(text: string | null | undefined): Set<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? "").split(",").filter((one) => one !== "")) {
    const [from = 0, to = from] = part.split("-").map(Number);
    for (let index = from; index <= to; index++) indexes.add(index);
  }
  return indexes;
}

export function indexesText(indexes: Iterable<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    const from = sorted[i]!;
    let to = from;
    while (sorted[i + 1] === to + 1) to = sorted[++i]!;
    i++;
    parts.push(to === from ? `${from}` : to === from + 1 ? `${from},${to}` : `${from}-${to}`);
  }
  return parts.join(",");
}

/** The weight of a failed pod: by its backoff limit unless a rule says otherwise. */
export type FailureAction = "Count" | "Ignore" | "FailJob" | "FailIndex";

/** The action of the first rule that a failed pod matches, with the words for a Job that fails by it. */
export function failureOf(job: Job, pod: Pod): { readonly action: FailureAction; readonly message: string } {
  const rules = job.spec?.podFailurePolicy?.rules ?? [];
  for (const [at, rule] of rules.entries()) {
    const why = matchOf(rule, pod);
    if (why === undefined) continue;
    const message = `${why} matching ${rule.action} rule at index ${at}`;
    return { action: rule.action as FailureAction, message };
  }
  return { action: "Count", message: "" };
}

function matchOf({ onExitCodes, onPodConditions }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const { name, namespace } = metaOf(pod);
  if (onExitCodes != null) {
    const { containerName, operator, values = [] } = onExitCodes;
    const all = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
    for (const container of all) {
      const code = container.state?.terminated?.exitCode ?? 0;
      if (code === 0 || (containerName != null && containerName !== container.name)) continue;
      if ((values ?? []).includes(code) === (operator === "In"))
        return `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${code}`;
    }
    return undefined;
  }
  const found = (onPodConditions ?? []).find((pattern) =>
    pod.status?.conditions?.some(({ type, status }) => type === pattern.type && status === (pattern.status ?? "True")),
  );
  return found && `Pod ${namespace}/${name} has condition ${found.type}`;
}

/** The words of the first rule of success that is met. */
export function successOf(job: Job, succeeded: ReadonlySet<number>): string | undefined {
  const rules = job.spec?.successPolicy?.rules ?? [];
  const at = rules.findIndex(({ succeededIndexes, succeededCount }) => {
    const named = succeededIndexes == null ? succeeded : readIndexes(succeededIndexes);
    const met = [...named].filter((index) => succeeded.has(index)).length;
    if (succeededCount != null) return met >= succeededCount;
    return succeededIndexes != null && met === named.size;
  });
  return at === -1 ? undefined : `Matched rules at index ${at}`;
}
