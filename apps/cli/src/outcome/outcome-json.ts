// The result for an object as JSON. Documented in docs/reference/output.md: fields are added, never changed.

import { dataPathText } from "@celadon/cel/explain";
import type { Problem } from "@celadon/simulator";
import { mutationJson } from "./mutations.ts";
import { startOf } from "./place.ts";
import { problemPlace, type ReviewedObject } from "./reviewed.ts";

export function reviewedJson(reviewed: ReviewedObject): Record<string, unknown> {
  const place = startOf(reviewed.manifest);
  const { subresource, status, certificate } = reviewed;
  const seen = new Set<unknown>();
  return {
    ...(place && { file: place.file, line: place.line }),
    object: reviewed.subject,
    operation: reviewed.operation,
    ...(subresource !== "" && { subresource }),
    user: reviewed.user,
    allowed: reviewed.allowed,
    ...(reviewed.isExcused && { suppressed: true }),
    ...(status && { status }),
    problems: reviewed.problems.map((problem) => problemJson(reviewed, problem, seen)),
    warnings: reviewed.warnings,
    auditAnnotations: reviewed.auditAnnotations,
    policies: reviewed.policies,
    ...(reviewed.mutations.length > 0 && { mutations: reviewed.mutations.map(mutationJson) }),
    webhooks: reviewed.webhooks,
    ...(certificate && { certificate }),
    assumptions: reviewed.assumptions,
  };
}

/** Lists with more items than this are written for one problem of an object only: each of a thousand items may be a problem of the list. */
const LONG = 100;

function isRepeated(value: unknown, seen: Set<unknown>): boolean {
  if (!Array.isArray(value) || value.length <= LONG) return false;
  if (seen.has(value)) return true;
  seen.add(value);
  return false;
}

function problemJson(reviewed: ReviewedObject, problem: Problem, seen: Set<unknown>): Record<string, unknown> {
  const { system, level, message, returned, reason, by, path, value, oldValue, finding, help } = problem;
  const written = reviewed.expressions.get(problem);
  const at = reviewed.blame.get(problem) ?? (path && { root: "object", path });
  const place = problemPlace(reviewed, problem);
  return {
    system,
    level,
    message,
    returned,
    ...(reason !== undefined && { reason }),
    ...(by && { by }),
    ...(at && at.path.length > 0 && { path: dataPathText(at) }),
    ...(value !== undefined && !isRepeated(value, seen) && { value }),
    ...(oldValue !== undefined && { oldValue }),
    ...(place && { place }),
    ...(finding && { finding }),
    ...(help !== undefined && { help }),
    ...(written && { writtenAt: written }),
  };
}
