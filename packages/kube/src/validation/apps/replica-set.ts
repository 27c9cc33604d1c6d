// ReplicaSets.

import type { ReplicaSet, ReplicaSetSpec } from "../../api/generated/apps-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { templateWithoutDisabled } from "../core/pod/prepare.ts";
import { availableAreReady, replicaCounts, replicaTemplate } from "../core/replicas.ts";
import { isNewGeneration, nameWarnings, shownSelector, templateWarnings, workloadSelector } from "../core/workload.ts";
import type { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";

const TEMPLATE = ["spec", "template"];
const PARTS = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];

export const replicaSet: AnyKindRules = kindRules<ReplicaSet>({
  kind: { group: "apps", kind: "ReplicaSet" },
  resource: "replicasets",
  namespaced: true,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  generation: [SPEC],
  prepareCreate: (object, request) => prepare(object, request.by),
  prepareUpdate: (object, _old, request) => prepare(object, request.by),
  validate: wholeSet,
  validateUpdate(object, old, at) {
    // Updates were validated as new sets, too, up to 1.33.
    if (at.by.before(34)) wholeSet(object, at);
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    replicaSetSpec(object.spec ?? {}, at.child("spec"));
    at.child("spec", "selector").immutable(object.spec?.selector, old.spec?.selector, shownSelector);
  },
  warnOnCreate: (object, by) => [
    ...nameWarnings(object.metadata),
    ...templateWarnings(by, object.spec?.template, ...TEMPLATE),
  ],
  warnOnUpdate: (object, old, by) =>
    isNewGeneration(object, old) ? templateWarnings(by, object.spec?.template, ...TEMPLATE) : [],
  subresources: {
    status: {
      keeps: [SPEC],
      validateUpdate(object, old, at) {
        metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
        const status = object.status ?? {};
        const counts = ["replicas", ...PARTS, "observedGeneration", "terminatingReplicas"];
        replicaCounts(status, counts, PARTS, at.child("status"));
        availableAreReady(status, "readyReplicas", at.child("status"));
      },
    },
  },
});

function wholeSet(object: ReplicaSet, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  replicaSetSpec(object.spec ?? {}, at.child("spec"));
}

function prepare(object: ReplicaSet, by: Emulation): ReplicaSet {
  return withField(object, TEMPLATE, templateWithoutDisabled(object.spec?.template, by));
}

function replicaSetSpec(spec: ReplicaSetSpec, at: ValidatedField): void {
  at.child("replicas").notNegative(spec.replicas);
  at.child("minReadySeconds").notNegative(spec.minReadySeconds);
  workloadSelector(spec.selector, "empty selector is invalid for deployment", at.child("selector"));
  replicaTemplate(spec.selector, spec.template, at);
}
