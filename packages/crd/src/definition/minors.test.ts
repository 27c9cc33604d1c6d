// Definitions and objects as API servers of other minors answer them: one small definition per difference.

import type { Status } from "@celadon/kube/status";
import { type Minor, minorsBetween } from "@celadon/kube-cel";
import { describe, expect, test } from "vitest";
import { type Admitted, admitCreate, admitDefinition, admitUpdate } from "../admit.ts";
import { CustomResourceType } from "../resource.ts";
import { type Answer, answersOf, type Case, cases, KNOWN_MINOR_DIFFERENCES, type Refusal } from "./minors.testing.ts";

describe.each(minorsBetween("1.28", "1.36"))("%s", (kubeVersion) => {
  const answers = new Map(answersOf(kubeVersion).map((answer) => [answer.id, answer]));
  test.each(cases)("$id", (given) => {
    const got = answerOf(given, kubeVersion);
    const want = wanted(answers.get(given.id)!);
    if (KNOWN_MINOR_DIFFERENCES[kubeVersion]?.[given.id] === undefined) expect(got).toEqual(want);
    else expect(got).not.toEqual(want);
  });
});

/** The recording has answers about objects of rejected definitions too. */
function wanted({ id, crd, objects = {}, warnings }: Answer): Answer {
  return { id, crd, objects: crd === null ? objects : {}, ...(warnings && { warnings }) };
}

function answerOf({ id, crd, objects = [] }: Case, kubeVersion: Minor): Answer {
  const accepted = admitDefinition(crd, undefined, { kubeVersion });
  const answer = {
    id,
    crd: refusalOf(accepted),
    ...(accepted.warnings.length > 0 && { warnings: accepted.warnings }),
  };
  if (!accepted.allowed) return { ...answer, objects: {} };
  const version = new CustomResourceType(accepted.object, { rules: { kubeVersion } }).version("v1")!;
  const admitted = objects.map(({ name, object, old }) => {
    const result = old === undefined ? admitCreate(version, object) : admitUpdate(version, object, old);
    return [name, { status: refusalOf(result) }] as const;
  });
  return { ...answer, objects: Object.fromEntries(admitted) };
}

function refusalOf(admitted: Admitted<unknown>): Refusal | null {
  if (admitted.allowed) return null;
  const { message, reason, details }: Status = admitted.status;
  const causes = details?.causes?.map(({ field, message: text, reason: type }) => ({ field, message: text, type }));
  return { ...(causes && { causes }), ...(message && { message }), ...(reason && { reason }) };
}
