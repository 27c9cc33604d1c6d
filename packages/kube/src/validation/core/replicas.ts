// Templates of ReplicaSets and Deployments, and how many replicas a status may tell of.

import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../api/generated/meta-v1.ts";
import { isEmptySelector } from "../checks/selectors.ts";
import type { ValidatedField } from "../field.ts";
import { podTemplate } from "./pod/template.ts";
import { runsForever, selects, shownSelector, templateNotSelected } from "./workload.ts";

export function replicaTemplate(
  selector: LabelSelector | null | undefined,
  template: PodTemplateSpec | undefined,
  at: ValidatedField,
): void {
  const matches = selects(selector, template?.metadata?.labels);
  if (matches === undefined) {
    at.child("selector").invalid(shownSelector(selector), "invalid label selector");
    return;
  }
  const place = at.child("template");
  if (!matches && !(selector != null && isEmptySelector(selector))) templateNotSelected(template, place);
  podTemplate(template, place);
  runsForever(template, "ReplicaSet", place);
}

type Counts = Readonly<Record<string, number | undefined>>;

/** No count is negative, and none of a part is more than the whole. */
export function replicaCounts(
  status: object,
  fields: readonly string[],
  parts: readonly string[],
  at: ValidatedField,
): void {
  const counts = status as Counts;
  const all = counts.replicas ?? 0;
  for (const field of fields) at.child(field).notNegative(counts[field]);
  for (const field of parts) {
    const count = counts[field] ?? 0;
    if (count > all) at.child(field).invalid(count, "cannot be greater than status.replicas");
  }
}

export function availableAreReady(
  status: { readonly availableReplicas?: number | undefined; readonly readyReplicas?: number | undefined },
  name: string,
  at: ValidatedField,
): void {
  const { availableReplicas = 0, readyReplicas = 0 } = status;
  if (availableReplicas > readyReplicas) {
    at.child("availableReplicas").invalid(availableReplicas, `cannot be greater than ${name}`);
  }
}
