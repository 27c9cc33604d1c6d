// ReplicationControllers and PodTemplates.

import type { PodTemplate, ReplicationController, ReplicationControllerSpec } from "../../api/generated/core-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import type { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";
import { templateWithoutDisabled } from "./pod/prepare.ts";
import { podTemplate as podTemplateSpec } from "./pod/template.ts";
import { availableAreReady, replicaCounts } from "./replicas.ts";
import { isNewGeneration, nameWarnings, runsForever, templateNotSelected, templateWarnings } from "./workload.ts";

const PARTS = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];

export const replicationController: AnyKindRules = kindRules<ReplicationController>({
  kind: { group: "", kind: "ReplicationController" },
  resource: "replicationcontrollers",
  namespaced: true,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  generation: [SPEC],
  prepareCreate: (object, request) => prepareController(object, request.by),
  prepareUpdate: (object, _old, request) => prepareController(object, request.by),
  validate(object, at) {
    const scope = { namespaced: true, name: checkDns1123Subdomain, anyGenerateName: true };
    metadata(object.metadata, scope, at.child("metadata"));
    controllerSpec(object.spec ?? {}, at.child("spec"));
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    controllerSpec(object.spec ?? {}, at.child("spec"));
  },
  warnOnCreate: (object, by) => [
    ...nameWarnings(object.metadata),
    ...templateWarnings(by, object.spec?.template, "spec", "template"),
  ],
  // The server looks at the old template here.
  warnOnUpdate: (object, old, by) =>
    isNewGeneration(object, old) ? templateWarnings(by, old.spec?.template, "spec", "template") : [],
  subresources: {
    status: {
      keeps: [SPEC],
      validateUpdate(object, old, at) {
        metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
        const status = object.status ?? {};
        replicaCounts(status, ["replicas", ...PARTS, "observedGeneration"], PARTS, at.child("status"));
        availableAreReady(status, "readyReplicas", at.child("status"));
      },
    },
  },
});

function prepareController(object: ReplicationController, by: Emulation): ReplicationController {
  return withField(object, ["spec", "template"], templateWithoutDisabled(object.spec?.template, by));
}

function controllerSpec(spec: ReplicationControllerSpec, at: ValidatedField): void {
  const { selector = {}, template } = spec;
  at.child("minReadySeconds").notNegative(spec.minReadySeconds);
  if (Object.keys(selector).length === 0) at.child("selector").required();
  if (spec.replicas === undefined) at.child("replicas").required();
  else at.child("replicas").notNegative(spec.replicas);
  const place = at.child("template");
  if (template === undefined) {
    place.required();
    return;
  }
  const labels = template.metadata?.labels ?? {};
  if (Object.keys(selector).some((key) => labels[key] !== selector[key])) templateNotSelected(template, place);
  podTemplateSpec(template, place);
  runsForever(template, "ReplicationController", place);
}

export const podTemplate: AnyKindRules = kindRules<PodTemplate>({
  kind: { group: "", kind: "PodTemplate" },
  resource: "podtemplates",
  namespaced: true,
  unconditionalUpdate: true,
  generation: [["template"]],
  prepareCreate: (object, request) => prepareTemplate(object, request.by),
  prepareUpdate: (object, _old, request) => prepareTemplate(object, request.by),
  validate(object, at) {
    metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
    podTemplateSpec(object.template, at.child("template"));
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    podTemplateSpec(object.template, at.child("template"));
  },
  warnOnCreate: (object, by) => templateWarnings(by, object.template, "template"),
  warnOnUpdate: (object, old, by) =>
    isNewGeneration(object, old) ? templateWarnings(by, object.template, "template") : [],
});

function prepareTemplate(object: PodTemplate, by: Emulation): PodTemplate {
  return withField(object, ["template"], templateWithoutDisabled(object.template, by));
}
