// The common rules of workloads: a selector that matches its template, and warnings about both.

import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import type { LabelSelector, ObjectMeta } from "../../api/generated/meta-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { JsonShown } from "../../field-error.ts";
import { fieldPath } from "../../field-path.ts";
import { isInvalid } from "../../invalid.ts";
import { checkDns1123Label } from "../../names.ts";
import { type LabelSelectorObject, toLabelSelector } from "../../selector/label-selector.ts";
import { givenPart } from "../../types/empty-fields.ts";
import { fieldWarning, type Warning } from "../../warning.ts";
import { isEmptySelector, labelSelector } from "../checks/selectors.ts";
import { goList } from "../checks/texts.ts";
import type { ValidatedField } from "../field.ts";
import { shownAs } from "../show/internal.ts";
import { podWarnings } from "./pod/warnings.ts";

export function shownSelector(selector: unknown): unknown {
  return selector == null ? null : shownAs("meta/v1.LabelSelector", selector);
}

/** A selector that has to be there and must not select everything. */
export function workloadSelector(selector: LabelSelector | null | undefined, empty: string, at: ValidatedField): void {
  if (selector == null) {
    at.required();
    return;
  }
  labelSelector(selector, at);
  if (isEmptySelector(selector)) at.invalid(shownSelector(selector), empty);
}

/** Whether the labels are selected; undefined where the selector cannot be read. */
export function selects(
  selector: LabelSelector | null | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean | undefined {
  const read = toLabelSelector(selector as LabelSelectorObject | undefined);
  return isInvalid(read) ? undefined : read.matches(labels);
}

export function templateNotSelected(template: PodTemplateSpec | undefined, at: ValidatedField): void {
  const labels = givenPart(template?.metadata ?? {}, "labels", {});
  at.child("metadata", "labels").invalid(
    new JsonShown(labels, "map[string]string"),
    "`selector` does not match template `labels`",
  );
}

/** Pods of controllers run until they are stopped. */
export function runsForever(template: PodTemplateSpec | undefined, owner: string, at: ValidatedField): void {
  const spec = template?.spec;
  if (spec?.restartPolicy !== "Always") at.child("spec", "restartPolicy").unsupported(spec?.restartPolicy, ["Always"]);
  if (spec?.activeDeadlineSeconds !== undefined) {
    at.child("spec", "activeDeadlineSeconds").forbidden(`activeDeadlineSeconds in ${owner} is not Supported`);
  }
}

/** A count of collisions only grows. */
export function notDecremented(now: number | undefined, before: number | undefined, at: ValidatedField): void {
  if (before !== undefined && (now === undefined || now < before)) at.invalid(now ?? 0, "cannot be decremented");
}

export function nameWarnings(meta: ObjectMeta | undefined): Warning[] {
  const problems = checkDns1123Label(meta?.name ?? "");
  if (problems.length === 0) return [];
  return [
    fieldWarning(
      "metadata.name",
      `this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: ${goList(problems)}`,
    ),
  ];
}

export function templateWarnings(
  by: Emulation,
  template: PodTemplateSpec | undefined,
  ...path: readonly string[]
): Warning[] {
  if (template === undefined) return [];
  return podWarnings(by, template.spec ?? {}, template.metadata, fieldPath(...path));
}

/** Whether the spec was changed: the generation says so. */
export function isNewGeneration(
  now: { readonly metadata?: ObjectMeta | undefined },
  old: { readonly metadata?: ObjectMeta | undefined },
): boolean {
  return now.metadata?.generation !== old.metadata?.generation;
}
