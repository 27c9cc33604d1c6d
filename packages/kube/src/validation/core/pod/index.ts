// Pods and their subresources.

import type { Pod } from "../../../api/generated/core-v1.ts";
import { checkDns1123Label } from "../../../names.ts";
import { fieldWarning, type Warning } from "../../../warning.ts";
import { goList } from "../../checks/texts.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS, STATUS_KEEPS_METADATA } from "../../rules.ts";
import { ephemeralUpdate, prepareEphemeral } from "./ephemeral-update.ts";
import { newPod } from "./object.ts";
import { prepareNewPod, withoutDisabled, withResourcesKept } from "./prepare.ts";
import { prepareResize, resize } from "./resize.ts";
import { prepareStatus, statusUpdate, statusWarnings } from "./status.ts";
import { podUpdate } from "./update.ts";
import { podWarnings } from "./warnings.ts";

/** Since then pods have a generation. */
const GENERATION_SINCE = 33;

export const pod: AnyKindRules = kindRules<Pod>({
  kind: { group: "", kind: "Pod" },
  resource: "pods",
  namespaced: true,
  unconditionalUpdate: true,
  keeps: [STATUS],
  generation: [SPEC],
  generationSince: GENERATION_SINCE,
  prepareCreate: prepareNewPod,
  prepareUpdate: (object, old, { by }) =>
    object.spec ? { ...object, spec: withoutDisabled(withResourcesKept(object.spec, old, by), by) } : object,
  validate: newPod,
  validateUpdate: podUpdate,
  warnOnCreate: (object, by) => [...hostNameWarnings(object), ...podWarnings(by, object.spec ?? {}, object.metadata)],
  subresources: {
    status: {
      keeps: [SPEC, ["metadata", "ownerReferences"]],
      prepareUpdate: prepareStatus,
      validateUpdate: statusUpdate,
      warnOnUpdate: statusWarnings,
    },
    ephemeralcontainers: {
      keeps: [STATUS, ...STATUS_KEEPS_METADATA],
      generation: [SPEC],
      generationSince: GENERATION_SINCE,
      prepareUpdate: prepareEphemeral,
      validateUpdate: ephemeralUpdate,
    },
    resize: {
      generation: [SPEC],
      generationSince: GENERATION_SINCE,
      prepareUpdate: prepareResize,
      validateUpdate: resize,
    },
  },
});

function hostNameWarnings(object: Pod): Warning[] {
  const problems = checkDns1123Label(object.metadata?.name ?? "");
  if (problems.length === 0) return [];
  return [
    fieldWarning(
      "metadata.name",
      `this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: ${goList(problems)}`,
    ),
  ];
}
