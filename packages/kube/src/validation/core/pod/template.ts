// A template of pods, as workloads have it.

import type { PodTemplateSpec } from "../../../api/generated/core-v1.ts";
import { annotations, labels } from "../../checks/metadata.ts";
import type { ValidatedField } from "../../field.ts";
import { podAnnotations, profilesMatch } from "./annotations.ts";
import { podSpec } from "./spec.ts";

// Labels and annotations are looked for where a template had them once.
export function podTemplate(template: PodTemplateSpec | undefined, at: ValidatedField): void {
  const { metadata, spec = {} } = template ?? {};
  labels(metadata?.labels, at.child("labels"));
  annotations(metadata?.annotations, at.child("annotations"));
  podAnnotations(metadata?.annotations ?? {}, spec, at.child("annotations"));
  podSpec(spec, undefined, "template", at.child("spec"));
  profilesMatch(metadata ?? {}, spec, at.child("spec"));
  if (spec.ephemeralContainers?.length) {
    at.child("spec", "ephemeralContainers").forbidden("ephemeral containers not allowed in pod template");
  }
}
