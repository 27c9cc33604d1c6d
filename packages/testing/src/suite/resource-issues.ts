// Resources that a cluster would reject, with the place of the error: the field, or the character of an expression. Otherwise the
// tests would test nothing.

import { pushAll } from "@celadon/base";
import { nameOf, unknownFieldText } from "@celadon/kube";
import { type FieldError, fieldErrorBody } from "@celadon/kube/errors";
import { CURRENT } from "@celadon/kube-cel";
import { acceptSetUp, type SimulatedCluster } from "@celadon/simulator";
import type { Manifest, Origin } from "@celadon/simulator/manifests";
import { issueAt, issueAtPlace, placeOf, type SuiteIssue } from "./issue.ts";
import type { Suite } from "./suite.ts";

export function resourceIssues(suite: Suite, simulated: SimulatedCluster): SuiteIssue[] {
  const more = suite.cases.flatMap(({ resources }) => resources);
  const all = [...new Set([...simulated.manifests(), ...more])];
  return all.flatMap((manifest) => issuesOf(manifest, suite, simulated));
}

function issuesOf({ object, origin: own }: Manifest, suite: Suite, simulated: SimulatedCluster): SuiteIssue[] {
  const origin = own ?? suite.origin;
  const accepted = simulated.accepted(object);
  if (accepted === undefined) return [];
  const { status, errors, unreadable, unknownFields } = accepted;
  const minor = suite.kubeVersion ?? CURRENT;
  const isOld = minor !== CURRENT && status !== undefined && acceptSetUp(object)?.status === undefined;
  const what = `${String(object.kind)} ${JSON.stringify(nameOf(object))}${isOld ? `: rejected by Kubernetes ${minor}` : ""}`;
  const issues = unknownFields.map((field) =>
    issueAt(origin, field.steps, "bad_resource", `${what}: ${unknownFieldText(field)}`, { part: "key" }),
  );
  pushAll(
    issues,
    errors.flatMap((error) => issuesOfError(origin, error, `${what}: `)),
  );
  if (status !== undefined && errors.length === 0) {
    issues.push(issueAt(origin, unreadable?.steps ?? [], "bad_resource", `${what}: ${status.message ?? ""}`));
  }
  return issues;
}

/** One for each thing that is wrong with an expression, or for the field. */
function issuesOfError(origin: Origin, error: FieldError, lead: string): SuiteIssue[] {
  const { path, expression } = error;
  const placed = (expression?.issues ?? []).flatMap(({ message, span }) => (span ? [{ message, at: span.at }] : []));
  if (expression === undefined || placed.length === 0) {
    const field = path.steps.length === 0 ? "" : `${path}: `;
    return [issueAt(origin, path.steps, "bad_resource", `${lead}${field}${fieldErrorBody(error)}`)];
  }
  return placed
    .sort((a, b) => a.at - b.at)
    .map(({ message, at }) => {
      const { steps, offset } = expression;
      const place = origin.positionIn(steps, offset + Math.max(0, at)) ?? placeOf(origin, steps);
      return issueAtPlace(origin, place, "bad_resource", `${lead}${message}`);
    });
}
