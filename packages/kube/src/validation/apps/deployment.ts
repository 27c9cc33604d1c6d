// Deployments.

import type { Deployment, DeploymentSpec, DeploymentStrategy } from "../../api/generated/apps-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { JsonShown } from "../../field-error.ts";
import { INT_OR_STRING } from "../../go-syntax.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { amountOf, atMost100Percent, intOrPercent } from "../checks/int-or-percent.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { templateWithoutDisabled } from "../core/pod/prepare.ts";
import { availableAreReady, replicaCounts, replicaTemplate } from "../core/replicas.ts";
import {
  isNewGeneration,
  nameWarnings,
  notDecremented,
  shownSelector,
  templateWarnings,
  workloadSelector,
} from "../core/workload.ts";
import type { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";
import { shownAs } from "../show/internal.ts";

const TEMPLATE = ["spec", "template"];

export const deployment: AnyKindRules = kindRules<Deployment>({
  kind: { group: "apps", kind: "Deployment" },
  resource: "deployments",
  namespaced: true,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  generation: [SPEC, ["metadata", "annotations"]],
  prepareCreate: (object, request) => prepare(object, request.by),
  prepareUpdate: (object, _old, request) => prepare(object, request.by),
  validate(object, at) {
    metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
    deploymentSpec(object.spec ?? {}, at.child("spec"));
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    deploymentSpec(object.spec ?? {}, at.child("spec"));
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
      keeps: [SPEC, ["metadata", "labels"]],
      validateUpdate(object, old, at) {
        metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
        deploymentStatus(object, at.child("status"));
        const place = at.child("status", "collisionCount");
        notDecremented(object.status?.collisionCount, old.status?.collisionCount, place);
      },
    },
  },
});

function prepare(object: Deployment, by: Emulation): Deployment {
  return withField(object, TEMPLATE, templateWithoutDisabled(object.spec?.template, by));
}

function deploymentSpec(spec: DeploymentSpec, at: ValidatedField): void {
  at.child("replicas").notNegative(spec.replicas);
  workloadSelector(spec.selector, "empty selector is invalid for deployment", at.child("selector"));
  replicaTemplate(spec.selector, spec.template, at);
  strategy(spec.strategy ?? {}, at.child("strategy"));
  at.child("minReadySeconds").notNegative(spec.minReadySeconds);
  at.child("revisionHistoryLimit").notNegative(spec.revisionHistoryLimit);
  const deadline = spec.progressDeadlineSeconds;
  if (deadline === undefined) return;
  const place = at.child("progressDeadlineSeconds");
  place.notNegative(deadline);
  if (deadline <= (spec.minReadySeconds ?? 0)) place.invalid(deadline, "must be greater than minReadySeconds");
}

function strategy(given: DeploymentStrategy, at: ValidatedField): void {
  const place = at.child("rollingUpdate");
  switch (given.type) {
    case "Recreate":
      if (given.rollingUpdate) place.forbidden("may not be specified when strategy `type` is 'Recreate'");
      break;
    case "RollingUpdate":
      if (given.rollingUpdate) rollingUpdate(given.rollingUpdate, place);
      else place.required("this should be defaulted and never be nil");
      break;
    default:
      at.unsupportedAs(shownAs("apps.DeploymentStrategy", given), ["Recreate", "RollingUpdate"]);
  }
}

function rollingUpdate(given: NonNullable<DeploymentStrategy["rollingUpdate"]>, at: ValidatedField): void {
  const { maxUnavailable, maxSurge } = given;
  intOrPercent(maxUnavailable, at.child("maxUnavailable"));
  intOrPercent(maxSurge, at.child("maxSurge"));
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
    at.child("maxUnavailable").invalid(
      new JsonShown(maxUnavailable ?? 0, INT_OR_STRING),
      "may not be 0 when `maxSurge` is 0",
    );
  }
  atMost100Percent(maxUnavailable, at.child("maxUnavailable"));
}

const COUNTS = [
  "observedGeneration",
  "replicas",
  "updatedReplicas",
  "readyReplicas",
  "availableReplicas",
  "unavailableReplicas",
  "terminatingReplicas",
  "collisionCount",
];

function deploymentStatus(object: Deployment, at: ValidatedField): void {
  const status = object.status ?? {};
  replicaCounts(status, COUNTS, ["updatedReplicas", "readyReplicas", "availableReplicas"], at);
  availableAreReady(status, "readyReplicas", at);
}
