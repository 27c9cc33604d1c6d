// Finds the violations of a level in a version by a pod. Upstream: pod-security-admission policy/registry.go.

import type { PodSpec } from "@celadon/kube/api/core-v1";
import { CHECKS, type Check, type PodMetadata, type Violation } from "./checks.ts";
import type { LevelVersion } from "./policy-labels.ts";

type Revision = Check["versions"][number];

/** The minor after which no check changed. */
const LAST = Math.max(...CHECKS.flatMap(({ versions }) => versions.map(({ since }) => since)));
const checksOf = new Map<string, readonly Revision[]>();

export function evaluatePod(
  { level, version }: LevelVersion,
  metadata: PodMetadata,
  spec: PodSpec,
): readonly Violation[] {
  if (level === "privileged") return [];
  const minor = version === "latest" ? LAST : Math.min(version, LAST);
  const key = `${level} ${minor}`;
  let checks = checksOf.get(key);
  if (checks === undefined) checksOf.set(key, (checks = revisions(level === "restricted", minor)));
  return checks.flatMap(({ check }) => check(metadata, spec) ?? []);
}

function revisions(isRestricted: boolean, minor: number): readonly Revision[] {
  const inForce = CHECKS.flatMap((check) => {
    const revision = check.versions.findLast(({ since }) => since <= minor);
    return revision === undefined || (check.level === "restricted" && !isRestricted) ? [] : [{ check, revision }];
  });
  const overridden = new Set(inForce.flatMap(({ revision }) => revision.overrides ?? []));
  return inForce.filter(({ check }) => !overridden.has(check.id)).map(({ revision }) => revision);
}

/** For many pods: the reasons without their places. */
export const reasonText = (violations: readonly Violation[]): string =>
  violations.map(({ reason }) => reason).join(", ");

export const detailText = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`)).join(", ");
