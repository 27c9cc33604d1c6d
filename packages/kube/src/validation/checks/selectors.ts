// Label selectors and label keys.

import { pushAll } from "@celadon/base";
import type { LabelSelector } from "../../api/generated/meta-v1.ts";
import { checkQualifiedName } from "../../names.ts";
import { type LabelSelectorObject, validateLabelSelector } from "../../selector/label-selector.ts";
import type { ValidatedField } from "../field.ts";

export function labelSelector(selector: LabelSelector | null | undefined, at: ValidatedField): void {
  pushAll(at.errors, validateLabelSelector(selector as LabelSelectorObject | undefined, at.path, at.by));
}

/** The key of a label. */
export function labelName(name: string | undefined, at: ValidatedField): void {
  at.check(name, checkQualifiedName);
}

/** Whether a selector matches all objects: neither labels nor expressions. */
export function isEmptySelector(selector: LabelSelector | null | undefined): boolean {
  const labels = Object.keys(selector?.matchLabels ?? {}).length;
  return labels + (selector?.matchExpressions?.length ?? 0) === 0;
}
