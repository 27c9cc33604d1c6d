// A decoded object on the path of a write, and the path's findings as problems.

import type { AdmissionRequest } from "@celadon/admission";
import { pushAll } from "@celadon/base";
import type { ResourceVersion } from "@celadon/crd";
import type { KubeObject } from "@celadon/kube";
import { distinctWarnings, type FieldError, fieldErrorText } from "@celadon/kube/errors";
import {
  checkUid,
  type Draft,
  draftOf,
  type Ending,
  objectOf,
  Refused,
  refuseAction,
  type WritePath,
  withReadableOwners,
} from "@celadon/write";
import type { Problem } from "../outcome/outcome.ts";
import {
  errorProblems,
  ratchetedProblems,
  resourceProblems,
  statusProblem,
  warningProblems,
  withoutReturned,
} from "../outcome/problems.ts";
import type { Findings, Writing } from "../stages/stage.ts";

/** The object and the one it replaces as validating admission sees them, whether they are valid or not. */
export interface SeenObjects {
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
}

/** Writes a decoded object; with `isPrepared` only as far as validation. */
export async function writtenBy(
  path: WritePath,
  { strategy, action, form, resource }: Writing,
  { namespace = "", name = "", subresource = "", dryRun = false }: AdmissionRequest,
  received: KubeObject,
  stored: KubeObject | null,
  isPrepared = false,
): Promise<SeenObjects> {
  const shown = (object: KubeObject): KubeObject => form?.present(object) ?? object;
  const old = stored ?? undefined;
  const oldObject = stored && shown(stored);
  const decode = (): Draft => draftOf(received);
  if (action !== undefined) {
    const target = { namespace, minor: resource.minor, ...(subresource !== "" && { name }) };
    const acted = await path.act({ sent: subresource === "" ? "new" : "action", decode }, async (draft) => {
      await refuseAction(action, draft, target);
      return draft;
    });
    return { object: acted instanceof Refused ? received : objectOf(acted), oldObject };
  }
  const sent = old === undefined ? "new" : "replacement";
  const begun = await path.begin({ sent, decode, own: withReadableOwners, old: oldObject ?? undefined });
  if (begun instanceof Refused) return { object: received, oldObject };
  const ending: Ending = {
    strategy,
    old,
    form,
    confirm(draft) {
      // The review is about whether the change is allowed, not whether it comes too late.
      const { resourceVersion } = old?.metadata ?? {};
      if (resourceVersion === undefined) delete draft.metadata.resourceVersion;
      else draft.metadata.resourceVersion = resourceVersion;
      if (old !== undefined) checkUid({ resource, dryRun }, draft.metadata.uid, old);
    },
  };
  const finished = await (isPrepared ? path.prepare(begun, ending) : path.finish(begun, ending));
  return { object: shown(objectOf(finished instanceof Refused ? begun : finished)), oldObject };
}

/** The findings of the path beside mutation and admission, which report their own. */
export function findingsOf(
  { steps: { findings } }: WritePath,
  { version }: Writing,
  object: KubeObject | null,
): Findings {
  const problems: Problem[] = [];
  const own = findings.filter(({ step }) => step === "decode" || step === "prepare" || step === "validate");
  const status = own.find((finding) => finding.status !== undefined)?.status;
  for (const { status: refusal, errors } of own) {
    if (refusal === undefined) continue;
    const found = errors.length === 0 ? [statusProblem(refusal, "validation")] : errorsOf(errors, object, version);
    pushAll(problems, refusal === status ? found : withoutReturned(found));
  }
  const ratcheted = own.flatMap((finding) => finding.ratcheted);
  const warnings = distinctWarnings(findings.flatMap((finding) => finding.warnings));
  if (version !== undefined && object !== null) pushAll(problems, ratchetedProblems(ratcheted, object, version));
  pushAll(problems, warningProblems(warnings, object));
  const texts = [...ratcheted.map(fieldErrorText), ...warnings.map(({ text }) => text)];
  return { ...(status && { status }), problems, warnings: texts };
}

function errorsOf(
  errors: readonly FieldError[],
  object: KubeObject | null,
  version: ResourceVersion | undefined,
): readonly Problem[] {
  return version === undefined || object === null
    ? errorProblems(errors, object)
    : resourceProblems(errors, object, version);
}
