// DaemonSets.

import { semanticEqual } from "@celadon/base";
import type { DaemonSet, DaemonSetSpec, DaemonSetUpdateStrategy } from "../../api/generated/apps-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { JsonShown } from "../../field-error.ts";
import { INT_OR_STRING } from "../../go-syntax.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { amountOf, atMost100Percent, intOrPercent } from "../checks/int-or-percent.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { isEmptySelector, labelSelector } from "../checks/selectors.ts";
import { templateWithoutDisabled } from "../core/pod/prepare.ts";
import { podTemplate } from "../core/pod/template.ts";
import { replicaCounts } from "../core/replicas.ts";
import {
  notDecremented,
  runsForever,
  selects,
  shownSelector,
  templateNotSelected,
  templateWarnings,
} from "../core/workload.ts";
import type { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";
import { shownAs } from "../show/internal.ts";

const TEMPLATE = ["spec", "template"];
/** The annotation with the number of the template's version. */
const TEMPLATE_GENERATION = ["metadata", "annotations", "deprecated.daemonset.template.generation"];

export const daemonSet: AnyKindRules = kindRules<DaemonSet>({
  kind: { group: "apps", kind: "DaemonSet" },
  resource: "daemonsets",
  namespaced: true,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  generation: [SPEC],
  prepareCreate(object, request) {
    const generation = Math.max(1, templateGeneration(object));
    return withField(prepare(object, request.by), TEMPLATE_GENERATION, String(generation));
  },
  prepareUpdate(given, old, request) {
    const object = prepare(given, request.by);
    const changed = semanticEqual(object.spec?.template, old.spec?.template) ? 0 : 1;
    return withField(object, TEMPLATE_GENERATION, String(templateGeneration(old) + changed));
  },
  validate: wholeSet,
  validateUpdate(object, old, at) {
    // Updates were validated as new sets, too, up to 1.33.
    const isTwice = at.by.before(34);
    const selector = (): void =>
      at.child("spec", "selector").immutable(object.spec?.selector, old.spec?.selector, shownSelector);
    if (isTwice) wholeSet(object, at);
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    if (!isTwice) selector();
    daemonSetSpec(object.spec ?? {}, at.child("spec"));
    if (isTwice) selector();
  },
  warnOnCreate: (object, by) => templateWarnings(by, object.spec?.template, ...TEMPLATE),
  warnOnUpdate: (object, old, by) =>
    templateGeneration(object) === templateGeneration(old)
      ? []
      : templateWarnings(by, object.spec?.template, ...TEMPLATE),
  subresources: {
    status: {
      keeps: [SPEC],
      validateUpdate(object, old, at) {
        metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
        replicaCounts(object.status ?? {}, COUNTS, [], at.child("status"));
        const place = at.child("status", "collisionCount");
        notDecremented(object.status?.collisionCount, old.status?.collisionCount, place);
      },
    },
  },
});

const COUNTS = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
];

function prepare(object: DaemonSet, by: Emulation): DaemonSet {
  return withField(object, TEMPLATE, templateWithoutDisabled(object.spec?.template, by));
}

function templateGeneration(object: DaemonSet): number {
  return Number(object.metadata?.annotations?.[TEMPLATE_GENERATION[2]!] ?? 0);
}

function wholeSet(object: DaemonSet, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  daemonSetSpec(object.spec ?? {}, at.child("spec"));
}

function daemonSetSpec(spec: DaemonSetSpec, at: ValidatedField): void {
  const { selector, template } = spec;
  labelSelector(selector, at.child("selector"));
  if (selects(selector, template?.metadata?.labels) === false) templateNotSelected(template, at.child("template"));
  if (selector != null && isEmptySelector(selector)) {
    at.child("selector").invalid(shownSelector(selector), "empty selector is invalid for daemonset");
  }
  podTemplate(template, at.child("template"));
  runsForever(template, "DaemonSet", at.child("template"));
  at.child("minReadySeconds").notNegative(spec.minReadySeconds);
  updateStrategy(spec.updateStrategy ?? {}, at.child("updateStrategy"));
  at.child("revisionHistoryLimit").notNegative(spec.revisionHistoryLimit);
}

function updateStrategy(strategy: DaemonSetUpdateStrategy, at: ValidatedField): void {
  if (strategy.type === "OnDelete") return;
  if (strategy.type !== "RollingUpdate") {
    at.unsupportedAs(shownAs("apps.DaemonSetUpdateStrategy", strategy), ["RollingUpdate", "OnDelete"]);
    return;
  }
  const place = at.child("rollingUpdate");
  if (strategy.rollingUpdate === undefined) {
    place.required();
    return;
  }
  const { maxUnavailable, maxSurge } = strategy.rollingUpdate;
  for (const rule of [intOrPercent, atMost100Percent]) {
    rule(maxUnavailable, place.child("maxUnavailable"));
    rule(maxSurge, place.child("maxSurge"));
  }
  const [unavailable, surge] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0];
  if (unavailable && surge) {
    place
      .child("maxSurge")
      .invalid(new JsonShown(maxSurge, INT_OR_STRING), "may not be set when maxUnavailable is non-zero");
  }
  if (!unavailable && !surge) place.child("maxUnavailable").required("cannot be 0 when maxSurge is 0");
}
