// References to objects of any version.

import type { CrossVersionObjectReference } from "../../api/generated/autoscaling-v2.ts";
import { parseGroupVersion } from "../../gvk.ts";
import { isInvalid } from "../../invalid.ts";
import { checkPathSegmentName } from "../../names.ts";
import type { ValidatedField } from "../field.ts";

export interface TargetOptions {
  /** Objects of the core group are fine. */
  readonly emptyGroup: boolean;
  /** The version is not checked. */
  readonly anyVersion: boolean;
}

export function scaleTarget(ref: CrossVersionObjectReference, options: TargetOptions, at: ValidatedField): void {
  at.child("kind").mustBe(ref.kind, checkPathSegmentName);
  at.child("name").mustBe(ref.name, checkPathSegmentName);
  // The version was not looked at before 1.34.
  if (at.by.before(34)) return;
  const problem = versionProblem(ref.apiVersion ?? "", options);
  if (problem !== undefined) at.child("apiVersion").invalid(ref.apiVersion ?? "", problem);
}

export function versionProblem(apiVersion: string, options: TargetOptions): string | undefined {
  if (options.anyVersion) return undefined;
  const parsed = parseGroupVersion(apiVersion);
  if (isInvalid(parsed)) return parsed.message;
  return parsed.group === "" && !options.emptyGroup ? "apiVersion must specify API group" : undefined;
}
